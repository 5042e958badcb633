// Sections about a recording: checkboxes, and lists of the hand tracking and pinches that the
// timeline shows.

import type { HandSpans } from '../../view/index.ts';
import { count, el, fill } from '../dom.ts';
import { words } from '../words/index.ts';
import { type EventRow, EventList } from '../panels/events.ts';

export interface RecordingFacts {
  duration: number;
  hands: HandSpans[];
  events: { time: number; name: string }[];
  /** True if the head was recorded, so that the viewport can render from its position. */
  hasCamera: boolean;
}

export class RecordingPanel {
  readonly element: HTMLElement;
  onTrails: (on: boolean) => void = () => {};
  onCamera: (on: boolean) => void = () => {};
  #trails: HTMLInputElement;
  #camera: HTMLInputElement;

  /** `compare`: element below the checkboxes. */
  constructor(compare: HTMLElement) {
    this.#trails = el('input', { type: 'checkbox', onchange: () => this.onTrails(this.#trails.checked) });
    this.#camera = el('input', { type: 'checkbox', onchange: () => this.onCamera(this.#camera.checked) });
    this.element = el(
      'div',
      { class: 'recording' },
      el('label', { class: 'check' }, this.#trails, el('span', { class: 'name' }, words.commands.trails.title), el('kbd', {}, 'T')),
      el('label', { class: 'check' }, this.#camera, el('span', { class: 'name' }, words.commands.camera.title), el('kbd', {}, 'V')),
      compare,
    );
  }

  /** `hasCamera`: true if the head was recorded. */
  enableCamera(hasCamera: boolean): void {
    this.#camera.disabled = !hasCamera;
  }

  update(trails: boolean, camera: boolean): void {
    this.#trails.checked = trails;
    this.#camera.checked = camera;
  }
}

/** Section with the times at which each hand was tracked and pinching. */
export class TrackingPanel {
  readonly element = el('div', { class: 'recording' });
  readonly #onSeek: (time: number) => void;

  constructor(onSeek: (time: number) => void) {
    this.#onSeek = onSeek;
  }

  set({ duration, hands }: Pick<RecordingFacts, 'duration' | 'hands'>): void {
    fill(
      this.element,
      ...hands.flatMap(({ handedness, tracked, pinching }) => {
        const seen = tracked.reduce((sum, { from, to }) => sum + to - from, 0);
        const share = duration > 0 ? ` (${count((seen / duration) * 100)} %)` : '';
        const title = words.recording.hands[handedness];
        const pinches = pinching.map(({ from, to }, at) => ({
          time: from,
          name: words.pinch(at + 1),
          detail: words.lasting(words.clock(to - from)),
        }));
        return this.#list(
          title,
          pinches,
          seen > 0 ? words.noPinches : '',
          seen > 0 ? words.trackedFor(words.clock(seen), share, tracked.length) : words.neverTracked,
        );
      }),
    );
  }

  #list(title: string, events: readonly EventRow[], none: string, about = ''): HTMLElement[] {
    const list = new EventList(title, this.#onSeek);
    list.set(events);
    return [
      el('h4', {}, title),
      ...(about ? [el('p', { class: 'quiet' }, about)] : []),
      events.length > 0 ? list.element : el('p', { class: 'quiet', hidden: none === '' }, none),
    ];
  }
}
