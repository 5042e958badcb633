// Transport bar: play, seek, range, speed and the timeline. Its buttons run commands.
import { buttonsOf } from '../buttons.ts';
import { el, icon } from '../dom.ts';
import type { Page } from '../page.ts';
import type { RecordingFacts } from '../recording/panel.ts';
import { deferredEffect } from '../deferred.ts';
import { words } from '../words/index.ts';
import { RangeHandles } from './rangeHandles.ts';
import { Lanes } from './lanes.ts';
import { Strip } from './strip.ts';

const SPEEDS = [0.1, 0.25, 0.5, 1, 1.5, 2, 4];

export class Transport {
  readonly element: HTMLElement;
  #page: Page;
  #scrub: HTMLInputElement;
  #time: HTMLButtonElement;
  #name = el('span', { class: 'playing' });
  #strip: Strip;
  #handles: RangeHandles;
  #lanes: Lanes;
  #facts: RecordingFacts | null = null;
  #shown = '';

  constructor(page: Page) {
    this.#page = page;
    const { playback } = page;
    const seek = (time: number): void => {
      playback.pause();
      playback.seek(time);
    };
    this.#scrub = el('input', {
      type: 'range',
      min: 0,
      max: 1,
      step: 'any',
      value: 0,
      class: 'scrub',
      'aria-label': words.time,
      oninput: () => seek(Number(this.#scrub.value)),
      // Arrow keys step by frames even if the slider has the focus.
      onkeydown: (event: KeyboardEvent) => {
        const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        playback.step(event.shiftKey ? step * 10 : step);
      },
    });
    this.#time = el('button', { type: 'button', class: 'time', title: words.commands.unit.title, onclick: () => page.run('unit') });
    this.#strip = new Strip(seek);
    this.#handles = new RangeHandles(playback, this.#strip.element);
    this.#lanes = new Lanes(playback);
    const track = el(
      'div',
      { class: 'track' },
      this.#scrub,
      el('div', { class: 'strip-area' }, this.#strip.element, this.#handles.element),
      this.#lanes.element,
    );
    this.element = el(
      'section',
      { class: 'transport', 'aria-label': words.playback },
      el('div', { class: 'line' }, ...buttonsOf(page, 'transport'), track, this.#time),
      el('div', { class: 'line extras' }, this.#name, this.#speed(), ...buttonsOf(page, 'extras')),
    );
    new ResizeObserver(() => {
      this.#strip.draw();
      this.#lanes.show(this.#facts, this.#strip.width);
    }).observe(track);
    this.#follow();
    this.update();
  }

  /** Starts the effects that do not depend on the playback time. */
  #follow(): void {
    const { page } = { page: this.#page };
    deferredEffect(() => {
      void page.theme.value;
      const played = page.played.value;
      const bone = page.viewport.overlays.bone.value;
      const isFrames = page.session.value.viewSettings.timeUnit === 'frames' && (played?.frameRate ?? 0) > 0;
      const node = bone && page.shownModel.value ? page.shownModel.value.rig.nodes.indexOf(bone) : -1;
      this.#strip.show(
        played && {
          start: played.start,
          end: played.duration,
          rate: isFrames ? played.frameRate : 1,
          tracks: played.clips.flatMap(({ bound }) => [...(bound?.tracks ?? [])]),
          node: node < 0 ? null : node,
          range: page.range.value,
        },
      );
      this.#handles.update();
      this.update();
    });
    deferredEffect(() => {
      this.#facts = page.events.value;
      this.#lanes.show(this.#facts, this.#strip.width);
      this.element.classList.toggle('recorded', !this.#lanes.element.hidden);
    });
  }

  #speed(): HTMLElement {
    const { playback } = this.#page;
    const speed = el(
      'select',
      { 'aria-label': words.speed, title: words.speed, onchange: () => (playback.speed = Number(speed.value)) },
      ...SPEEDS.map(value => el('option', { value, selected: value === 1 }, `${value}×`)),
    );
    return el('label', { class: 'pick' }, speed, icon('down'));
  }

  /** Updates time and slider. This runs in each frame, so it changes elements only if necessary. */
  update(): void {
    const { action, time, start, duration, frame, lastFrame } = this.#page.playback;
    this.element.classList.toggle('idle', action === null);
    const isFrames = action !== null && action.frameRate > 0 && this.#page.session.peek().viewSettings.timeUnit === 'frames';
    const text = action === null ? '' : isFrames ? words.frameOf(frame, lastFrame) : words.secondOf(time.toFixed(2), duration.toFixed(2));
    const title = action?.name ?? words.restPose;
    const name = action && this.#page.isEdited.peek() ? words.edit.editedName(title) : title;
    const state = `${text}|${time}|${name}|${duration}`;
    if (state === this.#shown) return;
    this.#shown = state;
    this.#scrub.disabled = action === null || duration <= 0;
    this.#scrub.min = String(start);
    this.#scrub.max = String(duration || 1);
    this.#scrub.value = String(time);
    this.#scrub.style.setProperty('--done', `${duration > start ? ((time - start) / (duration - start)) * 100 : 0}%`);
    this.#scrub.setAttribute('aria-valuetext', text || words.noAnimation);
    this.#time.textContent = text || '–';
    this.#time.disabled = this.#scrub.disabled;
    if (this.#name.textContent !== name) {
      this.#name.textContent = name;
      this.#name.title = name;
    }
  }
}
