// Finds the animation events that playback passes, across the end of a loop as well. Events are
// indexed without checks after a binary search.
import type { ClipEvent } from '../core/types.ts';

export class Notes {
  readonly #events: readonly ClipEvent[];
  readonly #start: number;
  readonly #end: number;
  #last = NaN;
  /** True if the last step was backwards. */
  #isBack = false;

  /** `start` and `end` of the loop, seconds. */
  constructor(events: readonly ClipEvent[], start: number, end: number) {
    this.#events = events.toSorted((a, b) => a.time - b.time);
    this.#start = start;
    this.#end = end;
  }

  /** Sets the time without passing events. */
  jump(time: number): void {
    this.#last = time;
  }

  /**
   * Plays to a time and reports the passed events in order. At the first call, only events at the
   * time itself are reported. If the direction changes, playback is taken to have crossed the end
   * of the loop if that is the shorter way.
   */
  play(time: number, tell: (event: ClipEvent) => void): void {
    const last = this.#last;
    this.#last = time;
    if (Number.isNaN(last)) return passEvents(this.#events, time, time, true, tell);
    const isOnward = time >= last;
    const overSeam = this.#end - this.#start - Math.abs(time - last);
    const isOverSeam = isOnward === this.#isBack && overSeam <= Math.abs(time - last);
    if (time !== last) this.#isBack = isOnward === isOverSeam;
    if (!isOverSeam) return passEvents(this.#events, last, time, false, tell);
    const away = isOnward ? -Infinity : Infinity;
    passEvents(this.#events, last, away, false, tell);
    passEvents(this.#events, -away, time, true, tell);
  }
}

/**
 * Reports the events that playback passes on its way between two times, in that order: backwards if
 * `from` is later than `to`. An event at `to` counts; one at `from` does if `includesFrom`.
 * `events` are sorted by time.
 */
export function passEvents<T extends { readonly time: number }>(
  events: readonly T[],
  from: number,
  to: number,
  includesFrom: boolean,
  tell: (event: T) => void,
): void {
  if (to >= from) for (let i = after(events, from, !includesFrom); i < events.length && events[i]!.time <= to; i++) tell(events[i]!);
  else for (let i = after(events, from, includesFrom) - 1; i >= 0 && events[i]!.time >= to; i--) tell(events[i]!);
}

/**
 * Returns the index of the first event at a time or later; with `isBehind`, of the first later
 * event.
 */
function after(events: readonly { readonly time: number }[], time: number, isBehind: boolean): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = events[middle]!.time;
    if (isBehind ? at > time : at >= time) high = middle;
    else low = middle + 1;
  }
  return low;
}
