// How what stands on the stage looks: the mode it is drawn in, its vertex colours, and what shines on it.
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
import type { Look } from './panels/scene.ts';

export class Appearance {
  readonly modes = new ViewModePass();
  /** Layers of vertex colours, and the one that the mode of vertex colours shows. */
  readonly colors = signal<{ layer: number; layers: number }>({ layer: 0, layers: 0 });
  readonly #view: View;
  readonly #overlays: Overlays;
  #model: Model | null = null;
  #gizmos: GizmoOverlay | null = null;
  /** What shines where the file's own sky does not; null: the room. */
  #around: Sky | null = null;

  constructor(view: View, overlays: Overlays) {
    this.#view = view;
    this.#overlays = overlays;
    view.pass = this.modes;
  }

  /** What it looks after from now on; null: the stage is empty. `gizmos`: the outlines of what has no surface. */
  begin(model: Model | null, gizmos: GizmoOverlay | null): void {
    this.#model = model;
    this.#gizmos = gizmos;
    if (model) {
      this.#view.sky ??= this.#around;
      this.colors.value = { layer: 0, layers: hasVertexColors(model.rig.scene) ? Math.max(model.rig.colorLayers, 1) : 0 };
    } else {
      this.#view.sky = null;
      this.#view.lighting = 'studio';
      this.colors.value = { layer: 0, layers: 0 };
      this.modes.dispose();
    }
  }

  showWire(on: boolean): void {
    this.modes.wireframe = on;
    this.#view.invalidate();
  }

  /** How the model is drawn; of the weights those of the chosen bone. */
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

  /** Light of the view's own: a factor, and degrees around the vertical. */
  shine(exposure: number, turn: number): void {
    this.#view.exposure = exposure;
    this.#view.lightRotation = MathUtils.degToRad(turn);
  }

  /** What shines around from now on, and is the caller's; null: the room. The file's own sky stays where it is shown. */
  surround(sky: Sky | null): void {
    if (this.#view.sky === this.#around) this.#view.sky = sky;
    this.#around = sky;
  }

  /** Which layer of vertex colours the model wears; 0: the one that it has by itself. */
  showColorLayer(layer: number): void {
    const { layers } = this.colors.value;
    if (layer >= layers || layer === this.colors.value.layer) return;
    this.#model?.rig.showColorLayer(layer);
    this.colors.value = { layer, layers };
    this.#view.invalidate();
  }

  /** The file's sky or lights, or outlines of what has no surface. */
  showLook(look: Look, on: boolean): void {
    if (!this.#model) return;
    if (look === 'sky') {
      this.#view.sky = on ? this.#model.sky : this.#around;
    } else if (look === 'lamps') {
      for (const lamp of this.#model.lamps) lamp.visible = on;
      this.#view.lighting = on ? 'content' : defaultLighting(this.#model.file.scene!);
    } else {
      this.#gizmos?.show(look, on);
    }
    this.#view.invalidate();
  }
}
