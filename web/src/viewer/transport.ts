// The bar under the stage: play, scrub, speed, loop.

import type { HandSpans, Playback, Span } from '../stage/index.ts';
import { el, fill, icon, iconButton, setIcon } from './dom.ts';
import { clock, type RecordingFacts } from './panels/recording.ts';
import type { Reading } from '../player/motion.ts';
import { words } from './words/index.ts';

const MOST_BARS = 400;
const SPEEDS = [0.1, 0.25, 0.5, 1, 1.5, 2];

export class Transport {
  readonly element: HTMLElement;
  /** Root kept in place. */
  onLockRoot: (locked: boolean) => void = () => {};
  onReading: (reading: Reading) => void = () => {};
  #playback: Playback;
  #play: HTMLButtonElement;
  #scrub: HTMLInputElement;
  #time: HTMLElement;
  #name: HTMLElement;
  #lock: HTMLButtonElement;
  #mode: HTMLSelectElement;
  #modeLabel: HTMLElement;
  #loop: HTMLButtonElement;
  #lanes = el('div', { class: 'lanes', hidden: true });
  #shown = '';

  constructor(playback: Playback) {
    this.#playback = playback;
    this.#play = iconButton('play', words.playing(false), () => playback.toggle(), { class: 'icon-button play' });
    this.#scrub = el('input', {
      type: 'range',
      min: 0,
      max: 1,
      step: 'any',
      value: 0,
      class: 'scrub',
      'aria-label': words.time,
      oninput: () => {
        playback.pause();
        playback.seek(Number(this.#scrub.value));
      },
      // The arrows go from frame to frame, also while the bar has the focus.
      onkeydown: (event: KeyboardEvent) => {
        const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        playback.step(event.shiftKey ? step * 10 : step);
      },
    });
    this.#time = el('span', { class: 'time' });
    this.#name = el('span', { class: 'playing' });
    this.#loop = iconButton('loop', `${words.commands.loop.title} (L)`, () => this.toggleLoop(), { 'aria-pressed': 'true' });
    this.#lock = iconButton(
      'lock',
      `${words.commands.lock.title} (K)`,
      () => this.onLockRoot(this.#lock.getAttribute('aria-pressed') !== 'true'),
      { 'aria-pressed': 'false' },
    );
    const speed = el(
      'select',
      {
        'aria-label': words.speed,
        title: words.speed,
        onchange: () => {
          playback.speed = Number(speed.value);
        },
      },
      ...SPEEDS.map(value => el('option', { value, selected: value === 1 }, `${value}×`)),
    );
    this.#mode = el(
      'select',
      { 'aria-label': words.reading, title: words.reading, onchange: () => this.onReading(this.#mode.value as Reading) },
      el('option', { value: 'auto' }, words.readings.auto),
      el('option', { value: 'file' }, words.readings.file),
      el('option', { value: 'everything' }, words.readings.everything),
      el('option', { value: 'rotation-only' }, words.readings['rotation-only']),
      el('option', { value: 'additive' }, words.readings.additive),
    );
    this.#modeLabel = el('label', { class: 'pick', hidden: true }, this.#mode, icon('down'));
    this.element = el(
      'section',
      { class: 'transport', 'aria-label': words.playback },
      el(
        'div',
        { class: 'line' },
        iconButton('back', words.frameBack, () => playback.step(-1), { class: 'icon-button step' }),
        this.#play,
        iconButton('forward', words.frameOn, () => playback.step(1), { class: 'icon-button step' }),
        el('div', { class: 'course' }, this.#scrub, this.#lanes),
        this.#time,
      ),
      el(
        'div',
        { class: 'line extras' },
        this.#name,
        this.#modeLabel,
        el('label', { class: 'pick' }, speed, icon('down')),
        this.#loop,
        this.#lock,
      ),
    );
    this.update();
  }

  toggleLoop(): void {
    this.#playback.loop = !this.#playback.loop;
    this.#loop.setAttribute('aria-pressed', String(this.#playback.loop));
  }

  showLock(isLocked: boolean): void {
    this.#lock.setAttribute('aria-pressed', String(isLocked));
  }

  /** Marks and what the hands did, under the bar; null: nothing. */
  showCourse(facts: RecordingFacts | null): void {
    this.#lanes.hidden = facts === null || facts.duration <= 0;
    this.element.classList.toggle('recorded', !this.#lanes.hidden);
    if (!facts || this.#lanes.hidden) return this.#lanes.replaceChildren();
    const { duration, hands, markers } = facts;
    const share = (time: number): string => `${Math.min(Math.max(time / duration, 0), 1) * 100}%`;
    const bars = (kind: string, spans: Span[]): HTMLElement[] =>
      spans.slice(0, MOST_BARS).map(({ from, to }) => {
        const bar = el('i', { class: kind });
        bar.style.left = share(from);
        bar.style.width = share(to - from);
        return bar;
      });
    const marks = markers.slice(0, MOST_BARS).map(({ time, name }, at) => {
      const mark = el(
        'button',
        {
          type: 'button',
          class: 'marker',
          title: `${name} · ${clock(time)}`,
          'aria-label': words.marker(name || String(at + 1), clock(time)),
          onclick: () => {
            this.#playback.pause();
            this.#playback.seek(time);
          },
        },
        el('span', {}, name),
      );
      mark.style.left = share(time);
      // Up to the next mark; the last ones reach to the left instead of out of the bar.
      const room = (markers[at + 1]?.time ?? duration * 1.2) - time;
      mark.style.maxWidth = share(room);
      return mark;
    });
    fill(
      this.#lanes,
      marks.length > 0 && el('div', { class: 'marks', role: 'group', 'aria-label': words.facts.markers }, ...marks),
      ...hands.map(hand =>
        el(
          'div',
          { class: `lane ${hand.handedness}`, role: 'img', 'aria-label': describeHand(hand), title: words.hands[hand.handedness] },
          el('b', { 'aria-hidden': 'true' }, words.handLetters[hand.handedness]),
          ...bars('tracked', hand.tracked),
          ...bars('pinching', hand.pinching),
        ),
      ),
    );
  }

  showReadings(shown: boolean, reading: Reading): void {
    this.#modeLabel.hidden = !shown;
    this.#lock.hidden = !shown;
    this.#mode.value = reading;
  }

  /** Cheap enough for every frame: touches the page only where something changed. */
  update(): void {
    const { motion, time, duration, playing, frame, lastFrame } = this.#playback;
    this.element.classList.toggle('idle', motion === null);
    const seconds = `${time.toFixed(2)} s`;
    const text =
      motion === null ? '' : motion.frameRate > 0 ? `${frame} / ${lastFrame} · ${seconds}` : `${seconds} / ${duration.toFixed(2)} s`;
    const state = `${playing}|${text}|${motion?.name ?? ''}|${duration}`;
    if (state === this.#shown) return;
    this.#shown = state;
    if (this.#play.dataset.playing !== String(playing)) {
      this.#play.dataset.playing = String(playing);
      setIcon(this.#play, playing ? 'pause' : 'play');
      this.#play.setAttribute('aria-label', words.playing(playing));
      this.#play.title = words.playing(playing);
    }
    const still = motion === null || duration <= 0;
    for (const control of this.element.querySelectorAll<HTMLButtonElement | HTMLInputElement>('.play, .step, .scrub'))
      control.disabled = still;
    this.#scrub.max = String(duration || 1);
    this.#scrub.value = String(time);
    this.#scrub.style.setProperty('--done', `${duration > 0 ? (time / duration) * 100 : 0}%`);
    this.#scrub.setAttribute('aria-valuetext', text || words.noMotion);
    this.#time.textContent = text || '–';
    const name = motion?.name ?? words.restPose;
    if (this.#name.textContent !== name) {
      this.#name.textContent = name;
      this.#name.title = name;
    }
  }
}

/** Spans of a hand that are read aloud. */
const MOST_SPANS = 12;

/** What a lane shows, in words. */
function describeHand({ handedness, tracked, pinching }: HandSpans): string {
  const list = (spans: Span[]): string =>
    spans
      .slice(0, MOST_SPANS)
      .map(({ from, to }) => words.span(from.toFixed(2), to.toFixed(2)))
      .join(', ') + (spans.length > MOST_SPANS ? ' …' : '');
  return words.hand(handedness, tracked.length > 0 ? list(tracked) : '', pinching.length > 0 ? list(pinching) : '');
}
