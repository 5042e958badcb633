// Handles at both ends of the playback range. They are moved with the pointer or the keyboard.
import type { Playback } from '../../view/index.ts';
import { el } from '../dom.ts';
import { words } from '../words/index.ts';

type End = 'from' | 'to';

export class RangeHandles {
  readonly element: HTMLElement;
  #playback: Playback;
  #ends: Record<End, HTMLElement>;
  #frame: HTMLElement;

  /** `frame`: element whose width represents the duration of the clip. */
  constructor(playback: Playback, frame: HTMLElement) {
    this.#playback = playback;
    this.#frame = frame;
    this.#ends = { from: this.#make('from'), to: this.#make('to') };
    this.element = el('div', { class: 'range', hidden: true }, this.#ends.from, this.#ends.to);
  }

  update(): void {
    const { range, start, duration } = this.#playback;
    this.element.hidden = range === null;
    if (!range) return;
    for (const end of ['from', 'to'] as const) {
      const handle = this.#ends[end];
      handle.style.left = `${((range[end] - start) / (duration - start)) * 100}%`;
      handle.setAttribute('aria-valuemin', start.toFixed(3));
      handle.setAttribute('aria-valuemax', duration.toFixed(3));
      handle.setAttribute('aria-valuenow', range[end].toFixed(3));
      handle.setAttribute('aria-valuetext', words.clock(range[end]));
    }
  }

  #make(end: End): HTMLElement {
    const move = (time: number): void => {
      const { range } = this.#playback;
      if (range) this.#playback.range = { ...range, [end]: time };
    };
    const handle = el('div', {
      class: `end ${end}`,
      role: 'slider',
      tabindex: 0,
      'aria-label': words.rangeEnds[end],
      title: words.rangeEnds[end],
      onpointerdown: (event: PointerEvent) => {
        event.preventDefault();
        handle.setPointerCapture(event.pointerId);
        handle.focus();
      },
      onpointermove: (event: PointerEvent) => {
        if (!handle.hasPointerCapture(event.pointerId)) return;
        const { left, width } = this.#frame.getBoundingClientRect();
        const other = this.#playback.range?.[end === 'from' ? 'to' : 'from'] ?? 0;
        const { start, duration } = this.#playback;
        const time = start + ((event.clientX - left) / width) * (duration - start);
        // Keep the two ends at least one frame apart.
        move(end === 'from' ? Math.min(time, other - this.#step) : Math.max(time, other + this.#step));
      },
      onkeydown: (event: KeyboardEvent) => {
        const frames = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
        const { range } = this.#playback;
        if (frames === undefined || !range) return;
        event.preventDefault();
        event.stopPropagation();
        const time = range[end] + frames * this.#step;
        if (end === 'from' ? time < range.to : time > range.from) move(time);
      },
    });
    return handle;
  }

  /** Duration of one frame in seconds. */
  get #step(): number {
    return 1 / (this.#playback.action?.frameRate || 30);
  }
}
