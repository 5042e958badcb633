// Rows with names on the left and a canvas with their keys or curves on the right. Creates elements only for the visible
// rows and draws only these on the canvas, so that thousands of rows scroll smoothly.
import { neighbouringKey, nearestKey } from '../../rig/keyTimes.ts';
import { el, fill } from '../dom.ts';
import { words } from '../words/index.ts';
import { CurveView } from './curveView.ts';
import type { DrawerState } from './drawerState.ts';
import { paintKeys, type SheetColors, type VisibleRow } from './paintKeys.ts';
import { keysOf, type SheetRow } from './sheetRows.ts';
import { timeAt, xOf } from './timeAxis.ts';

const ROW = 24;
/** Maximum distance between the pointer and a key that is clicked, in pixels. */
const NEAR = 7;
/** Maximum number of key times that screen readers announce for a row. */
const MAX_TIMES = 12;
/** Indentation per ancestor, and maximum number of ancestors for which names are indented. */
const INDENT = 9;
const MAX_INDENT = 7;

export class Sheet {
  readonly element: HTMLElement;
  readonly #state: DrawerState;
  readonly #canvas = el('canvas', { class: 'sheet-canvas', 'aria-hidden': 'true' });
  readonly #options = el('div', { role: 'presentation' });
  readonly #spacer: HTMLElement;
  readonly #onSeek: (time: number) => void;
  readonly #curves: CurveView;
  /** Colours of the current theme; null until they are read from the style sheet. */
  #colors: SheetColors | null = null;

