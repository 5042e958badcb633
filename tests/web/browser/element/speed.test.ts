// Animations play in real time, even if frames are drawn slowly. Without a graphics card, Chromium
// draws on the CPU.
import { afterEach, expect, it } from 'vitest';
import type { RigcastViewerElement } from '../../../../web/src/element/index.ts';
import { add, demo } from './support.ts';

afterEach(() => document.querySelectorAll('rigcast-viewer').forEach(element => element.remove()));

/** A speed at which no demo animation repeats during the test. */
const SPEED = 0.02;

/**
 * Returns a function that returns the seconds between the first and the last `timeupdate`: on the
 * page, and in the animation at normal speed.
 */
function watch(element: RigcastViewerElement): () => { page: number; played: number } {
  const samples: { page: number; played: number }[] = [];
  element.addEventListener('timeupdate', ({ detail: { time } }) => {
    // Records the start time of the current frame. Ignores the first event, which `play` fires
    // outside of a frame.
    if (time > 0) samples.push({ page: Number(document.timeline.currentTime) / 1000, played: time / SPEED });
  });
  const since = (key: 'page' | 'played'): number => (samples.length > 0 ? samples.at(-1)![key] - samples[0]![key] : 0);
  return () => ({ page: since('page'), played: since('played') });
}

it.each([
  [1, 300],
  [12, 80],
  [50, 40],
])('a frame is drawn in time with %i elements on a page', async (count, size) => {
  const page = document.createElement('div');
  document.body.append(page);
  const style = `width: ${size}px; height: ${size}px; display: inline-block`;
  const elements = Array.from({ length: count }, () =>
    add({ src: demo('Pip.psk'), files: demo('Pip.psa'), autoplay: '', speed: String(SPEED), style }, page),
  );
  await Promise.all(elements.map(({ ready }) => ready));
  await elements[0]!.toBlob({ width: 16, height: 16 }); // generates the environment, which stops the page for seconds without a graphics card
  const counted = elements.map(watch);
  await expect.poll(() => Math.min(...counted.map(passed => passed().page)), { timeout: 100_000 }).toBeGreaterThan(2);
  for (const passed of counted) {
    const { page: seconds, played } = passed();
    expect(played / seconds).toBeGreaterThan(0.95);
    expect(played / seconds).toBeLessThan(1.05);
  }
});
