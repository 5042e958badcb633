// Layout at all window sizes, and accessibility, checked with axe.
import { Vector3 } from 'three';
import { page, userEvent } from 'vitest/browser';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { overlayOf } from '../../../../web/src/session/layeredAction.ts';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import type { PanelId } from '../../../../web/src/viewer/page.ts';
import type { SectionId } from '../../../../web/src/viewer/panelLayout.ts';
import { findings, smallTargets } from './accessibility.ts';
import { dropOn, fetchBlob, frames, makeViewer, press } from './support.ts';

let viewer: Viewer;

beforeAll(async () => {
  document.documentElement.lang = 'en';
  viewer = await makeViewer();
  await viewer.openDemo('tock');
  viewer.playback.pause();
}, 120_000);
afterAll(() => viewer.dispose());

describe('layout at all window sizes', () => {
  it.each([
    [740, 360],
    [667, 375],
    [720, 450],
    [360, 740],
    [390, 844],
    [1440, 900],
    [3840, 2160],
  ])('at %i × %i pixels the viewport is large enough and no control is covered', async (width, height) => {
    await page.viewport(width, height);
    await frames(3);
    const viewport = viewer.viewport.sharedRenderer.canvas.getBoundingClientRect();
    expect((viewport.width * viewport.height) / (width * height)).toBeGreaterThan(0.45);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    const controls = [
      ...viewer.root.querySelectorAll<HTMLElement>(
        'header :is(a, button), .tools button, .transport :is(button, input, select), .splitter, .tabs button',
      ),
    ];
    const seen = controls.filter(control => control.checkVisibility());
    expect(seen.length).toBeGreaterThan(15);
    for (const control of seen) {
      const { left, right, top, bottom } = control.getBoundingClientRect();
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      const name = control.getAttribute('aria-label') ?? control.textContent;
      expect(control.contains(hit) || hit?.contains(control), `${name} is hit`).toBe(true);
      expect([left >= -1, right <= width + 1, top >= -1, bottom <= height + 1], `${name} is inside`).toEqual([true, true, true, true]);
    }
  });
});

it('places the welcome card beside the demo model, not over it', async () => {
  await page.viewport(1440, 900);
  const start = viewer.root.querySelector('.welcome')!;
  for (const demo of ['tock', 'lotl', 'pip'] as const) {
    await viewer.openDemo(demo);
    await frames(3);
    const { right, top } = start.getBoundingClientRect();
    const viewport = viewer.viewport.sharedRenderer.canvas.getBoundingClientRect();
    const camera = viewer.view.cameraRig.active;
    const covered = viewer.model!.bones.filter(bone => {
      const { x, y } = bone.getWorldPosition(new Vector3()).project(camera);
      return viewport.left + ((x + 1) / 2) * viewport.width < right && viewport.top + ((1 - y) / 2) * viewport.height > top;
    });
    expect(covered.map(({ name }) => name)).toEqual([]);
  }
  await viewer.openDemo('tock');
  viewer.playback.pause();
});

const shareOf = (selector: string, axis: 'width' | 'height'): number =>
  viewer.root.querySelector(selector)!.getBoundingClientRect()[axis] / (axis === 'width' ? innerWidth : innerHeight);
const tabOf = (id: PanelId): HTMLElement => viewer.root.querySelector<HTMLElement>(`#panel-${id}-tab`)!;
const splitter = (): HTMLElement => viewer.root.querySelector<HTMLElement>('.side > .splitter')!;
const strike = (key: string): boolean => splitter().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));

/** Drags the splitter by `x` and `y` pixels. */
function pull(x: number, y: number): void {
  const element = splitter();
  const { left, top } = element.getBoundingClientRect();
  element.setPointerCapture = () => {}; // the simulated pointer can't be captured
  const send = (type: string, share: number): boolean =>
    element.dispatchEvent(new PointerEvent(type, { pointerId: 1, clientX: left + share * x, clientY: top + share * y, bubbles: true }));
  send('pointerdown', 0);
  send('pointermove', 0.5);
  send('pointermove', 1);
  send('pointerup', 1);
}

