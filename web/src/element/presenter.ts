// Presents a rig in a view of the shared renderer and plays its animations. Imported when an
// element starts to load.
import { hasNoSurface } from '../session/hasNoSurface.ts';
import { chooseRenderer, type RendererChoice } from '../view/rendererChoice.ts';
import type { SharedRenderer } from '../view/sharedRenderer.ts';
import { isRecording, present, type Presented, recordingTools } from '../view/present.ts';
import { View } from '../view/view.ts';
import { followCandidatesOf } from '../view/followCandidates.ts';
import type { Rig } from '../three/rig.ts';
import type { Skybox } from '../three/materials/skybox.ts';
import { SkeletonDisplay, loadSkeletonOverlay } from './skeletonDisplay.ts';
import { messageOf, reportError } from './errors.ts';
import { Player } from './player.ts';
import { parseNumber } from './cssValues.ts';
import { Input, parseInteraction } from './input.ts';
import { credentialsOf, loadOptionsOf } from './loadOptions.ts';
import { disposeModels, type LoadedModels, loadModels } from './loadModels.ts';
import { parseExtraModels } from './extraModelList.ts';
import { applyAppearance, applyExpressions, recordingColors } from './appearance.ts';
import { CAMERA_ATTRIBUTES, CameraController } from './cameraController.ts';
import { AnimationList } from './animations.ts';
import { pickIn } from './pick.ts';
import { warnAboutAttributes, warnAboutSize } from './attributeCheck.ts';
import { ENVIRONMENT_ATTRIBUTES, EnvironmentController } from './environment.ts';
import { modelTransformOf, resetTransform } from './modelTransform.ts';
import type { StartAr } from './arButton.ts';
import type { Immersive } from '../view/immersive.ts';
import { ModelOutput } from './output.ts';
import { Widgets } from './widgets.ts';
import type { CameraOrbit, AnimationInfo, PickResult, RigcastViewerEvents, RigcastViewerReady, PresenterHost, Presenter } from './types.ts';

/**
 * Time in milliseconds after which a model is shown without the textures and animations that are
 * still loading. On a fast connection, everything appears together.
 */
const PATIENCE = 150;

/** Names of the attributes that `applyAppearance` applies. */
const APPEARANCE = ['exposure', 'tone-mapping', 'shadow', 'ground', 'background'];

/** Returns the renderer that the attribute `renderer` requests, or that with WebGL. */
export async function rendererOf(element: Element): Promise<RendererChoice> {
  const isWanted = (): boolean => element.getAttribute('renderer') === 'webgpu';
  const wanted = isWanted();
  const choice = await chooseRenderer(wanted);
  return isWanted() === wanted ? choice : rendererOf(element); // the attribute has changed in the meantime
}

