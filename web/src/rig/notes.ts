// Events of a motion as it plays: each once a pass, over the seam of a loop as well.
import type { ClipEvent } from '../core/types.ts';

export class Notes {
  readonly #events: readonly ClipEvent[];
  readonly #start: number;
  readonly #end: number;
  #last = NaN;
  /** It was played backwards last. */
  #isBack = false;

  /** `start` and `end` of the motion in seconds: where a loop turns. */
  constructor(events: readonly ClipEvent[], start: number, end: number) {
    this.#events = events.toSorted((a, b) => a.time - b.time);
    this.#start = start;
    this.#end = Math.max(
      end,
      events.reduce((most, { time }) => Math.max(most, time), end),
    );
  }

  /** The motion is at that time now; nothing was played on the way there. */
  jump(time: number): void {
    this.#last = time;
  }

  /**
   * The motion has been played to that time: tells what it has passed, in the order in which it did. What lies where it began counts the first time. Where
   * time turns, it does so over the seam of a loop if that way is the shorter one.
   */
  play(time: number, tell: (event: ClipEvent) => void): void {
    const last = this.#last;
    this.#last = time;
    if (Number.isNaN(last)) return this.#forward(time, time, true, tell);
    const isOnward = time >= last;
    const overSeam = this.#end - this.#start - Math.abs(time - last);
    const isOverSeam = isOnward === this.#isBack && overSeam <= Math.abs(time - last);
    if (time !== last) this.#isBack = isOnward === isOverSeam;
    if (isOverSeam && isOnward) {
      this.#backward(-Infinity, last, tell);
      this.#backward(time, Infinity, tell);
    } else if (isOverSeam) {
      this.#forward(last, Infinity, false, tell);
      this.#forward(-Infinity, time, true, tell);
    } else if (isOnward) this.#forward(last, time, false, tell);
    else this.#backward(time, last, tell);
  }

  #forward(from: number, to: number, isFirst: boolean, tell: (event: ClipEvent) => void): void {
    for (let i = this.#after(from, isFirst); i < this.#events.length && this.#events[i]!.time <= to; i++) tell(this.#events[i]!);
  }

  #backward(from: number, to: number, tell: (event: ClipEvent) => void): void {
    for (let i = this.#after(to, true) - 1; i >= 0 && this.#events[i]!.time >= from; i--) tell(this.#events[i]!);
  }

  /** The first event behind a time, or at it. */
  #after(time: number, isAt: boolean): number {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = this.#events[middle]!.time;
      if (isAt ? at >= time : at > time) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
