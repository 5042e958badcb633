// Presents a rig in a view of the shared renderer and plays its animations. Imported when an
// element starts to load.
import { hasNoSurface } from '../session/hasNoSurface.ts';
import type { ClipAction } from '../session/clipAction.ts';
import { chooseRenderer, type RendererChoice } from '../view/rendererChoice.ts';
import type { PictureOptions, SharedRenderer } from '../view/sharedRenderer.ts';
import { isRecording, present, type Presented, recordingTools } from '../view/present.ts';
import { View } from '../view/view.ts';
import { followCandidatesOf } from '../view/followCandidates.ts';
import type { Rig } from '../three/rig.ts';
import type { Skybox } from '../three/materials/skybox.ts';
import { parseOrigins, splitWords } from './urls.ts';
import { ATTRIBUTES } from './attributes.ts';
import { SkeletonDisplay, loadSkeletonOverlay } from './skeletonDisplay.ts';
import { Clock } from './clock.ts';
import { parseNumber } from './cssValues.ts';
import { Input, parseInteraction } from './input.ts';
import { type LoadOptions, type LoadResult, parseFormatOptions } from './load.ts';
import { loadModels } from './loadModels.ts';
import { parseExtraModels } from './extraModelList.ts';
import type { ExtraModels } from './extraModels.ts';
import { applyAppearance, applyExpressions, recordingColors } from './appearance.ts';
import { CAMERA_ATTRIBUTES, CameraController } from './cameraController.ts';
import { AnimationList } from './animations.ts';
import { pickIn } from './pick.ts';
import { warnAboutAttributes } from './attributeCheck.ts';
import { ENVIRONMENT_ATTRIBUTES, EnvironmentController } from './environment.ts';
import { modelTransformOf, resetTransform } from './modelTransform.ts';
import type { StartAr } from './arButton.ts';
import type { Immersive } from '../view/immersive.ts';
import { Widgets } from './widgets.ts';
import type {
  CameraOrbit,
  AnimationInfo,
  ExportedModel,
  PickResult,
  RigcastViewerEvents,
  RigcastViewerReady,
  PresenterHost,
  Presenter,
  VideoOptions,
} from './types.ts';

/**
 * Time in milliseconds after which a model is shown without the textures and animations that are
 * still loading. On a fast connection, everything appears together.
 */
const PATIENCE = 150;

/** Names of the attributes that `applyAppearance` applies. */
const APPEARANCE = ['exposure', 'tone-mapping', 'shadow', 'ground', 'background'];

interface PendingSelection {
  abort: AbortController;
  isPlaying: boolean;
}

/** Returns the renderer that the attribute `renderer` requests, or that with WebGL. */
export async function rendererOf(element: Element): Promise<RendererChoice> {
  const isWanted = (): boolean => element.getAttribute('renderer') === 'webgpu';
  const wanted = isWanted();
  const choice = await chooseRenderer(wanted);
  return isWanted() === wanted ? choice : rendererOf(element); // the attribute has changed in the meantime
}

export class ScenePresenter implements Presenter {
  readonly view: View;
  readonly #host: PresenterHost;
  readonly #sharedRenderer: SharedRenderer;
  /** Why WebGPU is not used although it was requested, until it is reported; otherwise null. */
  #noWebGPU: unknown;
  readonly #clock: Clock;
  readonly #input: Input;
  readonly #camera: CameraController;
  readonly #environment: EnvironmentController;
  readonly #skeletonDisplay: SkeletonDisplay;
  readonly #widgets: Widgets;
  readonly #observer: ResizeObserver;
  readonly #languageObserver: MutationObserver;
  readonly #abort = new AbortController();
  #loading: AbortController | null = null;
  #rig: Rig | null = null;
  #sources: Rig[] = [];
  /** Returns the file of the model again if it is a GLB. */
  #original: LoadResult['original'] = null;
  #variants: LoadResult['variants'] = null;
  #extras: ExtraModels | null = null;
  #sky: Skybox | null = null;
  /** Signal of the load that shows a model without all of its textures and animations; otherwise null. */
  #partial: AbortSignal | null = null;
  #presented: Presented | null = null;
  #animations: AnimationList | null = null;
  /** Animations that are selected as soon as their keys are read, and whether they then play. */
  #pending: PendingSelection | null = null;
  /** The action that plays the selected animations. If none is selected, it holds the rest pose. */
  #action: ClipAction | null = null;
  #hasDrawn = true;
  #isVisible = false;
  /** True while playback advances, as opposed to seeking. */
  #isTicking = false;
  /** True while a video is rendered. The view then draws no frames of its own. */
  #isFilming = false;
  readonly #reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

