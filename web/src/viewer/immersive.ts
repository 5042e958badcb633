// VR and AR: whether the device offers them, the session, and the card over the viewport during it.
import { effect, signal } from '@preact/signals-core';
import type { Playback, RecordingOverlay, SharedRenderer, View } from '../view/index.ts';
import type { Immersive } from '../view/immersive.ts';
import { type ImmersiveMode, supportsImmersive } from '../view/immersiveSupport.ts';
import { surroundings } from './colors.ts';
import { el } from './dom.ts';
import { words } from './words/index.ts';

/** The text of the card: for the mode of the session, or for a session that could not start. */
type Shown = ImmersiveMode | 'failed';

/** The part of the viewport that a session needs. */
interface Stage {
  readonly sharedRenderer: SharedRenderer;
  readonly view: View;
  readonly playback: Playback;
  /** `front`: angle of the model's forward direction around the vertical axis, in radians. */
  readonly cameraView: { readonly front: number; readonly isThroughCamera: { readonly value: boolean } };
  readonly recording: RecordingOverlay | null;
}

export class ImmersiveControl {
  /** Modes that the device supports. */
  readonly modes = signal<readonly ImmersiveMode[]>([]);
  readonly shown = signal<Shown | null>(null);
  /** Card over the viewport; over the camera picture of a phone in AR. */
  readonly element: HTMLElement;
  #session: Immersive | null = null;
  readonly #viewport: Stage;
  readonly #abort = new AbortController();

  constructor(viewport: Stage) {
    this.#viewport = viewport;
    const text = el('p', { role: 'status' });
    const leave = el('button', { type: 'button', class: 'button', onclick: () => void this.leave() });
    // A tap on the button must not also place the model.
    leave.addEventListener('beforexrselect', event => event.preventDefault());
    this.element = el('div', { class: 'immersive', hidden: true }, el('div', { class: 'card' }, text, leave));
    effect(() => {
      const shown = this.shown.value;
      this.element.hidden = shown === null;
      text.textContent = shown ? words.immersive[shown] : '';
      leave.textContent = shown === 'failed' ? words.close : words.immersive.leave;
    });
    navigator.xr?.addEventListener('devicechange', () => void this.#detect(), { signal: this.#abort.signal });
    void this.#detect();
  }

  async #detect(): Promise<void> {
    const modes = await Promise.all((['vr', 'ar'] as const).map(async mode => ((await supportsImmersive(mode)) ? [mode] : [])));
    this.modes.value = this.#viewport.sharedRenderer.isWebGPU ? [] : modes.flat(); // three.js has no WebXR with WebGPU
    // A session can start only soon after an input, so its code is loaded before.
    if (this.modes.value.length > 0) await import('../view/immersive.ts').catch(() => {});
  }

  get current(): ImmersiveMode | null {
    return this.shown.value === 'failed' ? null : this.shown.value;
  }

  /** Enters a mode, or leaves it if it is the current one. */
  async toggle(mode: ImmersiveMode): Promise<void> {
    const viewport = this.#viewport;
    if (this.current !== null) return this.leave();
    try {
      const { Immersive } = await import('../view/immersive.ts');
      this.#session = await Immersive.start(viewport.sharedRenderer, viewport.view, {
        mode,
        front: () => viewport.cameraView.front,
        head: () => viewport.recording?.camera ?? null,
        background: surroundings(this.element),
        overlay: this.element,
        onSelect: () => viewport.playback.toggle(),
        onEnd: () => {
          this.#session = null;
          this.shown.value = null;
          if (viewport.recording) viewport.recording.showsGizmos = !viewport.cameraView.isThroughCamera.value;
        },
      });
      // The visitor's eyes are at the recorded head, inside its frustum.
      if (viewport.recording) viewport.recording.showsGizmos = false;
      this.shown.value = mode;
    } catch (error) {
      console.error(error);
      this.shown.value = 'failed';
    }
  }

  /** Ends the session, or closes the message. */
  async leave(): Promise<void> {
    await this.#session?.end();
    this.shown.value = null;
  }

  dispose(): void {
    this.#abort.abort();
    void this.leave();
  }
}
