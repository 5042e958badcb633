// Plays the selected animation and fires the same events as HTMLMediaElement, such as `play`,
// `pause` and `timeupdate`.
import type { ClipAction } from '../session/clipAction.ts';
import { passEvents } from '../rig/animationEvents.ts';
import { Playback } from '../view/playback.ts';
import { parseNumber } from './cssValues.ts';
import type { PresenterHost } from './types.ts';

/** Minimum time in seconds between two `timeupdate` events during playback. */
const TIME_UPDATE = 0.25;

export class Clock {
  /** The selected animation. */
  action: ClipAction | null = null;
  readonly #host: PresenterHost;
  readonly #playback = new Playback();
  #wasPlaying = false;
  #hadEnded = false;
  #isTicking = false;
  /** Time played since the last `timeupdate`, in seconds. */
  #sinceUpdate = 0;

  /** `onPose`: called when the pose has changed. */
  constructor(host: PresenterHost, onPose: () => void) {
    this.#host = host;
    this.#playback.onPose = onPose;
    this.#playback.onChange = () => this.#emitEvents();
  }

  get hasEnded(): boolean {
    return this.#playback.hasEnded;
  }

  get isPlaying(): boolean {
    return this.#playback.playing;
  }

  get duration(): number {
    return this.#playback.duration;
  }

  get time(): number {
    return this.#playback.time;
  }

  set time(seconds: number) {
    this.#playback.seek(seconds);
  }

  play(): void {
    this.#playback.play();
  }

  pause(): void {
    this.#playback.pause();
  }

  /**
   * Selects an animation and seeks to its start. Applies the attributes `speed` and `loop` to it.
   */
  select(action: ClipAction | null, isPlaying: boolean): void {
    this.action = action;
    this.setSpeed(true);
    this.setLoop();
    this.#playback.select(action, isPlaying);
  }

  /** Applies the attribute `speed`. Fires `ratechange` unless `isSilent`. */
  setSpeed(isSilent = false): void {
    const speed = parseNumber(this.#host.element.getAttribute('speed')) ?? 1;
    if (speed === this.#playback.speed) return;
    this.#playback.speed = speed;
    if (!isSilent) this.#host.emit('ratechange', undefined);
  }

  /** Applies the attribute `loop`. */
  setLoop(): void {
    const loop = this.#host.element.getAttribute('loop');
    this.#playback.loop = loop === 'file' ? (this.action?.loop ?? false) : loop !== 'none';
    this.#playback.pingPong = loop === null || loop === 'file' ? null : loop === 'pingpong';
  }

  /** Advances playback by `seconds`. Returns true if playback continues. */
  tick(seconds: number): boolean {
    if (!this.isPlaying) return false;
    this.#sinceUpdate += seconds;
    this.#isTicking = true;
    this.#playback.tick(seconds);
    this.#isTicking = false;
    // Fire animation events before `ended`, because a listener of `ended` may select another
    // animation.
    const { events = [] } = this.action ?? {};
    for (const { from, to, includesFrom } of this.#playback.playedSpans)
      passEvents(events, from, to, includesFrom, ({ name, time, clip }) =>
        this.#host.emit('animationevent', { name, time, animation: clip }),
      );
    this.#playback.onChange();
    return this.isPlaying;
  }

  /** Deselects the animation. */
  clear(): void {
    this.#playback.select(null);
    this.action = null;
  }

  /** Detaches all callbacks. */
  dispose(): void {
    this.#playback.onChange = this.#playback.onPose = () => {};
  }

  /** Fires `play`, `pause`, `timeupdate` and `ended` if the state of playback has changed. */
  #emitEvents(): void {
    if (this.#isTicking) return;
    const { playing, time, hasEnded } = this.#playback;
    const { emit } = this.#host;
    const isOver = hasEnded && !this.#hadEnded;
    this.#hadEnded = hasEnded;
    if (playing !== this.#wasPlaying) {
      this.#wasPlaying = playing;
      this.#sinceUpdate = Infinity;
      emit(playing ? 'play' : 'pause', undefined);
    }
    if (this.#sinceUpdate >= TIME_UPDATE || !playing) {
      this.#sinceUpdate = 0;
      emit('timeupdate', { time });
    }
    if (isOver) emit('ended', undefined);
  }
}
