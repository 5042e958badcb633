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
    this.#time = this.start;
    this.#range = null;
    this.#isReturning = false;
    this.#playing = play && motion !== null && motion.duration > 0;
    motion?.seek(this.#time);
    this.onPose();
    this.onChange();
  }

  play(): void {
    if (!this.#motion || this.#motion.duration <= 0) return;
    const { from, to } = this.#bounds;
    if (this.#time < from || this.#time > to || (!this.loop && this.#time >= to)) this.#time = from;
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
    this.#time = Math.min(Math.max(time, this.start), this.duration);
    this.#isReturning = false;
    this.#motion.seek(this.#time);
    this.onPose();
    this.onChange();
  }

  /** Pauses and goes some frames on or back, from the frame that is shown. */
  step(frames: number): void {
    if (!this.#motion) return;
    this.#playing = false;
    const rate = this.#motion.frameRate || 30;
    this.seek((Math.round(this.#time * rate) + frames) / rate);
  }

  get #bounds(): Range {
    return this.#range ?? { from: this.start, to: this.duration };
  }

  /** Moves the clock on; true while it runs. */
  tick(seconds: number): boolean {
    if (!this.#playing || !this.#motion) return false;
    const { from, to } = this.#bounds;
    const length = to - from;
    // Told from the start of what is played.
    const now = Math.min(Math.max(this.#time - from, 0), length);
    let time = now + seconds * this.speed;
    if (this.loop && this.isPingPong) {
      const phase = modulo((this.#isReturning ? 2 * length - now : now) + seconds * this.speed, 2 * length);
      this.#isReturning = phase > length;
      time = this.#isReturning ? 2 * length - phase : phase;
    } else if (this.loop) {
      time = modulo(time, length);
    } else if (time >= length || time <= 0) {
      time = Math.min(Math.max(time, 0), length);
      if (this.speed > 0 ? time >= length : time <= 0) this.#playing = false;
    }
    this.#time = from + time;
    this.#motion.seek(this.#time, seconds);
    this.onChange();
    return this.#playing;
  }
}

function modulo(value: number, length: number): number {
  return ((value % length) + length) % length;
}