export class ScenePresenter implements Presenter {
  readonly view: View;
  readonly output: ModelOutput;
  readonly #host: PresenterHost;
  readonly #sharedRenderer: SharedRenderer;
  /** Why WebGPU is not used although it was requested, until it is reported; otherwise null. */
  #noWebGPU: unknown;
  readonly #player: Player;
  readonly #input: Input;
  readonly #camera: CameraController;
  readonly #environment: EnvironmentController;
  readonly #skeletonDisplay: SkeletonDisplay;
  readonly #widgets: Widgets;
  readonly #observer: ResizeObserver;
  readonly #languageObserver: MutationObserver;
  readonly #abort = new AbortController();
  #loading: AbortController | null = null;
  /** The shown model. While textures and animations are loading, only its rig is known. */
  #model: LoadedModels | null = null;
  #sky: Skybox | null = null;
  /** Signal of the load that shows a model without all of its textures and animations; otherwise null. */
  #partial: AbortSignal | null = null;
  #presented: Presented | null = null;
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
    this.#player = new Player(this.#host, {
      onPose: () => {
        if (!this.#isTicking) this.#model?.extras?.seek(this.#player.clock.time);
        this.view.invalidate();
      },
      onSelecting: action => {
        if (!this.#presented?.recording) this.view.cameraRig.frame(action);
      },
      onSelected: fade => {
        this.#rig?.springs?.reset();
        void this.#selectExtra(fade);
        this.view.invalidate();
      },
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
    this.output = new ModelOutput({
      element: host.element,
      view: this.view,
      sharedRenderer,
      player: this.#player,
      environment: this.#environment,
      model: () => (this.#partial ? null : this.#model),
      signal: () => AbortSignal.any([this.#abort.signal, ...(this.#loading ? [this.#loading.signal] : [])]),
      setFilming: isFilming => {
        this.#isFilming = isFilming;
        this.setVisible(this.#isVisible);
      },
    });
    this.#widgets = new Widgets(this.#host, () => this.ready, sharedRenderer.isWebGPU ? null : given => this.#startAr(given));
  }

  get #rig(): Rig | null {
    return this.#model?.rig ?? null;
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
    return this.#player.list;
  }

  get currentAnimations(): readonly string[] {
    return this.#player.names;
  }

  get availableVariants(): readonly string[] {
    return this.#model?.variants?.names ?? [];
  }

  get duration(): number {
    return this.#player.clock.duration;
  }

  get frameRate(): number {
    return this.#player.frameRate;
  }

  get paused(): boolean {
    return !this.#player.clock.isPlaying;
  }

  get ended(): boolean {
    return this.#player.clock.hasEnded;
  }

  get time(): number {
    return this.#player.clock.time;
  }

  set time(seconds: number) {
    this.#player.clock.time = seconds;
  }

  play(): void {
    this.#player.play();
  }

  pause(): void {
    this.#player.pause();
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
    if (this.#noWebGPU !== null)
      reportError(this.#host, messageOf('renderer="webgpu"', this.#noWebGPU) + ' WebGL is used.', this.#noWebGPU);
    this.#noWebGPU = null;
    const sharedRenderer = this.#sharedRenderer;
    const partial: { timer?: ReturnType<typeof setTimeout>; showing?: Promise<void> } = {};
    const models = parseExtraModels(this.#attribute('extra-models') ?? '[]') ?? [];
    let bytes = 0;
    try {
      const wanted = loadOptionsOf(this.#host, sharedRenderer);
      bytes = Array.from(wanted.localFiles?.values() ?? [], file => file?.size ?? 0).reduce((sum, size) => sum + size, 0);
      const loaded = await loadModels(models, wanted, signal, {
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
      const { rig, sources, failed, extras } = loaded;
      let sky: Skybox | null = null;
      try {
        clearTimeout(partial.timer);
        await partial.showing;
        sky = await rig.loadSkybox({ signal });
        // The previous model stays visible until the new one is prepared. Throws if WebGL is unavailable.
        for (const each of [rig, ...(extras?.rigs ?? [])]) await sharedRenderer.prepare(this.view, each.scene);
        signal.throwIfAborted();
      } catch (error) {
        disposeModels(loaded);
        sky?.dispose();
        throw error;
      }
      const isShown = this.#rig === rig && !extras;
      if (this.#rig !== rig) this.#clear();
      this.#model = loaded;
      this.#player.open(new AnimationList(rig, sources));
      if (this.#attribute('variant-name')) this.#applyVariant();
      this.#partial = null;
      if (!isShown) {
        this.#sky = sky;
        await this.#show(rig);
        signal.throwIfAborted();
      }
      await this.#player.load(signal);
      signal.throwIfAborted();
      this.#player.start();
      if (!isShown) this.#camera.applyAttributes();
      this.view.invalidate();
      for (const { file, report } of [rig, ...sources, ...(extras?.files ?? [])]) emit('report', { file: file.name ?? '', report });
      for (const { name, error } of failed) reportError(this.#host, messageOf(name, error), error);
      if (hasNoSurface({ rig }) && !this.#skeletonRig && !this.#presented?.recording)
        reportError(this.#host, `${rig.file.name} contains nothing to draw.`);
      warnAboutSize(element);
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
    this.#model = { rig, sources: [], original: null, variants: null, failed: [], extras: null };
    this.#partial = signal;
    await this.#show(rig);
    if (this.#rig === rig) this.#camera.applyAttributes();
  }

  async #show(rig: Rig): Promise<void> {
    const { element } = this.#host;
    const first = this.#player.firstReadAction();
    const tools = isRecording(rig.file.scene!) ? await recordingTools() : null;
    if (this.#skeletonRig) await loadSkeletonOverlay(); // the bones appear together with the model
    if (this.#rig !== rig) return; // another load has finished in the meantime
    const bones = rig.nodes.filter(node => 'isBone' in node);
    this.view.cameraRig.followCandidates = tools ? [] : followCandidatesOf(bones, [rig.scene]);
    const transform = modelTransformOf(this.#attribute('orientation'), this.#attribute('scale'));
    const colors = recordingColors(element);
    const { free, missing } = this.#model?.extras?.attach(rig) ?? { free: [], missing: [] };
    for (const name of missing) reportError(this.#host, `There is no bone “${name}”.`);
    const otherRigs = free;
    this.#presented = present(this.view, { rig, otherRigs, sky: this.#sky, colors, firstClip: first, frame: true, transform }, tools);
    this.#camera.presented = this.#presented;
    first?.stop();
    this.#hasDrawn = false;
    this.#environment.update(credentialsOf(this.#host.element));
    applyAppearance(this.view, element);
    this.#updateExpressions();
    await this.#skeletonDisplay.show(this.#skeletonRig); // pictures that are requested at once contain the bones
  }

  /** Shows the model again with another orientation or scale, at the same time of its animation. */
  async #transform(): Promise<void> {
    const rig = this.#rig!;
    this.#presented?.recording?.dispose();
    resetTransform(rig);
    await this.#show(rig);
    if (this.#rig !== rig) return;
    this.#camera.applyAttributes();
    if (!this.#presented?.recording) this.view.cameraRig.frame(this.#player.clock.action);
    this.#player.pose();
    rig.springs?.reset();
  }

  #clear(): void {
    this.#player.close();
    this.#partial = null;
    void this.#skeletonDisplay.show(null);
    this.#presented?.recording?.dispose();
    this.#presented = this.#camera.presented = null;
    this.view.cameraRig.followCandidates = [];
    this.view.sky = null;
    this.view.show(null);
    this.#sky?.dispose();
    this.#sky = null;
    if (this.#model) disposeModels(this.#model);
    this.#model = null;
  }

  dispose(): void {
    this.#abort.abort();
    this.#loading?.abort();
    this.#player.clock.dispose();
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
    if (has(['speed'])) this.#player.clock.setSpeed();
    if (has(['controls', 'download', 'interaction-prompt', 'ar', 'ar-modes', 'ios-src', 'src'])) this.#widgets.update();
    if (!this.#rig) return;
    if (has(APPEARANCE)) applyAppearance(this.view, this.#host.element);
    if (has(['orientation', 'scale'])) void this.#transform();
    if (has(ENVIRONMENT_ATTRIBUTES)) this.#environment.update(credentialsOf(this.#host.element));
    if (has(['skeleton'])) void this.#skeletonDisplay.show(this.#skeletonRig);
    if (has(['expression'])) this.#updateExpressions();
    if (has(CAMERA_ATTRIBUTES)) this.#camera.applyAttributes(!this.#reducedMotion.matches);
    if (has(['auto-rotate'])) this.view.request();
    if (this.#partial) return; // the attributes below take effect when the animations are loaded
    if (has(['variant-name'])) this.#applyVariant();
    if (has(['loop'])) this.#player.clock.setLoop();
    if (has(['animation', 'additive'])) this.#player.select(!this.paused || this.#player.isAutoplay);
    if (has(['time'])) this.time = parseNumber(this.#attribute('time')) ?? 0;
    else if (has(['frame']) && this.frameRate > 0) this.time = (parseNumber(this.#attribute('frame')) ?? 0) / this.frameRate;
    if (has(['autoplay']) && this.#player.isAutoplay) this.play();
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

  #attribute(name: string): string | null {
    return this.#host.element.getAttribute(name);
  }

  /** Selects the animations of the models of `extra-models`. */
  async #selectExtra(fade: number): Promise<void> {
    const extras = this.#model?.extras;
    const { signal } = this.#loading ?? this.#abort;
    try {
      const missing = (await extras?.select(this.currentAnimations, this.#attribute('additive'), fade, signal)) ?? [];
      if (this.#model?.extras !== extras) return;
      for (const name of missing) reportError(this.#host, `There is no animation “${name}”.`);
      this.view.invalidate();
    } catch (error) {
      if (this.#model?.extras === extras) reportError(this.#host, messageOf('extra-models', error), error);
    }
  }

  /** Applies the attribute `variant-name`. */
  #applyVariant(): void {
    const name = this.#attribute('variant-name') || null;
    if (name !== null && !this.availableVariants.includes(name)) reportError(this.#host, `There is no variant “${name}”.`);
    this.#model?.variants?.apply(this.#rig!, name);
    this.view.invalidate();
  }

  #updateExpressions(): void {
    for (const name of applyExpressions(this.#rig!, this.#attribute('expression')))
      reportError(this.#host, `There is no expression “${name}”.`);
    this.view.invalidate();
  }

  // -------------------------------------------------------------------------------------------
  // frames

  #tick(seconds: number): boolean {
    if (!this.#rig) return false;
    const speed = this.#player.clock.isPlaying ? (parseNumber(this.#attribute('speed')) ?? 1) : 0;
    this.#isTicking = true;
    const isPosing = this.#player.tick(seconds);
    this.#isTicking = false;
    const isExtraMoving = this.#model?.extras?.tick(seconds, this.#player.clock.time, seconds * speed) ?? false;
    const isMoving = this.#rig.update(seconds) || isExtraMoving;
    const isCameraMoving = this.#camera.move(seconds);
    return this.#camera.rotate(seconds, this.#reducedMotion.matches) || isCameraMoving || isPosing || isMoving;
  }

  #posed(seconds: number): boolean {
    this.#skeletonDisplay.update();
    return this.#presented?.recording?.update(this.#player.clock.isPlaying ? seconds : Infinity) ?? false;
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
  // camera

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
      [this.#rig, ...(this.#model?.extras?.rigs ?? [])],
      this.view.cameraRig.active,
      ((x - left) / width) * 2 - 1,
      1 - ((y - top) / height) * 2,
    );
  }
}
