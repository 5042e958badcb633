// One view: its content, camera, lights and floor. A view has no renderer; a shared renderer draws
// all views of a page (sharedRenderer.ts).

import { type Box3, Color, DirectionalLight, HemisphereLight, Object3D, Scene, Vector3 } from 'three';
import { CameraRig } from './camera.ts';
import type { Sky } from './environment.ts';
import { extentIn, extentOf, type Extent, floorHeight, gridCell } from './framing.ts';
import { Ground } from './ground.ts';

export interface ViewColors {
  grid: string;
  gridOpacity: number;
  shadowOpacity: number;
}

export interface ViewEvents {
  /**
   * Called before each drawn frame with the seconds since the last one. Returns true while content
   * is moving, which requests another frame.
   */
  tick?(seconds: number): boolean;
  /**
   * Called once world matrices are up to date for this frame, so that overlays can follow. Returns
   * true while an overlay is still changing, which requests another frame.
   */
  posed?(seconds: number): boolean;
  /** Called after each drawn frame. */
  drawn?(): void;
  /** Called when the graphics context is lost (true) or restored (false). */
  context?(lost: boolean): void;
}

/**
 * Lights of the content.
 * `studio`: the view's own key, rim and hemisphere lights.
 * `toon`: the same lights, with intensities for toon shaders, which ignore environment maps.
 * `content`: only the lights in the content itself, plus a little hemisphere light.
 */
export type Lighting = 'studio' | 'toon' | 'content';

const LIGHTING: Record<Lighting, { key: number; rim: number; hemisphere: number; room: number; sky: number }> = {
  studio: { key: 1.7, rim: 0.9, hemisphere: 0.35, room: 0.55, sky: 0.8 },
  toon: { key: 2.5, rim: 0.7, hemisphere: 1, room: 0.35, sky: 0.6 },
  content: { key: 0, rim: 0, hemisphere: 0.25, room: 0.25, sky: 1 },
};

/** Replaces how the content is drawn for one frame, for example as wireframe. */
export interface RenderPass {
  /**
   * Call `draw(false)` once for the whole picture. `draw(true)` then draws only the content, over
   * that picture.
   */
  render(content: Object3D | null, draw: (isOver: boolean) => void): void;
}

/**
 * Initial camera direction and bounds of content that can't be framed by its geometry, such as a
 * recording.
 */
export interface InitialView {
  direction: Vector3;
  box?: Box3;
  margin?: number;
}

export class View {
  readonly scene = new Scene();
  readonly cameraRig: CameraRig;
  readonly ground = new Ground();
  /** Parent of all overlays. They cast no shadow and are drawn last. */
  readonly overlays = new Object3D();
  readonly events: ViewEvents;
  extent: Extent | null = null;
  /** Exposure of the tone mapping; scales all light. */
  exposure = 1;
  /** Render pass in place of the default one; null for the default. */
  pass: RenderPass | null = null;
  /** The view has changed since it was last drawn. */
  isDirty = true;
  /** The content has moved since the floor's shadow was last drawn. */
  isShadowStale = true;
  /** Set by the renderer; called when the view needs a frame. */
  onRequest: () => void = () => {};
  #content: Object3D | null = null;
  #lighting: Lighting = 'studio';
  readonly #lights: { key: DirectionalLight; rim: DirectionalLight; hemisphere: HemisphereLight };
  #sky: Sky | null = null;
  #lightRotation = 0;
  #isVisible = true;
  #size = { width: 1, height: 1 };

  /** `surface`: the element that receives the visitor's pointer input. */
  constructor(surface: HTMLElement, events: ViewEvents = {}) {
    this.events = events;
    this.overlays.name = 'overlays';
    const key = new DirectionalLight(0xffffff);
    key.position.set(2.2, 4, 3.4);
    const rim = new DirectionalLight(0xdfe9ff);
    rim.position.set(-3, 3, -4);
    const hemisphere = new HemisphereLight(0xffffff, 0x8f8a80);
    this.#lights = { key, rim, hemisphere };
    this.scene.add(key, rim, hemisphere, this.ground.object, this.overlays);
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

  /** Invisible views are never drawn, even if they change. */
  get isVisible(): boolean {
    return this.#isVisible;
  }

  set isVisible(on: boolean) {
    if (on === this.#isVisible) return;
    this.#isVisible = on;
    if (on) this.request();
  }

  /**
   * Replaces the content. The previous content is removed, not disposed: its owner does that.
   * `frame`: also resets the camera.
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
    this.cameraRig.show(content, this.extent, initialView?.direction, initialView?.margin);
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

  /** Rotation of the view's own lights and environment around the vertical axis, radians. */
  get lightRotation(): number {
    return this.#lightRotation;
  }

  set lightRotation(rotation: number) {
    const { key, rim } = this.#lights;
    const up = new Vector3(0, 1, 0);
    for (const light of [key, rim]) light.position.applyAxisAngle(up, rotation - this.#lightRotation);
    this.scene.environmentRotation.y = rotation;
    this.#lightRotation = rotation;
    this.invalidate();
  }

  get sky(): Sky | null {
    return this.#sky;
  }

  /**
   * Sky that is drawn behind the content, lights it and is reflected; null for a transparent
   * background and the default environment. Its owner disposes of it.
   */
  set sky(sky: Sky | null) {
    if (sky === this.#sky) return;
    this.#sky = sky;
    this.scene.background = null; // until the renderer has prepared the new one
    this.#setLightIntensities();
    this.invalidate();
  }

  setColors(colors: ViewColors): void {
    this.ground.setColors(new Color(colors.grid), colors.gridOpacity, colors.shadowOpacity);
    this.invalidate();
  }

  /** Requests a frame because the content has changed. The shadow is drawn again, too. */
  invalidate(): void {
    this.isShadowStale = true;
    this.request();
  }

  /** Requests a frame because only the camera has changed. The shadow is kept. */
  request(): void {
    this.isDirty = true;
    this.onRequest();
  }

  /**
   * Advances content, camera and overlays by `seconds`. Returns true while anything is still
   * moving.
   */
  update(seconds: number): boolean {
    const isMoving = this.events.tick?.(seconds) ?? false;
    const followed = this.cameraRig.update(seconds);
    if (followed && this.extent) this.ground.follow(this.extent.center.clone().setX(followed.x).setZ(followed.z));
    this.scene.updateMatrixWorld();
    return (this.events.posed?.(seconds) ?? false) || isMoving;
  }

  /** Does not dispose the content, which belongs to its owner. */
  dispose(): void {
    if (this.#content) this.scene.remove(this.#content);
    this.#content = null;
    this.cameraRig.dispose();
    this.ground.dispose();
  }

  #setLightIntensities(): void {
    const { key, rim, hemisphere, room, sky } = LIGHTING[this.#lighting];
    this.#lights.key.intensity = key;
    this.#lights.rim.intensity = rim;
    this.#lights.hemisphere.intensity = hemisphere;
    this.scene.environmentIntensity = this.#sky ? sky : room;
  }
}
