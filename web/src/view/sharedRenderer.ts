// A WebGL renderer for all views of a page. It draws each visible view that has changed to the
// renderer's canvas, then copies the picture to the canvas of the view. One view can show the
// renderer's canvas directly.

import { AgXToneMapping, type Camera, Color, type Object3D, REVISION, SRGBColorSpace, type ToneMapping, WebGLRenderer } from 'three';
import type { Insets } from './cameraSettings.ts';
import { FrameLoop, type FrameSource } from './frameLoop.ts';
import { LightTransition } from './lightTransition.ts';
import { RenderScale } from './renderScale.ts';
import { whileOrbited } from './orbited.ts';
import { ShadowPass } from './shadow.ts';
import type { View } from './view.ts';
import { outOfRange, RigcastError } from '../core/error.ts';

/**
 * Delay before new shaders are used, in milliseconds, for drivers without
 * `KHR_parallel_shader_compile`. The drivers compile the shaders during this time.
 */
const COMPILE_TIME = 20;

/** Time after which the shared renderer is disposed if it has no views, in milliseconds. */
const DISPOSE_DELAY = 10_000;

const NO_INSETS: Insets = { top: 0, right: 0, bottom: 0, left: 0 };

/**
 * Khronos neutral tone mapping, which three.js supports since r162; otherwise AgX. The value is a
 * number, because older releases do not export the constant.
 */
const toneMapping = Number.parseInt(REVISION) < 162 ? AgXToneMapping : (7 satisfies ToneMapping);

