// The clock of what moves: play, pause, scrub, speed, loop. It knows when, the motion knows how.

/** Something that can be put to any time of its length. */
export interface Motion {
  readonly name: string;
  /** Seconds. */
  readonly duration: number;
  /** 0 where there are no frames. */
  readonly frameRate: number;
  /** A loop of it runs back and forth. */
  readonly pingPong?: boolean;
  /** Poses the model as it is at `time` seconds. */
  seek(time: number): void;
  /** Takes the motion off the model. */
  stop(): void;
}

export class Playback {
  speed = 1;
  loop = true;
  /** Something a person would see in the controls has changed. */
  onChange: () => void = () => {};
  /** A new pose is wanted: a frame has to be drawn. */
  onPose: () => void = () => {};
  #motion: Motion | null = null;
  #time = 0;
  #playing = false;
  /** On its way back, of a motion that runs back and forth. */
  #isReturning = false;

  get motion(): Motion | null {
    return this.#motion;
  }

  get time(): number {
    return this.#time;
  }

  get duration(): number {
    return this.#motion?.duration ?? 0;
  }

  get playing(): boolean {
    return this.#playing;
  }

  /** Frame number, counted from 0; 0 where there are no frames. */
  get frame(): number {
    return this.#motion ? Math.round(this.#time * this.#motion.frameRate) : 0;
  }

  get lastFrame(): number {
    return this.#motion ? Math.round(this.#motion.duration * this.#motion.frameRate) : 0;
  }

  /** Starts from the beginning with another motion; null: back to the rest pose. */
  select(motion: Motion | null, play = this.#playing): void {
    if (this.#motion !== motion) this.#motion?.stop();
    this.#motion = motion;
    this.#time = 0;
    this.#isReturning = false;
    this.#playing = play && motion !== null && motion.duration > 0;
    motion?.seek(0);
    this.onPose();
    this.onChange();
  }

  play(): void {
    if (!this.#motion || this.#motion.duration <= 0) return;
    if (!this.loop && this.#time >= this.duration) this.#time = 0;
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
    this.#time = Math.min(Math.max(time, 0), this.duration);
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

  /** Moves the clock on; true while it runs. */
  tick(seconds: number): boolean {
    if (!this.#playing || !this.#motion) return false;
    const duration = this.duration;
    let time = this.#time + seconds * this.speed;
    if (this.loop && this.#motion.pingPong) {
      const from = this.#isReturning ? 2 * duration - this.#time : this.#time;
      const phase = modulo(from + seconds * this.speed, 2 * duration);
      this.#isReturning = phase > duration;
      time = this.#isReturning ? 2 * duration - phase : phase;
    } else if (this.loop) {
      time = modulo(time, duration);
    } else if (time >= duration || time <= 0) {
      time = Math.min(Math.max(time, 0), duration);
      if (this.speed > 0 ? time >= duration : time <= 0) this.#playing = false;
    }
    this.#time = time;
    this.#motion.seek(time);
    this.onChange();
    return this.#playing;
  }
}

function modulo(value: number, length: number): number {
  return ((value % length) + length) % length;
}
