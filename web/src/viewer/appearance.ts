// Appearance of the content: shading mode, vertex colours, lights and environment.
import { signal } from '@preact/signals-core';
import { MathUtils } from 'three';
import type { Model } from '../session/model.ts';
import {
  type GizmoOverlay,
  hasVertexColors,
  hideWeights,
  defaultLighting,
  showWeights,
  type Sky,
  type View,
  type ViewMode,
  ViewModePass,
} from '../view/index.ts';
import type { Overlays } from './overlays.ts';
import type { SceneLayer } from './sceneFacts.ts';

export class Appearance {
  readonly modes = new ViewModePass();
  /**
   * Vertex colour layers of the model. `layers`: number of layers. `layer`: index of the layer that
   * the vertex colour mode shows.
   */
  readonly colors = signal<{ layer: number; layers: number }>({ layer: 0, layers: 0 });
  readonly #view: View;
  readonly #overlays: Overlays;
  #model: Model | null = null;
  #gizmos: GizmoOverlay | null = null;
  /** Environment that is used while the sky of the file is hidden; null for the default room. */
  #chosenSky: Sky | null = null;

  constructor(view: View, overlays: Overlays) {
    this.#view = view;
    this.#overlays = overlays;
    view.pass = this.modes;
  }

  /**
   * Sets the model; null if the viewport is empty. `gizmos`: outlines of the model's lights,
   * colliders and emitters.
   */
  begin(model: Model | null, gizmos: GizmoOverlay | null): void {
    this.#model = model;
    this.#gizmos = gizmos;
    if (model) {
      this.#view.sky ??= this.#chosenSky;
      this.colors.value = { layer: 0, layers: hasVertexColors(model.rig.scene) ? Math.max(model.rig.colorLayers, 1) : 0 };
    } else {
      this.#view.sky = null;
      this.#view.lighting = 'studio';
      this.colors.value = { layer: 0, layers: 0 };
      this.modes.dispose();
    }
  }

  /** Draws changed materials. Call this after values of materials have changed. */
  updateMaterials(): void {
    this.modes.dispose();
    this.#view.isShadowStale = true;
    this.#view.invalidate();
  }

  showWire(on: boolean): void {
    this.modes.wireframe = on;
    this.#view.invalidate();
  }

  /** Sets the shading mode. The weights mode shows the selected bone. */
  showMode(mode: ViewMode): void {
    this.modes.mode = mode;
    const { content } = this.#view;
    if (content && mode === 'weights') showWeights(content, this.#overlays.bone.value);
    else if (content) hideWeights(content);
    this.#view.invalidate();
  }

  showFlat(on: boolean): void {
    this.#view.cameraRig.isOrthographic = on;
    this.#view.invalidate();
  }

  showGrid(on: boolean): void {
    this.#view.ground.gridVisible = on;
    this.#view.invalidate();
  }

  /**
   * Sets the exposure and the rotation of the light. `rotation`: angle around the vertical axis in
   * degrees.
   */
  setLight(exposure: number, rotation: number): void {
    this.#view.exposure = exposure;
    this.#view.lightRotation = MathUtils.degToRad(rotation);
  }

  /**
   * Sets the environment; null for the default room. The caller must dispose the environment. If
   * the sky of the file is visible, the environment is shown once that sky is hidden.
   */
  setSky(sky: Sky | null): void {
    if (this.#view.sky === this.#chosenSky) this.#view.sky = sky;
    this.#chosenSky = sky;
  }

  /** Shows a layer of vertex colours. Layer 0 is the model's default. */
  showColorLayer(layer: number): void {
    const { layers } = this.colors.value;
    if (layer >= layers || layer === this.colors.value.layer) return;
    this.#model?.rig.showColorLayer(layer);
    this.colors.value = { layer, layers };
    this.#view.invalidate();
  }

  /** Shows or hides the sky of the file, the lights of the file, or one kind of outlines. */
  showLayer(layer: SceneLayer, on: boolean): void {
    if (!this.#model) return;
    if (layer === 'sky') {
      this.#view.sky = on ? this.#model.sky : this.#chosenSky;
    } else if (layer === 'fileLights') {
      for (const light of this.#model.lights) light.visible = on;
      this.#view.lighting = on ? 'content' : defaultLighting(this.#model.file.scene!);
    } else {
      this.#gizmos?.show(layer, on);
    }
    this.#view.invalidate();
  }
}