function createRenderer(canvas: HTMLCanvasElement): WebGLRenderer {
  try {
    return new WebGLRenderer({ canvas, antialias: true, alpha: true, powerPreference: 'high-performance' });
  } catch (cause) {
    throw new RigcastError('WEBGL_UNAVAILABLE', '3D is not available: this browser does not support WebGL 2, or it is turned off.', {
      cause,
    });
  }
}

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
  /** MIME type of the picture (default `image/png`). */
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
  #renderer: WebGLRenderer | null = null;
  #shadow: ShadowPass | null = null;
  /** View whose shadow was rendered last and is still in `#shadow`. */
  #shadowOf: View | null = null;
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

  static #shared: SharedRenderer | null = null;
  static #disposeTimer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Returns the renderer that all views of a page share, unless they use a renderer of their own.
   * It is created with the first view and disposed ten seconds after the last view was removed.
   */
  static shared(): SharedRenderer {
    clearTimeout(SharedRenderer.#disposeTimer);
    return (SharedRenderer.#shared ??= new SharedRenderer());
  }

  constructor(maxPixelRatio = 2) {
    this.#maxPixelRatio = maxPixelRatio;
    const { signal } = this.#abort;
    this.canvas.addEventListener('webglcontextlost', event => this.#onContextLost(event), { signal });
    this.canvas.addEventListener('webglcontextrestored', () => this.#onContextRestored(), { signal });
    document.addEventListener('visibilitychange', () => (document.hidden ? this.#loop.pause() : this.#loop.request()), { signal });
  }

  /**
   * The three.js renderer, which is created on first access. Throws `Error` if WebGL 2 is not
   * available.
   */
  get renderer(): WebGLRenderer {
    if (this.#renderer) return this.#renderer;
    this.#hasFailed = true;
    const renderer = createRenderer(this.canvas);
    this.#hasFailed = false;
    renderer.outputColorSpace = SRGBColorSpace;
    renderer.toneMapping = toneMapping;
    renderer.setClearColor(new Color(0x000000), 0);
    renderer.shadowMap.enabled = true; // for lights of the content that cast shadows
    return (this.#renderer = renderer);
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
      return this.renderer !== null;
    } catch {
      return false;
    }
  }

  /** True if a WebGL context was created. */
  get hasContext(): boolean {
    return this.#renderer !== null;
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
    view.onRequest = () => this.#loop.request();
    view.invalidate();
  }

  remove(view: View): void {
    if (!this.#targets.delete(view)) return;
    this.#loop.remove(view);
    view.onRequest = () => {};
    this.#lights.release(view);
    if (this.#shadowOf === view) this.#shadowOf = null;
    if (this.#targets.size > 0 || SharedRenderer.#shared !== this) return;
    clearTimeout(SharedRenderer.#disposeTimer);
    SharedRenderer.#disposeTimer = setTimeout(() => {
      if (this.#targets.size > 0) return;
      this.dispose();
    }, DISPOSE_DELAY);
  }

  /**
   * Compiles the shaders for `content` in the background, so that the first frame with this content
   * need not wait for them.
   */
  async prepare(view: View, content: Object3D): Promise<void> {
    if (this.#isLost || !this.#targets.has(view)) return;
    const { renderer } = this;
    this.#lights.light(renderer, view);
    renderer.toneMapping = view.toneMapping ?? toneMapping;
    const wanted = [content, view.cameraRig.active, view.scene] as const;
    if (view.ground.shadowVisible) (this.#shadow ??= new ShadowPass()).compile(renderer, ...wanted);
    if (renderer.extensions.has('KHR_parallel_shader_compile')) await renderer.compileAsync(...wanted);
    else {
      renderer.compile(...wanted);
      await new Promise(resolve => setTimeout(resolve, COMPILE_TIME));
    }
    // three.js frees shader objects when their program is first used. This call counts as use;
    // otherwise, content that is removed before it is drawn would leak the shaders.
    for (const program of renderer.info.programs ?? []) program.getUniforms();
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
    this.#lights.light(renderer, view, 'final');
    this.#updateShadow(view);
    renderer.xr.enabled = true;
    renderer.setRenderTarget(target);
    const sky = scene.background;
    scene.background = background && (sky ?? background);
    this.#prepareRenderer(view);
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
   * the context is lost, during a session of WebXR, or if the browser can't encode the format. Rejects with `RangeError` if the
   * size is out of range.
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
    return this.renderer.capabilities.maxTextureSize;
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
        const top = this.canvas.height - this.#pixelsOf(view.size)[1];
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
    if (SharedRenderer.#shared === this) SharedRenderer.#shared = null;
    this.#loop.stop();
    this.#abort.abort();
    for (const view of this.#targets.keys()) this.remove(view);
    this.#shadow?.dispose();
    this.#lights.clear();
    this.#renderer?.dispose();
    this.#renderer?.forceContextLoss();
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
    this.#lights.advance(this.renderer, view, seconds);
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
    const { renderer } = this;
    const { scene } = view;
    const isPicture = light !== undefined;
    if (isPicture) this.#lights.light(renderer, view, light);
    if (isCutOut) scene.background = null;
    this.#prepareRenderer(view);
    this.#updateShadow(view);
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

  #prepareRenderer(view: View): void {
    this.renderer.toneMapping = view.toneMapping ?? toneMapping;
    this.renderer.toneMappingExposure = view.exposure;
  }

  #drawPasses(view: View, camera: Camera): void {
    const draw = (isOver: boolean): void => (isOver ? this.#drawContentOver(view, camera) : this.renderer.render(view.scene, camera));
    if (view.pass) view.pass.render(view.content, draw);
    else draw(false);
  }

  /** Draws only the content, on top of the existing picture. */
  #drawContentOver({ scene, ground, overlays }: View, camera: Camera): void {
    const { renderer } = this;
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

  #updateShadow(view: View): void {
    const { ground } = view;
    if (!view.content || !ground.shadowVisible || !ground.object.visible) return ground.show(null);
    this.#shadow ??= new ShadowPass();
    if (view.isShadowStale || this.#shadowOf !== view) ground.update(this.renderer, view.scene, [view.overlays], this.#shadow);
    view.isShadowStale = false;
    this.#shadowOf = view;
    ground.show(this.#shadow);
  }

  /**
   * Resizes the canvas to `view` if that view shows the canvas directly; otherwise enlarges it so
   * that the view fits.
   */
  #resizeCanvas(view: View, isPicture: boolean): void {
    const { renderer } = this;
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
    target.drawImage(this.canvas, 0, this.canvas.height - height, width, height, 0, 0, target.canvas.width, target.canvas.height);
  }

  #pixelsOf({ width, height }: View['size'], scale = 1): [number, number] {
    const ratio = this.#pixelRatio * scale;
    return [Math.max(Math.floor(width * ratio), 1), Math.max(Math.floor(height * ratio), 1)];
  }

  /** Returns the size of a view at a reduced resolution, in CSS pixels of the renderer's canvas. */
  #scaledSize(size: View['size'], scale: number): View['size'] {
    const [width, height] = this.#pixelsOf(size, scale);
    return { width: width / this.#pixelRatio, height: height / this.#pixelRatio };
  }

  #onContextLost(event: Event): void {
    event.preventDefault();
    this.#isLost = true;
    for (const view of this.#targets.keys()) view.events.context?.(true);
  }

  #onContextRestored(): void {
    this.#isLost = false;
    this.#lights.clear();
    this.#shadowOf = null;
    for (const view of this.#targets.keys()) {
      view.events.context?.(false);
      view.invalidate();
    }
  }
}
