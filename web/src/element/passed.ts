// Which events of a motion a step of time passes.

export interface Step {
  /** Times before and after it, seconds. */
  before: number;
  after: number;
  /** Seconds that the motion went on; negative backwards. */
  travelled: number;
  duration: number;
  /** Where it begins, seconds. */
  start?: number;
  /** It turns round at its ends, instead of beginning anew. */
  isPingPong: boolean;
}

/** In no order; each at most once, as nobody hears more of what a single frame passes. An event at the time where it begins was passed before. */
export function passed<T extends { time: number }>(
  events: readonly T[],
  { before, after, travelled, duration, start = 0, isPingPong }: Step,
): T[] {
  if (travelled === 0) return [];
  const length = duration - start;
  const isForward = travelled > 0;
  const low = Math.min(before, after);
  const high = Math.max(before, after);
  const isDirect = Math.abs(isPingPong ? Math.abs(travelled) - (high - low) : travelled - (after - before)) < 1e-6;
  const between = ({ time }: T): boolean => time !== before && time >= low && time <= high;
  if (isDirect || (!isPingPong && (isForward ? after >= before : after <= before) && Math.abs(travelled) < length))
    return events.filter(between);
  if (Math.abs(travelled) >= length) return [...events];
  if (isPingPong) {
    const isAtEnd = before + after > start + duration;
    return events.filter(({ time }) => (isAtEnd ? time > low || time === after : time < high || time === after));
  }
  return events.filter(({ time }) => (isForward ? time > before || time <= after : time < before || time >= after));
}
