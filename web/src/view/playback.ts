// The clock of what moves: play, pause, scrub, speed, loop. It knows when, the motion knows how.

/** Something that can be put to any time of its length. */
export interface Motion {
  readonly name: string;
  /** Seconds. */
  readonly duration: number;
  /** Of its first key, seconds; default 0. Before that it stands still, and is not played. */
  readonly start?: number;
  /** 0 where there are no frames. */
  readonly frameRate: number;
  /** The file says that it is to be played over and over. */
  readonly loop?: boolean;
  /** A loop of it runs back and forth. */
  readonly pingPong?: boolean;
  /** Poses the model as it is at `time` seconds. `seconds` have passed on the way there; without, it is a jump. */
  seek(time: number, seconds?: number): void;
  /** Takes the motion off the model. */
  stop(): void;
}

/** A piece of a motion, seconds. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A stretch of time that was played in one go, seconds; backwards if `from` is the later end. */
export interface Leg extends Range {
  /** Events at `from` count too: playback started or restarted there. */
  readonly includesFrom: boolean;
}

/** Frames per second of a motion that does not specify any. */
const FRAME_RATE = 30;

/** A tick that plays a short motion more often than this reports no more rounds of it, so that the work of a tick has a bound. */
const MOST_ROUNDS = 16;

export class Playback {
  speed = 1;
  loop = true;
  /** A loop runs back and forth, or does not; null: as the motion says. */
  pingPong: boolean | null = null;
  /** Something a person would see in the controls has changed. */
  onChange: () => void = () => {};
  /** A new pose is wanted: a frame has to be drawn. */
  onPose: () => void = () => {};
  #motion: Motion | null = null;
  #time = 0;
  #playing = false;
  /** On its way back, of a motion that runs back and forth. */
  #isReturning = false;
  #hasEnded = false;
  /** The time was set without playing, so events at that time have not been passed. */
  #hasJumped = true;
  readonly #legs: Leg[] = [];
  #range: Range | null = null;

  get motion(): Motion | null {
    return this.#motion;
  }

  get time(): number {
    return this.#time;
  }

  get duration(): number {
    return this.#motion?.duration ?? 0;
  }

  /** Where the motion begins, seconds. */
  get start(): number {
    return this.#motion?.start ?? 0;
  }

  get playing(): boolean {
    return this.#playing;
  }

  /** Playback has stopped by itself: at the end, or at the start if it ran backwards. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The stretches that the last tick has played, in order. A new one begins at each turn or restart. */
  get legs(): readonly Leg[] {
    return this.#legs;
  }

  /** Played over and over, it would run back and forth. */
  get isPingPong(): boolean {
    return this.pingPong ?? this.#motion?.pingPong ?? false;
  }

  /** Frame number, counted from 0; 0 where there are no frames. */
  get frame(): number {
    return this.#motion ? Math.round(this.#time * this.#motion.frameRate) : 0;
  }

  get lastFrame(): number {
    return this.#motion ? Math.round(this.#motion.duration * this.#motion.frameRate) : 0;
  }

  /** What is played of the motion; null: all of it. */
  get range(): Range | null {
    return this.#range;
  }

  /** Ends are put in order and kept inside the motion; a range of no length is none. */
  set range(range: Range | null) {
    const [from, to] = range
      ? [range.from, range.to].map(time => Math.min(Math.max(time, this.start), this.duration)).sort((a, b) => a - b)
      : [];
    this.#range = from !== undefined && to !== undefined && to > from ? { from, to } : null;
    this.onChange();
  }

  /** Starts from the beginning with another motion; null: back to the rest pose. */
  select(motion: Motion | null, play = this.#playing): void {
    if (this.#motion !== motion) this.#motion?.stop();
    this.#motion = motion;
    this.#range = null;
    this.#playing = play && motion !== null && motion.duration > 0;
    this.#jump(this.start);
    if (this.#playing && this.#isAtLast) this.#jump(this.#first);
    motion?.seek(this.#time);
    this.onPose();
    this.onChange();
  }

  play(): void {
    if (!this.#motion || this.#motion.duration <= 0) return;
    const { from, to } = this.#bounds;
    if (this.#time < from || this.#time > to || this.#isAtLast) this.#jump(this.#first);
    this.#hasEnded = false;
    this.#playing = true;
    this.onPose();
    this.onChange();
  }

  pause(): void {
    this.#playing = false;
    this.onChange();
  }

  toggle(): void {
    if (this.#playing) this.pause();
    else this.play();
  }

  /** Goes to a time, kept inside the motion. */
  seek(time: number): void {
    if (!this.#motion || !Number.isFinite(time)) return;
    this.#jump(Math.min(Math.max(time, this.start), this.duration));
    this.#motion.seek(this.#time);
    this.onPose();
    this.onChange();
  }

  /** Pauses and goes some frames on or back, from the frame that is shown. */
  step(frames: number): void {
    if (!this.#motion) return;
    this.#playing = false;
    const rate = this.#motion.frameRate || FRAME_RATE;
    this.seek((Math.round(this.#time * rate) + frames) / rate);
  }

  get #bounds(): Range {
    return this.#range ?? { from: this.start, to: this.duration };
  }

  /** Time at which playback starts: the end for a motion that is played once, backwards. */
  get #first(): number {
    const { from, to } = this.#bounds;
    return this.speed < 0 && !this.loop ? to : from;
  }

  /** There is nothing left to play. */
  get #isAtLast(): boolean {
    const { from, to } = this.#bounds;
    return !this.loop && (this.speed < 0 ? this.#time <= from : this.#time >= to);
  }

  #jump(time: number): void {
    this.#time = time;
    this.#isReturning = this.#hasEnded = false;
    this.#hasJumped = true;
  }

  /** Moves the clock on; true while it runs. */
  tick(seconds: number): boolean {
    this.#legs.length = 0;
    if (!this.#playing || !this.#motion) return false;
    this.#walk(seconds * this.speed);
    this.#motion.seek(this.#time, seconds);
    this.onChange();
    return this.#playing;
  }

  /** Plays `step` seconds. At each end of the motion it restarts, turns round or stops. */
  #walk(step: number): void {
    const { from, to } = this.#bounds;
    const isPingPong = this.loop && this.isPingPong;
    const round = (to - from) * (isPingPong ? 2 : 1);
    let left = this.loop && round <= 0 ? 0 : Math.abs(step);
    if (this.loop && left > MOST_ROUNDS * round) left = (left % round) + (MOST_ROUNDS - 1) * round;
    this.#time = Math.min(Math.max(this.#time, from), to);
    for (;;) {
      const isBack = step < 0 !== (isPingPong && this.#isReturning);
      const end = isBack ? from : to;
      const room = Math.abs(end - this.#time);
      const isReached = left >= room;
      this.#play(isReached ? end : this.#time + (isBack ? -left : left));
      left -= room;
      if (!isReached || left === 0 || !this.loop) {
        this.#hasEnded = isReached && !this.loop && step !== 0;
        this.#playing = !this.#hasEnded;
        return;
      }
      if (isPingPong) this.#isReturning = !this.#isReturning;
      else this.#jump(isBack ? to : from);
    }
  }

  #play(to: number): void {
    this.#legs.push({ from: this.#time, to, includesFrom: this.#hasJumped });
    this.#time = to;
    this.#hasJumped = false;
  }
}
