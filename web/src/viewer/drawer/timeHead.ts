// Top of the drawer: ruler, playback range, animation events and tracked hands. It has the same
// time axis as the rows below it.
import { effect } from '@preact/signals-core';
import { el } from '../dom.ts';
import { Lanes } from '../timeline/lanes.ts';
import { RangeHandles } from '../timeline/rangeHandles.ts';
import { drawRuler } from '../timeline/ruler.ts';
import { words } from '../words/index.ts';
import type { DrawerState } from './drawerState.ts';
import { colorsOf, prepareCanvas } from './sheet.ts';
import { timeAt, xOf } from './timeAxis.ts';

export class TimeHead {
  readonly element: HTMLElement;
  readonly #state: DrawerState;
  readonly #ruler = el('canvas', { class: 'drawer-ruler', 'aria-hidden': 'true', title: words.time });
  /** Element from the first to the last frame, which is wider than the drawer if it is zoomed. */
  readonly #frame = el('div', { class: 'drawer-frame' });
  readonly #handles: RangeHandles;
  readonly #lanes: Lanes;
  /** Lane with the visitor's markers. */
  readonly #markers: Lanes;

  constructor(state: DrawerState, onSeek: (time: number) => void) {
    this.#state = state;
    const { playback } = state.page;
    this.#handles = new RangeHandles(playback, this.#frame);
    this.#lanes = new Lanes(playback);
    this.#markers = new Lanes(playback, words.markers.title);
    this.#frame.append(this.#handles.element, this.#lanes.element, this.#markers.element);
    const seek = (event: PointerEvent): void => onSeek(timeAt(state.axis.value, event.clientX - this.#ruler.getBoundingClientRect().left));
    this.#ruler.addEventListener('pointerdown', event => {
      if (event.button !== 0) return;
      this.#ruler.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.#ruler.addEventListener('pointermove', event => {
      if (this.#ruler.hasPointerCapture(event.pointerId)) seek(event);
    });
    this.element = el('div', { class: 'drawer-time' }, this.#ruler, this.#frame);
    effect(() => this.render());
  }

  render(): void {
    const { axis, page } = this.#state;
    void page.theme.value;
    void page.range.value;
    const { start, end, from, to } = axis.value;
    const [left, right] = [xOf(axis.value, start), xOf(axis.value, end)];
    this.#frame.style.left = `${left}px`;
    this.#frame.style.width = `${right - left}px`;
    this.#lanes.show(page.events.value, right - left);
    const events = [...this.#state.markers.value];
    this.#markers.show(events.length > 0 ? { duration: end, hands: [], events, hasCamera: false } : null, right - left);
    this.#handles.update();
    const context = prepareCanvas(this.#ruler);
    if (!context || !(end > start)) return;
    const style = getComputedStyle(this.#ruler);
    const scale = {
      start: from,
      end: to,
      rate: this.#state.rate,
      left: xOf(axis.value, from),
      width: xOf(axis.value, to) - xOf(axis.value, from),
    };
    drawRuler(context, scale, {
      color: colorsOf(this.#ruler).key,
      font: style.fontFamily,
      canvasWidth: this.#ruler.clientWidth,
      hasLabels: true,
    });
    const { range } = page.playback;
    if (!range) return;
    context.fillStyle = colorsOf(this.#ruler).accent;
    context.globalAlpha = 0.16;
    context.fillRect(xOf(axis.value, range.from), 0, xOf(axis.value, range.to) - xOf(axis.value, range.from), this.#ruler.clientHeight);
    context.globalAlpha = 1;
  }
}
