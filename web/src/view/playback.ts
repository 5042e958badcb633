// Playback clock: play, pause, seek, speed and loop. The clock only determines the time; the action
// applies the pose.

/** An animation that can be posed at any time. */
export interface PlaybackAction {
  readonly name: string;
  /** Duration of the animation in seconds. */
  readonly duration: number;
  /**
   * Time of the animation's first key in seconds; 0 if undefined. The time before this key is not
   * played.
   */
  readonly start?: number;
  /** Frames per second; 0 if the clip does not specify a frame rate. */
  readonly frameRate: number;
  /** True if the file marks the clip as looping. */
  readonly loop?: boolean;
  /** True if a loop alternates its direction. */
  readonly pingPong?: boolean;
  /**
   * Poses the model at `time` seconds. `seconds`: playing time since the last call; undefined after
   * a jump.
   */
  seek(time: number, seconds?: number): void;
  /** Removes the animation from the model. */
  stop(): void;
}

/** A time range of a clip, in seconds. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * A time span in seconds that was played without a jump within one tick. It was played backwards if
 * `from` is later than `to`.
 */
export interface PlayedSpan extends Range {
  /** True if events at `from` also fire, because playback has started or restarted at this time. */
  readonly includesFrom: boolean;
}

/** Frame rate that is assumed if a clip does not specify one. */
const FRAME_RATE = 30;

/**
 * Maximum number of loops reported per tick. Without this limit, a very short clip would produce
 * too many spans.
 */
const MAX_LOOPS_PER_TICK = 16;

export class Playback {
  speed = 1;
  loop = true;
  /** True if loops alternate their direction; null to use the setting of the clip. */
  pingPong: boolean | null = null;
  /** Called when a value that playback controls show, such as the time, has changed. */
  onChange: () => void = () => {};
  /** Called when the pose has changed. A frame must then be drawn. */
  onPose: () => void = () => {};
  #action: PlaybackAction | null = null;
  #time = 0;
  #playing = false;
  /** True during the backward phase of a ping-pong loop. */
  #isReturning = false;
  #hasEnded = false;
  /** True if the last change of the time was a jump. Events at the new time have not fired yet. */
  #hasJumped = true;
  readonly #playedSpans: PlayedSpan[] = [];
  #range: Range | null = null;

  get action(): PlaybackAction | null {
    return this.#action;
  }

  get time(): number {
    return this.#time;
  }

  get duration(): number {
    return this.#action?.duration ?? 0;
  }

  /** Time of the animation's first key in seconds. */
  get start(): number {
    return this.#action?.start ?? 0;
  }

  get playing(): boolean {
    return this.#playing;
  }

  /**
   * True if playback has stopped at the end of the clip, or at its start when playing backwards.
   */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /**
   * Time spans that the last tick has played, in order. A new span begins at each restart and
   * change of direction.
   */
  get playedSpans(): readonly PlayedSpan[] {
    return this.#playedSpans;
  }

  /** True if a loop alternates its direction. */
  get isPingPong(): boolean {
    return this.pingPong ?? this.#action?.pingPong ?? false;
  }

  /** Index of the current frame; always 0 if the clip has no frame rate. */
  get frame(): number {
    return this.#action ? Math.round(this.#time * this.#action.frameRate) : 0;
  }

  get lastFrame(): number {
    return this.#action ? Math.round(this.#action.duration * this.#action.frameRate) : 0;
  }

  /** Time range that is played; null if the whole clip is played. */
  get range(): Range | null {
    return this.#range;
  }

  /** The ends are sorted and clamped to the clip. An empty range counts as null. */
  set range(range: Range | null) {
    const [from, to] = range
      ? [range.from, range.to].map(time => Math.min(Math.max(time, this.start), this.duration)).sort((a, b) => a - b)
      : [];
    this.#range = from !== undefined && to !== undefined && to > from ? { from, to } : null;
    this.onChange();
  }

