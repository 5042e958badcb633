// The shell of <rigcast-viewer>: attributes, slots, states. Whatever draws or reads is fetched when the element is first seen.
import { adoptStyle } from './style.ts';
import type { CameraOrbit, MotionInfo, Picked, PictureOptions, RigcastViewerEvents, RigcastViewerReady, ShowHost, Shown } from './types.ts';

export type { RigcastViewerEvents, RigcastViewerReady } from './types.ts';

/** On a server there are no elements; the class is then never made. */
const Base = (globalThis as { HTMLElement?: typeof HTMLElement }).HTMLElement ?? (class {} as unknown as typeof HTMLElement);

/** Attributes that are text, and the properties of the same name in camel case. */
const TEXTS = [
  'src',
  'files',
  'alt',
  'poster',
  'loading',
  'reveal',
  'credentials',
  'allow-origins',
  'format-options',
  'motion',
  'loop',
  'camera-orbit',
  'camera-target',
  'field-of-view',
  'min-camera-orbit',
  'max-camera-orbit',
  'view',
  'interaction',
  'background',
  'shadow',
  'expression',
] as const;
/** Attributes that are there or not. */
const FLAGS = ['autoplay', 'controls', 'auto-rotate', 'ground', 'skeleton'] as const;
/** Attributes that are numbers, and what they are where nobody says. */
const NUMBERS = { speed: 1, fade: 0, exposure: 1 } as const;
/** Attributes that say where a motion begins; their properties say where it is. */
const TIMES = ['time', 'frame'] as const;

/** What is loaded again when it changes. */
const SOURCES = new Set(['src', 'files', 'credentials', 'allow-origins', 'format-options']);

/** How far below the window an element is made ready. */
const MARGIN = '200px';

const camel = (name: string): string => name.replace(/-./g, found => found[1]!.toUpperCase());

/** A 3D model with its motions. What it understands is told in the documentation of the element. */
export class RigcastViewerElement extends Base {
  static readonly observedAttributes: readonly string[] = [...TEXTS, ...FLAGS, ...Object.keys(NUMBERS), ...TIMES];

  declare src: string | null;
  declare alt: string | null;
  declare poster: string | null;
  declare loading: string | null;
  declare reveal: string | null;
  declare credentials: string | null;
  declare allowOrigins: string | null;
  declare formatOptions: string | null;
  declare motion: string | null;
  declare loop: string | null;
  declare cameraOrbit: string | null;
  declare cameraTarget: string | null;
  declare fieldOfView: string | null;
  declare minCameraOrbit: string | null;
  declare maxCameraOrbit: string | null;
  declare view: string | null;
  declare interaction: string | null;
  declare background: string | null;
  declare shadow: string | null;
  declare expression: string | null;
  declare autoplay: boolean;
  declare controls: boolean;
  declare autoRotate: boolean;
  declare ground: boolean;
  declare skeleton: boolean;
  declare speed: number;
  declare fade: number;
  declare exposure: number;

  #parts: Parts | null = null;
  #internals: ElementInternals | null = null;
  #shown: Shown | null = null;
  /** Files in hand, by name or path. */
  #given: ReadonlyMap<string, Blob> | null = null;
  #observer: IntersectionObserver | null = null;
  #isVisible = false;
  /** Somebody asked for it: it does not wait until it is seen. */
  #isWanted = false;
  #changed = new Set<string>();
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
   * Addresses, as the attribute has them; or files in hand: Files, or a Map of names or paths to Blobs. Without `src` the first model among them
   * is shown.
   */
  get files(): ReadonlyMap<string, Blob> | string | null {
    return this.#given ?? this.getAttribute('files');
  }

  set files(files: Iterable<File> | ReadonlyMap<string, Blob> | string | null) {
    if (files === null || typeof files === 'string') {
      const had = this.#given !== null;
      this.#given = null;
      setText(this, 'files', files);
      if (had) this.#change('files');
      return;
    }
    this.#given =
      'get' in files ? new Map(files) : new Map(Array.from(files, file => [file.webkitRelativePath || file.name, file] as const));
    this.#change('files');
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
    else this.setAttribute('time', String(seconds));
  }

