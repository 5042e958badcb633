// Where the window is narrow the panels lie below the stage. Their grip, pressed or pulled, gives them most of the page, and takes it back.
import { el } from './dom.ts';
import { words } from './words/index.ts';

/** Pixels that a finger moves before it pulls instead of pressing. */
const PULL = 16;

/** The grip of the sheet. While the sheet is tall, `root` has the class that the style sheet knows. */
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
    'aria-label': words.largePanels,
    title: words.largePanels,
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