describe('the panels', () => {
  it.each([
    [1440, 900],
    [1000, 640],
    [740, 360],
    [360, 740],
    [320, 480],
  ])('have tabs with icon and word in a window of %i × %i pixels', async (width, height) => {
    await page.viewport(width, height);
    await viewer.openDemo('pip');
    await frames(3);
    const { right } = viewer.root.querySelector('.side')!.getBoundingClientRect();
    const tabs = [...viewer.root.querySelectorAll<HTMLElement>('.tabs button')];
    expect(tabs.map(tab => tab.querySelector('.text')!.textContent)).toEqual(['Files', 'Animations', 'Look', 'Details']);
    for (const tab of tabs) {
      const word = tab.querySelector<HTMLElement>('.text')!;
      expect([tab.querySelector('.icon')!.checkVisibility(), word.checkVisibility()], tab.id).toEqual([true, true]);
      expect([word.scrollWidth <= word.clientWidth + 1, tab.scrollWidth <= tab.clientWidth + 1], tab.id).toEqual([true, true]);
      expect(tab.getBoundingClientRect().right, tab.id).toBeLessThanOrEqual(right);
      expect(tab.getBoundingClientRect().bottom, tab.id).toBeLessThanOrEqual(height);
    }
  });

  it('are closed at first in a narrow window, and opened, closed and sized by tab, drag and key', async () => {
    await page.viewport(1440, 900);
    await frames(2);
    await page.viewport(360, 740);
    await frames(3);
    const panels = viewer.root.querySelector<HTMLElement>('.panels')!;
    expect([panels.checkVisibility(), splitter().checkVisibility()]).toEqual([false, false]);
    expect(shareOf('.canvas', 'height')).toBeGreaterThan(0.6);
    tabOf('look').click();
    await frames(2);
    expect([panels.checkVisibility(), tabOf('look').getAttribute('aria-expanded')]).toEqual([true, 'true']);
    expect(splitter().getAttribute('aria-orientation')).toBe('horizontal');
    expect(await findings(viewer.root)).toEqual([]);
    const before = shareOf('.side', 'height');
    pull(0, -120);
    expect(shareOf('.side', 'height') - before).toBeCloseTo(120 / 740, 2);
    strike('ArrowDown');
    expect(shareOf('.side', 'height') - before).toBeCloseTo(104 / 740, 2);
    for (const control of viewer.root.querySelectorAll<HTMLElement>('.transport button, .tabs button, .splitter')) {
      if (!control.checkVisibility()) continue;
      const { left, right, top, bottom } = control.getBoundingClientRect();
      expect(control.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)), control.title).toBe(true);
    }
    pull(0, 420);
    expect(panels.checkVisibility()).toBe(false);
    tabOf('look').click();
    panels.querySelector<HTMLElement>('#section-shading-heading')!.focus();
    panels.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
    expect([panels.checkVisibility(), document.activeElement]).toEqual([false, tabOf('look')]);
    tabOf('look').click();
    tabOf('look').click();
    expect([panels.checkVisibility(), tabOf('look').getAttribute('aria-expanded')]).toEqual([false, 'false']);
  });

  it('keep their width and the state of their sections on this device', async () => {
    await page.viewport(1440, 900);
    await frames(3);
    strike('Home');
    await frames(2);
    const value = (name: string): number => Number(splitter().getAttribute(`aria-value${name}`));
    expect([value('now'), value('min'), splitter().getAttribute('aria-orientation')]).toEqual([300, 300, 'vertical']);
    pull(-150, 0);
    await frames(2);
    expect([shareOf('.side', 'width') * 1440, value('now')]).toEqual([450, 450]);
    strike('End');
    await frames(2);
    expect(value('now')).toBe(value('max'));
    expect(shareOf('.side', 'width')).toBeCloseTo(0.6, 2);
    strike('Enter');
    expect([viewer.layout.isOpen.value, tabOf('look').checkVisibility()]).toEqual([false, true]);
    tabOf('look').click();
    pull(200, 0);
    await frames(2);
    const width = value('now');
    const heading = (of: Viewer, id: string): HTMLElement => of.root.querySelector<HTMLElement>(`#section-${id}-heading`)!;
    heading(viewer, 'camera').click();
    heading(viewer, 'orientation').click();
    viewer.dispose();
    viewer.root.remove();
    viewer = await makeViewer();
    await viewer.openDemo('tock');
    tabOf('look').click();
    await frames(2);
    expect([value('now'), shareOf('.side', 'width') * 1440]).toEqual([width, width]);
    expect(['camera', 'orientation', 'light'].map(id => heading(viewer, id).getAttribute('aria-expanded'))).toEqual([
      'false',
      'true',
      'true',
    ]);
    splitter().dispatchEvent(new MouseEvent('dblclick'));
    await frames(2);
    expect(value('now')).toBe(392);
    heading(viewer, 'camera').click();
    heading(viewer, 'orientation').click();
  });
});

