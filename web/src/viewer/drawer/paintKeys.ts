// Draws the keys of the visible rows.
import { firstAfter } from '../../rig/keyTimes.ts';
import { keysOf, type SheetRow } from './sheetRows.ts';
import { type TimeAxis, xOf } from './timeAxis.ts';

/** Half of the width of a key in pixels. */
const HALF = 4.5;
/** Minimum distance between keys that are drawn as diamonds, in pixels. */
const DIAMOND = 8;
/** Minimum distance between keys that are drawn as lines, in pixels. */
const LINE = 3;

export interface SheetColors {
  /** Background. */
  paper: string;
  /** Lines between rows. */
  line: string;
  /** Keys, keys of the chosen rows, and text. */
  key: string;
  chosen: string;
  text: string;
  /** The playback range. */
  accent: string;
  /** Curves of the components x, y, z and w. */
  components: Record<string, string>;
}

export interface VisibleRow {
  row: SheetRow;
  /** Distance of its top from the top of the canvas, in pixels. */
  top: number;
  isChosen: boolean;
}

/** Draws one line per row with its keys. `height`: height of a row in pixels. */
export function paintKeys(
  context: CanvasRenderingContext2D,
  rows: readonly VisibleRow[],
  { axis, colors, height }: { axis: TimeAxis; colors: SheetColors; height: number },
): void {
  for (const { row, top, isChosen } of rows) {
    context.fillStyle = colors.line;
    context.globalAlpha = 0.6;
    context.fillRect(0, top + height - 1, axis.width, 1);
    context.globalAlpha = 1;
    context.fillStyle = isChosen ? colors.chosen : colors.key;
    paintRow(context, row, axis, top + (height - 1) / 2);
  }
}

function paintRow(context: CanvasRenderingContext2D, row: SheetRow, axis: TimeAxis, middle: number): void {
  const { times, held } = keysOf(row);
  const size = row.channel ? HALF - 1 : HALF;
  const first = Math.max(firstAfter(times, axis.from) - 2, 0);
  const last = Math.min(firstAfter(times, axis.to) + 1, times.length);
  // Intervals without a change are drawn as a bar.
  context.globalAlpha = 0.28;
  for (let i = first; i < last; i++) {
    if (!held[i]) continue;
    const from = xOf(axis, times[i]!);
    while (i + 1 < last && held[i + 1]) i++;
    const to = xOf(axis, times[Math.min(i + 1, times.length - 1)]!);
    context.fillRect(from, middle - 1.5, to - from, 3);
  }
  context.globalAlpha = 1;
  // One path for all keys of the row, because filling each of them separately is slow.
  context.beginPath();
  let before = -Infinity;
  for (let i = first; i < last; i++) {
    const x = xOf(axis, times[i]!);
    // Several keys in one pixel look like one.
    if (x - before < 1) continue;
    const room = Math.min(x - before, i + 1 < times.length ? xOf(axis, times[i + 1]!) - x : Infinity);
    before = x;
    if (room >= DIAMOND) diamond(context, x, middle, size);
    else if (room >= LINE) context.rect(x - 0.75, middle - size, 1.5, 2 * size);
    else context.rect(x, middle - size + 1, Math.max(room, 1), 2 * size - 2);
  }
  context.fill();
}

function diamond(context: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  context.moveTo(x, y - size);
  context.lineTo(x + size, y);
  context.lineTo(x, y + size);
  context.lineTo(x - size, y);
  context.closePath();
}
