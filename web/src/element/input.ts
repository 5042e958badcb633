// Pointer, wheel and keyboard input. By default, scrolling the page has priority: the wheel zooms
// only if Ctrl is held or the element has the focus, and only a horizontal swipe rotates the
// camera.
import { CAMERA_KEYS } from '../view/cameraKeys.ts';
import type { CameraRig } from '../view/camera.ts';

export type Interaction = 'auto' | 'always' | 'none';

export function parseInteraction(text: string | null): Interaction {
  return text === 'always' || text === 'none' ? text : 'auto';
}

/** Distance in pixels that a finger must move horizontally before the camera rotates. */
const TOUCH_THRESHOLD = 10;

export class Input {
  readonly #surface: HTMLElement;
  readonly #rig: CameraRig;
  readonly #abort = new AbortController();
  #kind: Interaction = 'auto';
  /** Position where the current touch started; null if the touch cannot scroll the page. */
  #touchStart: { x: number; y: number } | null = null;

  /**
   * `onUse`: called when the visitor starts to move the camera. `onReset`: called when the visitor
   * double-clicks or presses Home.
   */
  constructor(surface: HTMLElement, rig: CameraRig, onUse: () => void, onReset: () => void) {
    this.#surface = surface;
    this.#rig = rig;
    const { signal } = this.#abort;
    // Capture listeners run before the listeners of OrbitControls, which would handle the wheel.
    surface.addEventListener('wheel', event => (rig.controls.enableZoom = this.#allowsWheelZoom(event)), {
      signal,
      capture: true,
      passive: true,
    });
    surface.addEventListener('pointerdown', event => this.#onPointerDown(event), { signal, capture: true });
    surface.addEventListener('pointermove', event => this.#mayBeScrolling(event) && event.stopImmediatePropagation(), {
      signal,
      capture: true,
    });
    surface.addEventListener('keydown', event => this.#onKeyDown(event, onUse, onReset), { signal });
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

  #onPointerDown({ pointerType, isPrimary, clientX, clientY }: PointerEvent): void {
    this.#rig.controls.enableZoom = true;
    this.#touchStart = this.#kind === 'auto' && pointerType === 'touch' && isPrimary ? { x: clientX, y: clientY } : null;
  }

  /**
   * True while the browser may still treat a touch as scrolling of the page. Until then, the touch
   * must not rotate the camera.
   */
  #mayBeScrolling({ clientX, clientY }: PointerEvent): boolean {
    if (!this.#touchStart) return false;
    const [x, y] = [Math.abs(clientX - this.#touchStart.x), Math.abs(clientY - this.#touchStart.y)];
    if (x > TOUCH_THRESHOLD && x > y) this.#touchStart = null;
    return this.#touchStart !== null;
  }

  #allowsWheelZoom({ ctrlKey, metaKey }: WheelEvent): boolean {
    if (this.#kind === 'always') return true;
    const root = this.#surface.getRootNode() as ShadowRoot;
    return this.#kind === 'auto' && (ctrlKey || metaKey || root.activeElement === this.#surface);
  }

  #onKeyDown(event: KeyboardEvent, onUse: () => void, onReset: () => void): void {
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
