// What an element shows, fetched when it is first seen: a rig in a view of the shared renderer, and what plays on it.
import { hasNoSurface } from '../session/hasNoSurface.ts';
import type { ClipAction } from '../session/clipAction.ts';
import { SharedRenderer, type PictureOptions } from '../view/sharedRenderer.ts';
import { isRecording, present, type Presented, recordingTools } from '../view/present.ts';
import { View } from '../view/view.ts';
import { followCandidatesOf } from '../view/followCandidates.ts';
import type { Rig } from '../three/rig.ts';
import type { Skybox } from '../three/materials/skybox.ts';
import { originsOf, wordsOf } from './addresses.ts';
import { ATTRIBUTES } from './attributes.ts';
import { Bones, skeletonTools } from './bones.ts';
import { Clock } from './clock.ts';
import { numberOf } from './colors.ts';
import { Input, interactionOf } from './input.ts';
import { load, optionsOf } from './load.ts';
import { dress, makeFace, recordingColors } from './look.ts';
import { CAMERA, Looking } from './looking.ts';
import { MotionList } from './motions.ts';
import { pickIn } from './pick.ts';
import { Surroundings } from './surroundings.ts';
import type { CameraOrbit, MotionInfo, Picked, RigcastViewerReady, ShowHost, Shown } from './types.ts';

const LOOK = ['exposure', 'shadow', 'ground', 'background'];

export class Show implements Shown {
  readonly view: View;
  readonly #host: ShowHost;
  readonly #sharedRenderer = SharedRenderer.shared();
  readonly #clock: Clock;
  readonly #input: Input;
  readonly #looking: Looking;
  readonly #surroundings: Surroundings;
  readonly #bones: Bones;
  readonly #observer: ResizeObserver;
  readonly #abort = new AbortController();
  #loading: AbortController | null = null;
  #rig: Rig | null = null;
  #sources: Rig[] = [];
  #sky: Skybox | null = null;
  #presented: Presented | null = null;
  #list: MotionList | null = null;
  /** What is on the model, or goes over into its rest pose. */
  #played: ClipAction | null = null;
  #isPainted = true;
  readonly #calm = matchMedia('(prefers-reduced-motion: reduce)');

