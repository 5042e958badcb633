// Starts and ends the fly mode, and shows its bar. Imported when the visitor first flies.
import { effect } from '@preact/signals-core';
import { el, icon } from './dom.ts';
import { Fly } from './fly.ts';
import type { Page } from './page.ts';
import { words } from './words/index.ts';

function createFly(page: Page): Fly {
  const { view, sharedRenderer, overlays } = page.viewport;
  const created = new Fly(view, sharedRenderer.canvas);
  overlays.label.before(flyBar(page, created));
  return created;
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

/** Creates the bar of the fly mode. It has buttons that move the camera, for touch screens. */
function flyBar(page: Page, fly: Fly): HTMLElement {
  const text = words.fly;
  const pad = Object.entries(text.moves).map(([code, label]) => {
    const press = (isPressed: boolean) => () => fly.press(code, isPressed);
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
      label,
    );
  });
  const bar = el(
    'div',
    { class: 'fly-bar', role: 'group', 'aria-label': words.commands.fly.title, hidden: true },
    el('p', {}, text.help),
    el('div', { class: 'pad' }, ...pad),
    el('button', { type: 'button', class: 'button', onclick: () => page.run('leave') }, icon('close'), text.exit),
  );
  effect(() => {
    bar.hidden = !fly.isOn.value;
  });
  return bar;
}
