// What an element shows, fetched when it is first seen: a rig in a view of the page's painter, and what plays on it.
import { Vector3 } from 'three';
import { Painter, type PictureOptions } from '../stage/painter.ts';
import { Playback } from '../stage/playback.ts';
import { isRecording, present, type Presented, type RecordingTools } from '../stage/present.ts';
import { SkeletonOverlay } from '../stage/skeleton.ts';
import { View } from '../stage/view.ts';
import type { Rig } from '../three/rig.ts';
import type { Skybox } from '../three/skybox.ts';
import { originsOf, wordsOf } from './addresses.ts';
import { limitsOf, placeOf } from './camera.ts';
import { colorOf, numberOf } from './colors.ts';
import { Input, interactionOf } from './input.ts';
import { load, optionsOf } from './load.ts';
import { MotionList, type Played } from './motions.ts';
import { passed } from './passed.ts';
import { pickIn } from './pick.ts';
import type { CameraOrbit, MotionInfo, Picked, RigcastViewerReady, ShowHost, Shown } from './types.ts';

/** Seconds between two `timeupdate` while a motion plays. */
const TIME_UPDATE = 0.25;
/** Seconds that the model stands still after the visitor has turned it, where it turns by itself. */
const ROTATE_DELAY = 3;
/** Turns a minute. */
const ROTATE_SPEED = 5;

const CAMERA = ['camera-orbit', 'camera-target', 'field-of-view', 'min-camera-orbit', 'max-camera-orbit', 'view'];
const LOOK = ['exposure', 'shadow', 'ground', 'background'];

