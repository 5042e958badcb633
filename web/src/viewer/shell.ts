// Layout of the page around the viewport: header, tools, cards and overlays.
import { effect } from '@preact/signals-core';
import { buttonsOf, menuOf } from './buttons.ts';
import { lostCard, refusalCard, welcomeCard } from './cards.ts';
import { demos } from './demos.ts';
import { el, icon } from './dom.ts';
import type { Page } from './page.ts';
import { defer } from './deferred.ts';
import { words } from './words/index.ts';

export function header(page: Page): HTMLElement {
  const mark = icon('bones');
  mark.classList.add('mark');
  return el(
    'header',
    {},
    el(
      'a',
      { class: 'brand', href: 'https://www.npmjs.com/package/rigcast', target: '_blank', rel: 'noopener', 'aria-label': 'rigcast' },
      mark,
      el('span', {}, 'rigcast'),
    ),
    title(page),
    // Compact windows show the menu instead of most of the buttons.
    el('nav', { 'aria-label': words.pageCommands }, ...buttonsOf(page, 'header'), ...menuOf(page, 'header', words.menu)),
  );
}

function title({ session, viewport }: Page): HTMLElement {
  const heading = el('h1', { class: 'title' });
  effect(() => {
    const { shown, animationFiles, demo } = session.value;
    const name = (shown ?? animationFiles[0])?.input.file.name ?? '';
    const example = demos.find(({ id }) => id === demo);
    heading.textContent = example ? words.demoTitle(words.demoNames[example.id]) : name;
    heading.title = name;
    heading.hidden = heading.textContent === '';
    document.title = words.pageTitle(example ? '' : name);
    viewport.sharedRenderer.canvas.setAttribute('aria-label', words.canvas(name));
  });
  return heading;
}

/**
 * Creates the viewport with its cards and tools. `host`: element that contains the canvas. `busy`:
 * the progress card.
 */
export function main(page: Page, host: HTMLElement, busy: HTMLElement): HTMLElement {
  const tools = el(
    'div',
    { class: 'tools', role: 'toolbar', 'aria-label': words.view, 'aria-orientation': 'vertical' },
    ...buttonsOf(page, 'tools'),
  );
  const bar = demoBar(page);
  const start = welcomeCard(page);
  for (const cover of [tools, bar, start]) page.viewport.covers.add(cover);
  return el(
    'main',
    { class: 'viewport' },
    host,
    finder(page),
    page.viewport.overlays.label,
    page.viewport.overlays.names.canvas,
    tools,
    bar,
    start,
    refusalCard(page),
    lostCard(page),
    page.viewport.immersive.element,
    busy,
  );
}

/**
 * Creates the viewfinder frame. It is visible while the viewport renders through a recorded camera.
 */
function finder({ root, viewport, recorded }: Page): HTMLElement {
  const leave = (): void => viewport.cameraView.lookThrough(false);
  const frame = el(
    'div',
    { class: 'finder', hidden: true },
    el('button', { type: 'button', class: 'button', onclick: leave }, icon('close'), words.commands.leave.title),
  );
  effect(() => {
    const isThroughCamera = viewport.cameraView.isThroughCamera.value;
    frame.hidden = !isThroughCamera;
    root.classList.toggle('external-camera', isThroughCamera);
  });
  // The viewfinder has the aspect ratio of the recorded camera.
  effect(() => {
    if (recorded.value) frame.style.setProperty('--aspect', String(viewport.recording?.camera?.aspect ?? 1));
  });
  return frame;
}

function demoBar(page: Page): HTMLElement {
  const buttons = demos.map(({ id }) =>
    el(
      'button',
      { type: 'button', 'data-demo': id, onclick: () => void page.openDemo(id) },
      words.demoNames[id],
      el('small', {}, words.demoKinds[id]),
    ),
  );
  const bar = el('div', { class: 'demos', role: 'group', 'aria-label': words.demos }, ...buttons);
  effect(() => {
    const { demo } = page.session.value;
    bar.hidden = demo === null;
    page.root.classList.toggle('demo', demo !== null);
    for (const one of buttons) {
      const isOpen = one.dataset.demo === demo;
      one.setAttribute('aria-pressed', String(isOpen));
      if (isOpen) defer(() => one.scrollIntoView({ block: 'nearest', inline: 'nearest' }));
    }
  });
  return bar;
}

/** Creates the live region, whose text screen readers announce. */
export function announcer({ announcement }: Page): HTMLElement {
  const live = el('div', { class: 'sr-only', role: 'status', 'aria-live': 'polite' });
  effect(() => {
    live.textContent = announcement.value.text;
  });
  return live;
}

/** Creates the overlay that is visible while files are dragged over the page. */
export const dropOverlay = (): HTMLElement =>
  el(
    'div',
    { class: 'drop-overlay', 'aria-hidden': 'true' },
    el('div', {}, icon('drop'), el('strong', {}, words.dropTitle), el('span', {}, words.dropText)),
  );
