// Cross-fades from a stored pose to the current pose.
import type { Solver } from './animator.ts';
import { blendPoses, Pose } from './pose.ts';

/** Solver that cross-fades from a stored pose to the current pose. */
export class Fade implements Solver {
  readonly stage = 'expressions';
  #from: Pose | null = null;
  #left = 0;
  #length = 0;

  /** Stores a copy of `pose` and starts a cross-fade from it. `seconds`: duration of the fade. */
  start(pose: Pose, seconds: number): void {
    this.#from ??= new Pose(pose.shape);
    this.#from.copy(pose);
    this.#left = this.#length = seconds;
  }

  stop(): void {
    this.#left = 0;
  }

  /** Suspends the cross-fade. Call the returned function to resume it. */
  pause(): () => void {
    const left = this.#left;
    this.#left = 0;
    return () => (this.#left = left);
  }

  get isOn(): boolean {
    return this.#left > 0;
  }

  advance(seconds: number): void {
    this.#left = Math.max(this.#left - seconds, 0);
  }

  solve(pose: Pose): void {
    if (this.#left <= 0 || !this.#from) return;
    const share = this.#left / this.#length;
    const weight = share * share * (3 - 2 * share);
    blendPoses(pose, this.#from, weight);
  }
}
