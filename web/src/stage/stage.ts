// The place where a rig stands, for a page that has one: a view with a painter of its own, in an element that it fills.

import type { PerspectiveCamera, Vector3, WebGLRenderer } from 'three';
import type { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { Painter } from './painter.ts';
import type { Motion } from './playback.ts';
import { View, type ViewEvents } from './view.ts';

/** Draws only when something has changed. */
export class Stage extends View {
  readonly host: HTMLElement;
  readonly painter: Painter;
  readonly #observer: ResizeObserver;

  constructor(host: HTMLElement, events: ViewEvents = {}, maxPixelRatio = 2) {
    const painter = new Painter(maxPixelRatio);
    super(painter.canvas, events);
    this.host = host;
    this.painter = painter;
    this.canvas.tabIndex = 0;
    host.append(this.canvas);
    painter.add(this, null);
    const resize = (): void => this.setSize(host.clientWidth, host.clientHeight);
    this.#observer = new ResizeObserver(resize);
    this.#observer.observe(host);
    resize();
  }

  get canvas(): HTMLCanvasElement {
    return this.painter.canvas;
  }

  get renderer(): WebGLRenderer {
    return this.painter.renderer;
  }

  get camera(): PerspectiveCamera {
    return this.rig.camera;
  }

  get controls(): OrbitControls {
    return this.rig.controls;
  }

  /** The camera that draws: the visitor's own, or the one they look through. */
  get view(): PerspectiveCamera {
    return this.rig.active;
  }

  get eye(): PerspectiveCamera | null {
    return this.rig.eye;
  }

  /** Looks through another camera, whose owner moves it; null: through the visitor's own again, where it was. */
  set eye(camera: PerspectiveCamera | null) {
    this.rig.eye = camera;
    this.invalidate();
  }

  /** The point the camera keeps to while the model walks; null: it stays where it is. */
  get followed(): (() => Vector3 | null) | null {
    return this.rig.followed;
  }

  set followed(followed: (() => Vector3 | null) | null) {
    this.rig.followed = followed;
  }

  /** What shall be in the picture from now on: the model, and all that a motion makes of it. Null: the model at rest. */
  frame(motion: Motion | null): void {
    this.rig.frame(motion);
  }

  /** Looks at the whole model again, from where it is best seen. */
  resetView(direction?: Vector3): void {
    this.rig.reset(direction);
    this.invalidate();
  }

  /** Turns and zooms from the keyboard: radians and a factor. */
  orbit(azimuth: number, polar: number, zoom = 1): void {
    this.rig.turn(azimuth, polar, zoom);
  }

  /** Draws now, outside of the loop (pictures, tests). */
  drawNow(seconds = 0): void {
    this.painter.drawNow(this, seconds);
  }

  override dispose(): void {
    this.#observer.disconnect();
    super.dispose();
    this.painter.dispose();
  }
}
