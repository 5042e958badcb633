// Finds the animation events that playback passes, also across the end of a loop. A binary search
// keeps all indices within `events`, hence the `!`.
import type { ClipEvent } from '../core/types.ts';

/** Reports the events of one clip during playback. */
export class AnimationEvents {
  readonly #events: readonly ClipEvent[];
  readonly #start: number;
  readonly #end: number;
  #time = NaN;
  /** True if the last step was backwards. */
  #isBackwards = false;

  /** `start`, `end`: limits of the loop, seconds. */
  constructor(events: readonly ClipEvent[], start: number, end: number) {
    this.#events = events.toSorted((a, b) => a.time - b.time);
    this.#start = start;
    this.#end = end;
  }

  /** Sets the time, seconds, without reporting events. */
  seek(time: number): void {
    this.#time = time;
  }

  /**
   * Plays from the last time to `time`, seconds, and calls `onEvent` for each passed event in
   * order. The first call reports only events at `time`. If the direction seems to change, playback
   * is assumed to have crossed the end of the loop instead, provided that this path is not longer.
   */
  advance(time: number, onEvent: (event: ClipEvent) => void): void {
    const last = this.#time;
    this.#time = time;
    if (Number.isNaN(last)) return passEvents(this.#events, time, time, true, onEvent);
    const isLater = time >= last;
    const distance = Math.abs(time - last);
    const isAcrossEnd = isLater === this.#isBackwards && this.#end - this.#start - distance <= distance;
    if (time !== last) this.#isBackwards = isLater === isAcrossEnd;
    if (!isAcrossEnd) return passEvents(this.#events, last, time, false, onEvent);
    const limit = isLater ? -Infinity : Infinity;
    passEvents(this.#events, last, limit, false, onEvent);
    passEvents(this.#events, -limit, time, true, onEvent);
  }
}

/**
 * Calls `onEvent` for the events between two times in playback order, backwards if `from` is later
 * than `to`. Includes an event at `to`, and one at `from` if `includesFrom` is true. `events` are
 * sorted by time.
 */
export function passEvents<T extends { readonly time: number }>(
  events: readonly T[],
  from: number,
  to: number,
  includesFrom: boolean,
  onEvent: (event: T) => void,
): void {
  if (to >= from) for (let i = firstAfter(events, from, includesFrom); i < events.length && events[i]!.time <= to; i++) onEvent(events[i]!);
  else for (let i = firstAfter(events, from, !includesFrom) - 1; i >= 0 && events[i]!.time >= to; i--) onEvent(events[i]!);
}

/** Returns the index of the first event after `time`, or at `time` if `isInclusive`. */
function firstAfter(events: readonly { readonly time: number }[], time: number, isInclusive: boolean): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = events[middle]!.time;
    if (isInclusive ? at >= time : at > time) high = middle;
    else low = middle + 1;
  }
  return low;
}
