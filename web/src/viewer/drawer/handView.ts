// Plots of recorded hands over time: the strength of the pinch, and the bend of a joint. A compared
// recording is plotted with the current one. Exports both as CSV.
import { effect, signal } from '@preact/signals-core';
import type { RigScene } from '../../core/types.ts';
import { FINGERS, type HandPose } from '../../view/handPose.ts';
import { handCsv, handCurves, type HandCurves } from '../../view/handCurves.ts';
import { defer } from '../deferred.ts';
import { el, fill, picked } from '../dom.ts';
import { download } from '../download.ts';
import type { Page } from '../page.ts';
import { words } from '../words/index.ts';
import './handView.css';

const SVG = 'http://www.w3.org/2000/svg';
/** Bend at the top of the plot, in degrees. */
const MAX_BEND = 120;

/** A recording in the plots. */
interface PlottedRecording {
  /** Name of its file. */
  name: string;
  /** Offset in seconds that is added to the playback time; null for the current recording. */
  compared: { readonly offset: number } | null;
  hands: readonly HandCurves[];
}

/** A plot with one line per hand and recording. */
interface Plot {
  element: HTMLElement;
  /** Draws the lines. */
  draw(recordings: readonly PlottedRecording[]): void;
  /** Moves the play head and shows the values at a time in seconds. */
  update(time: number): void;
}

export class HandView {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #plots: readonly Plot[];
  readonly #bend = signal({ finger: 1, joint: 1 });
  readonly #recordings = signal<readonly PlottedRecording[]>([]);
  /** Curves of each recording that was plotted, because sampling takes time. */
  readonly #sampled = new WeakMap<RigScene, HandCurves[]>();
  readonly #measuring = el('p', { class: 'quiet drawer-empty' }, words.checks.measuring);

