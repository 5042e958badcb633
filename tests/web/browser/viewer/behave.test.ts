// Layout at all window sizes, and accessibility, checked with axe.
import axe from 'axe-core';
import { Vector3 } from 'three';
import { page } from 'vitest/browser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import type { PanelId } from '../../../../web/src/viewer/page.ts';
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
        'header :is(a, button), .tools button, .transport :is(button, input, select), .grip, .tabs button',
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

it('expands and collapses the panels of a narrow window by click or drag', async () => {
  await page.viewport(360, 740);
  await frames(3);
  const grip = viewer.root.querySelector<HTMLButtonElement>('.grip')!;
  const side = viewer.root.querySelector('.side')!;
  const share = (): number => side.getBoundingClientRect().height / 740;
  expect(share()).toBeLessThan(0.35);
  grip.click();
  expect(share()).toBeGreaterThan(0.6);
  expect(grip.getAttribute('aria-expanded')).toBe('true');
  for (const control of viewer.root.querySelectorAll<HTMLElement>('.transport button, .tabs button, .grip')) {
    if (!control.checkVisibility()) continue;
    const { left, right, top, bottom } = control.getBoundingClientRect();
    expect(control.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)), control.title).toBe(true);
  }
  expect(await findings()).toEqual([]);
  const { left, top } = grip.getBoundingClientRect();
  const pull = (type: string, y: number): boolean =>
    grip.dispatchEvent(new PointerEvent(type, { pointerId: 1, clientX: left + 9, clientY: top + y, bubbles: true }));
  grip.setPointerCapture = () => {}; // the simulated pointer can't be captured
  pull('pointerdown', 9);
  pull('pointermove', 60);
  pull('pointerup', 60);
  grip.click(); // browsers fire a click at the end of a touch
  expect(share()).toBeLessThan(0.35);
});

/** Returns the violations that axe reports, as rule and element. */
async function findings(): Promise<string[]> {
  const { violations } = await axe.run(viewer.root, { resultTypes: ['violations'] });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

/**
 * Returns the controls smaller than 24 × 24 pixels that have neighbours within this distance (WCAG
 * 2.2, success criterion 2.5.8, which axe often leaves undecided). Inline links count as large as
 * their line, and controls inside a label as large as the label.
 */
function smallTargets(): string[] {
  const all = [
    ...viewer.root.querySelectorAll<HTMLElement>('button, input, select, summary, a, [role=option], [role=treeitem], [tabindex="0"]'),
  ];
  const targets = all.filter(
    each => each.checkVisibility({ visibilityProperty: true }) && !each.matches('.link, p a, li a, dd a, canvas, .scene a'),
  );
  const boxes = targets.map(each => (each.closest('label') ?? each).getBoundingClientRect());
  const isLarge = ({ width, height }: DOMRect): boolean => width >= 24 && height >= 24;
  return targets.flatMap((each, i) => {
    const box = boxes[i]!;
    if (isLarge(box)) return [];
    const x = box.left + box.width / 2;
    const y = box.top + box.height / 2;
    const isCrowded = boxes.some((other, j) => {
      if (targets[j] === each || each.contains(targets[j]!) || targets[j]!.contains(each)) return false;
      if (!isLarge(other)) return Math.hypot(x - other.left - other.width / 2, y - other.top - other.height / 2) < 24;
      return Math.hypot(Math.max(other.left - x, 0, x - other.right), Math.max(other.top - y, 0, y - other.bottom)) < 12;
    });
    return isCrowded ? [`${each.outerHTML.slice(0, 120)} is ${box.width} by ${box.height} pixels`] : [];
  });
}

describe('axe reports no accessibility problem', () => {
  const STATES: readonly [name: string, tab: PanelId, demo: string][] = [
    ['the animations of a robot', 'animations', 'tock'],
    ['its events', 'events', 'tock'],
    ['ways to look at it', 'view', 'tock'],
    ['its morphs', 'morphs', 'tock'],
    ['what it is made of', 'inspect', 'tock'],
    ['its report', 'report', 'tock'],
    ['the scene of an avatar', 'scene', 'lotl'],
    ['its faces', 'avatar', 'lotl'],
    ['a recording', 'recording', 'hands'],
  ];

  it.each([
    ['light', 1440, 900],
    ['dark', 1440, 900],
    ['light', 360, 740],
  ] as const)('in the %s theme, at %i by %i, in each main state', async (theme, width, height) => {
    await page.viewport(width, height);
    if (viewer.theme.value !== theme) viewer.toggleTheme();
    // Waits for the colour transitions.
    await frames(1);
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    const found: string[] = [];
    const look = async (name: string): Promise<void> => {
      await frames(2);
      for (const one of [...(await findings()), ...smallTargets()]) found.push(`${name}, ${one}`);
    };
    for (const [name, tab, demo] of STATES) {
      if (viewer.session.value.demo !== demo) await viewer.openDemo(demo);
      viewer.playback.pause();
      viewer.showTab(tab);
      await look(name);
    }
    press('?');
    await look('the help');
    const leave = (): void => viewer.root.querySelector<HTMLDialogElement>('dialog[open]')!.close();
    leave();
    const fox = await Promise.all(
      ['Pip.psk', 'Pip.psa'].map(async name => new File([await fetchBlob(`web/src/viewer/demo/${name}`)], name)),
    );
    await dropOn(viewer, ...fox, new File(['text'], 'notes.txt'));
    viewer.playback.pause();
    viewer.showTab('files');
    await look('a library, and a hint');
    viewer.showTab('animations');
    viewer.root.querySelector<HTMLDetailsElement>('.layers')!.open = true;
    viewer.dispatch({ type: 'set-overlay', overlay: { ...viewer.rows.value[1]!, weight: 0.5, rootBone: '' } });
    viewer.dispatch({ type: 'set-ghost', ghost: viewer.rows.value[1]! });
    await look('a motion on top, and a ghost');
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
    viewer.showTab('report');
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

it('cuts off no tab if there are many', async () => {
  await page.viewport(1000, 640);
  await dropOn(
    viewer,
    ...(await Promise.all(
      ['Lotl.vgo', 'Pip.psk', 'Pip.psa'].map(async name => new File([await fetchBlob(`web/src/viewer/demo/${name}`)], name)),
    )),
  );
  if (viewer.model!.input.file.name !== 'Lotl.vgo') viewer.showNext(1);
  await viewer.idle;
  const tabs = [...viewer.root.querySelectorAll<HTMLElement>('.tabs button:not([hidden])')];
  expect(tabs.length).toBeGreaterThan(7);
  const { right } = viewer.root.querySelector('.side')!.getBoundingClientRect();
  for (const tab of tabs) expect(tab.getBoundingClientRect().right, tab.id).toBeLessThanOrEqual(right);
});

it('cuts off no tab in a low window', async () => {
  await page.viewport(740, 360);
  await viewer.openDemo('pip');
  await frames(3);
  const tabs = [...viewer.root.querySelectorAll<HTMLElement>('.tabs button:not([hidden])')];
  expect(tabs.length).toBeLessThan(7);
  const { right } = viewer.root.querySelector('.side')!.getBoundingClientRect();
  for (const tab of tabs) {
    expect(tab.getBoundingClientRect().right, tab.id).toBeLessThanOrEqual(right);
    expect(tab.scrollWidth, tab.id).toBeLessThanOrEqual(tab.clientWidth + 1);
  }
});
