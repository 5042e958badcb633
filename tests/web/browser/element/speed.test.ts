// Animations play at their true speed, however long a frame takes to draw. Without a graphics card, as here, Chromium draws on the processor.
import { afterEach, expect, it } from 'vitest';
import type { RigcastViewerElement } from '../../../../web/src/element/index.ts';
import { add, demo } from './support.ts';

afterEach(() => document.querySelectorAll('rigcast-viewer').forEach(element => element.remove()));

/** So slow that no animation of the demo repeats while it is measured. */
const SPEED = 0.02;

/** Seconds that have passed on the page between the first and the last `timeupdate` of an element, and that its animation has played in that time. */
function watch(element: RigcastViewerElement): () => { page: number; played: number } {
  const samples: { page: number; played: number }[] = [];
  element.addEventListener('timeupdate', ({ detail: { time } }) => {
    // When the frame began that is being drawn. The first event comes with `play`, outside of any frame.
    if (time > 0) samples.push({ page: Number(document.timeline.currentTime) / 1000, played: time / SPEED });
  });
  const since = (key: 'page' | 'played'): number => (samples.length > 0 ? samples.at(-1)![key] - samples[0]![key] : 0);
  return () => ({ page: since('page'), played: since('played') });
}

it.each([
  [1, 300],
  [12, 80],
])('a frame is drawn in time with %i elements on a page', async (count, size) => {
  const page = document.createElement('div');
  document.body.append(page);
  const style = `width: ${size}px; height: ${size}px; display: inline-block`;
  const elements = Array.from({ length: count }, () =>
    add({ src: demo('Pip.psk'), files: demo('Pip.psa'), autoplay: '', speed: String(SPEED), style }, page),
  );
  await Promise.all(elements.map(({ ready }) => ready));
  const watched = elements.map(watch);
  await expect.poll(() => Math.min(...watched.map(passed => passed().page)), { timeout: 100_000 }).toBeGreaterThan(2);
  for (const passed of watched) {
    const { page: seconds, played } = passed();
    expect(played / seconds).toBeGreaterThan(0.95);
    expect(played / seconds).toBeLessThan(1.05);
  }
});