  /**
   * Selects an animation and moves to its start; null returns to the bind pose. `play`: true to
   * play the animation, false to pause; by default, playback stays as it is.
   */
  select(action: PlaybackAction | null, play = this.#playing): void {
    if (this.#action !== action) this.#action?.stop();
    this.#action = action;
    this.#range = null;
    this.#playing = play && action !== null && action.duration > 0;
    this.#jump(this.start);
    if (this.#playing && this.#isAtEnd) this.#jump(this.#startTime);
    action?.seek(this.#time);
    this.onPose();
    this.onChange();
  }

  play(): void {
    if (!this.#action || this.#action.duration <= 0) return;
    const { from, to } = this.#bounds;
    if (this.#time < from || this.#time > to || this.#isAtEnd) this.#jump(this.#startTime);
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

  /** Jumps to a time in seconds, clamped to the clip. */
  seek(time: number): void {
    if (!this.#action || !Number.isFinite(time)) return;
    this.#jump(Math.min(Math.max(time, this.start), this.duration));
    this.#action.seek(this.#time);
    this.onPose();
    this.onChange();
  }

  /** Pauses playback and moves by a number of frames, which can be negative. */
  step(frames: number): void {
    if (!this.#action) return;
    this.#playing = false;
    const rate = this.#action.frameRate || FRAME_RATE;
    this.seek((Math.round(this.#time * rate) + frames) / rate);
  }

  get #bounds(): Range {
    return this.#range ?? { from: this.start, to: this.duration };
  }

  /**
   * Time at which playback starts, in seconds. This is the end if the clip is played backwards
   * without a loop.
   */
  get #startTime(): number {
    const { from, to } = this.#bounds;
    return this.speed < 0 && !this.loop ? to : from;
  }

  /** True if nothing is left to play. */
  get #isAtEnd(): boolean {
    const { from, to } = this.#bounds;
    return !this.loop && (this.speed < 0 ? this.#time <= from : this.#time >= to);
  }

  #jump(time: number): void {
    this.#time = time;
    this.#isReturning = this.#hasEnded = false;
    this.#hasJumped = true;
  }

  /** Advances the playback clock by `seconds`. Returns true while it is running. */
  tick(seconds: number): boolean {
    this.#playedSpans.length = 0;
    if (!this.#playing || !this.#action) return false;
    this.#advance(seconds * this.speed);
    this.#action.seek(this.#time, seconds);
    this.onChange();
    return this.#playing;
  }

  /** Advances the time by `step` seconds. Restarts, reverses or stops at the ends of the clip. */
  #advance(step: number): void {
    const { from, to } = this.#bounds;
    const isPingPong = this.loop && this.isPingPong;
    const loopLength = (to - from) * (isPingPong ? 2 : 1);
    let left = this.loop && loopLength <= 0 ? 0 : Math.abs(step);
    if (this.loop && left > MAX_LOOPS_PER_TICK * loopLength) left = (left % loopLength) + (MAX_LOOPS_PER_TICK - 1) * loopLength;
    this.#time = Math.min(Math.max(this.#time, from), to);
    for (;;) {
      const isBack = step < 0 !== (isPingPong && this.#isReturning);
      const end = isBack ? from : to;
      const remaining = Math.abs(end - this.#time);
      const isReached = left >= remaining;
      this.#playTo(isReached ? end : this.#time + (isBack ? -left : left));
      left -= remaining;
      if (!isReached || left === 0 || !this.loop) {
        this.#hasEnded = isReached && !this.loop && step !== 0;
        this.#playing = !this.#hasEnded;
        return;
      }
      if (isPingPong) this.#isReturning = !this.#isReturning;
      else this.#jump(isBack ? to : from);
    }
  }

  #playTo(to: number): void {
    this.#playedSpans.push({ from: this.#time, to, includesFrom: this.#hasJumped });
    this.#time = to;
    this.#hasJumped = false;
  }
}
