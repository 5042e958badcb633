// What plays, in the manner of HTMLMediaElement: its time, its loops, and what a page hears of it.
import type { ClipAction } from '../session/clipAction.ts';
import { passEvents } from '../rig/notes.ts';
import { Playback } from '../view/playback.ts';
import { numberOf } from './colors.ts';
import type { ShowHost } from './types.ts';

/** Seconds between two `timeupdate` while a motion plays. */
const TIME_UPDATE = 0.25;

export class Clock {
  played: ClipAction | null = null;
  readonly #host: ShowHost;
  readonly #playback = new Playback();
  #wasPlaying = false;
  #hadEnded = false;
  #isTicking = false;
  /** Seconds played since the last `timeupdate`. */
  #sinceUpdate = 0;

  /** `onPose`: the model stands otherwise now. */
  constructor(host: ShowHost, onPose: () => void) {
    this.#host = host;
    this.#playback.onPose = onPose;
    this.#playback.onChange = () => this.#tell();
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

  /** Something else from its beginning, as the attributes `speed` and `loop` say. */
  select(played: ClipAction | null, isPlaying: boolean): void {
    this.played = played;
    this.setSpeed(false);
    this.setLoop();
    this.#playback.select(played, isPlaying);
  }

  setSpeed(isTold = true): void {
    const speed = numberOf(this.#host.element.getAttribute('speed')) ?? 1;
    if (speed === this.#playback.speed) return;
    this.#playback.speed = speed;
    if (isTold) this.#host.emit('ratechange', undefined);
  }

  setLoop(): void {
    const loop = this.#host.element.getAttribute('loop');
    this.#playback.loop = loop === 'file' ? (this.played?.loop ?? false) : loop !== 'none';
    this.#playback.pingPong = loop === null || loop === 'file' ? null : loop === 'pingpong';
  }

  /** Moves on by some seconds. True: it goes on playing. */
  tick(seconds: number): boolean {
    if (!this.isPlaying) return false;
    this.#sinceUpdate += seconds;
    this.#isTicking = true;
    this.#playback.tick(seconds);
    this.#isTicking = false;
    // Events on the way are reported before the end is. A listener may select another animation.
    const { events = [] } = this.played ?? {};
    for (const { from, to, includesFrom } of this.#playback.playedSpans)
      passEvents(events, from, to, includesFrom, event => this.#host.emit('motionevent', event));
    this.#playback.onChange();
    return this.isPlaying;
  }

  /** Nothing plays any more. */
  clear(): void {
    this.#playback.select(null);
    this.played = null;
  }

  /** Nobody hears of it any more. */
  dispose(): void {
    this.#playback.onChange = this.#playback.onPose = () => {};
  }

  /** What a page would like to know after the clock has changed. */
  #tell(): void {
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
