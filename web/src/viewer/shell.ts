// What the page is made of around the stage: header, tools and demos. It only shows; commands and signals do the rest.
import { effect } from '@preact/signals-core';
import { buttonsOf } from './buttons.ts';
import { lostCard, troubleCard, welcomeCard } from './cards.ts';
import { demos } from './demos.ts';
import { el, icon } from './dom.ts';
import type { Page } from './page.ts';
import { soon } from './soon.ts';
import { words } from './words/index.ts';

/** Of the picture, from one edge: in a tiny one the model is seen below what lies over it rather than not at all. */
const MOST_COVERED = 0.4;

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
    el('nav', { 'aria-label': words.open }, ...buttonsOf(page, 'header')),
  );
}

function title({ session, scenery }: Page): HTMLElement {
  const heading = el('h1', { class: 'title' });
  effect(() => {
    const { shown, animationFiles, demo } = session.value;
    const name = (shown ?? animationFiles[0])?.given.file.name ?? '';
    const example = demos.find(({ id }) => id === demo);
    heading.textContent = example ? words.demoTitle(words.demoNames[example.id]) : name;
    heading.title = name;
    heading.hidden = heading.textContent === '';
    document.title = words.pageTitle(example ? '' : name);
    scenery.sharedRenderer.canvas.setAttribute('aria-label', words.canvas(name));
  });
  return heading;
}

/** The stage in its `host`, and what lies over it. `busy`: what is being done. */
export function main(page: Page, host: HTMLElement, busy: HTMLElement): HTMLElement {
  const tools = el(
    'div',
    { class: 'tools', role: 'toolbar', 'aria-label': words.view, 'aria-orientation': 'vertical' },
    ...buttonsOf(page, 'tools'),
  );
  const bar = demoBar(page);
  const start = welcomeCard(page);
  keepClear(page, host, [tools, bar, start]);
  return el(
    'main',
    { class: 'stage' },
    host,
    finder(page),
    page.scenery.overlays.label,
    page.scenery.overlays.names.canvas,
    tools,
    bar,
    start,
    troubleCard(page),
    lostCard(page),
    busy,
  );
}

/** What stands on the stage is seen beside what lies over it: each of `covers` takes the edge where the largest square stays free. */
function keepClear({ scenery }: Page, host: HTMLElement, covers: readonly HTMLElement[]): void {
  const watch = new ResizeObserver(() => {
    const stage = host.getBoundingClientRect();
    if (stage.width === 0 || stage.height === 0) return;
    const insets = { top: 0, right: 0, bottom: 0, left: 0 };
    for (const cover of covers) {
      const { width, top, right, bottom, left } = cover.getBoundingClientRect();
      if (width === 0) continue;
      const edges = [
        { side: 'top', taken: bottom - stage.top, across: stage.height, along: stage.width },
        { side: 'right', taken: stage.right - left, across: stage.width, along: stage.height },
        { side: 'bottom', taken: stage.bottom - top, across: stage.height, along: stage.width },
        { side: 'left', taken: right - stage.left, across: stage.width, along: stage.height },
      ] as const;
      const free = ({ taken, across, along }: (typeof edges)[number]): number =>
        Math.min(across - taken, along) + 1e-9 * (across - taken) * along;
      const { side, taken, across } = edges.reduce((best, edge) => (free(edge) > free(best) ? edge : best));
      insets[side] = Math.max(insets[side], Math.min(taken / across, MOST_COVERED));
    }
    scenery.view.cameraRig.insets = insets;
  });
  for (const each of [host, ...covers]) watch.observe(each);
}

/** The frame around what a recorded camera saw. */
function finder({ root, scenery, recorded }: Page): HTMLElement {
  const leave = (): void => scenery.eye.lookThrough(false);
  const frame = el(
    'div',
    { class: 'finder', hidden: true },
    el('button', { type: 'button', class: 'button', onclick: leave }, icon('close'), words.commands.leave.title),
  );
  effect(() => {
    const isThrough = scenery.eye.isThrough.value;
    frame.hidden = !isThrough;
    root.classList.toggle('eye', isThrough);
  });
  // Its shape is the recording's.
  effect(() => {
    if (recorded.value) frame.style.setProperty('--aspect', String(scenery.recording?.camera?.aspect ?? 1));
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
      if (isOpen) soon(() => one.scrollIntoView({ block: 'nearest', inline: 'nearest' }));
    }
  });
  return bar;
}

/** For those who hear what happens. */
export function announcer({ said }: Page): HTMLElement {
  const live = el('div', { class: 'sr-only', role: 'status', 'aria-live': 'polite' });
  effect(() => {
    live.textContent = said.value.text;
  });
  return live;
}

/** What hangs over the page while something is dragged onto it. */
export const veil = (): HTMLElement =>
  el(
    'div',
    { class: 'veil', 'aria-hidden': 'true' },
    el('div', {}, icon('drop'), el('strong', {}, words.dropTitle), el('span', {}, words.dropText)),
  );
