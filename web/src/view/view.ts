// A view with its content, camera, lights and floor. Views have no renderer of their own; a shared
// renderer draws all views of a page (sharedRenderer.ts).

import {
  type Box3,
  Color,
  DirectionalLight,
  HemisphereLight,
  LightProbe,
  type Material,
  Mesh,
  Object3D,
  Scene,
  type ToneMapping,
  Vector3,
} from 'three';
import { CameraRig } from './camera.ts';
import type { Sky } from './environment.ts';
import { extentIn, extentOf, type Extent, floorHeight, gridCell, initialDirection } from './framing.ts';
import { Ground } from './ground.ts';
import { ROOM_KEY, ROOM_RIM, setRoomProbe } from './roomLight.ts';
import { visibleSide } from './visibleSide.ts';

export interface ViewColors {
  grid: string;
  gridOpacity: number;
  shadowOpacity: number;
}

export interface ViewEvents {
  /**
   * Called before each frame with the seconds since the last frame. Returns true while the content
   * is moving; another frame is then drawn.
   */
  tick?(seconds: number): boolean;
  /**
   * Called in each frame once world matrices are up to date, so that overlays can follow the
   * content. Returns true while an overlay is still changing; another frame is then drawn.
   */
  posed?(seconds: number): boolean;
  /** Called after each drawn frame. */
  drawn?(): void;
  /** Called when the graphics context is lost (true) or restored (false). */
  context?(lost: boolean): void;
}

/**
 * Lights of the content. `studio`: the view's own key, rim and hemisphere lights. `toon`: the same
 * lights, with intensities for toon shaders, which ignore environment maps. `content`: only the
 * lights in the content itself, plus a weak hemisphere light.
 */
export type Lighting = 'studio' | 'toon' | 'content';

const LIGHTING: Record<Lighting, { key: number; rim: number; hemisphere: number; room: number; sky: number }> = {
  studio: { key: 1.7, rim: 0.9, hemisphere: 0.35, room: 0.55, sky: 0.8 },
  toon: { key: 2.5, rim: 0.7, hemisphere: 1, room: 0.35, sky: 0.6 },
  content: { key: 0, rim: 0, hemisphere: 0.25, room: 0.25, sky: 1 },
};

/** True if three.js supports `environmentIntensity` (r163). */
const hasEnvironmentIntensity = 'environmentIntensity' in new Scene();

/**
 * Intensity of the lights that imitate the room with earlier releases of three.js. These always use
 * an environment intensity of 1, but their room is darker.
 */
const FIXED_ROOM = 0.4;

/** Changes how the content is drawn, for example as wireframe. */
export interface RenderPass {
  /**
   * Must call `draw(false)` once, which draws the whole picture. `draw(true)` then draws only the
   * content, on top of this picture.
   */
  render(content: Object3D | null, draw: (isOver: boolean) => void): void;
}

/**
 * Initial camera direction and bounds, for content whose geometry does not determine them, such as
 * a recording.
 */
export interface InitialView {
  direction: Vector3;
  box?: Box3;
  margin?: number;
}

export class View {
  readonly scene: Scene = new Scene();
  readonly cameraRig: CameraRig;
  readonly ground = new Ground();
  /** Parent of all overlays. Overlays cast no shadow and are drawn last. */
  readonly overlays = new Object3D();
  readonly events: ViewEvents;
  extent: Extent | null = null;
  /** Exposure of the tone mapping: a factor by which all light is multiplied. */
  exposure = 1;
  /** Tone mapping; null for the default of the renderer. */
  toneMapping: ToneMapping | null = null;
  /** Render pass that replaces the default; null for the default. */
  pass: RenderPass | null = null;
  /** True if the view has changed since it was last drawn. */
  isDirty = true;
  /** True if the content has moved since the shadow on the floor was last drawn. */
  isShadowStale = true;
  /** Called when the view needs a frame. The renderer sets this callback. */
  onRequest: () => void = () => {};
  #content: Object3D | null = null;
  #lighting: Lighting = 'studio';
  readonly #lights: { key: DirectionalLight; rim: DirectionalLight; hemisphere: HemisphereLight; probe: LightProbe };
  #environmentShare = 1;
  /** True if the content has materials that are lit, but not by environment maps. */
  #ignoresEnvironment = false;
  #sky: Sky | null = null;
  #lightRotation = 0;
  #isVisible = true;
  #size = { width: 1, height: 1 };

  /** `surface`: element that receives the visitor's pointer input. */
  constructor(surface: HTMLElement, events: ViewEvents = {}) {
    this.events = events;
    this.overlays.name = 'overlays';
    const key = new DirectionalLight(0xffffff);
    key.position.set(2.2, 4, 3.4);
    const rim = new DirectionalLight(0xdfe9ff);
    rim.position.set(-3, 3, -4);
    const hemisphere = new HemisphereLight(0xffffff, 0x8f8a80);
    const probe = new LightProbe(); // always in the scene, because three.js compiles all shaders again when a light is added
    this.#lights = { key, rim, hemisphere, probe };
    setRoomProbe(probe, 0, key, rim);
    this.scene.add(key, rim, hemisphere, probe, this.ground.object, this.overlays);
    this.cameraRig = new CameraRig(surface, () => this.request());
    this.#setLightIntensities();
  }

  /** Size of the picture in CSS pixels. */
  get size(): { readonly width: number; readonly height: number } {
    return this.#size;
  }

