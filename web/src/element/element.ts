// The class of <rigcast-viewer>: attributes, slots and states. The code that reads and draws a
// model is imported when the element starts to load.
import { ATTRIBUTES, reflect, type Reflected, setText, upgrade } from './attributes.ts';
import { deferred } from './deferred.ts';
import { isOtherFormat } from '../core/otherFormats.ts';
import { ShadowParts } from './parts.ts';
import type * as PresenterModule from './presenter.ts';
import type {
  CameraOrbit,
  AnimationInfo,
  PickResult,
  PictureOptions,
  RigcastViewerEvents,
  RigcastViewerReady,
  PresenterHost,
  Presenter,
  FileResolver,
  VideoOptions,
  ExportedModel,
} from './types.ts';
import { RigcastError } from '../core/error.ts';
import type { Labels } from './words/en.ts';
import { translationFor } from './words/index.ts';
import { shellWords } from './words/shell.ts';

export type { RigcastViewerEvents, RigcastViewerReady } from './types.ts';

/** The base class of the element. On a server, which has no HTMLElement, it is an empty class. */
const Base = ((globalThis as { HTMLElement?: typeof HTMLElement }).HTMLElement ?? class {}) as new () => HTMLElement & Reflected;

/** Attributes and properties that reload the model when they change. */
const SOURCES = new Set(['src', 'files', 'credentials', 'allow-origins', 'max-files', 'format-options', 'extra-models', 'fileResolver']);

/** Margin around the viewport of the page within which an element counts as visible. */
const MARGIN = '200px';

/**
 * An element that shows a 3D model and plays its animations. Attributes are defined in
 * attributes.ts and documented in docs/element.md.
 */
export class RigcastViewerElement extends Base {
  static readonly observedAttributes: readonly string[] = Object.keys(ATTRIBUTES);

  #parts: ShadowParts | null = null;
  #internals: ElementInternals | null = null;
  #presenter: Presenter | null = null;
  /** Local files by name or path, which are used instead of the attribute `files`. */
  #localFiles: ReadonlyMap<string, Blob> | null = null;
  #fileResolver: FileResolver | null = null;
  #observer: IntersectionObserver | null = null;
  #isVisible = false;
  /**
   * True if the visitor or the page has requested the model. It is then loaded even if the element
   * is not visible.
   */
  #isRequested = false;
  #changed = new Set<string>();
  /** True if loading has started since the element was created or last cleared. */
  #hasStarted = false;
  /** Identifies the current load. Results of earlier loads are discarded. */
  #loadId = 0;
  #ready = deferred<RigcastViewerReady>();
  #labels: Partial<Labels> = {};

  // -------------------------------------------------------------------------------------------
  // properties and methods

  /**
   * Resolves with the rig and its view when the model is loaded. Rejects if loading fails, and with
   * an AbortError if the element is removed first.
   */
  get ready(): Promise<RigcastViewerReady> {
    return this.#ready.promise;
  }

  /**
   * Companion files. Accepts URLs separated by spaces (the syntax of the attribute), or local files
   * as a list of Files or a Map of names or paths to Blobs. If `src` is missing, the element shows
   * the first scene with instances among these files, or the first model if there is no such scene.
   */
  get files(): ReadonlyMap<string, Blob> | string | null {
    return this.#localFiles ?? this.getAttribute('files');
  }

  set files(files: Iterable<File> | ReadonlyMap<string, Blob> | string | null | undefined) {
    if (files === null || files === undefined || typeof files === 'string') {
      const had = this.#localFiles !== null;
      this.#localFiles = null;
      setText(this, 'files', files);
      if (had) this.#change('files');
      return;
    }
    // Values of a wrong type become invalid entries, because files are validated when they are loaded.
    const list = Symbol.iterator in Object(files) ? files : [files as unknown as File];
    this.#localFiles =
      'get' in list
        ? new Map(list as Map<string, Blob>)
        : new Map(Array.from(list as Iterable<File>, file => [file?.webkitRelativePath || file?.name, file]));
    this.#change('files');
  }

  /**
   * Selected animations: names or numbers as in the attribute, or a list of names. The getter
   * returns the value of the attribute.
   */
  get animation(): string | null {
    return this.getAttribute('animation');
  }

