// What can be done with a recording, and what happens in it: everything the timeline draws is also here as words.

import type { HandSpans } from '../../stage/index.ts';
import { count, el, fill } from '../dom.ts';
import { words } from '../words/index.ts';

export interface RecordingFacts {
  duration: number;
  hands: HandSpans[];
  markers: { time: number; name: string }[];
  /** There is a recorded head to look through. */
  hasCamera: boolean;
}

const MOST = 200;

export const clock = (seconds: number): string => `${seconds.toFixed(2)} s`;

export class RecordingPanel {
  readonly element: HTMLElement;
  onTrails: (on: boolean) => void = () => {};
  onCamera: (on: boolean) => void = () => {};
  onSeek: (time: number) => void = () => {};
  #trails: HTMLInputElement;
  #camera: HTMLInputElement;
  #facts = el('div', { class: 'recorded' });

  constructor() {
    this.#trails = el('input', { type: 'checkbox', onchange: () => this.onTrails(this.#trails.checked) });
    this.#camera = el('input', { type: 'checkbox', onchange: () => this.onCamera(this.#camera.checked) });
    this.element = el(
      'div',
      { class: 'panel recording' },
      el('label', { class: 'check' }, this.#trails, el('span', { class: 'name' }, words.fingertips), el('kbd', {}, 'T')),
      el('label', { class: 'check' }, this.#camera, el('span', { class: 'name' }, words.commands.camera.title), el('kbd', {}, 'V')),
      this.#facts,
    );
  }

  set({ duration, hands, markers, hasCamera }: RecordingFacts): void {
    this.#camera.disabled = !hasCamera;
    fill(
      this.#facts,
      ...this.#list(
        words.facts.markers,
        markers.map(({ time, name }) => ({ time, name: name || words.noName, detail: '' })),
        words.noMarkers,
      ),
      ...hands.flatMap(({ handedness, tracked, pinching }) => {
        const seen = tracked.reduce((sum, { from, to }) => sum + to - from, 0);
        const share = duration > 0 ? ` (${count((seen / duration) * 100)} %)` : '';
        const title = words.hands[handedness];
        const pinches = pinching.map(({ from, to }, at) => ({
          time: from,
          name: words.pinch(at + 1),
          detail: words.lasting(clock(to - from)),
        }));
        return this.#list(
          title,
          pinches,
          seen > 0 ? words.neverPinched : '',
          seen > 0 ? words.seenFor(clock(seen), share, tracked.length) : words.neverSeen,
        );
      }),
    );
  }

  update(trails: boolean, camera: boolean): void {
    this.#trails.checked = trails;
    this.#camera.checked = camera;
  }

  #list(title: string, rows: { time: number; name: string; detail: string }[], none: string, about = ''): HTMLElement[] {
    return [
      el('h3', {}, title),
      ...(about ? [el('p', { class: 'quiet' }, about)] : []),
      rows.length === 0
        ? el('p', { class: 'quiet', hidden: none === '' }, none)
        : el(
            'ul',
            { 'aria-label': title },
            ...rows
              .slice(0, MOST)
              .map(({ time, name, detail }) =>
                el(
                  'li',
                  {},
                  el(
                    'button',
                    { type: 'button', class: 'moment', onclick: () => this.onSeek(time) },
                    el('span', { class: 'name' }, name),
                    el('span', { class: 'detail' }, detail),
                    el('span', { class: 'detail at' }, clock(time)),
                  ),
                ),
              ),
          ),
      ...(rows.length > MOST ? [el('p', { class: 'quiet' }, words.andMore(rows.length - MOST))] : []),
    ];
  }
}
