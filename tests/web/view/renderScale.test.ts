// The resolution of moving content follows the frame time, on simulated devices.
import { describe, expect, it } from 'vitest';
import { RenderScale } from '../../../web/src/view/renderScale.ts';

/**
 * Draws frames for some seconds. `cost`: frame time in seconds at a scale. Returns the scales in
 * order, without repetitions.
 */
function play(scaling: RenderScale, duration: number, cost: (scale: number) => number): number[] {
  const scales = [scaling.scale];
  for (let time = 0; time < duration;) {
    const seconds = cost(scaling.scale);
    time += seconds;
    scaling.add(seconds, seconds);
    if (scaling.scale !== scales.at(-1)) scales.push(scaling.scale);
  }
  return scales.map(scale => Number(scale.toFixed(2)));
}

/** Frame time of a device that is limited by the number of pixels. */
const pixels = (full: number) => (scale: number) => Math.max(full * scale * scale, 1 / 60);

describe('the render scale', () => {
  it('is 1 on a fast device, and on one that draws 30 frames per second to save energy', () => {
    expect(play(new RenderScale(), 60, () => 1 / 60)).toEqual([1]);
    expect(play(new RenderScale(), 60, () => 1 / 30)).toEqual([1]);
  });

  it('is lowered until frames are fast enough, and then stays', () => {
    expect(play(new RenderScale(), 3, pixels(0.06))).toEqual([1, 0.71]);
    expect(play(new RenderScale(), 4, pixels(0.15))).toEqual([1, 0.71, 0.5]);
    expect(play(new RenderScale(), 60, pixels(0.2))).toEqual([1, 0.71, 0.5]);
  });

  it('changes more and more rarely if the device is between two scales', () => {
    const scaling = new RenderScale();
    const changes = [60, 60, 60, 60].map(seconds => play(scaling, seconds, pixels(0.06)).length - 1);
    expect(changes[0]).toBeGreaterThan(1);
    expect(changes[3]).toBeLessThanOrEqual(2);
  });

  it('is not lowered for long if the number of pixels does not matter', () => {
    const scaling = new RenderScale();
    const full = { frames: 0, all: 0 };
    for (let i = 0; i < 2000; i++) {
      full.all++;
      if (scaling.scale === 1) full.frames++;
      scaling.add(0.1, 0.1);
    }
    expect(full.frames / full.all).toBeGreaterThan(0.9);
  });

  it('ignores single long frames', () => {
    const scaling = new RenderScale();
    const scales = new Set<number>();
    for (let i = 0; i < 600; i++) {
      scaling.add(i % 40 === 0 ? 1 : 1 / 60, 1 / 60);
      scales.add(scaling.scale);
    }
    expect([...scales]).toEqual([1]);
  });

  it('is raised again when the load is gone', () => {
    const scaling = new RenderScale();
    play(scaling, 3, pixels(0.15));
    expect(scaling.scale).toBeLessThan(1);
    play(scaling, 30, () => 1 / 60);
    expect(scaling.scale).toBe(1);
  });
});
