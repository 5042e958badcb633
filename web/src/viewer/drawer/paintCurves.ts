// Draws the curves of the chosen rows: one band per channel with a value axis, keys and tangents.
import { niceStep } from '../timeline/timelineMath.ts';
import type { Band, BandCurve } from './curveBands.ts';
import { type Line, type Plot, valueAt } from './curves.ts';
import type { SheetColors } from './paintKeys.ts';
import { type TimeAxis, xOf } from './timeAxis.ts';

/** Margins of a band in pixels. The upper one is larger because it contains the title. */
const ABOVE = 22;
const BELOW = 8;
/** Minimum distance between two labels of the value axis in pixels. */
const TICK = 26;
/** Minimum distance between keys in pixels. If keys are closer together, they are not drawn. */
const APART = 6;
/** Length of a tangent on each side of its key, in pixels. */
const TANGENT = 16;
/** Maximum distance between the pointer and a curve that is clicked, in pixels. */
const REACH = 10;

export interface CurveScale {
  axis: TimeAxis;
  /** Height of the canvas in pixels. */
  height: number;
}

/** Returns the top and the height of a band in pixels. */
export const placeOf = (at: number, count: number, height: number): { top: number; height: number } => ({
  top: (at * height) / count,
  height: height / count,
});

/** Returns a function from a value to its vertical position in a band, in pixels. */
function yOf({ low, high }: Band, { top, height }: { top: number; height: number }): (value: number) => number {
  const room = Math.max(height - ABOVE - BELOW, 1);
  return value => (high > low ? top + ABOVE + (1 - (value - low) / (high - low)) * room : top + ABOVE + room / 2);
}

/** Draws all bands. `active`: identifier of the row whose curves are emphasised. */
export function paintCurves(
  context: CanvasRenderingContext2D,
  bands: readonly Band[],
  { axis, colors, height, active, font }: CurveScale & { colors: SheetColors; active: string; font: string },
): void {
  const isAmong = bands.some(({ curves }) => curves.some(({ row }) => row.id === active));
  for (const [at, band] of bands.entries()) {
    const place = placeOf(at, bands.length, height);
    const y = yOf(band, place);
    context.save();
    context.beginPath();
    context.rect(0, place.top, axis.width, place.height);
    context.clip();
    const ticks = ticksOf(band, place.height);
    paintGrid(context, ticks, { y, place, axis, colors, isFirst: at === 0 });
    // The emphasised curves are drawn last, above the others.
    const isEmphasised = ({ row }: BandCurve): boolean => !isAmong || row.id === active;
    for (const curve of band.curves.toSorted((a, b) => Number(isEmphasised(a)) - Number(isEmphasised(b)))) {
      const slope =
        -((y(band.low) - y(band.high)) / (band.high - band.low || 1)) *
        ((axis.to - axis.from) / Math.max(xOf(axis, axis.to) - xOf(axis, axis.from), 1));
      for (const line of curve.plot.lines) {
        context.strokeStyle = context.fillStyle = colors.components[line.axis] ?? colors.accent;
        context.globalAlpha = isEmphasised(curve) ? 1 : 0.4;
        context.lineWidth = isEmphasised(curve) ? 1.75 : 1.25;
        context.setLineDash(curve.isCompared ? [5, 4] : []);
        paintLine(context, curve.plot, line, axis, y);
        context.setLineDash([]);
        if (isEmphasised(curve) && !curve.isCompared) paintKeys(context, curve.plot, line, { axis, y, slope });
      }
    }
    paintLabels(context, ticks, { y, colors, font });
    context.restore();
  }
}

interface Tick {
  value: number;
  label: string;
}

/** Returns the values at which the value axis has lines, with their labels. */
function ticksOf({ low, high, unit }: Band, height: number): Tick[] {
  const suffix = unit === 'm' ? ' m' : unit;
  const label = (text: string): string => `${text.replace('-', '−')}${suffix}`;
  if (!(high > low)) return [{ value: low, label: label(String(Number(low.toPrecision(4)))) }];
  const step = niceStep(((high - low) * TICK) / Math.max(height - ABOVE - BELOW, 1));
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return multiplesOf(step, low, high).map(value => ({ value, label: label(Math.abs(value) < step / 2 ? '0' : value.toFixed(digits)) }));
}

