// Large remote animation files: the element reads only the animations that it plays.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RigcastViewerElement } from '../../../../web/src/element/index.ts';
import type { Report } from '../../../../web/src/core/types.ts';
import { add, boneAt, once } from './support.ts';

const counted = async (): Promise<{ requests: number; bytes: number }> =>
  (await (await fetch('/counted')).json()) as { requests: number; bytes: number };

/** Number of bytes of the keys of an animation. */
const CLIP = 10_000 * 20 * 32;

beforeEach(() => void counted());
afterEach(() => document.querySelectorAll('rigcast-viewer').forEach(element => element.remove()));

/** Adds an element and collects the findings about parts in each report of the animation file. */
function opened(
  query = '',
  attributes: Record<string, string> = {},
  file = `${location.origin}/large.psa`,
): { element: RigcastViewerElement; reports: string[][] } {
  const element = add({ src: `${location.origin}/large.psk`, files: `${file}${query}`, ...attributes });
  const reports: string[][] = [];
  element.addEventListener('report', ({ detail }) => {
    const { file, report } = detail as { file: string; report: Report };
    const own = report.items.filter(({ code }) => /^(KEYS_NOT_READ|RANGES_)/.test(code));
    if (file === 'large.psa') reports.push(own.map(({ code, detail }) => `${code}: ${detail}`));
  });
  return { element, reports };
}

it('shows a model with the first animation of a large file after a few requests', async () => {
  await counted();
  const { element, reports } = opened('', { autoplay: '' });
  await element.ready;
  const { requests, bytes } = await counted();
  expect(element.animations).toHaveLength(10);
  expect(element.currentAnimations).toEqual(['Clip0']);
  expect(requests).toBeLessThanOrEqual(3);
  expect(bytes).toBeLessThan(CLIP + 2 * 2 ** 17);
  expect(reports).toEqual([['KEYS_NOT_READ: 1 of 10 animations were read']]);
  element.pause();
  element.time = 2;
  expect(await boneAt(element, 'bone3')).not.toContain('0.00000 0.00000 0.00000 1.00000');
});

it('reads another animation when it is selected, and once only', async () => {
  const { element, reports } = opened();
  await element.ready;
  await counted();
  element.animation = 'Clip7';
  expect(await once(element, 'animationchange')).toEqual({ names: ['Clip7'] });
  expect((await counted()).requests).toBe(1);
  expect(reports.at(-1)).toEqual(['KEYS_NOT_READ: 2 of 10 animations were read']);
  element.animation = 'Clip0';
  await once(element, 'animationchange');
  element.animation = 'Clip7';
  await once(element, 'animationchange');
  expect((await counted()).requests).toBe(0);
});

it('plays only the animation that was selected last', async () => {
  const { element } = opened();
  await element.ready;
  const names: string[] = [];
  element.addEventListener('animationchange', ({ detail }) => names.push(...detail.names));
  element.animation = 'Clip3';
  await Promise.resolve();
  element.animation = 'Clip4';
  element.play();
  await expect.poll(() => names).toEqual(['Clip4']);
  expect(element.paused).toBe(false);
});

it('plays a file from a server that ignores requests for parts', async () => {
  const { element, reports } = opened('?whole');
  await element.ready;
  expect(reports[0]![0]).toMatch(/^RANGES_IGNORED/);
  element.animation = 'Clip7';
  expect(await once(element, 'animationchange')).toEqual({ names: ['Clip7'] });
});

it('downloads a file of another origin whose headers are hidden, and reads it in parts if they are shown', async () => {
  const file = await (await fetch('/other-origin')).text();
  expect(new URL(file).origin).not.toBe(location.origin);
  await counted();
  const hidden = opened('', {}, file);
  await hidden.element.ready;
  expect(hidden.reports[0]).toEqual(['RANGES_HIDDEN: the server does not show the header Content-Range to this page']);
  expect(hidden.element.animations).toHaveLength(10);
  expect((await counted()).bytes).toBeGreaterThan(10 * CLIP);
  hidden.element.animation = 'Clip7';
  expect(await once(hidden.element, 'animationchange')).toEqual({ names: ['Clip7'] });
  hidden.element.remove();
  await counted();
  const shown = opened('?exposed', {}, file);
  await shown.element.ready;
  expect(shown.reports[0]).toEqual(['KEYS_NOT_READ: 1 of 10 animations were read']);
  expect((await counted()).bytes).toBeLessThan(CLIP + 2 * 2 ** 17);
});
