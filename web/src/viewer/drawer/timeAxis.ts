// Converts between times and horizontal positions, with zoom.

/** Margin at both ends, in pixels, so that keys at the first and last frame are fully visible. */
const MARGIN = 12;
/** Minimum length of the visible time in seconds. */
const SHORTEST = 0.05;

export interface TimeAxis {
  /** First and last time of the animation in seconds. */
  readonly start: number;
  readonly end: number;
  /** First and last visible time in seconds. */
  readonly from: number;
  readonly to: number;
  /** Width in pixels. The times `from` and `to` are `MARGIN` pixels from its ends. */
  readonly width: number;
}

/** Returns an axis that shows the whole animation. */
export const wholeAxis = (start: number, end: number, width: number): TimeAxis => ({ start, end, from: start, to: end, width });

const innerWidth = ({ width }: TimeAxis): number => Math.max(width - 2 * MARGIN, 1);

export const xOf = (axis: TimeAxis, time: number): number => MARGIN + ((time - axis.from) / (axis.to - axis.from || 1)) * innerWidth(axis);

/** Returns the time at a position, limited to the animation. */
export const timeAt = (axis: TimeAxis, x: number): number =>
  clamp(axis.from + ((x - MARGIN) / innerWidth(axis)) * (axis.to - axis.from), axis.start, axis.end);

/** Returns true if only a part of the animation is visible. */
export const isZoomed = ({ start, end, from, to }: TimeAxis): boolean => to - from < (end - start) * 0.999;

/**
 * Returns an axis whose visible time is `factor` times as long. The time `fixed` keeps its
 * position.
 */
export function zoomed(axis: TimeAxis, factor: number, fixed: number): TimeAxis {
  const { start, end, from, to } = axis;
  const length = clamp((to - from) * factor, Math.min(SHORTEST, end - start), end - start);
  const share = (fixed - from) / (to - from || 1);
  return shown(axis, fixed - share * length, length);
}

/** Returns an axis that is moved by `seconds`. */
export const moved = (axis: TimeAxis, seconds: number): TimeAxis => shown(axis, axis.from + seconds, axis.to - axis.from);

/**
 * Returns an axis on which `time` is visible. If it is outside, the axis moves so that `time`
 * is at its beginning.
 */
export const revealed = (axis: TimeAxis, time: number): TimeAxis =>
  time >= axis.from && time <= axis.to ? axis : shown(axis, time - 0.05 * (axis.to - axis.from), axis.to - axis.from);

function shown(axis: TimeAxis, from: number, length: number): TimeAxis {
  const first = clamp(from, axis.start, axis.end - length);
  return { ...axis, from: first, to: first + length };
}

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);
