// A renderer for all views of a page, with WebGL or WebGPU (graphics.ts). It draws each visible view
// that has changed to the renderer's canvas, then copies the picture to the canvas of the view. One
// view can show the renderer's canvas directly.

import type { Camera, Color, Object3D, WebGLRenderer } from 'three';
import type { Insets } from './cameraSettings.ts';
import { FrameLoop, type FrameSource } from './frameLoop.ts';
import type { Graphics } from './graphics.ts';
import { WebGLGraphics } from './webglGraphics.ts';
import { LightTransition } from './lightTransition.ts';
import { RenderScale } from './renderScale.ts';
import { whileOrbited } from './orbited.ts';
import { Shadows } from './shadows.ts';
import type { View } from './view.ts';
import { outOfRange, RigcastError } from '../core/error.ts';
import type { BlockExtension } from '../three/materials/imageKinds.ts';

/** Time after which the shared renderer is disposed if it has no views, in milliseconds. */
const DISPOSE_DELAY = 10_000;

const NO_INSETS: Insets = { top: 0, right: 0, bottom: 0, left: 0 };

/**
 * Delays in seconds before the attempts to create a device again after it was lost. A driver that
 * was reset or updated needs some time.
 */
const RECOVERY_DELAYS = [0, 0.5, 1, 2, 4, 8, 16, 32];

/** Creates graphics that draw to a canvas. Rejects if they are not available. */
export type CreateGraphics = (canvas: HTMLCanvasElement, onLost: () => void) => Promise<Graphics>;

const PAGE_FRAMES: FrameSource = {
  request: callback => requestAnimationFrame(callback),
  cancel: request => cancelAnimationFrame(request),
  now: () => performance.now(),
};

export interface PictureOptions {
  /**
   * Width in pixels. If width and height are undefined, the picture has as many pixels as the view
   * on the page.
   */
  width?: number;
  height?: number;
  /**
   * MIME type of the picture (default `image/png`). The picture is a PNG if the browser does not
   * support the type.
   */
  mime?: string;
  /** Image quality from 0 to 1, for lossy formats. */
  quality?: number;
  /** Background of the picture as a CSS colour (default: transparent). */
  background?: string;
  /** True to omit the sky. */
  isCutOut?: boolean;
}

/**
 * Options of `drawPicture`. `turn`: rotation of the camera around its target for this picture, in
 * radians (default 0). `light`: `available` to draw the picture without waiting for the environment
 * (default `final`). `paint`: called after the content was drawn, with the camera of the picture.
 */
export type DrawOptions = Pick<PictureOptions, 'background' | 'isCutOut'> & {
  turn?: number;
  light?: 'final' | 'available';
  paint?: (context: CanvasRenderingContext2D, camera: Camera) => void;
};

export class SharedRenderer {
  readonly canvas = document.createElement('canvas');
  /** Number of frames drawn so far, counted over all views. */
  frames = 0;
  readonly #maxPixelRatio: number;
  /** Drawing context of each view's canvas; null if the view shows the renderer's own canvas. */
  readonly #targets = new Map<View, CanvasRenderingContext2D | null>();
  readonly #loop = new FrameLoop<View>(PAGE_FRAMES, { isReady: () => this.#isReady(), draw: (view, seconds) => this.#draw(view, seconds) });
  readonly #renderScale = new RenderScale();
  /** Time in milliseconds at which a moving view was last drawn. */
  #lastMoving = 0;
  readonly #abort = new AbortController();
  readonly #lights = new LightTransition(() => this.#targets.keys());
  /** Creates the graphics again after the device was lost; null for WebGL, which restores its context. */
  readonly #create: CreateGraphics | null;
  #graphics: Graphics | null = null;
  readonly #shadows = new Shadows();
  #isLost = false;
  /** True while a session of WebXR draws frames. */
  #isImmersive = false;
  /** True if the WebGL context could not be created. */
  #hasFailed = false;
  /**
   * True until the first frame begins. This frame draws nothing, so that the page can paint before
   * the WebGL context is created, which is slow.
   */
  #isFirstFrame = true;

  /** Removes this renderer from those that all views of a page share; null for other renderers. */
  #unshare: (() => void) | null = null;
  #disposeTimer: ReturnType<typeof setTimeout> | undefined;