  /** `onSeek`: called with a time in seconds when the visitor clicks a plot. */
  constructor(page: Page, onSeek: (time: number) => void) {
    this.#page = page;
    const text = words.hands;
    const pinch = plotOf(text.pinch, { from: 0, to: 1, unit: '' }, ({ pinch: strength }) => strength, onSeek);
    const bend = plotOf(
      text.bend,
      { from: 0, to: MAX_BEND, unit: '°' },
      ({ flexion }) => flexion[this.#bend.peek().finger]?.[this.#bend.peek().joint] ?? null,
      onSeek,
    );
    this.#plots = [pinch, bend];
    const fingers = el(
      'select',
      { 'aria-label': text.finger, onchange: () => (this.#bend.value = { ...this.#bend.peek(), finger: Number(fingers.value) }) },
      ...FINGERS.map((finger, at) => el('option', { value: at, selected: at === 1 }, words.recording.fingers[finger])),
    );
    const joints = el(
      'select',
      { 'aria-label': text.joint, onchange: () => (this.#bend.value = { ...this.#bend.peek(), joint: Number(joints.value) }) },
      ...words.recording.bends.map((title, at) => el('option', { value: at, selected: at === 1 }, title)),
    );
    const save = el(
      'button',
      {
        type: 'button',
        class: 'plain',
        onclick: () => {
          for (const { name, hands } of this.#recordings.peek())
            download(`${name.replace(/\.[^.]*$/, '') || words.noName}.hands.csv`, new Blob([handCsv(hands)], { type: 'text/csv' }));
        },
      },
      text.save,
    );
    bend.element.querySelector('.hand-title')!.append(picked(fingers), picked(joints));
    this.element = el(
      'div',
      { class: 'hand-view' },
      el('div', { class: 'hand-tools' }, el('p', { class: 'quiet' }, text.about), save),
      this.#measuring,
      pinch.element,
      bend.element,
    );
    effect(() => {
      save.disabled = this.#recordings.value.every(({ hands }) => hands.length === 0);
    });
    effect(() => {
      void this.#bend.value;
      const recordings = this.#recordings.value;
      this.#measuring.hidden = recordings.length > 0;
      for (const plot of this.#plots) {
        plot.element.hidden = recordings.length === 0;
        plot.draw(recordings);
      }
      this.update();
    });
    effect(() => {
      const model = page.recorded.value ? page.shownModel.value : null;
      const other = page.other.value;
      if (!model) this.#recordings.value = [];
      if (!model || !page.isDrawerOpen.value || page.drawerView.value !== 'hands') return;
      // Sampling a long recording takes time, so the page is drawn first.
      defer(() => {
        if (page.shownModel.peek() !== model || page.other.peek() !== other) return;
        this.#recordings.value = [
          { name: model.input.file.name, compared: null, hands: this.#handsOf(model.file.scene!) },
          ...(other ? [{ name: other.entry.input.file.name, compared: other, hands: this.#handsOf(other.scene) }] : []),
        ];
      });
    });
  }

  #handsOf(scene: RigScene): readonly HandCurves[] {
    const [clip] = scene.clips;
    const hands = this.#sampled.get(scene) ?? (clip ? handCurves(scene, clip) : []);
    this.#sampled.set(scene, hands);
    return hands;
  }

  /** Moves the play heads. */
  update(): void {
    if (this.#page.drawerView.peek() !== 'hands') return;
    for (const plot of this.#plots) plot.update(this.#page.playback.time);
  }
}

interface Scale {
  from: number;
  to: number;
  unit: string;
}

function plotOf(
  title: string,
  { from, to, unit }: Scale,
  valueOf: (pose: HandPose) => number | null,
  onSeek: (time: number) => void,
): Plot {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 1000 100');
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('aria-hidden', 'true');
  const legend = el('span', { class: 'hand-legend' });
  const head = el('div', { class: 'hand-head' });
  const area = el(
    'div',
    {
      class: 'hand-area',
      onpointerdown: (event: PointerEvent) => seek(event),
      onpointermove: (event: PointerEvent) => event.buttons === 1 && seek(event),
    },
    svg,
    head,
    el('span', { class: 'hand-scale top' }, `${to}${unit}`),
    el('span', { class: 'hand-scale bottom' }, `${from}${unit}`),
  );
  const element = el(
    'section',
    { class: 'hand-plot', 'aria-label': title },
    el('div', { class: 'hand-title' }, el('h2', {}, title), legend),
    area,
  );
  let shown: { recording: PlottedRecording; group: SVGElement; outputs: HTMLElement[] }[] = [];
  const endOf = (hands: readonly HandCurves[] = []): number => hands[0]?.times.at(-1) || 1;
  /** Duration of the current recording, which is as wide as the plot. */
  const duration = (): number => endOf(shown[0]?.recording.hands);
  const seek = ({ clientX }: PointerEvent): void => {
    const { left, width } = area.getBoundingClientRect();
    onSeek(Math.min(Math.max((clientX - left) / Math.max(width, 1), 0), 1) * duration());
  };
  const lineOf = ({ handedness, times, poses }: HandCurves, end: number): SVGElement => {
    const path = svgElement('path', handedness);
    let isDrawing = false;
    const points = poses.map((pose, at) => {
      const value = pose && valueOf(pose);
      if (value === null) {
        isDrawing = false;
        return '';
      }
      const [x, y] = [(1000 * (times[at] ?? 0)) / end, 100 - (100 * (Math.min(Math.max(value, from), to) - from)) / (to - from)];
      const command = isDrawing ? 'L' : 'M';
      isDrawing = true;
      return `${command}${x.toFixed(1)} ${y.toFixed(1)}`;
    });
    path.setAttribute('d', points.join(''));
    return path;
  };
  return {
    element,
    draw: recordings => {
      shown = recordings.map(recording => ({
        recording,
        group: svgElement('g', recording.compared ? 'compared' : ''),
        outputs: recording.hands.map(() => el('output', {})),
      }));
      fill(
        legend,
        ...shown.map(({ recording: { name, compared, hands }, outputs }) =>
          el(
            'span',
            { class: `hand-recording ${compared ? 'compared' : ''}` },
            shown.length > 1 && el('span', { class: 'hand-file' }, name),
            ...hands.map(({ handedness }, at) =>
              el('span', { class: `hand-key ${handedness}` }, words.recording.hands[handedness], ' ', outputs[at]!),
            ),
          ),
        ),
      );
      svg.replaceChildren(
        ...shown.map(({ recording: { hands }, group }) => {
          group.replaceChildren(...hands.map(hand => lineOf(hand, duration())));
          return group;
        }),
      );
    },
    update: time => {
      const end = duration();
      head.style.left = `${(100 * Math.min(Math.max(time / end, 0), 1)).toFixed(3)}%`;
      for (const { recording, group, outputs } of shown) {
        const offset = recording.compared?.offset ?? 0;
        group.setAttribute('transform', `translate(${((-1000 * offset) / end).toFixed(1)} 0)`);
        const ownEnd = endOf(recording.hands);
        for (const [at, { times, poses }] of recording.hands.entries()) {
          const pose = poses[Math.round((Math.min(Math.max(time + offset, 0), ownEnd) / ownEnd) * (times.length - 1))];
          const value = pose ? valueOf(pose) : null;
          const text = value === null ? '–' : unit ? `${Math.round(value)}${unit}` : value.toFixed(2);
          if (outputs[at]!.textContent !== text) outputs[at]!.textContent = text;
        }
      }
    },
  };
}

function svgElement(name: 'g' | 'path', className: string): SVGElement {
  const element = document.createElementNS(SVG, name);
  element.setAttribute('class', className);
  return element;
}
