// Draws the ruler of a timeline.
import { niceStep } from './timelineMath.ts';

/** Minimum distance between two labels of the ruler, in pixels. */
const APART = 58;

export interface RulerScale {
  /** Visible times in seconds. */
  start: number;
  end: number;
  /**
   * Number of ruler units per second: 1 for a ruler in seconds, the frame rate for a ruler in
   * frames.
   */
  rate: number;
  /** Position of `start` and distance from `start` to `end`, in pixels. */
  left: number;
  width: number;
}

/** Returns the distance between two labels of the ruler, in ruler units. */
export function rulerStep({ start, end, rate, width }: RulerScale): number {
  const duration = end - start;
  return rate === 1 ? niceStep((duration * APART) / width) : Math.max(niceStep((duration * rate * APART) / width), 1);
}

/**
 * Draws the ticks and labels of a ruler at the top of a canvas that is `canvasWidth` pixels wide.
 * `hasLabels`: false to draw only the ticks.
 */
export function drawRuler(
  context: CanvasRenderingContext2D,
  scale: RulerScale,
  { color, font, canvasWidth, hasLabels }: { color: string; font: string; canvasWidth: number; hasLabels: boolean },
): void {
  const { start, end, rate, left, width } = scale;
  const step = rulerStep(scale);
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  context.fillStyle = color;
  context.font = `10px ${font}`;
  context.textBaseline = 'top';
  for (let i = Math.ceil((start * rate) / step - 1e-6), last = (end * rate) / step; i <= last + 1e-6; i++) {
    const x = left + (((i * step) / rate - start) * width) / (end - start);
    const text = (i * step).toFixed(digits);
    context.globalAlpha = 0.6;
    context.fillRect(Math.min(x, canvasWidth - 1), 0, 1, 4);
    context.globalAlpha = 1;
    const room = context.measureText(text).width;
    if (hasLabels) context.fillText(text, Math.min(Math.max(x - room / 2, 0), canvasWidth - room), 4);
  }
}
