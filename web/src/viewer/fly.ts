// Fly mode: the visitor moves through the scene with W, A, S, D, Q and E, and looks around with the
// pointer or the arrow keys.
import { effect, signal } from '@preact/signals-core';
import { Vector2, Vector3 } from 'three';
import { fly, type View } from '../view/index.ts';

/** Directions of the keys, by the place of the key on the keyboard: right, up, back. */
const MOVES: Readonly<Record<string, readonly [x: number, y: number, z: number]>> = {
  KeyW: [0, 0, -1],
  KeyS: [0, 0, 1],
  KeyA: [-1, 0, 0],
  KeyD: [1, 0, 0],
  KeyE: [0, 1, 0],
  KeyQ: [0, -1, 0],
};
/** Rotations of the arrow keys: around the vertical axis, and up. */
const TURNS: Readonly<Record<string, readonly [yaw: number, pitch: number]>> = {
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
/** Speed in radii of the model per second. */
const SPEED = 0.8;
/** Factor of the speed while Shift is pressed. */
const FAST = 4;
/** Speed of the arrow keys in radians per second. */
const TURN_SPEED = 1.4;
/** Rotation by the pointer in radians per pixel. */
const POINTER_SPEED = 0.004;
/** Controls that use letters and arrow keys themselves. */
const TYPING =
  'input, select, textarea, summary, [contenteditable], [role="listbox"], [role="tree"], [role="grid"], [role="radiogroup"], [role="tablist"]';

export class Fly {
  readonly isOn = signal(false);
  readonly #view: View;
  /** Codes of the pressed keys. */
  readonly #pressed = new Set<string>();
  readonly #abort = new AbortController();
  #isFast = false;

  /**
   * `surface`: the element that receives pointer input. `onChange`: called before the mode starts or
   * ends.
   */
  constructor(view: View, surface: HTMLElement, onChange: (isOn: boolean) => void) {
    this.#view = view;
    effect(() => {
      const isOn = this.isOn.value;
      onChange(isOn);
      this.#pressed.clear();
      view.cameraRig.isFlying = isOn;
      surface.classList.toggle('flying', isOn);
      view.invalidate();
    });
    this.#followPointer(surface);
    const { signal } = this.#abort;
    window.addEventListener('keyup', ({ code, shiftKey }) => this.#release(code, shiftKey), { signal });
    window.addEventListener('blur', () => this.#pressed.clear(), { signal });
  }

  dispose(): void {
    this.#abort.abort();
  }

  /** Presses or releases a key, for example of a button on the screen. `code`: as in KeyboardEvent. */
  press(code: string, isPressed: boolean): void {
    if (!isPressed) return this.#release(code, false);
    this.#pressed.add(code);
    this.#view.invalidate();
  }

  #release(code: string, isFast: boolean): void {
    this.#pressed.delete(code);
    this.#isFast = isFast;
  }

  /** Uses a pressed key. Returns false if the key has another purpose. */
  onKey(event: KeyboardEvent): boolean {
    const { code, ctrlKey, metaKey, altKey, shiftKey, target } = event;
    if (!this.isOn.peek() || ctrlKey || metaKey || altKey) return false;
    this.#isFast = shiftKey;
    if (!(code in MOVES || code in TURNS)) return false;
    if ((target as Element | null)?.closest?.(TYPING)) return false;
    this.press(code, true);
    return true;
  }

  /** Moves the camera by the pressed keys. Returns true while it moves. */
  tick(seconds: number): boolean {
    if (!this.isOn.peek() || this.#pressed.size === 0) return false;
    const move = new Vector3();
    let [yaw, pitch] = [0, 0];
    for (const code of this.#pressed) {
      const [x, y, z] = MOVES[code] ?? [0, 0, 0];
      const [around, up] = TURNS[code] ?? [0, 0];
      move.add(new Vector3(x, y, z));
      yaw += around;
      pitch += up;
    }
    const radius = this.#view.extent?.radius ?? 1;
    move.normalize().multiplyScalar(SPEED * radius * (this.#isFast ? FAST : 1) * seconds);
    fly(this.#view.cameraRig, move, yaw * TURN_SPEED * seconds, pitch * TURN_SPEED * seconds);
    return true;
  }

  #followPointer(surface: HTMLElement): void {
    const last = new Vector2();
    let pointer: number | null = null;
    surface.addEventListener('pointerdown', event => {
      if (!this.isOn.peek() || pointer !== null) return;
      pointer = event.pointerId;
      last.set(event.clientX, event.clientY);
      surface.setPointerCapture(event.pointerId);
    });
    surface.addEventListener('pointermove', ({ pointerId, clientX, clientY }) => {
      if (pointerId !== pointer || !this.isOn.peek()) return;
      fly(this.#view.cameraRig, new Vector3(), (last.x - clientX) * POINTER_SPEED, (last.y - clientY) * POINTER_SPEED);
      last.set(clientX, clientY);
    });
    for (const type of ['pointerup', 'pointercancel'] as const)
      surface.addEventListener(type, ({ pointerId }) => {
        if (pointerId === pointer) pointer = null;
      });
  }
}
