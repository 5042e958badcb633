// Who gets wheel, drag and touch: the page first. A wheel over the picture scrolls the page unless the visitor holds Ctrl or has chosen the picture; a
// finger scrolls up and down, and turns the model sideways.
import { CAMERA_KEYS } from '../view/cameraKeys.ts';
import type { CameraRig } from '../view/camera.ts';

export type Interaction = 'auto' | 'always' | 'none';

export function interactionOf(text: string | null): Interaction {
  return text === 'always' || text === 'none' ? text : 'auto';
}

/** Pixels that a finger goes before it is known whether it scrolls the page or turns the model. */
const UNDECIDED = 10;

export class Input {
  readonly #surface: HTMLElement;
  readonly #rig: CameraRig;
  readonly #abort = new AbortController();
  #kind: Interaction = 'auto';
  /** Where the only finger was put down that has not gone far since. */
  #from: { x: number; y: number } | null = null;

  /** `onUse`: the visitor has moved the camera, or is about to; `onReset`: they want it back. */
  constructor(surface: HTMLElement, rig: CameraRig, onUse: () => void, onReset: () => void) {
    this.#surface = surface;
    this.#rig = rig;
    const { signal } = this.#abort;
    // Before the controls' own listener, which takes every wheel that it may zoom by.
    surface.addEventListener('wheel', event => (rig.controls.enableZoom = this.#takes(event)), { signal, capture: true, passive: true });
    surface.addEventListener('pointerdown', event => this.#begin(event), { signal, capture: true });
    surface.addEventListener('pointermove', event => this.#isForPage(event) && event.stopImmediatePropagation(), { signal, capture: true });
    surface.addEventListener('keydown', event => this.#press(event, onUse, onReset), { signal });
    surface.addEventListener('dblclick', () => this.#kind !== 'none' && onReset(), { signal });
    rig.onInteraction = onUse;
    this.kind = 'auto';
  }

  get kind(): Interaction {
    return this.#kind;
  }

  set kind(kind: Interaction) {
    this.#kind = kind;
    const surface = this.#surface;
    this.#rig.controls.enabled = kind !== 'none' && !this.#rig.externalCamera;
    surface.style.touchAction = { auto: 'pan-y', always: 'none', none: 'auto' }[kind];
    surface.classList.toggle('still', kind === 'none');
    if (kind === 'none') surface.removeAttribute('tabindex');
    else surface.tabIndex = 0;
    if (kind === 'none') surface.removeAttribute('aria-keyshortcuts');
    else surface.setAttribute('aria-keyshortcuts', 'ArrowLeft ArrowRight ArrowUp ArrowDown + - Home');
  }

  dispose(): void {
    this.#abort.abort();
  }

  #begin({ pointerType, isPrimary, clientX, clientY }: PointerEvent): void {
    this.#rig.controls.enableZoom = true;
    this.#from = this.#kind === 'auto' && pointerType === 'touch' && isPrimary ? { x: clientX, y: clientY } : null;
  }

  /** What the browser will take for scrolling does not tilt the model until it does so. */
  #isForPage({ clientX, clientY }: PointerEvent): boolean {
    if (!this.#from) return false;
    const [x, y] = [Math.abs(clientX - this.#from.x), Math.abs(clientY - this.#from.y)];
    if (x > UNDECIDED && x > y) this.#from = null;
    return this.#from !== null;
  }

  #takes({ ctrlKey, metaKey }: WheelEvent): boolean {
    if (this.#kind === 'always') return true;
    const root = this.#surface.getRootNode() as ShadowRoot;
    return this.#kind === 'auto' && (ctrlKey || metaKey || root.activeElement === this.#surface);
  }

  #press(event: KeyboardEvent, onUse: () => void, onReset: () => void): void {
    if (this.#kind === 'none' || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = CAMERA_KEYS[event.key];
    if (step) {
      onUse();
      this.#rig.orbitBy(...step);
    } else if (event.key === 'Home') {
      onReset();
    } else {
      return;
    }
    event.preventDefault();
  }
}
