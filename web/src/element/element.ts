// The shell of <rigcast-viewer>: attributes, slots, states. Whatever draws or reads is fetched when the element is first seen.
import { ATTRIBUTES, reflect, type Reflected, setText, upgrade } from './attributes.ts';
import { deferred } from './deferred.ts';
import { isOtherFormat } from '../core/otherFormats.ts';
import { Parts } from './parts.ts';
import type * as Drawing from './show.ts';
import type {
  CameraOrbit,
  MotionInfo,
  Picked,
  PictureOptions,
  RigcastViewerEvents,
  RigcastViewerReady,
  ShowHost,
  Shown,
  Supply,
} from './types.ts';

export type { RigcastViewerEvents, RigcastViewerReady } from './types.ts';

/** On a server there are no elements; the class is then never made. */
const Base = ((globalThis as { HTMLElement?: typeof HTMLElement }).HTMLElement ?? class {}) as new () => HTMLElement & Reflected;

/** What is loaded again when it changes. */
const SOURCES = new Set(['src', 'files', 'credentials', 'allow-origins', 'max-files', 'format-options', 'supply']);

/** How far below the window an element is made ready. */
const MARGIN = '200px';

/** A 3D model with its motions. Its documentation says what it understands; attributes.ts lists its attributes. */
export class RigcastViewerElement extends Base {
  static readonly observedAttributes: readonly string[] = Object.keys(ATTRIBUTES);

  #parts: Parts | null = null;
  #internals: ElementInternals | null = null;
  #shown: Shown | null = null;
  /** Files in hand, by name or path. */
  #given: ReadonlyMap<string, Blob> | null = null;
  #supply: Supply | null = null;
  #observer: IntersectionObserver | null = null;
  #isVisible = false;
  /** Somebody asked for it: it does not wait until it is seen. */
  #isWanted = false;
  #changed = new Set<string>();
  /** There was a load, and nothing has been taken away since. */
  #isBegun = false;
  /** Which of the loads counts; those before it are forgotten. */
  #turn = 0;
  #ready = deferred<RigcastViewerReady>();
  #hotspots: { place(): void; dispose(): void } | null = null;
  #toolbar: { dispose(): void } | null = null;

  // ------------------------------------------------------------------------------------------- what is shown

  /** The rig and its view, when what the attributes name is loaded. Rejects where that fails, with an AbortError when the element is removed before. */
  get ready(): Promise<RigcastViewerReady> {
    return this.#ready.promise;
  }

  /**
   * Addresses, as the attribute has them; or files in hand: Files, or a Map of names or paths to Blobs. Without `src` the first world among them
   * is shown, or the first model if there is no world.
   */
  get files(): ReadonlyMap<string, Blob> | string | null {
    return this.#given ?? this.getAttribute('files');
  }

  set files(files: Iterable<File> | ReadonlyMap<string, Blob> | string | null | undefined) {
    if (files === null || files === undefined || typeof files === 'string') {
      const had = this.#given !== null;
      this.#given = null;
      setText(this, 'files', files);
      if (had) this.#change('files');
      return;
    }
    // What is in it is looked at when it is loaded.
    this.#given =
      'get' in Object(files)
        ? new Map(files as Map<string, Blob>)
        : new Map(Array.from(files as Iterable<File>, file => [file?.webkitRelativePath || file?.name, file]));
    this.#change('files');
  }

  /**
   * Gives files that a model wants, by name: keys and side files before they are looked for, textures that were not found. A new function
   * loads anew what is shown.
   */
  get supply(): Supply | null {
    return this.#supply;
  }

  set supply(supply: Supply | null) {
    this.#supply = typeof supply === 'function' ? supply : null;
    this.#change('supply');
  }

  /** The motions of all files, those of the model first. */
  get motions(): readonly MotionInfo[] {
    return this.#shown?.motions ?? [];
  }

  /** Names of the motions that are on the model, the lowest layer first. */
  get current(): readonly string[] {
    return this.#shown?.current ?? [];
  }

  /** Seconds; 0 without a motion. */
  get duration(): number {
    return this.#shown?.duration ?? 0;
  }

  get paused(): boolean {
    return this.#shown?.paused ?? true;
  }

  /** It has reached its end and does not begin anew. */
  get ended(): boolean {
    return this.#shown?.ended ?? false;
  }

  /** Seconds since the motion's start. */
  get time(): number {
    return this.#shown?.time ?? 0;
  }

