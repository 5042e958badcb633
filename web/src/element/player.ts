// Selects the animations of the model of an element and plays them.
import type { ClipAction } from '../session/clipAction.ts';
import type { AnimationList } from './animations.ts';
import { Clock } from './clock.ts';
import { parseNumber } from './cssValues.ts';
import { messageOf, reportError } from './errors.ts';
import type { AnimationInfo, PresenterHost } from './types.ts';

interface PendingSelection {
  abort: AbortController;
  isPlaying: boolean;
}

interface PlayerCallbacks {
  /** Called when the pose has changed. */
  onPose(): void;
  /** Called with a new selection before its cross-fade begins. `action` is null for the rest pose. */
  onSelecting(action: ClipAction | null): void;
  /** Called when animations are selected. `fade`: duration of the cross-fade in seconds. */
  onSelected(fade: number): void;
}

export class Player {
  readonly clock: Clock;
  readonly #host: PresenterHost;
  readonly #callbacks: PlayerCallbacks;
  #animations: AnimationList | null = null;
  /** Animations that are selected as soon as their keys are read, and whether they then play. */
  #pending: PendingSelection | null = null;
  /** The action that poses the model. If no animation is selected, it holds the rest pose. */
  #action: ClipAction | null = null;
  readonly #reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

  constructor(host: PresenterHost, callbacks: PlayerCallbacks) {
    this.#host = host;
    this.#callbacks = callbacks;
    this.clock = new Clock(host, () => callbacks.onPose());
  }

  get list(): readonly AnimationInfo[] {
    return this.#animations?.list ?? [];
  }

  /** Names of the selected animations. */
  get names(): readonly string[] {
    return this.clock.action?.names ?? [];
  }

  get frameRate(): number {
    return this.clock.action?.frameRate ?? 0;
  }

  get isFading(): boolean {
    return this.#action?.isFading ?? false;
  }

  /** True if the attribute `autoplay` is set and the visitor does not prefer reduced motion. */
  get isAutoplay(): boolean {
    return this.#host.element.hasAttribute('autoplay') && !this.#reducedMotion.matches;
  }

  /** An action of the first animation whose keys are read; null if there is none. */
  firstReadAction(): ClipAction | null {
    const row = this.#animations?.list.findIndex(({ clip }) => !clip.keysUnread) ?? -1;
    return row < 0 ? null : this.#animations!.actionFor([row], this.#attribute('additive'));
  }

  /** Sets the animations that can be selected. */
  open(animations: AnimationList): void {
    this.#animations = animations;
  }

  /** Reads the keys of the animation that the attribute `animation` names. */
  async load(signal: AbortSignal): Promise<void> {
    await this.#animations!.load(this.#findRows(false), signal).catch(() => {}); // `select` tries again and reports the error
  }

  /** Selects the animation and the time that the attributes specify. */
  start(): void {
    this.select(this.isAutoplay);
    const time = parseNumber(this.#attribute('time')) ?? (parseNumber(this.#attribute('frame')) ?? 0) / (this.frameRate || Infinity);
    if (time > 0) this.clock.time = time;
  }

  /** Deselects the animations and removes them from the list. */
  close(): void {
    this.#cancelPending();
    this.clock.clear();
    this.#action?.stop();
    this.#animations = this.#action = null;
  }

  play(): void {
    if (!this.#pending && !this.clock.action) this.#selectRows(this.#animations?.preferred() ?? [], true);
    if (this.#pending) this.#pending.isPlaying = true;
    else this.clock.play();
  }

  pause(): void {
    if (this.#pending) this.#pending.isPlaying = false;
    this.clock.pause();
  }

  /** Advances playback and cross-fades by `seconds`. Returns true if the pose changes further. */
  tick(seconds: number): boolean {
    const isPlaying = this.clock.tick(seconds);
    const { isFading } = this;
    // A cross-fade continues while playback is paused.
    if (isFading && !isPlaying) this.#action!.seek(this.clock.time, seconds);
    return isPlaying || isFading;
  }

  /** Poses the model again, at the current time. */
  pose(): void {
    this.#action?.seek(this.clock.time);
  }

  /** Selects the animations of the attribute `animation`, immediately or as soon as their keys are read. */
  select(isPlaying: boolean): void {
    this.#selectRows(this.#findRows(true), isPlaying);
  }

  #selectRows(rows: readonly number[], isPlaying: boolean): void {
    this.#cancelPending();
    if (this.#animations!.isUnread(rows)) void this.#selectLater(rows, isPlaying);
    else this.#selectNow(rows, isPlaying);
  }

  #cancelPending(): void {
    this.#pending?.abort.abort();
    this.#pending = null;
  }

  async #selectLater(rows: readonly number[], isPlaying: boolean): Promise<void> {
    const pending = (this.#pending = { abort: new AbortController(), isPlaying });
    const list = this.#animations!;
    try {
      const changed = await list.load(rows, pending.abort.signal);
      if (this.#pending !== pending) return;
      this.#pending = null;
      for (const { file, report } of changed) this.#host.emit('report', { file: file.name ?? '', report });
      this.#selectNow(rows, pending.isPlaying);
    } catch (error) {
      if (this.#pending !== pending) return;
      this.#pending = null;
      reportError(this.#host, messageOf(rows.map(row => list.list[row]!.name).join(', '), error), error);
    }
  }

  #selectNow(rows: readonly number[], isPlaying: boolean): void {
    const before = this.names;
    const fade = this.#reducedMotion.matches ? 0 : (parseNumber(this.#attribute('fade')) ?? 0);
    const action = this.#animations!.actionFor(rows, this.#attribute('additive'));
    const isRest = rows.length === 0;
    const begin = fade > 0 ? action.prepareCrossFade(fade) : null;
    this.#action = action;
    if (isRest) action.seek(0);
    this.clock.select(isRest ? null : action, isPlaying);
    this.#callbacks.onSelecting(isRest ? null : action);
    begin?.();
    this.#callbacks.onSelected(fade);
    if (before.join('\n') !== this.names.join('\n')) this.#host.emit('animationchange', { names: this.names });
  }

  /** Returns the rows of the attribute `animation`. Without it, those of the default animations. */
  #findRows(isReported: boolean): number[] {
    const text = this.#attribute('animation');
    const list = this.#animations!;
    if (text === null) return list.preferred();
    const rows = list.find(text);
    if (!rows && isReported) reportError(this.#host, `There is no animation “${text}”.`);
    return rows ?? [];
  }

  #attribute(name: string): string | null {
    return this.#host.element.getAttribute(name);
  }
}
