// Plots the curves of a track with keys and tangents, and shows the values at the pointer. A click
// seeks to that time.
import { el } from '../dom.ts';
import { words } from '../words/index.ts';
import { numberText } from './branch.ts';
import { type Line, type Plot, type Plotted, plotOf } from './curves.ts';

export interface PlaybackTime {
  /** Playback time in seconds. */
  time: number;
  duration: number;
}

const HEIGHT = 120;
/** Margin around the plot in pixels, so that keys at the edges are fully visible. */
const INSET = 6;
/** Minimum distance between keys in pixels. If keys are closer together, they are not drawn. */
const APART = 5;
/** Length of a tangent on each side of its key, in pixels. */
const TANGENT = 16;
const LINES: Record<string, string> = { x: '--x', y: '--y', z: '--z', w: '--w', '': '--accent' };

export class CurvePlot {
  readonly element: HTMLElement;
  readonly #canvas: HTMLCanvasElement;
  readonly #legend = el('figcaption', {});
  readonly #track: Plotted;
  readonly #playing: () => PlaybackTime;
  #plot: Plot | null = null;
  #shown = '';
  /** Time at the pointer, in seconds; null if the pointer is not over the plot. */
  #hovered: number | null = null;

  constructor(title: string, track: Plotted, playing: () => PlaybackTime, onSeek: (time: number) => void) {
    this.#track = track;
    this.#playing = playing;
    const seek = (event: PointerEvent): void => {
      if (this.#canvas.hasPointerCapture(event.pointerId)) onSeek(this.#timeAt(event));
    };
    this.#canvas = el('canvas', {
      class: 'plot',
      role: 'img',
      'aria-label': title,
      onpointerdown: (event: PointerEvent) => {
        this.#canvas.setPointerCapture(event.pointerId);
        seek(event);
      },
      onpointermove: (event: PointerEvent) => {
        this.#hovered = this.#timeAt(event);
        seek(event);
        this.update();
      },
      onpointerleave: () => {
        this.#hovered = null;
        this.update();
      },
    });
    this.element = el('figure', { class: 'curve' }, el('div', { class: 'line' }, el('b', {}, title)), this.#canvas, this.#legend);
    new ResizeObserver(() => this.update()).observe(this.#canvas);
  }

  /** Redraws the plot if its size, the playback time or the pointer has changed. */
  update(): void {
    const { clientWidth: width } = this.#canvas;
    if (width === 0) return;
    const { time, duration } = this.#playing();
    const state = `${width} ${time} ${duration} ${this.#hovered} ${devicePixelRatio}`;
    if (state === this.#shown) return;
    this.#shown = state;
    if (this.#plot?.times.length !== width || this.#plot.times[width - 1] !== Math.fround(duration))
      this.#plot = plotOf(this.#track, duration, width);
    this.#draw(width, time, duration);
    this.#updateLegend(this.#hovered ?? time);
  }

  #timeAt(event: PointerEvent): number {
    const { left, width } = this.#canvas.getBoundingClientRect();
    const { duration } = this.#playing();
    return Math.min(Math.max((event.clientX - left - INSET) / Math.max(width - 2 * INSET, 1), 0), 1) * duration;
  }

  /** Shows the values at `time` (seconds) in the legend. */
  #updateLegend(time: number): void {
    if (!this.#plot) return;
    const { lines, unit, at } = this.#plot;
    const values = at(time).map((value, i) => `${lines[i]!.axis} ${numberText(Number(value.toFixed(4)))}${unit}`.trim());
    this.#legend.textContent = `${words.clock(time)}: ${values.join('  ')}`;
  }

  #draw(width: number, time: number, duration: number): void {
    const context = this.#canvas.getContext('2d');
    if (!context || !this.#plot) return;
    const { lines, keyTimes, times, low, high } = this.#plot;
    this.#canvas.width = Math.round(width * devicePixelRatio);
    this.#canvas.height = Math.round(HEIGHT * devicePixelRatio);
    context.scale(devicePixelRatio, devicePixelRatio);
    const style = getComputedStyle(this.#canvas);
    const color = (name: string): string => style.getPropertyValue(name).trim() || style.color;
    const span = high > low ? high - low : 1;
    const x = (seconds: number): number => INSET + (duration > 0 ? seconds / duration : 0) * (width - 2 * INSET);
    const y = (value: number): number => (high > low ? INSET + (1 - (value - low) / span) * (HEIGHT - 2 * INSET) : HEIGHT / 2);
    context.strokeStyle = color('--line');
    if (low < 0 && high > 0) stroke(context, [INSET, width - INSET], [y(0), y(0)]);
    context.lineWidth = 1.5;
    const areKeysApart = keyTimes.length * APART < width;
    for (const line of lines) {
      context.strokeStyle = context.fillStyle = color(LINES[line.axis] ?? '--accent');
      stroke(context, Array.from(times, x), Array.from(line.values, y));
      if (areKeysApart)
        drawKeys(context, line, keyTimes, { x, y, slope: -((HEIGHT - 2 * INSET) / span) * (duration / (width - 2 * INSET)) });
    }
    context.strokeStyle = color('--text');
    context.lineWidth = 1;
    stroke(context, [x(time), x(time)], [0, HEIGHT]);
    if (this.#hovered !== null) {
      context.globalAlpha = 0.4;
      stroke(context, [x(this.#hovered), x(this.#hovered)], [0, HEIGHT]);
      context.globalAlpha = 1;
    }
  }
}

function stroke(context: CanvasRenderingContext2D, xs: readonly number[], ys: readonly number[]): void {
  context.beginPath();
  for (const [i, x] of xs.entries()) context.lineTo(x, ys[i]!);
  context.stroke();
}

/**
 * Draws keys and tangents. `slope`: converts a slope in value per second to vertical pixels per
 * horizontal pixel.
 */
function drawKeys(
  context: CanvasRenderingContext2D,
  { keys, slopes }: Line,
  times: Float32Array,
  { x, y, slope }: { x: (time: number) => number; y: (value: number) => number; slope: number },
): void {
  for (let key = 0; key < times.length; key++) {
    const [at, value] = [x(times[key]!), y(keys[key]!)];
    context.beginPath();
    context.arc(at, value, 2.6, 0, 2 * Math.PI);
    context.fill();
    for (const [side, tangent] of slopes?.[key]?.entries() ?? []) {
      const rise = tangent * slope;
      if (!Number.isFinite(rise)) continue; // a step has an infinite slope and no tangent
      const along = (side === 0 ? -1 : 1) * (TANGENT / Math.hypot(1, rise));
      context.globalAlpha = 0.55;
      stroke(context, [at, at + along], [value, value + along * rise]);
      context.globalAlpha = 1;
    }
  }
}