  set time(seconds: number) {
    if (this.#shown?.ready) this.#shown.time = Number(seconds);
    else setText(this, 'time', seconds);
  }

  /** The frame that is shown, counted from 0, of motions that have frames. */
  get frame(): number {
    return Math.round(this.time * (this.#shown?.frameRate ?? 0));
  }

  set frame(frame: number) {
    if (!this.#shown?.ready) setText(this, 'frame', frame);
    else if (this.#shown.frameRate > 0) this.#shown.time = Number(frame) / this.#shown.frameRate;
  }

  /** Plays, and loads before that what nobody has seen yet. */
  async play(): Promise<void> {
    this.#isWanted = true;
    this.#begin();
    await this.#ready.promise;
    this.#shown?.play();
  }

  pause(): void {
    this.#shown?.pause();
  }

  /** Goes to a time in seconds. */
  seek(seconds: number): void {
    this.time = seconds;
  }

  /** Looks from where the attributes say, or at the whole model, again. */
  resetView(): void {
    this.#shown?.resetView();
  }

  /** Where the camera is around its target; null before anything is shown. `String(…)` of it can be given to `camera-orbit`. */
  getCameraOrbit(): CameraOrbit | null {
    return this.#shown?.cameraOrbit() ?? null;
  }

  /** What the camera looks at, metres; null before anything is shown. */
  getCameraTarget(): { x: number; y: number; z: number } | null {
    return this.#shown?.cameraTarget() ?? null;
  }

  /** What lies under a point of the window (`clientX`, `clientY` of an event); null where nothing does. */
  pick(x: number, y: number): Picked | null {
    return this.#shown?.pick(x, y) ?? null;
  }

  /** A picture as it is now, of any size. Rejects before anything is loaded. */
  async toBlob(options: PictureOptions = {}): Promise<Blob> {
    const blob = this.#shown?.ready ? await this.#shown.toBlob(options) : null;
    if (!blob) throw new Error('There is nothing to make a picture of.');
    return blob;
  }

  override addEventListener<K extends keyof RigcastViewerEvents>(
    type: K,
    listener: (this: RigcastViewerElement, event: CustomEvent<RigcastViewerEvents[K]>) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(type: string, listener: unknown, options?: boolean | AddEventListenerOptions): void {
    super.addEventListener(type, listener as EventListener, options);
  }

  // ------------------------------------------------------------------------------------------- life

  connectedCallback(): void {
    this.#parts ??= this.#build();
    upgrade(this, ['supply']);
    if (this.#observer) return;
    this.#observer = new IntersectionObserver(
      entries => {
        this.#isVisible = entries.at(-1)!.isIntersecting;
        this.#shown?.setVisible(this.#isVisible);
        this.#begin();
      },
      { rootMargin: MARGIN },
    );
    this.#observer.observe(this);
    this.#begin();
  }

  disconnectedCallback(): void {
    // One that is moved is in the page again when this task is over.
    queueMicrotask(() => {
      if (!this.isConnected) this.#free();
    });
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before !== after) this.#change(name);
  }

  #free(): void {
    this.#observer?.disconnect();
    this.#observer = null;
    this.#isVisible = this.#isWanted = false;
    this.#empty();
  }

  /** Shows nothing, as before anything was. */
  #empty(): void {
    this.#turn++;
    this.#isBegun = false;
    this.#toolbar?.dispose();
    this.#toolbar = null;
    this.#hotspots?.dispose();
    this.#hotspots = null;
    this.#shown?.dispose();
    this.#shown = null;
    this.#ready.reject(new DOMException('The element was removed, or its source.', 'AbortError'));
    this.#ready = deferred();
    if (this.#parts) {
      this.#parts.isPosterShown = true;
      this.#parts.showProgress(1);
      this.#parts.showError(null);
    }
    this.#setState(null);
  }

  #change(name: string): void {
    if (this.#changed.size === 0) queueMicrotask(() => this.#update());
    this.#changed.add(name);
  }

  /** All changes of one task at once. */
  #update(): void {
    const changed = this.#changed;
    this.#changed = new Set();
    if (!this.#parts || !this.isConnected) return;
    if (['alt', 'poster', 'reveal'].some(name => changed.has(name))) this.#describe();
    if (changed.has('background')) this.#paintBackground();
    if (changed.has('controls') && this.#shown) void this.#showToolbar();
    const isOther = [...changed].some(name => SOURCES.has(name));
    if (isOther && this.#isBegun && !this.#hasSource) this.#empty();
    else if (this.#shown && isOther) void this.#load();
    else if (this.#shown) this.#shown.update(changed);
    else this.#begin();
  }

  /** The page has named something. */
  get #hasSource(): boolean {
    const isNamed = (name: string): boolean => /\S/.test(this.getAttribute(name) ?? '');
    return isNamed('src') || (this.#given ? this.#given.size > 0 : isNamed('files'));
  }

  /** Starts where nothing speaks against it. */
  #begin(): void {
    const isTime = this.#isWanted || (this.reveal !== 'interaction' && (this.#isVisible || this.loading === 'eager'));
    if (!this.#shown && this.isConnected && this.#hasSource && isTime) void this.#load();
  }

  /** What draws, and beside it what reads. */
  #fetch(): Promise<typeof Drawing> {
    const path = this.src?.replace(/[?#].*$/, '') ?? '';
    if (!isOtherFormat(path)) import('../core/prepare.ts').then(({ prepare }) => prepare({ files: [path] })).catch(() => {}); // the file will say so
    return import('./show.ts');
  }

  async #load(): Promise<void> {
    const parts = this.#parts!;
    const turn = ++this.#turn;
    this.#isBegun = true;
    if (this.#shown?.ready || parts.hasError) {
      this.#ready.reject(new DOMException('Something else is loaded.', 'AbortError'));
      this.#ready = deferred();
    }
    this.#setState('loading');
    parts.showError(null);
    parts.showProgress(0);
    try {
      if (!this.#shown) {
        const { Show } = await this.#fetch();
        if (turn !== this.#turn) return;
        this.#shown = new Show(this.#host(parts));
        this.#shown.setVisible(this.#isVisible);
      }
      void this.#showToolbar();
      const ready = await this.#shown.load();
      if (turn !== this.#turn) return;
      this.#setState('ready', !this.paused);
      this.#ready.resolve(ready);
      this.#emit('load', ready);
      void this.#placeHotspots();
    } catch (error) {
      if (turn === this.#turn) this.#fail(error);
    }
    if (turn === this.#turn) parts.showProgress(1);
  }

  #fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#parts!.showError(message);
    this.#setState('error');
    this.#ready.reject(error);
    const report = (error as { report?: RigcastViewerEvents['error']['report'] } | null)?.report ?? null;
    this.#emit('error', { message, error, report });
  }

  #host(parts: Parts): ShowHost {
    return {
      surface: parts.stage,
      canvas: parts.canvas,
      element: this,
      given: () => ({ files: this.#given, supply: this.#supply }),
      emit: (type, detail) => {
        if (type === 'progress') parts.showProgress((detail as RigcastViewerEvents['progress']).fraction);
        if (type === 'play' || type === 'pause') this.#setState('ready', type === 'play');
        this.#emit(type, detail);
      },
      painted: () => {
        parts.isPosterShown = false;
        this.#hotspots?.place();
      },
      setLost: isLost => this.#internals?.states[isLost ? 'add' : 'delete']('lost'),
    };
  }

  #emit<K extends keyof RigcastViewerEvents>(type: K, detail: RigcastViewerEvents[K]): void {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  // ------------------------------------------------------------------------------------------- the shadow tree

  #build(): Parts {
    try {
      this.#internals = this.attachInternals();
    } catch {
      // Somebody else has them, or they do not exist: there are no states then.
    }
    const parts = (this.#parts = new Parts(this));
    // Hotspots may come later.
    new MutationObserver(() => void this.#placeHotspots()).observe(this, { childList: true, subtree: true, attributeFilter: ['slot'] });
    this.#describe();
    this.#paintBackground();
    return parts;
  }

  /** The words for what is shown, and what is seen before it. */
  #describe(): void {
    const text = this.alt ?? '3D model';
    const reveal = {
      expect: () => void this.#fetch().catch(() => {}), // a press asks again
      press: () => {
        this.#isWanted = true;
        this.#begin();
      },
    };
    this.#parts!.describe(text);
    this.#parts!.showPoster(this.poster, text, this.reveal === 'interaction' ? reveal : null);
  }

  /** Only colours: whatever else CSS calls a background may fetch. */
  #paintBackground(): void {
    const { background } = this;
    if (background !== null && CSS.supports('color', background)) this.style.setProperty('--rigcast-background', background);
    else this.style.removeProperty('--rigcast-background');
  }

  async #showToolbar(): Promise<void> {
    if (this.controls === (this.#toolbar !== null)) return;
    if (!this.controls) {
      this.#toolbar?.dispose();
      this.#toolbar = null;
      return;
    }
    const { Toolbar } = await import('./toolbar.ts');
    if (this.controls && !this.#toolbar && this.#shown) this.#toolbar = new Toolbar(this, this.#parts!.root, this.#parts!.controls);
  }

  async #placeHotspots(): Promise<void> {
    if (this.#hotspots || !this.#shown?.ready || !this.querySelector(':scope > [slot^="hotspot"]')) return;
    const { Hotspots } = await import('./hotspots.ts');
    const ready = this.#shown?.ready;
    if (ready && !this.#hotspots) this.#hotspots = new Hotspots(this, this.#parts!.hotspots, () => this.#shown?.ready ?? null);
    this.#hotspots?.place();
  }

  /** `:state(loading)`, `ready`, `playing`, `error`. `lost` lies over them: what plays goes on when the graphics context is back. */
  #setState(state: 'loading' | 'ready' | 'error' | null, isPlaying = false): void {
    const states = this.#internals?.states;
    if (!states) return;
    const isLost = state !== null && states.has('lost');
    states.clear();
    if (state) states.add(state);
    if (isPlaying) states.add('playing');
    if (isLost) states.add('lost');
  }
}

if ('HTMLElement' in globalThis) reflect(RigcastViewerElement.prototype);