  constructor(host: ShowHost) {
    this.#host = host;
    const { surface, canvas } = host;
    this.view = new View(surface, {
      tick: seconds => this.#tick(seconds),
      posed: seconds => this.#posed(seconds),
      drawn: () => this.#drawn(),
      context: lost => host.setLost(lost),
    });
    this.view.isVisible = false;
    this.view.show(null);
    this.#looking = new Looking(host, this.view);
    this.#bones = new Bones(this.view);
    this.#surroundings = new Surroundings(host, this.view, () => this.#presented?.sky ?? null);
    this.#input = new Input(
      surface,
      this.view.cameraRig,
      () => this.#looking.use(),
      () => this.resetView(),
    );
    this.#input.kind = interactionOf(this.#attribute('interaction'));
    this.#clock = new Clock(host, () => this.view.invalidate());
    const resize = (): void => this.view.setSize(surface.clientWidth, surface.clientHeight);
    this.#observer = new ResizeObserver(resize);
    this.#observer.observe(surface);
    resize();
    const { signal } = this.#abort;
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => dress(this.view, host.element), { signal });
    this.#sharedRenderer.add(this.view, canvas);
  }

  get ready(): RigcastViewerReady | null {
    return this.#rig && { rig: this.#rig, view: this.view };
  }

  get motions(): readonly MotionInfo[] {
    return this.#list?.list ?? [];
  }

  get current(): readonly string[] {
    return this.#clock.played?.names ?? [];
  }

  get duration(): number {
    return this.#clock.duration;
  }

  get frameRate(): number {
    return this.#clock.played?.frameRate ?? 0;
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
    if (!this.#clock.played) this.#select(this.#list?.preferred() ?? [], false);
    this.#clock.play();
  }

  pause(): void {
    this.#clock.pause();
  }

  setVisible(isVisible: boolean): void {
    this.view.isVisible = isVisible;
  }

  // ------------------------------------------------------------------------------------------- loading

  async load(): Promise<RigcastViewerReady> {
    this.#loading?.abort();
    const loading = (this.#loading = new AbortController());
    const { signal } = loading;
    const { emit, element } = this.#host;
    const { files: given, supply } = this.#host.given();
    const progress = (fraction: number, loaded: number, total: number | null): void =>
      signal.aborted ? undefined : emit('progress', { fraction, loaded, total });
    try {
      const sharedRenderer = this.#sharedRenderer;
      const loaded = await load(
        {
          src: this.#attribute('src')?.trim() || null,
          files: wordsOf(this.#attribute('files')),
          given,
          supply,
          base: element.baseURI,
          credentials: this.#credentials,
          origins: originsOf(this.#attribute('allow-origins')),
          maxFiles: numberOf(this.#attribute('max-files')) ?? ATTRIBUTES['max-files'],
          formatOptions: optionsOf(this.#attribute('format-options')),
          extensions: { has: name => sharedRenderer.renderer.extensions.has(name) },
        },
        signal,
        (done, total) => progress(total ? Math.min((done / total) * 0.9, 0.9) : 0, done, total),
      );
      const { rig, sources, failed } = loaded;
      let sky: Skybox | null = null;
      try {
        sky = await rig.loadSkybox({ signal });
        await sharedRenderer.prepare(this.view, rig.scene); // what is shown so far stays until then; throws where there is no WebGL
        signal.throwIfAborted();
      } catch (error) {
        for (const each of [rig, ...sources]) each.dispose();
        sky?.dispose();
        throw error;
      }
      this.#clear();
      [this.#rig, this.#sources, this.#sky] = [rig, sources, sky];
      await this.#present(rig);
      signal.throwIfAborted();
      for (const { file, report } of [rig, ...sources]) emit('report', { file: file.name ?? '', report });
      for (const { name, error } of failed) this.#complain(sentenceOf(name, error), error);
      if (hasNoSurface({ rig }) && !this.#skeleton && !this.#presented?.recording)
        this.#complain(`There is nothing to be drawn in ${rig.file.name}.`, null);
      emit('progress', { fraction: 1, loaded: 1, total: 1 });
      return { rig, view: this.view };
    } catch (error) {
      if (!signal.aborted) this.#clear();
      throw error;
    }
  }

  async #present(rig: Rig): Promise<void> {
    this.#list = new MotionList(rig, this.#sources);
    const { element } = this.#host;
    const first = this.#list.list[0] ? this.#list.played([0], this.#attribute('additive')) : null;
    const tools = isRecording(rig.file.scene!) ? await recordingTools() : null;
    if (this.#skeleton) await skeletonTools(); // bones come with the model, not after it
    if (this.#rig !== rig) return; // something else was loaded meanwhile
    const bones = rig.nodes.filter(node => 'isBone' in node);
    this.view.cameraRig.followCandidates = tools ? [] : followCandidatesOf(bones, [rig.scene]);
    this.#presented = present(this.view, { rig, sky: this.#sky, colors: recordingColors(element), firstClip: first, frame: true }, tools);
    this.#looking.presented = this.#presented;
    first?.stop();
    this.#isPainted = false;
    void this.#surroundings.show(this.#credentials);
    dress(this.view, element);
    void this.#bones.show(this.#skeleton);
    this.#makeFace();
    const wanted = this.#attribute('motion');
    this.#select(this.#rowsOf(wanted), this.#isAutoplay);
    const time = numberOf(this.#attribute('time')) ?? (numberOf(this.#attribute('frame')) ?? 0) / (this.frameRate || Infinity);
    if (time > 0) this.#clock.time = time;
    this.#looking.place();
    this.view.invalidate();
  }

  #rowsOf(text: string | null): number[] {
    const list = this.#list!;
    if (text === null) return list.preferred();
    const rows = list.find(text);
    if (!rows) this.#complain(`There is no motion “${text}”.`, null);
    return rows ?? [];
  }

  #complain(message: string, error: unknown): void {
    this.#host.emit('error', { message, error, report: null });
  }

  #clear(): void {
    this.#clock.clear();
    this.#played?.stop();
    this.#list = this.#played = null;
    void this.#bones.show(null);
    this.#presented?.recording?.dispose();
    this.#presented = this.#looking.presented = null;
    this.view.cameraRig.followCandidates = [];
    this.view.sky = null;
    this.view.show(null);
    this.#sky?.dispose();
    this.#sky = null;
    for (const rig of [this.#rig, ...this.#sources]) rig?.dispose();
    this.#rig = null;
    this.#sources = [];
  }

  dispose(): void {
    this.#abort.abort();
    this.#loading?.abort();
    this.#clock.dispose();
    this.#clear();
    this.#surroundings.dispose();
    this.#observer.disconnect();
    this.#input.dispose();
    this.#sharedRenderer.remove(this.view);
    this.view.dispose();
  }

  // ------------------------------------------------------------------------------------------- attributes

  update(changed: ReadonlySet<string>): void {
    const has = (names: readonly string[]): boolean => names.some(name => changed.has(name));
    if (has(['interaction'])) this.#input.kind = interactionOf(this.#attribute('interaction'));
    if (has(['speed'])) this.#clock.setSpeed();
    if (!this.#rig) return;
    if (has(LOOK)) dress(this.view, this.#host.element);
    if (has(['environment-image'])) void this.#surroundings.show(this.#credentials);
    if (has(['skeleton'])) void this.#bones.show(this.#skeleton);
    if (has(['expression'])) this.#makeFace();
    if (has(CAMERA)) this.#looking.place();
    if (has(['auto-rotate'])) this.view.request();
    if (has(['loop'])) this.#clock.setLoop();
    if (has(['motion', 'additive'])) this.#select(this.#rowsOf(this.#attribute('motion')), !this.paused || this.#isAutoplay);
    if (has(['time'])) this.time = numberOf(this.#attribute('time')) ?? 0;
    else if (has(['frame']) && this.frameRate > 0) this.time = (numberOf(this.#attribute('frame')) ?? 0) / this.frameRate;
    if (has(['autoplay']) && this.#isAutoplay) this.play();
  }

  /** The page wants it to play, and the visitor does not want less movement. */
  get #isAutoplay(): boolean {
    return this.#host.element.hasAttribute('autoplay') && !this.#calm.matches;
  }

  /** What has its bones drawn: where the page wants that, and where there is nothing else to be seen. */
  get #skeleton(): Rig | null {
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

  #select(rows: readonly number[], isPlaying: boolean): void {
    const before = this.current;
    const fade = this.#calm.matches ? 0 : (numberOf(this.#attribute('fade')) ?? 0);
    const played = this.#list!.played(rows, this.#attribute('additive'));
    const isRest = rows.length === 0;
    const begin = fade > 0 ? played.prepareCrossFade(fade) : null;
    this.#played = played;
    if (isRest) played.seek(0);
    this.#clock.select(isRest ? null : played, isPlaying);
    if (!this.#presented?.recording) this.view.cameraRig.frame(isRest ? null : played);
    begin?.();
    this.#rig?.springs?.reset();
    if (before.join('\n') !== this.current.join('\n')) this.#host.emit('motionchange', { names: this.current });
    this.view.invalidate();
  }

  #makeFace(): void {
    for (const name of makeFace(this.#rig!, this.#attribute('expression'))) this.#complain(`There is no expression “${name}”.`, null);
    this.view.invalidate();
  }

  // ------------------------------------------------------------------------------------------- frames

  #tick(seconds: number): boolean {
    if (!this.#rig) return false;
    const isPlaying = this.#clock.tick(seconds);
    const isFading = this.#played?.isFading ?? false;
    // Time stands still, but not what goes over into the motion.
    if (isFading && !isPlaying) this.#played!.seek(this.#clock.time, seconds);
    const isMoving = this.#rig.live(seconds);
    return this.#looking.rotate(seconds, this.#calm.matches) || isFading || isPlaying || isMoving;
  }

  #posed(seconds: number): boolean {
    this.#bones.update();
    return this.#presented?.recording?.update(this.#clock.isPlaying ? seconds : Infinity) ?? false;
  }

  #drawn(): void {
    if (this.#rig && !this.#isPainted) {
      this.#isPainted = true;
      this.#host.painted();
      void this.view.cameraRig.enableControls();
    }
    if (this.#rig) this.#looking.tell();
  }

  // ------------------------------------------------------------------------------------------- looking

  resetView(): void {
    this.#looking.reset();
  }

  cameraOrbit(): CameraOrbit {
    return this.#looking.orbit;
  }

  cameraTarget(): { x: number; y: number; z: number } {
    return this.#looking.target;
  }

  pick(x: number, y: number): Picked | null {
    if (!this.#rig) return null;
    const { left, top, width, height } = this.#host.surface.getBoundingClientRect();
    return pickIn(this.#rig, this.view.cameraRig.active, ((x - left) / width) * 2 - 1, 1 - ((y - top) / height) * 2);
  }

  toBlob(options?: PictureOptions): Promise<Blob | null> {
    return this.#sharedRenderer.toBlob(this.view, options);
  }
}

/** What is wrong with a file, and which one it is. */
function sentenceOf(name: string, error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return words.includes(name) ? words : `${name}: ${words}`;
}
