// Starts and ends the fly mode, and shows its bar. Imported when the visitor first flies.
import { el, icon } from './dom.ts';
import { Fly } from './fly.ts';
import type { Page } from './page.ts';
import { words } from './words/index.ts';

function createFly(page: Page): Fly {
  const { view, sharedRenderer, overlays, covers } = page.viewport;
  const bar = flyBar(page, (code, isPressed) => fly.press(code, isPressed));
  const fly = new Fly(view, sharedRenderer.canvas, isOn => {
    bar.hidden = !isOn;
    covers.update(); // the camera frames the model above the bar before the visitor flies
  });
  overlays.label.before(bar);
  covers.add(bar);
  return fly;
}

/** Starts the fly mode, or ends it. */
export function toggleFly(page: Page): void {
  const { viewport } = page;
  const { isOn } = (viewport.fly.value ??= createFly(page));
  if (viewport.cameraView.isThroughCamera.value) viewport.cameraView.lookThrough(false);
  isOn.value = !isOn.value;
  page.announce(isOn.value ? words.fly.help : words.fly.ended);
  if (isOn.value) viewport.sharedRenderer.canvas.focus({ preventScroll: true });
}

/** Keys of the buttons, as they are arranged in two rows. */
const PAD = ['KeyA', 'KeyW', 'KeyD', 'KeyQ', 'KeyS', 'KeyE'] as const;

/**
 * Creates the bar of the fly mode. It has buttons that move the camera, for touch screens. `move`:
 * presses or releases a key.
 */
function flyBar(page: Page, move: Fly['press']): HTMLElement {
  const text = words.fly;
  const pad = PAD.map(code => {
    const press = (isPressed: boolean) => () => move(code, isPressed);
    return el(
      'button',
      {
        type: 'button',
        class: 'button',
        onpointerdown: press(true),
        onpointerup: press(false),
        onpointercancel: press(false),
        onpointerleave: press(false),
        oncontextmenu: (event: Event) => event.preventDefault(),
      },
      text.moves[code],
    );
  });
  return el(
    'div',
    { class: 'fly-bar', role: 'group', 'aria-label': words.commands.fly.title, hidden: true },
    el('p', {}, text.help),
    el('div', { class: 'pad' }, ...pad),
    el('button', { type: 'button', class: 'button', onclick: () => page.run('leave') }, icon('close'), el('span', {}, text.exit)),
  );
}