export class Show implements Shown {
  readonly view: View;
  readonly #host: ShowHost;
  readonly #painter = Painter.shared();
  readonly #playback = new Playback();
  readonly #input: Input;
  readonly #observer: ResizeObserver;
  readonly #abort = new AbortController();
  #loading: AbortController | null = null;
  #rig: Rig | null = null;
  #sources: Rig[] = [];
  #sky: Skybox | null = null;
  #presented: Presented | null = null;
  #list: MotionList | null = null;
  #played: Played | null = null;
  #skeleton: SkeletonOverlay | null = null;
  #isPainted = true;
  #wasPlaying = false;
  #ended = false;
  #sinceUpdate = 0;
  #stillFor = ROTATE_DELAY;
  #orbit = '';
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
    const use = (): void => {
      this.#stillFor = 0;
    };
    this.#input = new Input(surface, this.view.rig, use, () => this.resetView());
    this.#input.kind = interactionOf(this.#attribute('interaction'));
    this.#playback.onPose = () => this.view.invalidate();
    this.#playback.onChange = () => this.#tell();
    const resize = (): void => this.view.setSize(surface.clientWidth, surface.clientHeight);
    this.#observer = new ResizeObserver(resize);
    this.#observer.observe(surface);
    resize();
    const { signal } = this.#abort;
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#dress(), { signal });
    this.#painter.add(this.view, canvas);
  }

  get ready(): RigcastViewerReady | null {
    return this.#rig && { rig: this.#rig, view: this.view };
  }

  get motions(): readonly MotionInfo[] {
    return this.#list?.list ?? [];
  }

  get current(): readonly string[] {
    return this.#played?.names ?? [];
  }

  get duration(): number {
    return this.#playback.duration;
  }

  get frameRate(): number {
    return this.#played?.frameRate ?? 0;
  }

  get paused(): boolean {
    return !this.#playback.playing;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get time(): number {
    return this.#playback.time;
  }

  set time(seconds: number) {
    this.#ended = false;
    this.#playback.seek(seconds);
  }

  play(): void {
    if (!this.#played) this.#select(this.#list?.preferred() ?? [], false);
    this.#ended = false;
    this.#playback.play();
  }

  pause(): void {
    this.#playback.pause();
  }

  setVisible(isVisible: boolean): void {
    this.view.isVisible = isVisible;
  }

  // ------------------------------------------------------------------------------------------- loading

  async load(): Promise<RigcastViewerReady> {
    this.#loading?.abort();
    const loading = (this.#loading = new AbortController());
    const { signal } = loading;
    const { emit, element, given } = this.#host;
    const progress = (fraction: number, loaded: number, total: number | null): void =>
      signal.aborted ? undefined : emit('progress', { fraction, loaded, total });
    try {
      const painter = this.#painter;
      const loaded = await load(
        {
          src: this.#attribute('src'),
          files: wordsOf(this.#attribute('files')),
          given,
          base: element.baseURI,
          credentials: this.#attribute('credentials') === 'include' ? 'include' : 'same-origin',
          origins: originsOf(this.#attribute('allow-origins')),
          formatOptions: optionsOf(this.#attribute('format-options')),
          extensions: { has: name => painter.renderer.extensions.has(name) },
        },
        signal,
        (done, total) => progress(total ? Math.min((done / total) * 0.9, 0.9) : 0, done, total),
      );
      const { rig, sources, failed } = loaded;
      let sky: Skybox | null = null;
      try {
        sky = await rig.loadSkybox({ signal });
        void painter.renderer; // throws where there is no WebGL
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
      for (const { name, error } of failed) this.#complain(`${name}: ${error instanceof Error ? error.message : String(error)}`, error);
      emit('progress', { fraction: 1, loaded: 1, total: 1 });
      return { rig, view: this.view };
    } catch (error) {
      if (!signal.aborted) this.#clear();
      throw error;
    }
  }

  async #present(rig: Rig): Promise<void> {
    this.#list = new MotionList(rig, this.#sources);
    const style = getComputedStyle(this.#host.element);
    const color = (name: string, other: string): string => colorOf(style.getPropertyValue(name)) ?? other;
    const colors = {
      skin: color('--rigcast-skin', '#dcb8a2'),
      pinch: color('--rigcast-accent', '#12a39a'),
      camera: color('--rigcast-grid', '#6b7078'),
      gaze: '#d07a1f',
    };
    const first = this.#list.list[0] ? this.#list.play([0], 0) : null;
    const tools = isRecording(rig.file.scene!) ? await recordingTools() : null;
    if (this.#rig !== rig) return; // something else was loaded meanwhile
    this.#presented = present(this.view, { rig, sky: this.#sky, colors, first, frame: true }, tools);
    this.#list.play([], 0);
    const root = rig.nodes.find(node => 'isBone' in node);
    const at = new Vector3();
    this.view.rig.followed = root && !this.#presented.recording ? () => root.getWorldPosition(at).setY(0) : null;
    this.#isPainted = false;
    this.#dress();
    this.#showSkeleton();
    this.#makeFace();
    const wanted = this.#attribute('motion');
    this.#select(this.#rowsOf(wanted), this.#host.element.hasAttribute('autoplay') && !this.#calm.matches);
    const time = numberOf(this.#attribute('time')) ?? (numberOf(this.#attribute('frame')) ?? 0) / (this.frameRate || Infinity);
    if (time > 0) this.#playback.seek(time);
    this.#place();
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
    this.#playback.select(null);
    this.#played = null;
    this.#list?.dispose();
    this.#list = null;
    this.#skeleton?.dispose();
    this.#skeleton = null;
    this.#presented?.recording?.dispose();
    this.#presented = null;
    this.view.rig.followed = null;
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
    this.#playback.onChange = this.#playback.onPose = () => {};
    this.#clear();
    this.#observer.disconnect();
    this.#input.dispose();
    this.#painter.remove(this.view);
    this.view.dispose();
  }

  // ------------------------------------------------------------------------------------------- attributes

  update(changed: ReadonlySet<string>): void {
    const has = (names: readonly string[]): boolean => names.some(name => changed.has(name));
    if (has(['interaction'])) this.#input.kind = interactionOf(this.#attribute('interaction'));
    if (has(['speed'])) this.#setSpeed();
    if (!this.#rig) return;
    if (has(LOOK)) this.#dress();
    if (has(['skeleton'])) this.#showSkeleton();
    if (has(['expression'])) this.#makeFace();
    if (has(CAMERA)) this.#place();
    if (has(['auto-rotate'])) this.view.request();
    if (has(['loop'])) this.#setLoop();
    if (has(['motion'])) this.#select(this.#rowsOf(this.#attribute('motion')), !this.paused || this.#host.element.hasAttribute('autoplay'));
    if (has(['time'])) this.time = numberOf(this.#attribute('time')) ?? 0;
    else if (has(['frame']) && this.frameRate > 0) this.time = (numberOf(this.#attribute('frame')) ?? 0) / this.frameRate;
    if (has(['autoplay']) && this.#host.element.hasAttribute('autoplay') && !this.#calm.matches) this.play();
  }

  #attribute(name: string): string | null {
    return this.#host.element.getAttribute(name);
  }

  #select(rows: readonly number[], isPlaying: boolean): void {
    const list = this.#list!;
    const { rig } = this.view;
    const before = this.current;
    this.#played = list.play(rows, this.#calm.matches ? 0 : (numberOf(this.#attribute('fade')) ?? 0));
    if (!this.#presented?.recording) list.unfaded(() => rig.frame(this.#played));
    this.#ended = false;
    this.#setSpeed(false);
    this.#setLoop();
    this.#playback.select(this.#played, isPlaying);
    this.#rig?.springs?.reset();
    if (before.join('\n') !== this.current.join('\n')) this.#host.emit('motionchange', { names: this.current });
    this.view.invalidate();
  }

  #setSpeed(isTold = true): void {
    const speed = numberOf(this.#attribute('speed')) ?? 1;
    if (speed === this.#playback.speed) return;
    this.#playback.speed = speed;
    if (isTold) this.#host.emit('ratechange', undefined);
  }

  #setLoop(): void {
    const loop = this.#attribute('loop');
    const played = this.#played;
    this.#playback.loop = loop === 'file' ? (played?.isLooping ?? false) : loop !== 'none';
    if (played) played.pingPong = loop === 'pingpong' || ((loop === null || loop === 'file') && played.isPingPong);
  }

  #place(): void {
    const { rig } = this.view;
    const [orbit, target, fieldOfView, view] = ['camera-orbit', 'camera-target', 'field-of-view', 'view'].map(name =>
      this.#attribute(name),
    );
    rig.limits = limitsOf(this.#attribute('min-camera-orbit'), this.#attribute('max-camera-orbit'));
    rig.wish = placeOf({ orbit: orbit!, target: target!, fieldOfView: fieldOfView!, view: view! }, rig.look, this.#presented?.front ?? 0);
    this.resetView();
  }

  #dress(): void {
    const { view } = this;
    const style = getComputedStyle(this.#host.element);
    const shadow = this.#attribute('shadow');
    const opacity = shadow === 'none' ? 0 : (numberOf(shadow) ?? numberOf(style.getPropertyValue('--rigcast-shadow-opacity')) ?? 0.45);
    view.exposure = Math.max(numberOf(this.#attribute('exposure')) ?? 1, 0);
    view.ground.gridVisible = this.#host.element.hasAttribute('ground');
    view.ground.shadowVisible = opacity > 0;
    view.setColors({
      grid: colorOf(style.getPropertyValue('--rigcast-grid')) ?? '#888888',
      gridOpacity: numberOf(style.getPropertyValue('--rigcast-grid-opacity')) ?? 0.35,
      shadowOpacity: Math.min(opacity, 1),
    });
  }

  /** `blink:1 aa:0.4`; a name alone is all of it. */
  #makeFace(): void {
    const { expressions } = this.#rig!;
    expressions.reset();
    for (const word of wordsOf(this.#attribute('expression'))) {
      const at = word.lastIndexOf(':');
      const name = at < 0 ? word : word.slice(0, at);
      const known = expressions.names.find(each => each.toLowerCase() === name.toLowerCase()) ?? name;
      if (!expressions.set(known, at < 0 ? 1 : (numberOf(word.slice(at + 1)) ?? 0)))
        this.#complain(`There is no expression “${name}”.`, null);
    }
    this.view.invalidate();
  }

  #showSkeleton(): void {
    const isOn = this.#host.element.hasAttribute('skeleton');
    const bones = isOn ? this.#rig!.nodes.filter(node => 'isBone' in node) : [];
    this.#skeleton?.dispose();
    this.#skeleton = bones.length > 0 ? new SkeletonOverlay(bones, (this.view.extent?.radius ?? 1) * 0.06) : null;
    if (this.#skeleton) this.view.overlays.add(this.#skeleton.object);
    this.view.invalidate();
  }

  // ------------------------------------------------------------------------------------------- frames

  #tick(seconds: number): boolean {
    if (!this.#rig) return false;
    const { playing, time } = this.#playback;
    const isFading = this.#list!.advance(seconds);
    const isPlaying = this.#playback.tick(seconds);
    if (playing) this.#tellEvents(time, seconds);
    else if (isFading) this.#list!.apply();
    const isMoving = this.#rig.live(seconds);
    return this.#rotate(seconds) || isFading || isPlaying || isMoving;
  }

  #rotate(seconds: number): boolean {
    const { controls } = this.view.rig;
    const isWanted = this.#host.element.hasAttribute('auto-rotate') && !this.#calm.matches;
    this.#stillFor += seconds;
    controls.autoRotate = isWanted && this.#stillFor >= ROTATE_DELAY;
    controls.autoRotateSpeed = ROTATE_SPEED;
    return isWanted;
  }

  #posed(seconds: number): boolean {
    this.#skeleton?.update();
    return this.#presented?.recording?.update(this.#playback.playing ? seconds : Infinity) ?? false;
  }

  #drawn(): void {
    if (this.#rig && !this.#isPainted) {
      this.#isPainted = true;
      this.#host.painted();
    }
    if (!this.#rig) return;
    const orbit = this.cameraOrbit();
    const { x, y, z } = this.cameraTarget();
    const fieldOfView = (this.view.rig.eye ?? this.view.rig.camera).fov;
    const now = `${String(orbit)} ${[x, y, z, fieldOfView].map(value => value.toFixed(4)).join(' ')}`;
    if (now === this.#orbit) return;
    this.#orbit = now;
    this.#host.emit('camerachange', { orbit, target: { x, y, z }, fieldOfView });
  }

  /** What a page would like to know after the clock has changed. */
  #tell(): void {
    const { playing, time, duration, speed } = this.#playback;
    const { emit } = this.#host;
    const isOver = this.#wasPlaying && !playing && !this.#playback.loop && (speed > 0 ? time >= duration : time <= 0) && duration > 0;
    if (playing !== this.#wasPlaying) {
      this.#wasPlaying = playing;
      emit(playing ? 'play' : 'pause', undefined);
      this.#sinceUpdate = Infinity;
    }
    if (this.#sinceUpdate >= TIME_UPDATE || !playing) {
      this.#sinceUpdate = 0;
      emit('timeupdate', { time });
    }
    if (!isOver) return;
    this.#ended = true;
    emit('ended', undefined);
  }

  #tellEvents(before: number, seconds: number): void {
    this.#sinceUpdate += seconds;
    const played = this.#played;
    if (!played || played.events.length === 0) return;
    const { time, duration, speed } = this.#playback;
    for (const event of passed(played.events, { before, after: time, travelled: seconds * speed, duration, isPingPong: played.pingPong }))
      this.#host.emit('motionevent', event);
  }

  // ------------------------------------------------------------------------------------------- looking

  resetView(): void {
    this.#stillFor = ROTATE_DELAY;
    const recorded = this.#attribute('view') === 'recorded' ? this.#presented?.recording?.camera : null;
    this.view.rig.reset();
    if (recorded) this.view.rig.eye = recorded;
    if (this.#presented?.recording) this.#presented.recording.gizmos = !recorded;
    this.view.invalidate();
  }

  cameraOrbit(): CameraOrbit {
    const { theta, phi, radius } = this.view.rig.orbit;
    return { theta, phi, radius, toString: () => `${theta.toFixed(4)}rad ${phi.toFixed(4)}rad ${radius.toFixed(4)}m` };
  }

  cameraTarget(): { x: number; y: number; z: number } {
    const { x, y, z } = this.view.rig.controls.target;
    return { x, y, z };
  }

  pick(x: number, y: number): Picked | null {
    if (!this.#rig) return null;
    const { left, top, width, height } = this.#host.surface.getBoundingClientRect();
    return pickIn(this.#rig, this.view.rig.active, ((x - left) / width) * 2 - 1, 1 - ((y - top) / height) * 2);
  }

  toBlob(options?: PictureOptions): Promise<Blob | null> {
    return this.#painter.toBlob(this.view, options);
  }
}

/** Fetched with the first recording. */
async function recordingTools(): Promise<RecordingTools> {
  const [{ RecordingOverlay }, { recordingView }] = await Promise.all([import('../stage/recording.ts'), import('../stage/spans.ts')]);
  return { RecordingOverlay, recordingView };
}
