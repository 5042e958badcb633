// Who draws: one renderer for all views of a page. Each visible view that has changed is drawn into the renderer's canvas and handed to the view's own;
// a view that is alone may show the renderer's canvas itself.

import { AgXToneMapping, Color, type Object3D, REVISION, SRGBColorSpace, type ToneMapping, WebGLRenderer } from 'three';
import { Environments } from './environment.ts';
import { FrameLoop, type FrameSource } from './frameLoop.ts';
import { ShadowPass } from './shadow.ts';
import type { View } from './view.ts';

/** Drivers that do not say when they have made a program get so long before it is asked for, in milliseconds. */
const HEAD_START = 20;

/** After the last view has gone, somebody else may come and need the renderer, in milliseconds. */
const LINGER = 10_000;

/** Khronos's neutral curve: three.js has it since r162, and its name is not among the exports of older releases. */
const toneMapping = Number.parseInt(REVISION) < 162 ? AgXToneMapping : (7 satisfies ToneMapping);

function rendererOn(canvas: HTMLCanvasElement): WebGLRenderer {
  try {
    return new WebGLRenderer({ canvas, antialias: true, alpha: true, powerPreference: 'high-performance' });
  } catch (cause) {
    throw new Error('This browser draws nothing in 3D: it has no WebGL 2, or it is switched off.', { cause });
  }
}

const PAGE: FrameSource = {
  request: callback => requestAnimationFrame(callback),
  cancel: request => cancelAnimationFrame(request),
  now: () => performance.now(),
};

export interface PictureOptions {
  /** Pixels; default: as large as the view is drawn. */
  width?: number;
  height?: number;
  /** Default `image/png`. */
  mime?: string;
  /** 0 to 1, for formats that lose something. */
  quality?: number;
  /** Default: transparent. Any colour of CSS. */
  background?: string;
  /** Without a sky behind it. */
  isCutOut?: boolean;
}

export class Painter {
  readonly canvas = document.createElement('canvas');
  /** Frames drawn of any view. */
  frames = 0;
  readonly #maxPixelRatio: number;
  /** By view, its own canvas; null: it shows the painter's. */
  readonly #targets = new Map<View, CanvasRenderingContext2D | null>();
  readonly #loop = new FrameLoop<View>(PAGE, { isReady: () => this.#isReady(), draw: (view, seconds) => this.#draw(view, seconds) });
  readonly #environments = new Environments();
  readonly #abort = new AbortController();
  #renderer: WebGLRenderer | null = null;
  #shadow: ShadowPass | null = null;
  /** Whose shadow the pass holds. */
  #shadowOf: View | null = null;
  #isLost = false;
  /** There was no context to be had when one was asked for last. */
  #isBroken = false;
  /** Nothing was drawn yet: the page may show itself before the context is made, which takes a while. */
  #isFresh = true;

  static #shared: Painter | null = null;
  static #farewell: ReturnType<typeof setTimeout> | undefined;

