// What is seen: content, camera, light and floor. Somebody else draws it (painter.ts), so that a page may have many.

import { type Box3, Color, DirectionalLight, HemisphereLight, Object3D, Scene, Vector3 } from 'three';
import { CameraRig } from './camera.ts';
import type { Sky } from './environment.ts';
import { extentIn, extentOf, type Extent, floorHeight, gridCell } from './framing.ts';
import { Ground } from './ground.ts';

export interface StageColors {
  grid: string;
  gridOpacity: number;
  shadowOpacity: number;
}

export interface ViewEvents {
  /** Before every drawn frame, with the seconds since the last one; true: moving, draw the next one too. */
  tick?(seconds: number): boolean;
  /** Everything stands where this frame shows it: overlays follow now. True: still changing, draw the next one too. */
  posed?(seconds: number): boolean;
  /** After every drawn frame. */
  drawn?(): void;
  /** The graphics context was taken away, or came back. */
  context?(lost: boolean): void;
}

/**
 * What lights the content. studio: the view's own lamps. toon: the same, turned to what flat shaders need, which know no surroundings. content: what
 * shines in the content itself, and a little from all around.
 */
export type Lighting = 'studio' | 'toon' | 'content';

const LIGHTING: Record<Lighting, { key: number; rim: number; around: number; room: number; sky: number }> = {
  studio: { key: 1.7, rim: 0.9, around: 0.35, room: 0.55, sky: 0.8 },
  toon: { key: 2.5, rim: 0.7, around: 1, room: 0.35, sky: 0.6 },
  content: { key: 0, rim: 0, around: 0.25, room: 0.25, sky: 1 },
};

/** Draws content otherwise than it is, for one frame. */
export interface Pass {
  /** `draw` is called once for the whole picture, and again with true for what lies over the content alone. */
  paint(content: Object3D | null, draw: (isOver: boolean) => void): void;
}

/** From where content is looked at and what room it takes, where it does not tell by itself. */
export interface Look {
  direction: Vector3;
  box?: Box3;
  margin?: number;
}

export class View {
  readonly scene = new Scene();
  readonly rig: CameraRig;
  readonly ground = new Ground();
  /** Overlays live here: they cast no shadow and are drawn last. */
  readonly overlays = new Object3D();
  readonly events: ViewEvents;
  extent: Extent | null = null;
  /** Factor of all light. */
  exposure = 1;
  /** Null: the content is drawn as it is. */
  pass: Pass | null = null;
  /** Something has changed since it was drawn last. */
  isDirty = true;
  /** The floor shows the shadow of what stood there before. */
  isShadowOld = true;
  /** For its painter: a frame is wanted. */
  onRequest: () => void = () => {};
  #content: Object3D | null = null;
  #lighting: Lighting = 'studio';
  readonly #lamps: { key: DirectionalLight; rim: DirectionalLight; around: HemisphereLight };
  #sky: Sky | null = null;
  #turn = 0;
  #isVisible = true;
  #size = { width: 1, height: 1 };

  /** `surface` is what the visitor drags on. */
  constructor(surface: HTMLElement, events: ViewEvents = {}) {
    this.events = events;
    this.overlays.name = 'overlays';
    const key = new DirectionalLight(0xffffff);
    key.position.set(2.2, 4, 3.4);
    const rim = new DirectionalLight(0xdfe9ff);
    rim.position.set(-3, 3, -4);
    const around = new HemisphereLight(0xffffff, 0x8f8a80);
    this.#lamps = { key, rim, around };
    this.scene.add(key, rim, around, this.ground.object, this.overlays);
    this.rig = new CameraRig(surface, () => this.request());
    this.#dim();
  }

  /** Width and height of the picture, in pixels of the page. */
  get size(): { readonly width: number; readonly height: number } {
    return this.#size;
  }

  setSize(width: number, height: number): void {
    this.#size = { width: Math.max(Math.round(width), 1), height: Math.max(Math.round(height), 1) };
    this.rig.setAspect(this.#size.width / this.#size.height);
    this.invalidate();
  }

  /** What is not visible is not drawn, however much it changes. */
  get isVisible(): boolean {
    return this.#isVisible;
  }

  set isVisible(on: boolean) {
    if (on === this.#isVisible) return;
    this.#isVisible = on;
    if (on) this.request();
  }

  /** Replaces what is shown; the old content is only taken away, its owner disposes of it. */
  show(content: Object3D | null, frame = true, look?: Look): void {
    if (this.#content) this.scene.remove(this.#content);
    this.#content = content;
    this.extent = null;
    if (content) {
      this.scene.add(content);
      this.extent = look?.box ? extentIn(look.box) : extentOf(content);
      const { center, radius } = this.extent;
      this.ground.place(center, floorHeight(this.extent), radius, gridCell(radius));
    }
    this.rig.show(content, this.extent, look?.direction, look?.margin);
    if (content && frame) this.rig.reset();
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
    this.#dim();
    this.invalidate();
  }

  /** The angle by which its own light is turned around the vertical, radians. */
  get lightTurn(): number {
    return this.#turn;
  }

  set lightTurn(turn: number) {
    const { key, rim } = this.#lamps;
    const up = new Vector3(0, 1, 0);
    for (const lamp of [key, rim]) lamp.position.applyAxisAngle(up, turn - this.#turn);
    this.scene.environmentRotation.y = turn;
    this.#turn = turn;
    this.invalidate();
  }

  get sky(): Sky | null {
    return this.#sky;
  }

  /** A sky behind everything, which is also what shines around and what surfaces reflect; null: the plain page. Its owner disposes of it. */
  set sky(sky: Sky | null) {
    if (sky === this.#sky) return;
    this.#sky = sky;
    this.scene.background = null; // until the painter has made another one
    this.#dim();
    this.invalidate();
  }

  setColors(colors: StageColors): void {
    this.ground.setColors(new Color(colors.grid), colors.gridOpacity, colors.shadowOpacity);
    this.invalidate();
  }

  /** Something has changed: draw a frame. */
  invalidate(): void {
    this.isShadowOld = true;
    this.request();
  }

  /** Draw a frame: what is shown stands as it stood, but the eye has moved. */
  request(): void {
    this.isDirty = true;
    this.onRequest();
  }

  /** Everything goes on by some seconds, and stands where the next frame shows it. True: it moves on. */
  advance(seconds: number): boolean {
    const isMoving = this.events.tick?.(seconds) ?? false;
    const followed = this.rig.update(seconds);
    if (followed && this.extent) this.ground.follow(this.extent.center.clone().setX(followed.x).setZ(followed.z));
    this.scene.updateMatrixWorld();
    return (this.events.posed?.(seconds) ?? false) || isMoving;
  }

  /** The content is its owner's. */
  dispose(): void {
    if (this.#content) this.scene.remove(this.#content);
    this.#content = null;
    this.rig.dispose();
    this.ground.dispose();
  }

  #dim(): void {
    const { key, rim, around, room, sky } = LIGHTING[this.#lighting];
    this.#lamps.key.intensity = key;
    this.#lamps.rim.intensity = rim;
    this.#lamps.around.intensity = around;
    this.scene.environmentIntensity = this.#sky ? sky : room;
  }
}