  set animation(names: string | readonly string[] | null | undefined) {
    const isList = Array.isArray(names) && names.length > 0;
    setText(this, 'animation', isList ? JSON.stringify(names) : names);
  }

  /**
   * A function of the page that returns files by name. It is called for keys and side files before
   * they are fetched, and for textures that were not found. Setting this property reloads the
   * model.
   */
  get fileResolver(): FileResolver | null {
    return this.#fileResolver;
  }

  set fileResolver(resolver: FileResolver | null) {
    this.#fileResolver = typeof resolver === 'function' ? resolver : null;
    this.#change('fileResolver');
  }

  /**
   * Texts that replace the built-in ones, such as `{ play: 'Start' }`. Built-in texts are Japanese
   * in a part of the page whose `lang` is `ja`, otherwise English.
   */
  get labels(): Partial<Labels> {
    return this.#labels;
  }

  set labels(labels: Partial<Labels> | null | undefined) {
    this.#labels = { ...labels };
    this.#updateWords();
  }

  /**
   * Texts that replace the built-in ones in all elements, unless an element has its own. Set them
   * before the elements are added to the page.
   */
  static labels: Partial<Labels> = {};

  /** The animations of all files, starting with those of the model. */
  get animations(): readonly AnimationInfo[] {
    return this.#presenter?.animations ?? [];
  }

  /** Names of the selected animations, from the bottom layer to the top. */
  get currentAnimations(): readonly string[] {
    return this.#presenter?.currentAnimations ?? [];
  }

  /** Names of the material variants of a glTF file, for the attribute `variant-name`. */
  get availableVariants(): readonly string[] {
    return this.#presenter?.availableVariants ?? [];
  }

  /** Duration of the selected animation in seconds, or 0 if there is none. */
  get duration(): number {
    return this.#presenter?.duration ?? 0;
  }

  get paused(): boolean {
    return this.#presenter?.paused ?? true;
  }

  /** True if playback has reached the end and does not loop. */
  get ended(): boolean {
    return this.#presenter?.ended ?? false;
  }

  /** Current time in seconds. */
  get time(): number {
    return this.#presenter?.time ?? 0;
  }

