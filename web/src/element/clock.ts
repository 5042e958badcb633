// What plays, in the manner of HTMLMediaElement: its time, its loops, and what a page hears of it.
import type { Played } from '../player/played.ts';
import { Playback } from '../stage/playback.ts';
import { numberOf } from './colors.ts';
import { passed } from './passed.ts';
import type { ShowHost } from './types.ts';

/** Seconds between two `timeupdate` while a motion plays. */
const TIME_UPDATE = 0.25;

export class Clock {
  played: Played | null = null;
  /** It has come to its end and does not begin anew. */
  hasEnded = false;
  readonly #host: ShowHost;
  readonly #playback = new Playback();
  #wasPlaying = false;
  #sinceUpdate = 0;

  /** `onPose`: the model stands otherwise now. */
  constructor(host: ShowHost, onPose: () => void) {
    this.#host = host;
    this.#playback.onPose = onPose;
    this.#playback.onChange = () => this.#tell();
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
    this.hasEnded = false;
    this.#playback.seek(seconds);
  }

  play(): void {
    this.hasEnded = false;
    this.#playback.play();
  }

  pause(): void {
    this.#playback.pause();
  }

  /** Something else from its beginning, as the attributes `speed` and `loop` say. */
  select(played: Played | null, isPlaying: boolean): void {
    this.played = played;
    this.hasEnded = false;
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

  /** Goes on by some seconds. True: it plays on. */
  tick(seconds: number): boolean {
    const { playing, time } = this.#playback;
    const isPlaying = this.#playback.tick(seconds);
    if (playing) this.#tellEvents(time, seconds);
    return isPlaying;
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
    const { playing, time, start, duration, speed } = this.#playback;
    const { emit } = this.#host;
    const isOver = this.#wasPlaying && !playing && !this.#playback.loop && (speed > 0 ? time >= duration : time <= start) && duration > 0;
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
    this.hasEnded = true;
    emit('ended', undefined);
  }

  #tellEvents(before: number, seconds: number): void {
    this.#sinceUpdate += seconds;
    const { played } = this;
    if (!played || played.events.length === 0) return;
    const { time, start, duration, speed, isPingPong } = this.#playback;
    for (const event of passed(played.events, { before, after: time, travelled: seconds * speed, start, duration, isPingPong }))
      this.#host.emit('motionevent', event);
  }
}