  setSize(width: number, height: number): void {
    this.#size = { width: Math.max(Math.round(width), 1), height: Math.max(Math.round(height), 1) };
    this.cameraRig.setAspect(this.#size.width / this.#size.height);
    this.invalidate();
  }

  /** False if the view must not be drawn, even if it changes. */
  get isVisible(): boolean {
    return this.#isVisible;
  }

  set isVisible(on: boolean) {
    if (on === this.#isVisible) return;
    this.#isVisible = on;
    if (on) this.request();
  }

  /**
   * Replaces the content. The owner of the previous content must dispose it. `frame`: true to reset
   * the camera.
   */
  show(content: Object3D | null, frame = true, initialView?: InitialView): void {
    if (this.#content) this.scene.remove(this.#content);
    this.#content = content;
    this.extent = null;
    if (content) {
      this.scene.add(content);
      this.extent = initialView?.box ? extentIn(initialView.box) : extentOf(content);
      const { center, radius } = this.extent;
      this.ground.place(center, floorHeight(this.extent), radius, gridCell(radius));
    }
    this.#ignoresEnvironment = content !== null && ignoresEnvironment(content);
    this.#setLightIntensities();
    const direction = initialView?.direction ?? initialDirection();
    // A view with its own bounds shows a recording, whose direction does not depend on its faces.
    const isFixed = !content || initialView?.box;
    this.cameraRig.show(content, this.extent, isFixed ? direction : visibleSide(content, direction), initialView?.margin);
    if (content && frame) this.cameraRig.reset();
    this.ground.object.visible = content !== null;
    this.invalidate();
  }

  get content(): Object3D | null {
    return this.#content;
  }

  get lighting(): Lighting {
    return this.#lighting;
  }

  set lighting(lighting: Lighting) {
    this.#lighting = lighting;
    this.#setLightIntensities();
    this.invalidate();
  }

  /**
   * Rotation of the environment and of the view's own lights around the vertical axis, in radians.
   */
  get lightRotation(): number {
    return this.#lightRotation;
  }

  set lightRotation(rotation: number) {
    const { key, rim, probe } = this.#lights;
    const up = new Vector3(0, 1, 0);
    for (const light of [key, rim]) light.position.applyAxisAngle(up, rotation - this.#lightRotation);
    setRoomProbe(probe, rotation, key, rim);
    this.scene.environmentRotation.y = rotation;
    this.#lightRotation = rotation;
    this.invalidate();
  }

  /**
   * Share of the environment in the light, 0 to 1. Analytic lights that imitate the default room
   * contribute the rest. The renderer sets this property while it waits for the environment map.
   */
  get environmentShare(): number {
    return this.#environmentShare;
  }

  set environmentShare(share: number) {
    // Without an intensity, the environment replaces the analytic lights at once.
    this.#environmentShare = hasEnvironmentIntensity || share === 0 ? Math.min(share, 1) : 1;
    this.#setLightIntensities();
  }

  get sky(): Sky | null {
    return this.#sky;
  }

  /**
   * Sky that is visible behind the content, lights it and is reflected; null for a transparent
   * background and the default environment. The owner of the sky must dispose it.
   */
  set sky(sky: Sky | null) {
    if (sky === this.#sky) return;
    this.#sky = sky;
    this.scene.background = null; // until the renderer has prepared the new sky
    this.#setLightIntensities();
    this.invalidate();
  }

  setColors(colors: ViewColors): void {
    this.ground.setColors(new Color(colors.grid), colors.gridOpacity, colors.shadowOpacity);
    this.invalidate();
  }

  /**
   * Requests a frame in which the shadow is drawn again. Call this when the content has changed.
   */
  invalidate(): void {
    this.isShadowStale = true;
    this.request();
  }

  /** Requests a frame in which the shadow is kept. Call this when only the camera has changed. */
  request(): void {
    this.isDirty = true;
    this.onRequest();
  }

  /**
   * Advances content, camera and overlays by `seconds`. Returns true while content or overlays are
   * moving.
   */
  update(seconds: number): boolean {
    const isMoving = this.events.tick?.(seconds) ?? false;
    const followed = this.cameraRig.update(seconds);
    if (followed && this.extent) this.ground.follow(this.extent.center.clone().setX(followed.x).setZ(followed.z));
    this.scene.updateMatrixWorld();
    return (this.events.posed?.(seconds) ?? false) || isMoving;
  }

  /** Disposes everything except the content, which its owner must dispose. */
  dispose(): void {
    if (this.#content) this.scene.remove(this.#content);
    this.#content = null;
    this.cameraRig.dispose();
    this.ground.dispose();
  }

  #setLightIntensities(): void {
    const { key, rim, hemisphere, room, sky } = LIGHTING[this.#lighting];
    const isImitated = this.#lighting !== 'toon' && !this.#ignoresEnvironment;
    const missing = isImitated ? (1 - this.#environmentShare) * (hasEnvironmentIntensity ? room : FIXED_ROOM) : 0;
    this.#lights.key.intensity = key + missing * ROOM_KEY;
    this.#lights.rim.intensity = rim + missing * ROOM_RIM;
    this.#lights.hemisphere.intensity = hemisphere;
    this.#lights.probe.intensity = missing;
    this.scene.environmentIntensity = this.#environmentShare * (this.#sky ? sky : room);
  }
}

/** Returns true if analytic lights light a material of `content`, but environment maps do not. */
function ignoresEnvironment(content: Object3D): boolean {
  const types = ['MeshLambertMaterial', 'MeshPhongMaterial', 'MeshToonMaterial'];
  let isFound = false;
  content.traverse(object => {
    if (object instanceof Mesh) isFound ||= [object.material as Material | Material[]].flat().some(({ type }) => types.includes(type));
  });
  return isFound;
}