  set time(seconds: number) {
    if (this.#presenter?.ready) this.#presenter.time = Number(seconds);
    else setText(this, 'time', seconds);
  }

  /** Current frame, counted from 0. Always 0 if the animation has no frame rate. */
  get frame(): number {
    return Math.round(this.time * (this.#presenter?.frameRate ?? 0));
  }

  set frame(frame: number) {
    if (!this.#presenter?.ready) setText(this, 'frame', frame);
    else if (this.#presenter.frameRate > 0) this.#presenter.time = Number(frame) / this.#presenter.frameRate;
  }

  /** Starts playback. Loads the model first if necessary. */
  async play(): Promise<void> {
    this.#isRequested = true;
    this.#loadIfDue();
    await this.#ready.promise;
    this.#presenter?.play();
  }

  pause(): void {
    this.#presenter?.pause();
  }

  /** Moves playback to a time in seconds. */
  seek(seconds: number): void {
    this.time = seconds;
  }

  /**
   * Resets the camera to the view that the attributes specify; by default, to a view of the whole
   * model.
   */
  resetView(): void {
    this.#presenter?.resetView();
  }

  /**
   * Returns the camera's position around its target, or null before a model is shown.
   * `String(orbit)` is a valid value of the attribute `camera-orbit`.
   */
  getCameraOrbit(): CameraOrbit | null {
    return this.#presenter?.cameraOrbit() ?? null;
  }

  /** Returns the camera's target in metres, or null before a model is shown. */
  getCameraTarget(): { x: number; y: number; z: number } | null {
    return this.#presenter?.cameraTarget() ?? null;
  }

  /**
   * Returns the mesh, bone and position at a point, given in the same coordinates as `clientX` and
   * `clientY` of an event. Returns null if there is no mesh at the point.
   */
  pick(x: number, y: number): PickResult | null {
    return this.#presenter?.pick(x, y) ?? null;
  }

  /**
   * Renders the current frame at any size, in its final light. Rejects with NO_MODEL if no model is
   * loaded, and with PICTURE_FAILED if the graphics context is lost or the model is shown in AR.
   */
  async toBlob(options: PictureOptions = {}): Promise<Blob> {
    return loaded(this.#presenter?.ready && (await this.#presenter.output.toBlob(options)));
  }

  /**
   * Renders a video of the selected animation, of a turn of the camera, or of both. Each frame is
   * drawn for its exact time. Playback is paused. Rejects with NO_MODEL if no model is loaded.
   */
  async toVideo(options: VideoOptions = {}): Promise<Blob> {
    return loaded(await this.#presenter?.output.toVideo(options));
  }

  /**
   * Converts the model with all its animations to GLB. A model that is a GLB already is returned
   * unchanged, unless `files` adds animations to it. Rejects with NO_MODEL if no model is loaded,
   * and with a ConversionError if the model cannot be converted.
   */
  async exportGlb(): Promise<ExportedModel> {
    return loaded(await this.#presenter?.output.exportGlb());
  }

  /**
   * Writes the shown pose as USDZ, without animations and skeleton. Rejects with NO_MODEL if no model
   * is loaded.
   */
  async exportUsdz(): Promise<ExportedModel> {
    return loaded(await this.#presenter?.output.exportUsdz());
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

  // -------------------------------------------------------------------------------------------
  // lifecycle

  connectedCallback(): void {
    this.#parts ??= this.#buildParts();
    upgrade(this, ['fileResolver', 'labels']);
    this.#updateWords();
    if (this.#observer) return;
    this.#observer = new IntersectionObserver(
      entries => {
        this.#isVisible = entries.at(-1)!.isIntersecting;
        this.#presenter?.setVisible(this.#isVisible);
        this.#loadIfDue();
      },
      { rootMargin: MARGIN },
    );
    this.#observer.observe(this);
    this.#loadIfDue();
  }

  disconnectedCallback(): void {
    // Wait for a microtask, because an element that is moved within the page is removed and
    // connected again in the same task.
    queueMicrotask(() => {
      if (!this.isConnected) this.#release();
    });
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before !== after) this.#change(name);
  }

  #release(): void {
    this.#observer?.disconnect();
    this.#observer = null;
    this.#isVisible = this.#isRequested = false;
    this.#clear();
  }

  /** Removes the model and returns to the initial state. */
  #clear(): void {
    this.#loadId++;
    this.#hasStarted = false;
    this.#presenter?.dispose();
    this.#presenter = null;
    this.#ready.reject(new DOMException('The element or its source was removed.', 'AbortError'));
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

  /** Applies all attributes and properties that have changed in the current task. */
  #update(): void {
    const changed = this.#changed;
    this.#changed = new Set();
    if (!this.#parts || !this.isConnected) return;
    if (['alt', 'poster', 'reveal'].some(name => changed.has(name))) this.#updatePoster();
    if (changed.has('background')) this.#updateBackground();
    if (this.#presenter && changed.has('renderer')) this.#clear();
    const needsReload = [...changed].some(name => SOURCES.has(name));
    if (needsReload && this.#hasStarted && !this.#hasSource) this.#clear();
    else if (this.#presenter && needsReload) void this.#load();
    else if (this.#presenter) this.#presenter.update(changed);
    else this.#loadIfDue();
  }

  /** True if `src` or `files` is set. */
  get #hasSource(): boolean {
    const isNamed = (name: string): boolean => /\S/.test(this.getAttribute(name) ?? '');
    return isNamed('src') || (this.#localFiles ? this.#localFiles.size > 0 : isNamed('files'));
  }

  /** Starts loading if a source is set and neither `loading` nor `reveal` delays it. */
  #loadIfDue(): void {
    const isDue = this.#isRequested || (this.reveal !== 'interaction' && (this.#isVisible || this.loading === 'eager'));
    if (!this.#presenter && this.isConnected && this.#hasSource && isDue) void this.#load();
  }

  /** Imports the presenter and, in parallel, fetches the reader of the file's format. */
  #importPresenter(): Promise<typeof PresenterModule> {
    const path = this.src?.replace(/[?#].*$/, '') ?? '';
    if (!isOtherFormat(path)) import('../core/prepare.ts').then(({ fetchReaders }) => fetchReaders({ files: [path] })).catch(() => {}); // load() reports the error
    return import('./presenter.ts');
  }

  async #load(): Promise<void> {
    const parts = this.#parts!;
    const id = ++this.#loadId;
    this.#hasStarted = true;
    if (this.#presenter?.ready || parts.hasError) {
      this.#ready.reject(new DOMException('Another model is being loaded.', 'AbortError'));
      this.#ready = deferred();
    }
    this.#setState('loading');
    parts.showError(null);
    parts.showProgress(0);
    try {
      if (!this.#presenter) {
        const { ScenePresenter, rendererOf } = await this.#importPresenter();
        const renderer = await rendererOf(this);
        if (id !== this.#loadId) return;
        this.#presenter = new ScenePresenter(this.#host(parts), renderer);
        this.#presenter.setVisible(this.#isVisible);
      }
      const ready = await this.#presenter.load();
      if (id !== this.#loadId) return;
      this.#setState('ready', !this.paused);
      this.#ready.resolve(ready);
      this.#emit('load', ready);
    } catch (error) {
      if (id === this.#loadId) this.#fail(error);
    }
    if (id === this.#loadId) parts.showProgress(1);
  }

  #fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    console.error(message, this);
    this.#parts!.showError((error as { code?: unknown } | null)?.code === 'WEBGL_UNAVAILABLE' ? 'unavailable' : 'error');
    this.#setState('error');
    this.#ready.reject(error);
    const report = (error as { report?: RigcastViewerEvents['error']['report'] } | null)?.report ?? null;
    this.#emit('error', { message, error, report });
  }

  #host(parts: ShadowParts): PresenterHost {
    return {
      parts,
      element: this,
      words: () => this.#words,
      localInputs: () => ({ files: this.#localFiles, fileResolver: this.#fileResolver }),
      emit: (type, detail) => {
        if (type === 'progress') parts.showProgress((detail as RigcastViewerEvents['progress']).fraction);
        if (type === 'play' || type === 'pause') this.#setState('ready', type === 'play');
        this.#emit(type, detail);
      },
      onFirstFrame: () => {
        parts.isPosterShown = false;
        this.#emit('firstframe', undefined);
      },
      onLanguage: () => this.#updateWords(),
      setLost: isLost => this.#internals?.states[isLost ? 'add' : 'delete']('lost'),
    };
  }

  #emit<K extends keyof RigcastViewerEvents>(type: K, detail: RigcastViewerEvents[K]): void {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  // ---------------------------------------------------------------------------- the shadow tree

  #buildParts(): ShadowParts {
    try {
      this.#internals = this.attachInternals();
    } catch {
      // Without ElementInternals the element has no custom states.
    }
    const parts = (this.#parts = new ShadowParts(this, () => void this.#load()));
    this.#updatePoster();
    this.#updateBackground();
    return parts;
  }

  /** Updates the description for screen readers and the poster. */
  #updatePoster(): void {
    const reveal = {
      onIntent: () => void this.#importPresenter().catch(() => {}), // load() imports it again and reports the error
      onPress: () => {
        this.#isRequested = true;
        this.#loadIfDue();
      },
    };
    this.#parts!.alt = this.alt;
    this.#parts!.showPoster(this.poster, this.reveal === 'interaction' ? reveal : null);
  }

  /** Texts that replace the English ones: the translation, and those of the page. */
  get #words(): Partial<Labels> {
    return { ...translationFor(this, () => this.#updateWords()), ...RigcastViewerElement.labels, ...this.#labels };
  }

  #updateWords(): void {
    if (!this.#parts) return;
    const words = this.#words;
    this.#parts.words = { ...shellWords, ...words };
    this.#presenter?.updateWords();
  }

  /**
   * Sets the background if it is a colour. Other CSS values are ignored, because they could fetch a
   * URL.
   */
  #updateBackground(): void {
    const { background } = this;
    if (background !== null && CSS.supports('color', background)) this.style.setProperty('--rigcast-background', background);
    else this.style.removeProperty('--rigcast-background');
  }

  /**
   * Sets the custom state `state` and, if `isPlaying` is true, also `playing`. Removes all other
   * custom states. Only removes `lost` if `state` is null.
   */
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

/** Returns the result of a method, or throws NO_MODEL if there is none. */
function loaded<T>(result: T | null | undefined): T {
  if (!result) throw new RigcastError('NO_MODEL', 'No model is loaded.');
  return result;
}

if ('HTMLElement' in globalThis) reflect(RigcastViewerElement.prototype);