  /** `choice`: result of `rendererOf`. */
  constructor(host: PresenterHost, { sharedRenderer, reason }: RendererChoice) {
    const { viewport: surface, canvas } = host.parts;
    this.#sharedRenderer = sharedRenderer;
    this.#noWebGPU = reason;
    this.#host = {
      ...host,
      onFirstFrame: () => {
        this.#widgets.updatePositions();
        host.onFirstFrame();
      },
      emit: (type, detail) => {
        if (type === 'error') console.warn(`<rigcast-viewer> ${(detail as RigcastViewerEvents['error']).message}`, host.element);
        host.emit(type, detail);
      },
    };
    this.view = new View(surface, {
      tick: seconds => this.#tick(seconds),
      posed: seconds => this.#posed(seconds),
      drawn: () => this.#drawn(),
      context: lost => host.setLost(lost),
    });
    this.view.isVisible = false;
    this.view.show(null);
    this.#camera = new CameraController(this.#host, this.view);
    this.#skeletonDisplay = new SkeletonDisplay(this.view);
    this.#environment = new EnvironmentController(this.#host, this.view, () => this.#presented?.sky ?? null);
    this.#input = new Input(
      surface,
      this.view.cameraRig,
      () => this.#onInteraction(),
      () => this.resetView(),
    );
    this.#input.kind = parseInteraction(this.#attribute('interaction'));
    this.#clock = new Clock(this.#host, () => {
      if (!this.#isTicking) this.#extras?.seek(this.#clock.time);
      this.view.invalidate();
    });
    const resize = (): void => this.view.setSize(surface.clientWidth, surface.clientHeight);
    this.#observer = new ResizeObserver(resize);
    this.#observer.observe(surface);
    resize();
    this.#languageObserver = new MutationObserver(host.onLanguage);
    // The language can be that of any ancestor, in this tree or around it.
    for (let root: Node | undefined = host.element.getRootNode(); root; root = (root as Partial<ShadowRoot>).host?.getRootNode())
      this.#languageObserver.observe(root, { subtree: true, attributeFilter: ['lang'] });
    const { signal } = this.#abort;
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => applyAppearance(this.view, host.element), { signal });
    this.#sharedRenderer.add(this.view, canvas);
    this.#widgets = new Widgets(this.#host, () => this.ready, sharedRenderer.isWebGPU ? null : given => this.#startAr(given));
  }

  get ready(): RigcastViewerReady | null {
    return this.#rig && !this.#partial ? { rig: this.#rig, view: this.view } : null;
  }

  async #startAr(given: Parameters<StartAr>[0]): Promise<Immersive> {
    const { Immersive: session } = await import('../view/immersive.ts');
    return session.start(this.#sharedRenderer, this.view, {
      mode: 'ar',
      front: () => this.#presented?.front ?? 0,
      head: () => null,
      ...given,
    });
  }

  get animations(): readonly AnimationInfo[] {
    return this.#animations?.list ?? [];
  }

  get currentAnimations(): readonly string[] {
    return this.#clock.action?.names ?? [];
  }

  get availableVariants(): readonly string[] {
    return this.#variants?.names ?? [];
  }

  get duration(): number {
    return this.#clock.duration;
  }

  get frameRate(): number {
    return this.#clock.action?.frameRate ?? 0;
  }

  get paused(): boolean {
    return !this.#clock.isPlaying;
  }

  get ended(): boolean {
    return this.#clock.hasEnded;
  }

  get time(): number {
    return this.#clock.time;
  }

  set time(seconds: number) {
    this.#clock.time = seconds;
  }

  play(): void {
    if (!this.#pending && !this.#clock.action) this.#select(this.#animations?.preferred() ?? [], true);
    if (this.#pending) this.#pending.isPlaying = true;
    else this.#clock.play();
  }

  pause(): void {
    if (this.#pending) this.#pending.isPlaying = false;
    this.#clock.pause();
  }

  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.view.isVisible = isVisible && !this.#isFilming;
  }

  updateWords(): void {
    this.#widgets.updateWords();
  }

  // -------------------------------------------------------------------------------------------
  // loading

  async load(): Promise<RigcastViewerReady> {
    warnAboutAttributes(this.#host.element);
    this.#widgets.update();
    this.#loading?.abort();
    const loading = (this.#loading = new AbortController());
    const { signal } = loading;
    const { emit, element } = this.#host;
    if (this.#noWebGPU !== null) this.#reportError(messageOf('renderer="webgpu"', this.#noWebGPU) + ' WebGL is used.', this.#noWebGPU);
    this.#noWebGPU = null;
    const { files: localFiles, fileResolver } = this.#host.localInputs();
    const sharedRenderer = this.#sharedRenderer;
    const partial: { timer?: ReturnType<typeof setTimeout>; showing?: Promise<void> } = {};
    const models = parseExtraModels(this.#attribute('extra-models') ?? '[]') ?? [];
    let bytes = Array.from(localFiles?.values() ?? [], file => file?.size ?? 0).reduce((sum, size) => sum + size, 0);
    try {
      const wanted: LoadOptions = {
        src: this.#attribute('src')?.trim() || null,
        files: splitWords(this.#attribute('files')),
        localFiles,
        fileResolver,
        base: element.baseURI,
        credentials: this.#credentials,
        origins: parseOrigins(this.#attribute('allow-origins')),
        maxFiles: parseNumber(this.#attribute('max-files')) ?? ATTRIBUTES['max-files'],
        formatOptions: parseFormatOptions(this.#attribute('format-options')),
        draws: extension => sharedRenderer.supportsTexture(extension),
        isWebGPU: sharedRenderer.isWebGPU,
      };
      const { rig, sources, original, variants, failed, extras } = await loadModels(models, wanted, signal, {
        onProgress: ({ fraction, loaded, total }) => {
          bytes = loaded;
          if (!signal.aborted) emit('progress', { fraction: fraction * 0.9, loaded, total });
        },
        onModel: model => {
          if (model.file.scene!.features.some(({ kind }) => kind === 'skybox')) return; // its picture is incomplete without the sky
          partial.timer ??= setTimeout(() => {
            partial.showing = this.#showPartial(model, signal);
            partial.showing.catch(() => {}); // reported below
          }, PATIENCE);
        },
      });
      let sky: Skybox | null = null;
      try {
        clearTimeout(partial.timer);
        await partial.showing;
        sky = await rig.loadSkybox({ signal });
        // The previous model stays visible until the new one is prepared. Throws if WebGL is unavailable.
        for (const each of [rig, ...(extras?.rigs ?? [])]) await sharedRenderer.prepare(this.view, each.scene);
        signal.throwIfAborted();
      } catch (error) {
        extras?.dispose();
        for (const each of [rig, ...sources]) each.dispose();
        sky?.dispose();
        throw error;
      }
      const isShown = this.#rig === rig && !extras;
      if (this.#rig !== rig) this.#clear();
      this.#extras = extras;
      [this.#rig, this.#sources, this.#original, this.#variants] = [rig, sources, original, variants];
      this.#animations = new AnimationList(rig, sources);
      if (this.#attribute('variant-name')) this.#applyVariant();
      this.#partial = null;
      if (!isShown) {
        this.#sky = sky;
        await this.#show(rig);
        signal.throwIfAborted();
      }
      await this.#animations.load(this.#findRows(this.#attribute('animation'), false), signal).catch(() => {}); // `#select` tries again and reports the error
      signal.throwIfAborted();
      this.#startAnimation();
      if (!isShown) this.#camera.applyAttributes();
      this.view.invalidate();
      for (const { file, report } of [rig, ...sources, ...(extras?.files ?? [])]) emit('report', { file: file.name ?? '', report });
      for (const { name, error } of failed) this.#reportError(messageOf(name, error), error);
      if (hasNoSurface({ rig }) && !this.#skeletonRig && !this.#presented?.recording)
        this.#reportError(`${rig.file.name} contains nothing to draw.`, null);
      emit('progress', { fraction: 1, loaded: bytes, total: bytes });
      this.#widgets.update();
      return { rig, view: this.view };
    } catch (error) {
      clearTimeout(partial.timer);
      if (!signal.aborted || this.#partial === signal) this.#clear();
      throw error;
    }
  }

  /** Shows a model in its rest pose while its textures and animations are still loading. */
  async #showPartial(rig: Rig, signal: AbortSignal): Promise<void> {
    await this.#sharedRenderer.prepare(this.view, rig.scene);
    signal.throwIfAborted();
    this.#clear();
    this.#rig = rig;
    this.#partial = signal;
    await this.#show(rig);
    if (this.#rig === rig) this.#camera.applyAttributes();
  }

  async #show(rig: Rig): Promise<void> {
    const { element } = this.#host;
    const framed = this.#animations?.list.findIndex(({ clip }) => !clip.keysUnread) ?? -1;
    const first = framed < 0 ? null : this.#animations!.actionFor([framed], this.#attribute('additive'));
    const tools = isRecording(rig.file.scene!) ? await recordingTools() : null;
    if (this.#skeletonRig) await loadSkeletonOverlay(); // the bones appear together with the model
    if (this.#rig !== rig) return; // another load has finished in the meantime
    const bones = rig.nodes.filter(node => 'isBone' in node);
    this.view.cameraRig.followCandidates = tools ? [] : followCandidatesOf(bones, [rig.scene]);
    const transform = modelTransformOf(this.#attribute('orientation'), this.#attribute('scale'));
    const colors = recordingColors(element);
    const { free, missing } = this.#extras?.attach(rig) ?? { free: [], missing: [] };
    for (const name of missing) this.#reportError(`There is no bone “${name}”.`, null);
    const otherRigs = free;
    this.#presented = present(this.view, { rig, otherRigs, sky: this.#sky, colors, firstClip: first, frame: true, transform }, tools);
    this.#camera.presented = this.#presented;
    first?.stop();
    this.#hasDrawn = false;
    this.#environment.update(this.#credentials);
    applyAppearance(this.view, element);
    this.#updateExpressions();
    await this.#skeletonDisplay.show(this.#skeletonRig); // pictures that are requested at once contain the bones
  }

  /** Shows the model again with another orientation or scale, at the same time of its animation. */
  async #transform(): Promise<void> {
    const rig = this.#rig!;
    const { time } = this.#clock;
    this.#presented?.recording?.dispose();
    resetTransform(rig);
    await this.#show(rig);
    if (this.#rig !== rig) return;
    this.#camera.applyAttributes();
    if (!this.#presented?.recording) this.view.cameraRig.frame(this.#clock.action);
    this.#action?.seek(time);
    rig.springs?.reset();
  }

  /** Selects the animation and the time that the attributes specify. */
  #startAnimation(): void {
    this.#select(this.#findRows(this.#attribute('animation')), this.#isAutoplay);
    const time = parseNumber(this.#attribute('time')) ?? (parseNumber(this.#attribute('frame')) ?? 0) / (this.frameRate || Infinity);
    if (time > 0) this.#clock.time = time;
  }

  #findRows(text: string | null, isReported = true): number[] {
    const list = this.#animations!;
    if (text === null) return list.preferred();
    const rows = list.find(text);
    if (!rows && isReported) this.#reportError(`There is no animation “${text}”.`, null);
    return rows ?? [];
  }

  #reportError(message: string, error: unknown): void {
    this.#host.emit('error', { message, error, report: null });
  }

  #clear(): void {
    this.#pending?.abort.abort();
    this.#pending = null;
    this.#clock.clear();
    this.#action?.stop();
    this.#animations = this.#action = null;
    this.#partial = null;
    this.#extras?.dispose();
    this.#extras = null;
    void this.#skeletonDisplay.show(null);
    this.#presented?.recording?.dispose();
    this.#presented = this.#camera.presented = null;
    this.view.cameraRig.followCandidates = [];
    this.view.sky = null;
    this.view.show(null);
    this.#sky?.dispose();
    this.#sky = null;
    for (const rig of [this.#rig, ...this.#sources]) rig?.dispose();
    this.#rig = this.#original = this.#variants = null;
    this.#sources = [];
  }

  dispose(): void {
    this.#abort.abort();
    this.#loading?.abort();
    this.#clock.dispose();
    this.#widgets.dispose();
    this.#clear();
    this.#environment.dispose();
    this.#observer.disconnect();
    this.#languageObserver.disconnect();
    this.#input.dispose();
    this.#sharedRenderer.remove(this.view);
    this.view.dispose();
  }

  // -------------------------------------------------------------------------------------------
  // attributes

  update(changed: ReadonlySet<string>): void {
    warnAboutAttributes(this.#host.element);
    const has = (names: readonly string[]): boolean => names.some(name => changed.has(name));
    if (has(['interaction'])) this.#input.kind = parseInteraction(this.#attribute('interaction'));
    if (has(['speed'])) this.#clock.setSpeed();
    if (has(['controls', 'download', 'interaction-prompt', 'ar', 'ar-modes', 'ios-src', 'src'])) this.#widgets.update();
    if (!this.#rig) return;
    if (has(APPEARANCE)) applyAppearance(this.view, this.#host.element);
    if (has(['orientation', 'scale'])) void this.#transform();
    if (has(ENVIRONMENT_ATTRIBUTES)) this.#environment.update(this.#credentials);
    if (has(['skeleton'])) void this.#skeletonDisplay.show(this.#skeletonRig);
    if (has(['expression'])) this.#updateExpressions();
    if (has(CAMERA_ATTRIBUTES)) this.#camera.applyAttributes(!this.#reducedMotion.matches);
    if (has(['auto-rotate'])) this.view.request();
    if (this.#partial) return; // the attributes below take effect when the animations are loaded
    if (has(['variant-name'])) this.#applyVariant();
    if (has(['loop'])) this.#clock.setLoop();
    if (has(['animation', 'additive'])) this.#select(this.#findRows(this.#attribute('animation')), !this.paused || this.#isAutoplay);
    if (has(['time'])) this.time = parseNumber(this.#attribute('time')) ?? 0;
    else if (has(['frame']) && this.frameRate > 0) this.time = (parseNumber(this.#attribute('frame')) ?? 0) / this.frameRate;
    if (has(['autoplay']) && this.#isAutoplay) this.play();
  }

  /** True if the attribute `autoplay` is set and the visitor does not prefer reduced motion. */
  get #isAutoplay(): boolean {
    return this.#host.element.hasAttribute('autoplay') && !this.#reducedMotion.matches;
  }

  /**
   * The rig whose bones are drawn, or null. Bones are drawn if the attribute `skeleton` is set or
   * the file has no mesh.
   */
  get #skeletonRig(): Rig | null {
    const rig = this.#rig;
    if (rig && hasNoSurface({ rig }) && !isRecording(rig.file.scene!)) return rig.nodes.some(node => 'isBone' in node) ? rig : null;
    return this.#host.element.hasAttribute('skeleton') ? rig : null;
  }

  get #credentials(): RequestCredentials {
    const wanted = this.#attribute('credentials');
    return wanted === 'include' || wanted === 'omit' ? wanted : 'same-origin';
  }

  #attribute(name: string): string | null {
    return this.#host.element.getAttribute(name);
  }

  /** Selects animations, immediately or as soon as their keys are read. */
  #select(rows: readonly number[], isPlaying: boolean): void {
    this.#pending?.abort.abort();
    this.#pending = null;
    if (this.#animations!.isUnread(rows)) void this.#selectLater(rows, isPlaying);
    else this.#selectNow(rows, isPlaying);
  }

  async #selectLater(rows: readonly number[], isPlaying: boolean): Promise<void> {
    const pending = (this.#pending = { abort: new AbortController(), isPlaying });
    const list = this.#animations!;
    try {
      const changed = await list.load(rows, pending.abort.signal);
      if (this.#pending !== pending) return;
      this.#pending = null;
      for (const { file, report } of changed) this.#host.emit('report', { file: file.name ?? '', report });
      this.#selectNow(rows, pending.isPlaying);
    } catch (error) {
      if (this.#pending !== pending) return;
      this.#pending = null;
      this.#reportError(messageOf(rows.map(row => list.list[row]!.name).join(', '), error), error);
    }
  }

  #selectNow(rows: readonly number[], isPlaying: boolean): void {
    const before = this.currentAnimations;
    const fade = this.#reducedMotion.matches ? 0 : (parseNumber(this.#attribute('fade')) ?? 0);
    const action = this.#animations!.actionFor(rows, this.#attribute('additive'));
    const isRest = rows.length === 0;
    const begin = fade > 0 ? action.prepareCrossFade(fade) : null;
    this.#action = action;
    if (isRest) action.seek(0);
    this.#clock.select(isRest ? null : action, isPlaying);
    if (!this.#presented?.recording) this.view.cameraRig.frame(isRest ? null : action);
    begin?.();
    this.#rig?.springs?.reset();
    void this.#selectExtra(fade);
    if (before.join('\n') !== this.currentAnimations.join('\n')) this.#host.emit('animationchange', { names: this.currentAnimations });
    this.view.invalidate();
  }

  /** Selects the animations of the models of `extra-models`. */
  async #selectExtra(fade: number): Promise<void> {
    const extras = this.#extras;
    const { signal } = this.#loading ?? this.#abort;
    try {
      const missing = (await extras?.select(this.currentAnimations, this.#attribute('additive'), fade, signal)) ?? [];
      if (this.#extras !== extras) return;
      for (const name of missing) this.#reportError(`There is no animation “${name}”.`, null);
      this.view.invalidate();
    } catch (error) {
      if (this.#extras === extras) this.#reportError(messageOf('extra-models', error), error);
    }
  }

  /** Applies the attribute `variant-name`. */
  #applyVariant(): void {
    const name = this.#attribute('variant-name') || null;
    if (name !== null && !this.availableVariants.includes(name)) this.#reportError(`There is no variant “${name}”.`, null);
    this.#variants?.apply(this.#rig!, name);
    this.view.invalidate();
  }

  #updateExpressions(): void {
    for (const name of applyExpressions(this.#rig!, this.#attribute('expression')))
      this.#reportError(`There is no expression “${name}”.`, null);
    this.view.invalidate();
  }

  // -------------------------------------------------------------------------------------------
  // frames

  #tick(seconds: number): boolean {
    if (!this.#rig) return false;
    const speed = this.#clock.isPlaying ? (parseNumber(this.#attribute('speed')) ?? 1) : 0;
    this.#isTicking = true;
    const isPlaying = this.#clock.tick(seconds);
    this.#isTicking = false;
    const isExtraMoving = this.#extras?.tick(seconds, this.#clock.time, seconds * speed) ?? false;
    const isFading = this.#action?.isFading ?? false;
    // A cross-fade continues while playback is paused.
    if (isFading && !isPlaying) this.#action!.seek(this.#clock.time, seconds);
    const isMoving = this.#rig.update(seconds) || isExtraMoving;
    const isCameraMoving = this.#camera.move(seconds);
    return this.#camera.rotate(seconds, this.#reducedMotion.matches) || isCameraMoving || isFading || isPlaying || isMoving;
  }

  #posed(seconds: number): boolean {
    this.#skeletonDisplay.update();
    return this.#presented?.recording?.update(this.#clock.isPlaying ? seconds : Infinity) ?? false;
  }

  #drawn(): void {
    if (this.#rig && !this.#hasDrawn) {
      this.#hasDrawn = true;
      this.#host.onFirstFrame();
      void this.view.cameraRig.enableControls();
    }
    if (this.#rig) this.#camera.emitChange();
  }

  // -------------------------------------------------------------------------------------------
  // camera and pictures

  resetView(): void {
    this.#camera.reset();
  }

  /** Called when the visitor starts to move the camera. */
  #onInteraction(): void {
    this.#camera.onInteraction();
    this.#widgets.onInteraction();
  }

  cameraOrbit(): CameraOrbit {
    return this.#camera.orbit;
  }

  cameraTarget(): { x: number; y: number; z: number } {
    return this.#camera.target;
  }

  pick(x: number, y: number): PickResult | null {
    if (!this.#rig) return null;
    const { left, top, width, height } = this.#host.parts.viewport.getBoundingClientRect();
    return pickIn(
      [this.#rig, ...(this.#extras?.rigs ?? [])],
      this.view.cameraRig.active,
      ((x - left) / width) * 2 - 1,
      1 - ((y - top) / height) * 2,
    );
  }

  async toBlob(options?: PictureOptions): Promise<Blob | null> {
    await this.#environment.loaded;
    return this.#sharedRenderer.toBlob(this.view, options);
  }

  async toVideo(options: VideoOptions): Promise<Blob | null> {
    const { signal: loading } = this.#loading ?? this.#abort;
    const { renderVideo } = await import('./video.ts');
    await this.#environment.loaded;
    const rig = this.ready?.rig;
    if (!rig) return null;
    const { action } = this.#clock;
    this.pause();
    this.#isFilming = true;
    this.setVisible(this.#isVisible);
    try {
      const signal = AbortSignal.any([loading, this.#abort.signal, ...(options.signal ? [options.signal] : [])]);
      const speed = parseNumber(this.#attribute('speed')) ?? 1;
      const video = { rig, view: this.view, sharedRenderer: this.#sharedRenderer, action, speed, extras: this.#extras };
      return await renderVideo(video, options, signal);
    } finally {
      this.#isFilming = false;
      // Another model or animation may have been selected in the meantime.
      if (this.#rig === rig && this.#clock.action === action) action?.seek(this.time);
      this.#rig?.springs?.reset();
      this.setVisible(this.#isVisible);
      this.view.invalidate();
    }
  }

  async exportGlb(): Promise<ExportedModel | null> {
    const { signal } = this.#loading ?? this.#abort;
    const { exportGlb } = await import('./exportGlb.ts');
    const [rig, sources, original] = [this.ready?.rig, this.#sources, this.#original];
    return rig ? exportGlb({ rig, sources, original }, this.#attribute('additive'), signal) : null;
  }

  async exportUsdz(): Promise<ExportedModel | null> {
    const { exportUsdz } = await import('./exportUsdz.ts');
    const rig = this.ready?.rig;
    return rig ? exportUsdz(rig, this.animations.length) : null;
  }
}

/**
 * Returns the message of an error. Puts the file name in front of the message, unless the message
 * already contains it.
 */
function messageOf(name: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.includes(name) ? message : `${name}: ${message}`;
}
