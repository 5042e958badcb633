// Grip that expands and collapses the sheet. The sheet contains the side panels and is below the
// viewport in narrow windows.
import { el } from './dom.ts';
import { words } from './words/index.ts';

/** Distance that the pointer must move before a press becomes a drag, in pixels. */
const PULL = 16;

/** Creates the grip. `root`: element that gets the class `tall` while the sheet is expanded. */
export function gripOf(root: HTMLElement): HTMLButtonElement {
  let from: number | null = null;
  let isPulled = false;
  const set = (isTall: boolean): void => {
    root.classList.toggle('tall', isTall);
    grip.setAttribute('aria-expanded', String(isTall));
  };
  const end = (): void => void (from = null);
  const grip = el('button', {
    type: 'button',
    class: 'grip',
    'aria-label': words.expandPanels,
    title: words.expandPanels,
    'aria-expanded': 'false',
    onpointerdown: (event: PointerEvent) => {
      from = event.clientY;
      isPulled = false;
      grip.setPointerCapture(event.pointerId);
    },
    onpointermove: (event: PointerEvent) => {
      if (from === null || Math.abs(event.clientY - from) < PULL) return;
      isPulled = true;
      set(event.clientY < from);
      from = event.clientY;
    },
    onpointerup: end,
    onpointercancel: end,
    onclick: () => {
      if (!isPulled) set(!root.classList.contains('tall'));
      isPulled = false;
    },
  });
  return grip;
}