function paintGrid(
  context: CanvasRenderingContext2D,
  ticks: readonly Tick[],
  {
    y,
    place,
    axis,
    colors,
    isFirst,
  }: { y: (value: number) => number; place: { top: number }; axis: TimeAxis; colors: SheetColors; isFirst: boolean },
): void {
  context.fillStyle = colors.line;
  if (!isFirst) context.fillRect(0, place.top, axis.width, 1);
  for (const { value, label } of ticks) {
    context.globalAlpha = /^0\D*$/.test(label) ? 1 : 0.5;
    context.fillRect(0, Math.round(y(value)), axis.width, 1);
  }
  context.globalAlpha = 1;
}

/** Draws the labels of the value axis, with a halo that separates them from the curves. */
function paintLabels(
  context: CanvasRenderingContext2D,
  ticks: readonly Tick[],
  { y, colors, font }: { y: (value: number) => number; colors: SheetColors; font: string },
): void {
  context.font = `10px ${font}`;
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.globalAlpha = 1;
  context.lineWidth = 3;
  context.strokeStyle = colors.paper;
  context.fillStyle = colors.key;
  for (const { value, label } of ticks) {
    context.strokeText(label, 4, Math.round(y(value)) - 6);
    context.fillText(label, 4, Math.round(y(value)) - 6);
  }
}

function multiplesOf(step: number, low: number, high: number): number[] {
  const first = Math.ceil(low / step - 1e-6);
  return Array.from({ length: Math.max(Math.floor(high / step + 1e-6) - first + 1, 0) }, (_, i) => (first + i) * step);
}

function paintLine(
  context: CanvasRenderingContext2D,
  plot: Plot,
  { values, keys }: Line,
  axis: TimeAxis,
  y: (value: number) => number,
): void {
  context.beginPath();
  const { times, keyTimes } = plot;
  if (plot.isStepped) {
    // The first sample is the value before the first visible key.
    let height = y(values[0]!);
    context.moveTo(xOf(axis, times[0]!), height);
    for (const [k, time] of keyTimes.entries()) {
      context.lineTo(xOf(axis, time), height);
      height = y(keys[k]!);
      context.lineTo(xOf(axis, time), height);
    }
    context.lineTo(xOf(axis, times.at(-1)!), height);
  } else {
    for (let i = 0; i < times.length; i++) context.lineTo(xOf(axis, times[i]!), y(values[i]!));
  }
  context.stroke();
}

/**
 * Draws keys and tangents. `slope`: converts a slope in value per second to vertical pixels per
 * horizontal pixel.
 */
function paintKeys(
  context: CanvasRenderingContext2D,
  { keyTimes }: Plot,
  { keys, slopes }: Line,
  { axis, y, slope }: { axis: TimeAxis; y: (value: number) => number; slope: number },
): void {
  if (keyTimes.length * APART > axis.width) return;
  for (let key = 0; key < keyTimes.length; key++) {
    const [x, height] = [xOf(axis, keyTimes[key]!), y(keys[key]!)];
    context.beginPath();
    context.arc(x, height, 2.4, 0, 2 * Math.PI);
    context.fill();
    for (const [side, tangent] of slopes?.[key]?.entries() ?? []) {
      const rise = tangent * slope;
      if (!Number.isFinite(rise)) continue; // a step has an infinite slope and no tangent
      const along = (side === 0 ? -1 : 1) * (TANGENT / Math.hypot(1, rise));
      context.globalAlpha = 0.55;
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(x, height);
      context.lineTo(x + along, height + along * rise);
      context.stroke();
      context.globalAlpha = 1;
    }
  }
}

/** Returns the curve that is nearest to a point of the canvas; null if none is near. */
export function curveNear(bands: readonly Band[], { height }: CurveScale, time: number, pointerY: number): BandCurve | null {
  let [nearest, distance]: [BandCurve | null, number] = [null, REACH];
  for (const [at, band] of bands.entries()) {
    const y = yOf(band, placeOf(at, bands.length, height));
    for (const curve of band.curves)
      for (const { values } of curve.plot.lines) {
        const away = Math.abs(y(valueAt(values, curve.plot.times, time)) - pointerY);
        if (away < distance) [nearest, distance] = [curve, away];
      }
  }
  return nearest;
}