  static #webgl: SharedRenderer | null = null;
  static #webgpu: Promise<SharedRenderer> | null = null;

  /**
   * Returns the renderer that all views of a page share, unless they use a renderer of their own.
   * It is created with the first view and disposed ten seconds after the last view was removed.
   */
  static shared(): SharedRenderer {
    const shared = (SharedRenderer.#webgl ??= new SharedRenderer());
    shared.#unshare ??= () => (SharedRenderer.#webgl = null);
    clearTimeout(shared.#disposeTimer);
    return shared;
  }

  /**
   * Same as `shared` for all views that draw with WebGPU. `create` is called if there is no such
   * renderer. Rejects if WebGPU is not available.
   */
  static async sharedWebGPU(create: CreateGraphics): Promise<SharedRenderer> {
    const made = (SharedRenderer.#webgpu ??= SharedRenderer.with(create));
    const unshare = (): void => {
      if (SharedRenderer.#webgpu === made) SharedRenderer.#webgpu = null;
    };
    try {
      const shared = await made;
      shared.#unshare ??= unshare;
      shared.#disposeWhenUnused();
      return shared;
    } catch (error) {
      unshare();
      throw error;
    }
  }

  /** Creates a renderer with other graphics than WebGL. Rejects if they are not available. */
  static async with(create: CreateGraphics): Promise<SharedRenderer> {
    const shared = new SharedRenderer(2, create);
    try {
      await shared.#createGraphics(create);
    } catch (error) {
      shared.dispose();
      throw error;
    }
    return shared;
  }

  constructor(maxPixelRatio = 2, create: CreateGraphics | null = null) {
    this.#maxPixelRatio = maxPixelRatio;
    this.#create = create;
    const { signal } = this.#abort;
    this.canvas.addEventListener('webglcontextlost', event => (event.preventDefault(), this.#onLost()), { signal });
    this.canvas.addEventListener('webglcontextrestored', () => this.#onRestored(), { signal });
    document.addEventListener('visibilitychange', () => (document.hidden ? this.#loop.pause() : this.#loop.request()), { signal });
  }

  /**
   * The graphics API, with a renderer of three.js. WebGL is created on first access. Throws `Error`
   * if WebGL 2 is not available.
   */
  get graphics(): Graphics {
    if (this.#graphics) return this.#graphics;
    this.#hasFailed = true;
    const graphics = new WebGLGraphics(this.canvas);
    this.#hasFailed = false;
    return (this.#graphics = graphics);
  }

  /** The WebGLRenderer of three.js. Throws `Error` if WebGL 2 is not available or WebGPU is used. */
  get renderer(): WebGLRenderer {
    const { graphics } = this;
    if (!(graphics instanceof WebGLGraphics)) throw new RigcastError('WEBGL_UNAVAILABLE', 'This renderer draws with WebGPU.');
    return graphics.renderer;
  }

  /** True if pictures are drawn with WebGPU. */
  get isWebGPU(): boolean {
    return this.#create !== null;
  }

  /** Returns true if the renderer can draw textures that require a WebGL extension. */
  supportsTexture(extension: BlockExtension): boolean {
    return this.graphics.supportsTexture(extension);
  }

  /**
   * Returns true if frames can be drawn. If the context could not be created, the load of a model
   * reports the reason.
   */
  #isReady(): boolean {
    if (this.#isLost || this.#isImmersive || document.hidden || this.#hasFailed) return false;
    if (this.#isFirstFrame) {
      this.#isFirstFrame = false;
      this.#loop.request();
      return false;
    }
    try {
      return this.graphics !== null;
    } catch {
      return false;
    }
  }

  /** True if a WebGL context or a WebGPU device was created. */
  get hasContext(): boolean {
    return this.#graphics !== null;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  get size(): number {
    return this.#targets.size;
  }

  /**
   * Adds a view, which is drawn whenever it is visible and has changed. `canvas`: receives the
   * picture of the view; null if the view shows the renderer's own canvas.
   */
  add(view: View, canvas: HTMLCanvasElement | null): void {
    const target = canvas && canvas.getContext('2d');
    this.#targets.set(view, target);
    this.#loop.add(view, target === null);
    const floor = this.#graphics?.floor();
    if (floor) view.ground.shader = floor;
    view.onRequest = () => this.#loop.request();
    view.invalidate();
  }

  remove(view: View): void {
    if (!this.#targets.delete(view)) return;
    this.#loop.remove(view);
    view.onRequest = () => {};
    this.#lights.release(view);
    this.#shadows.forget(view);
    this.#disposeWhenUnused();
  }

  #disposeWhenUnused(): void {
    clearTimeout(this.#disposeTimer);
    if (this.#targets.size > 0 || !this.#unshare) return;
    this.#disposeTimer = setTimeout(() => {
      if (this.#targets.size === 0) this.dispose();
    }, DISPOSE_DELAY);
  }

  /**
   * Compiles the shaders for `content`, its shadow and the floor in the background, so that the first
   * frame with this content need not wait for them.
   */
  async prepare(view: View, content: Object3D): Promise<void> {
    if (this.#isLost || !this.#targets.has(view)) return;
    const { graphics } = this;
    this.#lights.light(graphics, view);
    graphics.setToneMapping(view.toneMapping, view.exposure);
    const camera = view.cameraRig.active;
    const others = [
      this.#shadows.compile(graphics, view, content, this.#longSideOf(view)),
      graphics.compile(view.ground.object, camera, view.scene),
    ];
    await graphics.compileAsync(content, camera, view.scene);
    await Promise.all(others);
  }

  /**
   * Lets a session of WebXR draw all frames, until the returned function is called. During a session,
   * views on the page are not drawn, and no time passes for them.
   */
  beginImmersive(): () => void {
    this.#isImmersive = true;
    return () => {
      this.#isImmersive = false;
      for (const view of this.#targets.keys()) view.invalidate();
    };
  }

  /**
   * Draws a frame of a view in the current session of WebXR. `camera`: its parent is the origin of the
   * visitor's room. `background`: colour around the content; null for the camera picture.
   */
  drawImmersive(view: View, camera: Camera, seconds: number, background: Color | null): void {
    if (this.#isLost) return;
    const { renderer } = this;
    const { scene } = view;
    if (view.update(seconds)) view.isShadowStale = true;
    const target = renderer.getRenderTarget();
    renderer.xr.enabled = false; // light and shadow have cameras of their own
    this.#lights.light(this.graphics, view, 'final');
    this.#shadows.update(this.graphics, view, this.#longSideOf(view));
    renderer.xr.enabled = true;
    renderer.setRenderTarget(target);
    const sky = scene.background;
    scene.background = background && (sky ?? background);
    this.graphics.setToneMapping(view.toneMapping, view.exposure);
    this.#drawPasses(view, camera);
    scene.background = sky;
    this.frames++;
    view.events.drawn?.();
  }

  /** Draws a view immediately instead of in the next frame. */
  drawNow(view: View, seconds = 0): void {
    if (!this.#targets.has(view) || this.#isImmersive) return;
    view.isShadowStale = true;
    this.#draw(view, seconds);
  }

  /**
   * Returns a picture of the current state of a view, lit by its environment. Resolves with null if
   * the context is lost or during a session of WebXR. Rejects with `RangeError` if the size is out
   * of range.
   */
  async toBlob(view: View, options: PictureOptions & Pick<DrawOptions, 'paint'> = {}): Promise<Blob | null> {
    const { size } = view;
    const ratio = this.#pixelRatio;
    const width = options.width ?? (options.height ? (options.height * size.width) / size.height : size.width * ratio);
    const height = options.height ?? (width * size.height) / size.width;
    if (!this.#canDrawPicture(view)) return null;
    const limit = this.maxPictureSize;
    if (![width, height].every(pixels => pixels > 0 && pixels <= limit))
      throw outOfRange(`The width and height of a picture must be 1 to ${limit} pixels.`);
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(Math.round(width), 1);
    canvas.height = Math.max(Math.round(height), 1);
    if (!this.drawPicture(view, canvas.getContext('2d')!, options)) return null;
    return new Promise(resolve => canvas.toBlob(resolve, options.mime, options.quality));
  }

  /** Maximum width and height of a picture in pixels. */
  get maxPictureSize(): number {
    return this.graphics.maxTextureSize;
  }

  /**
   * Draws a picture of the current state of a view in the size of the canvas of `context`, which
   * must not exceed `maxPictureSize`. Returns false if the context is lost or during a session of
   * WebXR.
   */
  drawPicture(
    view: View,
    context: CanvasRenderingContext2D,
    { background, isCutOut, turn = 0, light = 'final', paint }: DrawOptions = {},
  ): boolean {
    if (!this.#canDrawPicture(view)) return false;
    const { canvas } = context;
    const { size, cameraRig } = view;
    const { insets } = cameraRig;
    const ratio = this.#pixelRatio;
    if (background && CSS.supports('color', background)) {
      context.fillStyle = background;
      context.fillRect(0, 0, canvas.width, canvas.height);
    }
    cameraRig.insets = NO_INSETS; // the elements that cover the view are not in the picture
    // Rounding up adds pixels at the right and bottom edges, which are not copied. Rounding to the
    // nearest size would require scaling, which blurs the picture.
    view.setSize(Math.ceil(canvas.width / ratio), Math.ceil(canvas.height / ratio));
    try {
      view.update(0);
      whileOrbited(cameraRig, turn, () => {
        this.#render(view, { isCutOut, light });
        const top = this.#topOf(this.#pixelsOf(view.size)[1]);
        context.drawImage(this.canvas, 0, top, canvas.width, canvas.height, 0, 0, canvas.width, canvas.height);
        paint?.(context, cameraRig.active);
      });
    } finally {
      cameraRig.insets = insets;
      view.setSize(size.width, size.height);
    }
    return true;
  }

  #canDrawPicture(view: View): boolean {
    return !this.#isLost && !this.#isImmersive && this.#targets.has(view);
  }

  dispose(): void {
    this.#unshare?.();
    clearTimeout(this.#disposeTimer);
    this.#loop.stop();
    this.#abort.abort();
    for (const view of this.#targets.keys()) this.remove(view);
    this.#shadows.dispose();
    this.#lights.clear();
    this.#graphics?.dispose();
    this.canvas.remove();
  }

  get #pixelRatio(): number {
    return Math.min(devicePixelRatio, this.#maxPixelRatio);
  }

  /** Draws one frame of one view. Returns true while the view is moving. */
  #draw(view: View, seconds: number): boolean {
    if (this.#isLost) return false;
    const target = this.#targets.get(view);
    const isMoving = view.update(seconds);
    if (isMoving) view.isShadowStale = true;
    this.#lights.advance(this.graphics, view, seconds);
    // The renderer's own canvas keeps its resolution, because resizing it is slow.
    const scale = target && isMoving ? this.#measure(seconds) : 1;
    this.#render(view, { scale });
    if (target) {
      const [width, height] = this.#pixelsOf(view.size, scale);
      // Set the size only if it differs, because setting it clears the canvas.
      if (target.canvas.width !== width) target.canvas.width = width;
      if (target.canvas.height !== height) target.canvas.height = height;
      target.clearRect(0, 0, width, height);
      this.#copy(view, target, scale);
    }
    view.events.drawn?.();
    return isMoving;
  }

  /** Measures the time between frames of a moving view. Returns the scale at which to draw it. */
  #measure(seconds: number): number {
    const now = performance.now();
    if (seconds > 0) this.#renderScale.add(seconds, (now - this.#lastMoving) / 1000);
    this.#lastMoving = now;
    return this.#renderScale.scale;
  }

  /**
   * Renders a frame. `isCutOut`: true to omit the sky. `light`: light of a picture for
   * `drawPicture`; the canvas is then not resized to this view. Undefined for a frame on the page.
   * `scale`: factor by which width and height are multiplied.
   */
  #render(view: View, { isCutOut = false, light, scale = 1 }: Pick<DrawOptions, 'isCutOut' | 'light'> & { scale?: number } = {}): void {
    const { graphics } = this;
    const { renderer } = graphics;
    const { scene } = view;
    const isPicture = light !== undefined;
    if (isPicture) this.#lights.light(graphics, view, light);
    if (isCutOut) scene.background = null;
    graphics.setToneMapping(view.toneMapping, view.exposure);
    this.#shadows.update(graphics, view, this.#longSideOf(view));
    this.#resizeCanvas(view, isPicture);
    const { width, height } = scale === 1 ? view.size : this.#scaledSize(view.size, scale);
    renderer.setViewport(0, 0, width, height);
    renderer.setScissor(0, 0, width, height);
    renderer.setScissorTest(true);
    this.#drawPasses(view, view.cameraRig.active);
    renderer.setScissorTest(false);
    this.frames++;
    for (const [other, target] of this.#targets) if (!target && (isPicture || other !== view)) other.invalidate();
  }

  #drawPasses(view: View, camera: Camera): void {
    const draw = (isOver: boolean): void =>
      isOver ? this.#drawContentOver(view, camera) : this.graphics.renderer.render(view.scene, camera);
    if (view.pass) view.pass.render(view.content, draw);
    else draw(false);
  }

  /** Draws only the content, on top of the existing picture. */
  #drawContentOver({ scene, ground, overlays }: View, camera: Camera): void {
    const { renderer } = this.graphics;
    const { background } = scene;
    const hidden = [ground.object, overlays].filter(({ visible }) => visible);
    for (const object of hidden) object.visible = false;
    scene.background = null;
    renderer.autoClear = false;
    renderer.render(scene, camera);
    renderer.autoClear = true;
    scene.background = background;
    for (const object of hidden) object.visible = true;
  }

  /**
   * Resizes the canvas to `view` if that view shows the canvas directly; otherwise enlarges it so
   * that the view fits.
   */
  #resizeCanvas(view: View, isPicture: boolean): void {
    const { renderer } = this.graphics;
    const isAlone = !isPicture && this.#targets.get(view) === null;
    const ratio = this.#pixelRatio;
    if (renderer.getPixelRatio() !== ratio) renderer.setPixelRatio(ratio);
    const width = isAlone ? view.size.width : Math.max(view.size.width, Math.floor(this.canvas.width / ratio));
    const height = isAlone ? view.size.height : Math.max(view.size.height, Math.floor(this.canvas.height / ratio));
    if (this.canvas.width !== Math.floor(width * ratio) || this.canvas.height !== Math.floor(height * ratio))
      renderer.setSize(width, height, false);
  }

  /** Copies the rendered picture of a view to the view's own canvas, which the picture fills. */
  #copy({ size }: View, target: CanvasRenderingContext2D, scale = 1): void {
    const [width, height] = this.#pixelsOf(size, scale);
    target.drawImage(this.canvas, 0, this.#topOf(height), width, height, 0, 0, target.canvas.width, target.canvas.height);
  }

  /** Returns the top edge of a picture of this height on the canvas, in pixels. */
  #topOf(height: number): number {
    return this.graphics.drawsAtTop ? 0 : this.canvas.height - height;
  }

  #pixelsOf({ width, height }: View['size'], scale = 1): [number, number] {
    const ratio = this.#pixelRatio * scale;
    return [Math.max(Math.floor(width * ratio), 1), Math.max(Math.floor(height * ratio), 1)];
  }

  #longSideOf({ size }: View): number {
    return Math.max(...this.#pixelsOf(size));
  }

  /** Returns the size of a view at a reduced resolution, in CSS pixels of the renderer's canvas. */
  #scaledSize(size: View['size'], scale: number): View['size'] {
    const [width, height] = this.#pixelsOf(size, scale);
    return { width: width / this.#pixelRatio, height: height / this.#pixelRatio };
  }

  async #createGraphics(create: CreateGraphics): Promise<void> {
    const graphics = await create(this.canvas, () => void this.#onDeviceLost(create));
    if (this.#abort.signal.aborted) return graphics.dispose();
    this.#graphics = graphics;
  }

  /** Creates the graphics again. Views are drawn again as soon as this succeeds. */
  async #onDeviceLost(create: CreateGraphics): Promise<void> {
    this.#onLost();
    this.#shadows.clear(); // the textures were lost with the device
    for (const seconds of RECOVERY_DELAYS) {
      await new Promise(resolve => setTimeout(resolve, 1000 * seconds));
      if (this.#abort.signal.aborted) return;
      try {
        await this.#createGraphics(create);
        if (!this.#abort.signal.aborted) this.#onRestored();
        return;
      } catch {
        // The next attempt may succeed.
      }
    }
    this.#unshare?.(); // views that are added from now on try again, or use WebGL
  }

  #onLost(): void {
    this.#isLost = true;
    for (const view of this.#targets.keys()) view.events.context?.(true);
  }

  #onRestored(): void {
    this.#isLost = false;
    this.#lights.clear();
    this.#shadows.forget();
    for (const view of this.#targets.keys()) {
      view.events.context?.(false);
      view.invalidate();
    }
  }
}
