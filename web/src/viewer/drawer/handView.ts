// Plots of recorded hands over time: the strength of the pinch, and the bend of a joint. Exports both as
// CSV.
import { computed, effect, signal } from '@preact/signals-core';
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

/** A plot with one line per hand. */
interface Plot {
  element: HTMLElement;
  /** Draws the lines. */
  draw(curves: readonly HandCurves[]): void;
  /** Moves the play head and shows the values at a time in seconds. */
  update(time: number): void;
}

export class HandView {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #plots: readonly Plot[];
  readonly #bend = signal({ finger: 1, joint: 1 });
  readonly #curves = signal<readonly HandCurves[]>([]);
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
          const name = page.shownModel.value?.input.file.name.replace(/\.[^.]*$/, '') || words.noName;
          download(`${name}.hands.csv`, new Blob([handCsv(this.#curves.peek())], { type: 'text/csv' }));
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
      save.disabled = this.#curves.value.length === 0;
    });
    effect(() => {
      void this.#bend.value;
      const curves = this.#curves.value;
      this.#measuring.hidden = curves.length > 0;
      for (const plot of this.#plots) {
        plot.element.hidden = curves.length === 0;
        plot.draw(curves);
      }
      this.update();
    });
    const recording = computed(() => (page.recorded.value ? page.shownModel.value : null));
    effect(() => {
      const model = recording.value;
      const isShown = page.isDrawerOpen.value && page.drawerView.value === 'hands';
      if (!model || !isShown) return void (model || (this.#curves.value = []));
      const scene = model.file.scene!;
      const [clip] = scene.clips;
      // Sampling a long recording takes time, so the page is drawn first.
      if (clip && this.#sampled !== clip)
        defer(() => {
          if (recording.peek() !== model) return;
          this.#sampled = clip;
          this.#curves.value = handCurves(scene, clip);
        });
    });
  }

  #sampled: unknown = null;

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
  let shown: readonly HandCurves[] = [];
  const endOf = (): number => shown[0]?.times.at(-1) || 1;
  const seek = ({ clientX }: PointerEvent): void => {
    const { left, width } = area.getBoundingClientRect();
    onSeek(Math.min(Math.max((clientX - left) / Math.max(width, 1), 0), 1) * endOf());
  };
  const outputs = new Map<string, HTMLElement>();
  return {
    element,
    draw: curves => {
      shown = curves;
      outputs.clear();
      fill(
        legend,
        ...curves.map(({ handedness }) => {
          const output = el('output', {});
          outputs.set(handedness, output);
          return el('span', { class: `hand-key ${handedness}` }, words.recording.hands[handedness], ' ', output);
        }),
      );
      svg.replaceChildren(
        ...curves.map(({ handedness, times, poses }) => {
          const path = document.createElementNS(SVG, 'path');
          path.setAttribute('class', handedness);
          let isDrawing = false;
          const points = poses.map((pose, at) => {
            const value = pose && valueOf(pose);
            if (value === null) {
              isDrawing = false;
              return '';
            }
            const [x, y] = [(1000 * (times[at] ?? 0)) / endOf(), 100 - (100 * (Math.min(Math.max(value, from), to) - from)) / (to - from)];
            const command = isDrawing ? 'L' : 'M';
            isDrawing = true;
            return `${command}${x.toFixed(1)} ${y.toFixed(1)}`;
          });
          path.setAttribute('d', points.join(''));
          return path;
        }),
      );
    },
    update: time => {
      head.style.left = `${(100 * Math.min(Math.max(time / endOf(), 0), 1)).toFixed(3)}%`;
      for (const { handedness, times, poses } of shown) {
        const pose = poses[Math.min(Math.round((time / endOf()) * (times.length - 1)), times.length - 1)];
        const value = pose ? valueOf(pose) : null;
        const text = value === null ? '–' : unit ? `${Math.round(value)}${unit}` : value.toFixed(2);
        const output = outputs.get(handedness);
        if (output && output.textContent !== text) output.textContent = text;
      }
    },
  };
}