it.each([
  [390, 844],
  [844, 390],
])('names language, theme and all other commands in a menu of a phone of %i × %i pixels', async (width, height) => {
  await page.viewport(width, height);
  await viewer.openDemo('pip');
  await frames(3);
  const button = viewer.root.querySelector<HTMLElement>('.menu-button')!;
  const rows = (): HTMLElement[] => [...viewer.root.querySelectorAll<HTMLElement>('.menu button')].filter(row => row.checkVisibility());
  expect(rows()).toEqual([]);
  button.click();
  await frames(2);
  expect(rows().map(({ dataset }) => dataset['command'])).toEqual([
    'library',
    'open',
    'folder',
    'save',
    'picture',
    'share',
    'theme',
    'language',
    'help',
  ]);
  for (const row of rows()) {
    const { left, right, top, bottom } = row.getBoundingClientRect();
    expect([row.textContent !== '', left >= 0, right <= width, top >= 0, bottom <= height], row.textContent).toEqual(Array(5).fill(true));
  }
  await userEvent.keyboard('q');
  expect(viewer.isDrawerOpen.value).toBe(false); // an open menu has the keys
  await userEvent.keyboard('{Escape}');
  await vi.waitFor(() => expect(rows()).toEqual([]));
  button.click();
  const theme = viewer.theme.value;
  rows()
    .find(({ textContent }) => textContent.endsWith(' theme'))!
    .click();
  expect([viewer.theme.value === theme, rows()]).toEqual([false, []]);
  viewer.toggleTheme();
  // The transport is complete: range, loop and root lock.
  for (const id of ['play', 'stepBack', 'stepOn', 'rangeFrom', 'rangeTo', 'loop', 'lock'])
    expect(viewer.root.querySelector(`.transport [data-command=${id}]`)!.checkVisibility(), id).toBe(true);
});

/** Returns red, green and blue of a CSS colour, and its alpha, from 0 to 1. */
function colorOf(css: string): number[] {
  const context = new OffscreenCanvas(1, 1).getContext('2d')!;
  context.fillStyle = css;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data].map(value => value / 255);
}