  constructor(state: DrawerState, onSeek: (time: number) => void) {
    this.#state = state;
    this.#onSeek = onSeek;
    this.#curves = new CurveView(state);
    this.#spacer = el('div', { class: 'sheet-rows', role: 'presentation' }, this.#options, this.#canvas);
    this.element = el(
      'div',
      {
        class: 'sheet-scroll',
        role: 'listbox',
        tabindex: 0,
        'aria-label': words.drawer.rows,
        'aria-multiselectable': 'true',
        onscroll: () => this.render(),
        onkeydown: (event: KeyboardEvent) => this.#key(event),
      },
      this.#spacer,
    );
    this.#canvas.addEventListener('pointerdown', event => this.#press(event));
    this.#canvas.addEventListener('pointermove', event => {
      if (this.#canvas.hasPointerCapture(event.pointerId)) this.#seekTo(event);
    });
  }

  /** Width of the canvas in CSS pixels. */
  get width(): number {
    return this.#canvas.clientWidth;
  }

  /** Legends of the curves, which are placed above the canvas. */
  get legends(): HTMLElement {
    return this.#curves.element;
  }

  /** Updates the values in the legends. `time`: playback time in seconds. */
  update(time: number): void {
    if (this.#state.view.value === 'curves') this.#curves.update(time);
  }

  /** Reads the colours again when the sheet is next drawn. Call this after the theme has changed. */
  forgetColors(): void {
    this.#colors = null;
  }

  /** Draws the visible rows. */
  render(): void {
    const { scrollTop, clientHeight } = this.element;
    const rows = this.#state.rows.value;
    const total = `${rows.length * ROW}px`;
    if (this.#spacer.style.height !== total) this.#spacer.style.height = total;
    const first = Math.max(Math.min(Math.floor(scrollTop / ROW), rows.length), 0);
    const last = Math.min(first + Math.ceil(clientHeight / ROW) + 1, rows.length);
    const visible: VisibleRow[] = [];
    for (let at = first; at < last; at++)
      visible.push({ row: rows[at]!, top: at * ROW - scrollTop, isChosen: this.#state.isChosen(rows[at]!) });
    // Drawing reads the size of the canvas, so it precedes all changes of elements.
    this.#draw(visible, clientHeight);
    fill(this.#options, ...visible.map((each, i) => this.#option(each, first + i)));
    const active = visible.findIndex(({ row }) => row.id === this.#state.active.value);
    if (active >= 0) this.element.setAttribute('aria-activedescendant', optionId(first + active));
    else this.element.removeAttribute('aria-activedescendant');
  }

  /** Scrolls to the active row. */
  reveal(): void {
    const at = this.#state.rows.value.findIndex(({ id }) => id === this.#state.active.value);
    if (at < 0) return;
    const { scrollTop, clientHeight } = this.element;
    if (at * ROW < scrollTop) this.element.scrollTop = at * ROW;
    else if ((at + 1) * ROW > scrollTop + clientHeight) this.element.scrollTop = (at + 1) * ROW - clientHeight;
  }

  #option({ row, isChosen }: VisibleRow, at: number): HTMLElement {
    const { times } = keysOf(row);
    const name = this.#nameOf(row);
    const listed = [...times.subarray(0, MAX_TIMES)].map(time => this.#state.timeText(time)).join(', ');
    const option = el(
      'div',
      {
        class: `sheet-row${row.channel ? ' channel' : ''}${times.length === 0 ? ' empty' : ''}`,
        role: 'option',
        id: optionId(at),
        title: name,
        'aria-selected': String(isChosen),
        'aria-posinset': at + 1,
        'aria-setsize': this.#state.rows.value.length,
        onclick: (event: MouseEvent) => this.#choose(row, event),
      },
      el('span', { class: 'name' }, name),
      times.length > 0 && el('span', { class: 'count', 'aria-hidden': 'true' }, String(times.length)),
      el(
        'span',
        { class: 'sr-only' },
        words.drawer.keys(times.length, times.length > MAX_TIMES ? `${listed} …` : listed, this.#state.rate !== 1),
      ),
    );
    option.style.top = `${at * ROW}px`;
    option.style.setProperty('--indent', `${Math.min(row.depth, MAX_INDENT) * INDENT}px`);
    return option;
  }

  /** Returns a time and, beside curves, the values of a row at this time. */
  #labelOf({ id }: SheetRow, time: number): string {
    const values = this.#state.view.value === 'curves' ? this.#curves.valuesOf(id, time) : '';
    return [this.#state.timeLabel(time), values].filter(Boolean).join(': ');
  }

  #nameOf({ name, channel }: SheetRow): string {
    if (!channel) return name || words.noName;
    const axis = channel.component >= 0 ? ` ${'XYZW'[channel.component] ?? ''}` : '';
    return `${words.drawer.channels[channel.path] ?? channel.path}${axis}`;
  }

  #draw(visible: readonly VisibleRow[], height: number): void {
    const canvas = this.#canvas;
    const style = `${height}px`;
    if (canvas.style.height !== style) canvas.style.height = style;
    const context = prepareCanvas(canvas);
    if (!context) return;
    const { axis, page, view } = this.#state;
    const colors = (this.#colors ??= colorsOf(canvas));
    const { range } = page.playback;
    if (range) shade(context, xOf(axis.value, range.from), xOf(axis.value, range.to), height, colors.accent);
    if (view.value === 'keys') paintKeys(context, visible, { axis: axis.value, colors, height: ROW });
    else this.#curves.draw(context, colors, height, getComputedStyle(canvas).fontFamily);
  }

  #choose(row: SheetRow, { ctrlKey, metaKey, shiftKey }: MouseEvent | PointerEvent): void {
    if (shiftKey) this.#state.chooseUpTo(row);
    else if (ctrlKey || metaKey) this.#state.toggle(row);
    else this.#state.choose(row);
  }

  /** Seeks to the key of the row or curve at the pointer, or to the time at the pointer if there is no key. */
  #press(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.#canvas.setPointerCapture(event.pointerId);
    const { top } = this.element.getBoundingClientRect();
    if (this.#state.view.value === 'curves') {
      const curve = this.#curves.curveAt(event.clientX - this.#canvas.getBoundingClientRect().left, event.clientY - top);
      this.#seekTo(event, curve?.row);
      if (curve) this.#state.active.value = curve.row.id;
      return;
    }
    const row = this.#state.rows.value[Math.floor((event.clientY - top + this.element.scrollTop) / ROW)];
    this.#seekTo(event, row);
    if (row) this.#choose(row, event);
  }

  #seekTo(event: PointerEvent, row?: SheetRow): void {
    const axis = this.#state.axis.value;
    const x = event.clientX - this.#canvas.getBoundingClientRect().left;
    const time = timeAt(axis, x);
    const { times } = row ? keysOf(row) : { times: new Float32Array() };
    const key = times[nearestKey(times, time)];
    this.#onSeek(key !== undefined && Math.abs(xOf(axis, key) - x) <= NEAR ? key : time);
  }

  #key(event: KeyboardEvent): void {
    const rows = this.#state.rows.value;
    const at = rows.findIndex(({ id }) => id === this.#state.active.value);
    const page = Math.max(Math.floor(this.element.clientHeight / ROW) - 1, 1);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key];
    const keyStep = { ArrowLeft: -1, ArrowRight: 1 }[event.key] as 1 | -1 | undefined;
    if (step !== undefined && rows.length > 0) {
      const next = rows[Math.min(Math.max(at + step, 0), rows.length - 1)]!;
      if (event.shiftKey) this.#state.chooseUpTo(next);
      else this.#state.choose(next);
      this.reveal();
    } else if (keyStep && rows[at]) {
      const time = neighbouringKey(keysOf(rows[at]).times, this.#state.page.playback.time, keyStep);
      if (time !== null) this.#onSeek(time);
      this.#state.page.announce(time === null ? words.drawer.noMoreKeys : this.#labelOf(rows[at], time));
    } else if (event.key === ' ' && rows[at]) {
      this.#state.toggle(rows[at]);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

const optionId = (at: number): string => `sheet-row-${at}`;

/** Gives a canvas the resolution of the screen. Returns null if the canvas isn't visible. */
export function prepareCanvas(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  const { clientWidth: width, clientHeight: height } = canvas;
  const context = canvas.getContext('2d');
  if (!context || width === 0 || height === 0) return null;
  const [pixelWidth, pixelHeight] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
  if (canvas.width !== pixelWidth) canvas.width = pixelWidth;
  if (canvas.height !== pixelHeight) canvas.height = pixelHeight;
  context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

export function colorsOf(canvas: HTMLCanvasElement): SheetColors {
  const style = getComputedStyle(canvas);
  const color = (name: string): string => style.getPropertyValue(name).trim() || style.color;
  return {
    paper: color('--paper'),
    line: color('--line'),
    key: color('--key'),
    chosen: color('--key-chosen'),
    text: color('--text'),
    accent: color('--accent'),
    components: { x: color('--x'), y: color('--y'), z: color('--z'), w: color('--w') },
  };
}

/** Shades the playback range. */
function shade(context: CanvasRenderingContext2D, from: number, to: number, height: number, color: string): void {
  context.fillStyle = color;
  context.globalAlpha = 0.1;
  context.fillRect(from, 0, to - from, height);
  context.globalAlpha = 1;
}