  /** The frame that is shown, counted from 0, of motions that have frames. */
  get frame(): number {
    return Math.round(this.time * (this.#shown?.frameRate ?? 0));
  }

  set frame(frame: number) {
    if (!this.#shown?.ready) this.setAttribute('frame', String(frame));
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
    upgrade(this);
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
    this.#turn++;
    this.#toolbar?.dispose();
    this.#toolbar = null;
    this.#hotspots?.dispose();
    this.#hotspots = null;
    this.#shown?.dispose();
    this.#shown = null;
    this.#ready.reject(new DOMException('The element was removed.', 'AbortError'));
    this.#ready = deferred();
    if (this.#parts) this.#parts.poster.classList.remove('gone');
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
    if (changed.has('alt')) this.#describe();
    if (changed.has('poster') || changed.has('reveal')) this.#showPoster();
    if (changed.has('background')) this.#paintBackground();
    if (changed.has('controls') && this.#shown) void this.#showToolbar();
    const isOther = [...changed].some(name => SOURCES.has(name));
    if (this.#shown && isOther) void this.#load();
    else if (this.#shown) this.#shown.update(changed);
    else this.#begin();
  }

  /** Starts where nothing speaks against it. */
  #begin(): void {
    const hasSource = this.#given || this.hasAttribute('src') || this.hasAttribute('files');
    const isTime = this.#isWanted || (this.reveal !== 'interaction' && (this.#isVisible || this.loading === 'eager'));
    if (!this.#shown && this.isConnected && hasSource && isTime) void this.#load();
  }

  async #load(): Promise<void> {
    const parts = this.#parts!;
    const turn = ++this.#turn;
    if (this.#shown?.ready || this.#hasFailed) {
      this.#ready.reject(new DOMException('Something else is loaded.', 'AbortError'));
      this.#ready = deferred();
    }
    this.#setState('loading');
    parts.error.hidden = true;
    this.#showProgress(0);
    try {
      if (!this.#shown) {
        const { Show } = await import('./show.ts');
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
    if (turn === this.#turn) this.#showProgress(1);
  }

  /** The last load has failed. */
  get #hasFailed(): boolean {
    return this.#parts !== null && !this.#parts.error.hidden;
  }

  #fail(error: unknown): void {
    const { error: box, errorText } = this.#parts!;
    const message = error instanceof Error ? error.message : String(error);
    errorText.textContent = message;
    box.hidden = false;
    this.#setState('error');
    this.#ready.reject(error);
    const report = (error as { report?: RigcastViewerEvents['error']['report'] } | null)?.report ?? null;
    this.#emit('error', { message, error, report });
  }

  #host(parts: Parts): ShowHost {
    const given = (): ReadonlyMap<string, Blob> | null => this.#given;
    return {
      surface: parts.stage,
      canvas: parts.canvas,
      element: this,
      get given() {
        return given();
      },
      emit: (type, detail) => {
        if (type === 'progress') this.#showProgress((detail as RigcastViewerEvents['progress']).fraction);
        if (type === 'play' || type === 'pause') this.#setState('ready', type === 'play');
        this.#emit(type, detail);
      },
      painted: () => {
        parts.poster.classList.add('gone');
        this.#hotspots?.place();
      },
      setLost: isLost => this.#setState(isLost ? 'lost' : 'ready'),
    };
  }

  #emit<K extends keyof RigcastViewerEvents>(type: K, detail: RigcastViewerEvents[K]): void {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  // ------------------------------------------------------------------------------------------- the shadow tree

  #build(): Parts {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    adoptStyle(root);
    try {
      this.#internals = this.attachInternals();
    } catch {
      // Somebody else has them, or they do not exist: there are no states then.
    }
    const canvas = make('canvas', 'canvas');
    const stage = make('div', 'stage', canvas);
    const bar = make('div', 'progress-bar');
    const progress = make('div', 'progress', slot('progress', bar));
    set(progress, { role: 'progressbar', 'aria-label': 'Loading', 'aria-valuemin': '0', 'aria-valuemax': '100', hidden: '' });
    const errorText = document.createElement('span');
    const error = make('div', 'error', slot('error', errorText));
    set(error, { role: 'alert', hidden: '' });
    const hotspots = make('div', 'hotspots');
    const controls = make('div', 'controls', slot('toolbar'));
    const parts = { root, stage, canvas, poster: make('div', 'poster'), progress, bar, error, errorText, hotspots, controls };
    root.append(stage, parts.poster, hotspots, controls, progress, error);
    this.#parts = parts;
    this.#describe();
    this.#showPoster();
    this.#paintBackground();
    return parts;
  }

  #describe(): void {
    const { stage } = this.#parts!;
    set(stage, { role: 'img', 'aria-label': this.alt ?? '3D model', 'aria-roledescription': '3D model' });
  }

  /** A picture until the first one is drawn; a button where the visitor decides. */
  #showPoster(): void {
    const parts = this.#parts!;
    const isButton = this.reveal === 'interaction';
    const poster = make(isButton ? 'button' : 'div', 'poster');
    const inner = slot('poster');
    if (this.poster !== null) {
      const image = make('img', 'poster-image') as HTMLImageElement;
      image.alt = '';
      image.src = this.poster;
      inner.append(image);
    }
    poster.append(inner);
    poster.className = parts.poster.className;
    if (isButton) {
      set(poster, { type: 'button', 'aria-label': `Show ${this.alt ?? '3D model'}` });
      poster.addEventListener('click', () => {
        this.#isWanted = true;
        this.#begin();
        parts.stage.focus({ preventScroll: true });
      });
    }
    parts.poster.replaceWith(poster);
    parts.poster = poster;
  }

  /** Only colours: whatever else CSS calls a background may fetch. */
  #paintBackground(): void {
    const { background } = this;
    if (background !== null && CSS.supports('color', background)) this.style.setProperty('--rigcast-background', background);
    else this.style.removeProperty('--rigcast-background');
  }

  #showProgress(fraction: number): void {
    const { progress, bar } = this.#parts!;
    progress.hidden = fraction >= 1;
    progress.setAttribute('aria-valuenow', String(Math.round(fraction * 100)));
    bar.style.transform = `scaleX(${fraction})`;
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
    if (this.#hotspots || !this.querySelector(':scope > [slot^="hotspot"]')) return;
    const { Hotspots } = await import('./hotspots.ts');
    const ready = this.#shown?.ready;
    if (ready && !this.#hotspots) this.#hotspots = new Hotspots(this, this.#parts!.hotspots, () => this.#shown?.ready ?? null);
    this.#hotspots?.place();
  }

  /** `:state(loading)`, `ready`, `playing`, `error`, `lost`. */
  #setState(state: 'loading' | 'ready' | 'error' | 'lost' | null, isPlaying = false): void {
    const states = this.#internals?.states;
    if (!states) return;
    states.clear();
    if (state) states.add(state);
    if (isPlaying) states.add('playing');
  }
}

interface Parts {
  root: ShadowRoot;
  stage: HTMLElement;
  canvas: HTMLCanvasElement;
  poster: HTMLElement;
  progress: HTMLElement;
  bar: HTMLElement;
  error: HTMLElement;
  errorText: HTMLElement;
  hotspots: HTMLElement;
  controls: HTMLElement;
}

for (const name of TEXTS)
  if (name !== 'files')
    property(
      name,
      element => element.getAttribute(name),
      (element, value) => setText(element, name, value),
    );
for (const name of FLAGS)
  property(
    name,
    element => element.hasAttribute(name),
    (element, value) => void element.toggleAttribute(name, Boolean(value)),
  );
for (const [name, initial] of Object.entries(NUMBERS))
  property(
    name,
    element => {
      const value = Number.parseFloat(element.getAttribute(name) ?? '');
      return Number.isFinite(value) ? value : initial;
    },
    (element, value) => setText(element, name, value),
  );

function property(
  name: string,
  get: (element: RigcastViewerElement) => unknown,
  write: (element: RigcastViewerElement, value: unknown) => void,
): void {
  Object.defineProperty(RigcastViewerElement.prototype, camel(name), {
    get(this: RigcastViewerElement) {
      return get(this);
    },
    set(this: RigcastViewerElement, value: unknown) {
      write(this, value);
    },
    enumerable: true,
    configurable: true,
  });
}

/** Properties that were set before the element was defined take effect now. */
function upgrade(element: RigcastViewerElement): void {
  for (const attribute of RigcastViewerElement.observedAttributes) {
    const name = camel(attribute);
    if (!Object.hasOwn(element, name)) continue;
    const value: unknown = Reflect.get(element, name);
    Reflect.deleteProperty(element, name);
    Reflect.set(element, name, value);
  }
}

function setText(element: HTMLElement, name: string, value: unknown): void {
  if (value === null || value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, String(value));
}

function make<K extends keyof HTMLElementTagNameMap>(tag: K, part: string, ...children: Node[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  element.setAttribute('part', part);
  element.append(...children);
  return element;
}

function slot(name: string, ...children: Node[]): HTMLSlotElement {
  const made = document.createElement('slot');
  made.name = name;
  made.append(...children);
  return made;
}

function set(element: Element, attributes: Record<string, string>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

interface Deferred<T> {
  promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

/** Nobody has to wait for it: a rejection that nobody hears is no error. */
function deferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}