/** Returns the contrast of a text or icon with the colour behind it, as defined by WCAG. */
function contrastOf(element: Element): number {
  const luminance = (color: readonly number[]): number => {
    const linear = color.map(value => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0]! + 0.7152 * linear[1]! + 0.0722 * linear[2]!;
  };
  let opacity = 1;
  let back: number[] | undefined;
  for (let each: Element | null = element; each && !back; each = each.parentElement) {
    const style = getComputedStyle(each);
    opacity *= Number(style.opacity);
    const color = colorOf(style.backgroundColor);
    if (color[3] === 1) back = color;
  }
  const front = colorOf(getComputedStyle(element).color).map((value, i) => value * opacity + back![i]! * (1 - opacity));
  const [one, other] = [luminance(front), luminance(back!)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

it.each(['light', 'dark'])('keeps disabled controls and badges of tabs visible in the %s theme', async theme => {
  await page.viewport(1440, 900);
  if (viewer.theme.value !== theme) viewer.toggleTheme();
  const names = ['Mushroom.cast', 'Rock.cast'];
  await dropOn(viewer, ...(await Promise.all(names.map(async name => new File([await fetchBlob(`web/src/viewer/demo/${name}`)], name)))));
  viewer.showSection('shading');
  await frames(1);
  await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  const disabled = [...viewer.root.querySelectorAll('.transport button:disabled:not([data-command=play])')];
  expect(disabled.length).toBeGreaterThan(2);
  for (const each of disabled) expect(contrastOf(each), each.outerHTML.slice(0, 80)).toBeGreaterThan(3);
  const badges = [...viewer.root.querySelectorAll<HTMLElement>('.tabs .badge')].filter(each => each.checkVisibility());
  expect(badges.length).toBeGreaterThan(0);
  for (const each of badges) expect(contrastOf(each), each.outerHTML.slice(0, 80)).toBeGreaterThan(4.5);
  await viewer.openDemo('tock');
  viewer.playback.pause();
});

describe('axe reports no accessibility problem', () => {
  const STATES: readonly [name: string, section: SectionId, demo: string][] = [
    ['the animations of a robot', 'animations', 'tock'],
    ['its events', 'events', 'tock'],
    ['its shading', 'shading', 'tock'],
    ['its morphs', 'morphs', 'tock'],
    ['what it is made of', 'inspect', 'tock'],
    ['its report', 'report', 'tock'],
    ['the springs of an avatar', 'springs', 'lotl'],
    ['its licence', 'rights', 'lotl'],
    ['its faces', 'avatar', 'lotl'],
    ['a recording', 'recording', 'hands'],
  ];

  it.each([
    ['light', 1440, 900, 'all'],
    ['dark', 1440, 900, 'colors'],
    ['light', 360, 740, 'all'],
  ] as const)('in the %s theme, at %i by %i, in each main state', async (theme, width, height, rules) => {
    await page.viewport(width, height);
    if (viewer.theme.value !== theme) viewer.toggleTheme();
    // Waits for the colour transitions.
    await frames(1);
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    const found: string[] = [];
    const look = async (name: string): Promise<void> => {
      await frames(2);
      for (const one of [...(await findings(viewer.root, rules)), ...smallTargets(viewer.root)]) found.push(`${name}, ${one}`);
    };
    for (const [name, section, demo] of STATES) {
      if (viewer.session.value.demo !== demo) await viewer.openDemo(demo);
      viewer.playback.pause();
      viewer.showSection(section);
      await look(name);
    }
    const menu = viewer.root.querySelector<HTMLElement>('.menu-button')!;
    if (menu.checkVisibility()) {
      menu.click();
      await look('the menu');
      menu.click();
    }
    press('?');
    await vi.waitFor(() => expect(viewer.root.querySelector('dialog.help[open]')).toBeTruthy());
    await look('the help');
    const leave = (): void => viewer.root.querySelector<HTMLDialogElement>('dialog[open]')!.close();
    leave();
    const fox = await Promise.all(
      ['Pip.psk', 'Pip.psa'].map(async name => new File([await fetchBlob(`web/src/viewer/demo/${name}`)], name)),
    );
    await dropOn(viewer, ...fox, new File(['text'], 'notes.txt'));
    viewer.playback.pause();
    viewer.showSection('files');
    await look('a library, and a hint');
    viewer.showSection('animations');
    press('q');
    await vi.waitFor(() => expect(viewer.root.querySelector('.drawer .switch')).not.toBeNull(), 20_000);
    viewer.root.querySelector<HTMLInputElement>('.drawer .switch label:nth-child(3) input')!.click();
    viewer.dispatch({ type: 'set-overlay', overlay: { ...overlayOf(viewer.rows.value[1]!), weight: 0.5 } });
    viewer.dispatch({ type: 'set-ghost', ghost: viewer.rows.value[1]! });
    await look('a motion on top, and a ghost');
    press('q');
    viewer.playback.seek(0.5);
    for (const key of ['[', 'b', 'y', 'x']) press(key);
    await look('a piece of it, skeleton and box');
    await viewer.save();
    await look('saving');
    leave();
    await viewer.picture();
    await look('a picture');
    leave();
    await dropOn(viewer, new File([await fox[0]!.slice(0, 90_000).arrayBuffer()], 'half.psk'));
    viewer.showSection('report');
    await look('damage');
    await dropOn(viewer, new File([await fetchBlob('tests/data/vgo/puppet-elsewhere.vgo')], 'puppet-elsewhere.vgo'));
    await look('a question for another file');
    await dropOn(viewer, new File([new Uint8Array(40)], 'zeros.psk'));
    await look('trouble');
    viewer.close();
    await look('nothing');
    await viewer.openDemo('tock');
    expect(found).toEqual([]);
  });
});
