// The bar under the stage: play, scrub, speed, loop.

import type { Playback } from '../stage/index.ts';
import { el, icon, iconButton, setIcon } from './dom.ts';
import type { Reading } from './rigs.ts';

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
  #shown = '';

  constructor(playback: Playback) {
    this.#playback = playback;
    this.#play = iconButton('play', 'Play (space)', () => playback.toggle(), { class: 'icon-button play' });
    this.#scrub = el('input', {
      type: 'range', min: 0, max: 1, step: 'any', value: 0, class: 'scrub', 'aria-label': 'Time',
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
    this.#loop = iconButton('loop', 'Loop (L)', () => this.toggleLoop(), { 'aria-pressed': 'true' });
    this.#lock = iconButton('lock', 'Keep the root in place (K)', () => this.toggleLock(), { 'aria-pressed': 'false' });
    const speed = el('select', { 'aria-label': 'Speed', title: 'Speed', onchange: () => {
      playback.speed = Number(speed.value);
    } }, ...SPEEDS.map((value) => el('option', { value, selected: value === 1 }, `${value}×`)));
    this.#mode = el('select', { 'aria-label': 'What a motion moves', title: 'What a motion moves', onchange: () => this.onReading(this.#mode.value as Reading) },
      el('option', { value: 'auto' }, 'Motion: automatic'),
      el('option', { value: 'file' }, 'As the file says'),
      el('option', { value: 'rotation-only' }, 'Rotations only'),
      el('option', { value: 'additive' }, 'Added to the rest pose'));
    this.#modeLabel = el('label', { class: 'pick', hidden: true }, this.#mode, icon('down'));
    this.element = el('section', { class: 'transport', 'aria-label': 'Playback' },
      el('div', { class: 'line' },
        iconButton('back', 'One frame back (←)', () => playback.step(-1), { class: 'icon-button step' }),
        this.#play,
        iconButton('forward', 'One frame on (→)', () => playback.step(1), { class: 'icon-button step' }),
        this.#scrub,
        this.#time),
      el('div', { class: 'line extras' },
        this.#name,
        this.#modeLabel,
        el('label', { class: 'pick' }, speed, icon('down')),
        this.#loop,
        this.#lock));
    this.update();
  }

  toggleLoop(): void {
    this.#playback.loop = !this.#playback.loop;
    this.#loop.setAttribute('aria-pressed', String(this.#playback.loop));
  }

  toggleLock(): void {
    const locked = this.#lock.getAttribute('aria-pressed') !== 'true';
    this.#lock.setAttribute('aria-pressed', String(locked));
    this.onLockRoot(locked);
  }

  showReadings(shown: boolean, reading: Reading): void {
    this.#modeLabel.hidden = !shown;
    this.#mode.value = reading;
  }

  /** Cheap enough for every frame: touches the page only where something changed. */
  update(): void {
    const { motion, time, duration, playing, frame, lastFrame } = this.#playback;
    this.element.classList.toggle('idle', motion === null);
    const seconds = `${time.toFixed(2)} s`;
    const text = motion === null ? '' : motion.frameRate > 0 ? `${frame} / ${lastFrame} · ${seconds}` : `${seconds} / ${duration.toFixed(2)} s`;
    const state = `${playing}|${text}|${motion?.name ?? ''}|${duration}`;
    if (state === this.#shown) return;
    this.#shown = state;
    if (this.#play.dataset.playing !== String(playing)) {
      this.#play.dataset.playing = String(playing);
      setIcon(this.#play, playing ? 'pause' : 'play');
      this.#play.setAttribute('aria-label', playing ? 'Pause (space)' : 'Play (space)');
      this.#play.title = playing ? 'Pause (space)' : 'Play (space)';
    }
    const still = motion === null || duration <= 0;
    for (const control of this.element.querySelectorAll<HTMLButtonElement | HTMLInputElement>('.play, .step, .scrub')) control.disabled = still;
    this.#scrub.max = String(duration || 1);
    this.#scrub.value = String(time);
    this.#scrub.style.setProperty('--done', `${duration > 0 ? (time / duration) * 100 : 0}%`);
    this.#scrub.setAttribute('aria-valuetext', text || 'no motion');
    this.#time.textContent = text || '–';
    const name = motion?.name ?? 'Rest pose';
    if (this.#name.textContent !== name) {
      this.#name.textContent = name;
      this.#name.title = name;
    }
  }
}
