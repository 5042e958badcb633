// Ruler, key density and playback range. Redrawn only if one of these changes.
import type { BoundTrack } from '../../core/bind.ts';
import type { Range } from '../../view/index.ts';
import { el } from '../dom.ts';
import { drawRuler } from './ruler.ts';
import { keyDensity } from './timelineMath.ts';

const RULER = 15;
const KEYS = 7;

export interface StripContent {
  /** Time of the first frame in seconds. */
  start: number;
  end: number;
  /**
   * Number of ruler units per second: 1 for a ruler in seconds, the frame rate for a ruler in
   * frames.
   */
  rate: number;
  tracks: readonly BoundTrack[];
  /** Node index of the bone whose keys are highlighted; null for none. */
  node: number | null;
  range: Range | null;
}

export class Strip {
  readonly element = el('canvas', { class: 'strip', 'aria-hidden': 'true' });
  #content: StripContent | null = null;

  /**
   * `onSeek`: called with the time in seconds at which the pointer is pressed or to which it is
   * dragged.
   */
  constructor(onSeek: (time: number) => void) {
    const seek = (event: PointerEvent): void => {
      const box = this.element.getBoundingClientRect();
      if (!this.#content || box.width === 0) return;
      const { start, end } = this.#content;
      onSeek(start + ((event.clientX - box.left) / box.width) * (end - start));
    };
    this.element.addEventListener('pointerdown', event => {
      if (event.button !== 0) return;
      this.element.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.element.addEventListener('pointermove', event => {
      if (this.element.hasPointerCapture(event.pointerId)) seek(event);
    });
  }

  /** Width of the timeline in CSS pixels. */
  get width(): number {
    return this.element.clientWidth;
  }

  show(content: StripContent | null): void {
    this.#content = content && content.end > content.start ? content : null;
    this.draw();
  }

  draw(): void {
    const { element } = this;
    const { clientWidth: width, clientHeight: height } = element;
    const context = element.getContext('2d');
    if (!context || width === 0) return;
    element.width = Math.round(width * devicePixelRatio);
    element.height = Math.round(height * devicePixelRatio);
    context.scale(devicePixelRatio, devicePixelRatio);
    if (!this.#content) return;
    const style = getComputedStyle(element);
    const color = (name: string): string => style.getPropertyValue(name).trim() || style.color;
    this.#drawKeys(context, width, height, color);
    drawRuler(
      context,
      { ...this.#content, left: 0, width },
      { color: color('--quiet'), font: style.fontFamily, canvasWidth: width, hasLabels: height >= RULER + KEYS },
    );
    this.#drawRange(context, width, height, color);
  }

  #drawKeys(context: CanvasRenderingContext2D, width: number, height: number, color: (name: string) => string): void {
    const { tracks, node } = this.#content!;
    const bins = Math.max(Math.floor(width / 2), 1);
    const all = keyDensity(tracks, this.#content!, bins);
    const maximum = Math.max(...all, 1);
    context.fillStyle = color('--quiet');
    for (const [bin, count] of all.entries()) {
      if (count === 0) continue;
      context.globalAlpha = 0.3 + 0.5 * (count / maximum);
      const tall = 2 + (KEYS - 2) * Math.sqrt(count / maximum);
      context.fillRect((bin * width) / bins, height - tall, Math.max(width / bins - 0.5, 1), tall);
    }
    context.globalAlpha = 1;
    if (node === null) return;
    context.fillStyle = color('--gaze');
    for (const [bin, count] of keyDensity(tracks, this.#content!, bins, node).entries())
      if (count > 0) context.fillRect((bin * width) / bins, height - KEYS, Math.max(width / bins - 0.5, 1), KEYS);
  }

  #drawRange(context: CanvasRenderingContext2D, width: number, height: number, color: (name: string) => string): void {
    const { range, start, end } = this.#content!;
    if (!range) return;
    const [from, to] = [range.from, range.to].map(time => ((time - start) / (end - start)) * width) as [number, number];
    context.fillStyle = color('--accent');
    context.globalAlpha = 0.16;
    context.fillRect(from, 0, to - from, height);
    context.globalAlpha = 1;
  }
}
