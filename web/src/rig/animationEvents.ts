// Finds the animation events that playback passes, including those at the transition from the end
// of a loop to its start. A binary search keeps all indices within `events`, hence the `!`.
import type { ClipEvent } from '../core/types.ts';

/** Reports the animation events of one clip during playback. */
export class AnimationEvents {
  readonly #events: readonly ClipEvent[];
  readonly #start: number;
  readonly #end: number;
  #time = NaN;
  /** True if playback moved backwards in the last call of `advance`. */
  #isBackwards = false;

  /** `start`, `end`: start and end of the loop in seconds. */
  constructor(events: readonly ClipEvent[], start: number, end: number) {
    this.#events = events.toSorted((a, b) => a.time - b.time);
    this.#start = start;
    this.#end = end;
  }

  /** Sets the current time, in seconds, without reporting events. */
  seek(time: number): void {
    this.#time = time;
  }

  /**
   * Advances playback to `time`, in seconds, and calls `onEvent` for each event on the way, in
   * playback order. The first call reports only events at `time`. If the direction seems to change,
   * playback is assumed to have kept its direction and crossed the end of the loop, provided that
   * this path is not longer.
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
 * Calls `onEvent` for each event between two times in playback order (backwards if `from` is later
 * than `to`). Events at `to` are included; events at `from` only if `includesFrom` is true.
 * `events`: sorted by time.
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

/**
 * Returns the index of the first event after `time`. If `isInclusive` is true, an event at `time`
 * counts too.
 */
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