  /** The painter of all views of the page that bring no painter along. Made for the first of them, and gone some seconds after the last. */
  static shared(): Painter {
    clearTimeout(Painter.#farewell);
    return (Painter.#shared ??= new Painter());
  }

  constructor(maxPixelRatio = 2) {
    this.#maxPixelRatio = maxPixelRatio;
    const { signal } = this.#abort;
    this.canvas.addEventListener('webglcontextlost', event => this.#lose(event), { signal });
    this.canvas.addEventListener('webglcontextrestored', () => this.#restore(), { signal });
    document.addEventListener('visibilitychange', () => (document.hidden ? this.#loop.pause() : this.#loop.request()), { signal });
  }

  /** Made when it is first asked for. Throws where the browser gives no WebGL. */
  get renderer(): WebGLRenderer {
    if (this.#renderer) return this.#renderer;
    this.#isBroken = true;
    const renderer = rendererOn(this.canvas);
    this.#isBroken = false;
    renderer.outputColorSpace = SRGBColorSpace;
    renderer.toneMapping = toneMapping;
    renderer.setClearColor(new Color(0x000000), 0);
    renderer.shadowMap.enabled = true; // the content's own lights may cast some
    return (this.#renderer = renderer);
  }

  /** False if there is no context; a load then reports the reason. */
  #isReady(): boolean {
    if (this.#isLost || document.hidden || this.#isBroken) return false;
    if (this.#isFresh) {
      this.#isFresh = false;
      this.#loop.request();
      return false;
    }
    try {
      return this.renderer !== null;
    } catch {
      return false;
    }
  }

  /** Whether there is a context. */
  get hasContext(): boolean {
    return this.#renderer !== null;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  get size(): number {
    return this.#targets.size;
  }

  /** Draws the view from now on, whenever it is visible and has changed: onto `canvas`, or where that is null onto the painter's own. */
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
    this.#environments.release(view.scene);
    if (this.#shadowOf === view) this.#shadowOf = null;
    if (this.#targets.size > 0 || Painter.#shared !== this) return;
    clearTimeout(Painter.#farewell);
    Painter.#farewell = setTimeout(() => {
      if (this.#targets.size > 0) return;
      this.dispose();
    }, LINGER);
  }

  /**
   * Has the graphics driver make the programs that draw `content` in this view, while the page goes on: its first frame then waits for none of them.
   */
  async prepare(view: View, content: Object3D): Promise<void> {
    if (this.#isLost || !this.#targets.has(view)) return;
    const { renderer } = this;
    this.#environments.dress(renderer, view.scene, view.sky);
    const wanted = [content, view.rig.active, view.scene] as const;
    if (view.ground.shadowVisible) (this.#shadow ??= new ShadowPass()).compile(renderer, ...wanted);
    if (renderer.extensions.has('KHR_parallel_shader_compile')) await renderer.compileAsync(...wanted);
    else {
      renderer.compile(...wanted);
      await new Promise(resolve => setTimeout(resolve, HEAD_START));
    }
    // three frees the shaders of a program at its first use. Content that is removed before it is drawn would leave them behind.
    for (const program of renderer.info.programs ?? []) program.getUniforms();
  }

  /** Draws a view now, outside of the loop. */
  drawNow(view: View, seconds = 0): void {
    if (!this.#targets.has(view)) return;
    view.isShadowOld = true;
    this.#draw(view, seconds);
  }

  /** A picture of a view as it is now. Null where it cannot be drawn: the context is lost, or the format unknown. */
  async toBlob(view: View, options: PictureOptions = {}): Promise<Blob | null> {
    const { size } = view;
    const ratio = this.#pixelRatio;
    const width = options.width ?? (options.height ? (options.height * size.width) / size.height : size.width * ratio);
    const height = options.height ?? (width * size.height) / size.width;
    if (this.#isLost || !this.#targets.has(view)) return null;
    const most = this.renderer.capabilities.maxTextureSize;
    if (![width, height].every(pixels => pixels > 0 && pixels <= most)) throw new RangeError(`A picture has 1 to ${most} pixels each way.`);
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(Math.round(width), 1);
    canvas.height = Math.max(Math.round(height), 1);
    const context = canvas.getContext('2d')!;
    if (options.background && CSS.supports('color', options.background)) {
      context.fillStyle = options.background;
      context.fillRect(0, 0, canvas.width, canvas.height);
    }
    view.setSize(canvas.width / ratio, canvas.height / ratio);
    try {
      view.advance(0);
      this.#paint(view, { isCutOut: options.isCutOut, isPicture: true });
      this.#copy(view, context);
    } finally {
      view.setSize(size.width, size.height);
    }
    return new Promise(resolve => canvas.toBlob(resolve, options.mime, options.quality));
  }

  dispose(): void {
    if (Painter.#shared === this) Painter.#shared = null;
    this.#loop.stop();
    this.#abort.abort();
    for (const view of this.#targets.keys()) this.remove(view);
    this.#shadow?.dispose();
    this.#environments.clear();
    this.#renderer?.dispose();
    this.#renderer?.forceContextLoss();
    this.canvas.remove();
  }

  get #pixelRatio(): number {
    return Math.min(devicePixelRatio, this.#maxPixelRatio);
  }

  /** One frame of one view. True: it moves on. */
  #draw(view: View, seconds: number): boolean {
    if (this.#isLost) return false;
    const target = this.#targets.get(view);
    const isMoving = view.advance(seconds);
    if (isMoving) view.isShadowOld = true;
    this.#paint(view);
    if (target) {
      const [width, height] = this.#pixelsOf(view.size);
      // A canvas whose size is set is empty, even where it is the size that it has.
      if (target.canvas.width !== width) target.canvas.width = width;
      if (target.canvas.height !== height) target.canvas.height = height;
      target.clearRect(0, 0, width, height);
      this.#copy(view, target);
    }
    view.events.drawn?.();
    return isMoving;
  }

  /** `isPicture`: for a picture, which the canvas keeps its size for. */
  #paint(view: View, { isCutOut = false, isPicture = false } = {}): void {
    const { renderer } = this;
    const { scene } = view;
    this.#environments.dress(renderer, scene, view.sky);
    if (isCutOut) scene.background = null;
    renderer.toneMappingExposure = view.exposure;
    this.#castShadow(view);
    this.#makeRoom(view, isPicture);
    const { width, height } = view.size;
    renderer.setViewport(0, 0, width, height);
    renderer.setScissor(0, 0, width, height);
    renderer.setScissorTest(true);
    const draw = (isOver: boolean): void => (isOver ? this.#drawOver(view) : renderer.render(scene, view.rig.active));
    if (view.pass) view.pass.paint(view.content, draw);
    else draw(false);
    renderer.setScissorTest(false);
    this.frames++;
    for (const [other, target] of this.#targets) if (!target && (isPicture || other !== view)) other.invalidate();
  }

  /** The content alone, over what is there. */
  #drawOver({ scene, rig, ground, overlays }: View): void {
    const { renderer } = this;
    const { background } = scene;
    const hidden = [ground.object, overlays].filter(({ visible }) => visible);
    for (const object of hidden) object.visible = false;
    scene.background = null;
    renderer.autoClear = false;
    renderer.render(scene, rig.active);
    renderer.autoClear = true;
    scene.background = background;
    for (const object of hidden) object.visible = true;
  }

  #castShadow(view: View): void {
    const { ground } = view;
    if (!view.content || !ground.shadowVisible || !ground.object.visible) return ground.show(null);
    this.#shadow ??= new ShadowPass();
    if (view.isShadowOld || this.#shadowOf !== view) ground.update(this.renderer, view.scene, [view.overlays], this.#shadow);
    view.isShadowOld = false;
    this.#shadowOf = view;
    ground.show(this.#shadow);
  }

  /** The canvas is as large as the largest view; where it belongs to a single one, as that. */
  #makeRoom(view: View, isPicture: boolean): void {
    const { renderer } = this;
    const isAlone = !isPicture && this.#targets.get(view) === null;
    const ratio = this.#pixelRatio;
    if (renderer.getPixelRatio() !== ratio) renderer.setPixelRatio(ratio);
    const width = isAlone ? view.size.width : Math.max(view.size.width, Math.floor(this.canvas.width / ratio));
    const height = isAlone ? view.size.height : Math.max(view.size.height, Math.floor(this.canvas.height / ratio));
    if (this.canvas.width !== Math.floor(width * ratio) || this.canvas.height !== Math.floor(height * ratio))
      renderer.setSize(width, height, false);
  }

  /** Hands the picture over, to fill the other canvas. */
  #copy({ size }: View, target: CanvasRenderingContext2D): void {
    const [width, height] = this.#pixelsOf(size);
    target.drawImage(this.canvas, 0, this.canvas.height - height, width, height, 0, 0, target.canvas.width, target.canvas.height);
  }

  #pixelsOf({ width, height }: View['size']): [number, number] {
    return [Math.max(Math.floor(width * this.#pixelRatio), 1), Math.max(Math.floor(height * this.#pixelRatio), 1)];
  }

  #lose(event: Event): void {
    event.preventDefault();
    this.#isLost = true;
    for (const view of this.#targets.keys()) view.events.context?.(true);
  }

  #restore(): void {
    this.#isLost = false;
    this.#environments.clear();
    this.#shadowOf = null;
    for (const view of this.#targets.keys()) {
      view.events.context?.(false);
      view.invalidate();
    }
  }
}
