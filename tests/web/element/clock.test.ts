// Events that an element fires during playback, with frames from milliseconds to several seconds.
import { describe, expect, it } from 'vitest';
import type { ClipAction } from '../../../web/src/session/clipAction.ts';
import { Clock } from '../../../web/src/element/clock.ts';
import type { RigcastViewerEvents, PresenterHost } from '../../../web/src/element/types.ts';

const EVENTS = [0, 0.5, 1.25, 2].map(time => ({ name: String(time), time, clip: 'Walk' }));

/**
 * Creates a clock with attributes, and a list of fired events: `type`, or `at` with the time of an
 * animation event.
 */
function clockOf(attributes: Record<string, string> = {}, { events = EVENTS, ...motion }: Partial<ClipAction> = {}) {
  const firedEvents: string[] = [];
  const listeners: Partial<Record<keyof RigcastViewerEvents, () => void>> = {};
  const host = {
    element: { getAttribute: (name: string) => attributes[name] ?? null },
    emit: (type: keyof RigcastViewerEvents, detail: { time: number } | undefined) => {
      firedEvents.push(type === 'animationevent' ? `at ${detail!.time}` : type);
      listeners[type]?.();
    },
  } as unknown as PresenterHost;
  const clock = new Clock(host, () => {});
  const played = { name: 'Walk', duration: 2, frameRate: 30, loop: false, events, seek: () => {}, stop: () => {}, ...motion };
  clock.select(played as unknown as ClipAction, false);
  firedEvents.length = 0;
  /** Returns the events that are fired during these frames, in order. */
  const after = (...steps: number[]): string[] => {
    firedEvents.length = 0;
    for (const seconds of steps) clock.tick(seconds);
    return [...firedEvents];
  };
  return { clock, firedEvents, after, attributes, listeners };
}

const count = (firedEvents: readonly string[], type: string): number => firedEvents.filter(each => each === type).length;

describe('timeupdate', () => {
  it('is fired on play and pause, and four times per second in between', () => {
    const { clock, firedEvents, after } = clockOf({}, { events: [] });
    clock.play();
    expect(firedEvents).toEqual(['play', 'timeupdate']);
    expect(count(after(...Array.from({ length: 64 }, () => 1 / 32)), 'timeupdate')).toBe(8);
    expect(after(0.125)).toEqual([]);
    clock.pause();
    expect(firedEvents).toEqual(['pause', 'timeupdate']);
    expect(after(1, 1)).toEqual([]);
  });

  it('is fired once per frame if frames are longer than its interval', () => {
    const { clock, after } = clockOf({}, { events: [] });
    clock.play();
    expect(after(0, 0.7, 0.7, 3)).toEqual(['timeupdate', 'timeupdate', 'timeupdate']);
  });

  it('is fired on every seek while paused', () => {
    const { clock, firedEvents } = clockOf();
    clock.time = 1;
    clock.time = 1.5;
    expect(firedEvents).toEqual(['timeupdate', 'timeupdate']);
  });
});

describe('ended', () => {
  it('is fired once, after all animation events, and again only after another play', () => {
    const { clock, firedEvents, after } = clockOf({ loop: 'none' });
    clock.play();
    expect(after(0, 5)).toEqual(['at 0', 'at 0.5', 'at 1.25', 'at 2', 'pause', 'timeupdate', 'ended']);
    expect([clock.hasEnded, clock.isPlaying]).toEqual([true, false]);
    expect(after(1)).toEqual([]);
    clock.pause();
    expect(firedEvents).toEqual(['timeupdate']);
    clock.play();
    expect(clock.hasEnded).toBe(false);
    expect(after(1, 5)).toEqual(['at 0', 'at 0.5', 'timeupdate', 'at 1.25', 'at 2', 'pause', 'timeupdate', 'ended']);
  });

  it('is fired at the start if speed is negative', () => {
    const { clock, after } = clockOf({ loop: 'none', speed: '-2' });
    clock.time = 1;
    clock.play();
    expect(after(0.125, 0.25, 0.25)).toEqual(['at 0.5', 'timeupdate', 'at 0', 'pause', 'timeupdate', 'ended']);
    expect([clock.hasEnded, clock.time]).toEqual([true, 0]);
  });

  it.each(['repeat', 'pingpong', 'none'])('is not fired on pause with loop %s', loop => {
    const { clock, firedEvents, after } = clockOf({ loop });
    clock.play();
    after(1.9);
    clock.pause();
    clock.time = 2;
    clock.time = 0;
    expect(firedEvents).not.toContain('ended');
    expect(clock.hasEnded).toBe(false);
  });

  it.each(['repeat', 'pingpong'])('is not fired with loop %s, even after a long frame', loop => {
    const { clock, after } = clockOf({ loop });
    clock.play();
    expect(after(2, 2, 9, 0.1)).not.toContain('ended');
    clock.pause();
    expect([clock.hasEnded, clock.isPlaying]).toEqual([false, false]);
  });

  it('keeps a change that a listener of pause makes', () => {
    const { clock, after, listeners } = clockOf({ loop: 'none' }, { events: [] });
    listeners.pause = () => clock.play();
    clock.play();
    expect(after(5)).toEqual(['pause', 'play', 'timeupdate', 'timeupdate', 'ended']);
    expect([clock.isPlaying, clock.time]).toEqual([true, 0]);
  });
});

describe('animation events', () => {
  const times = (firedEvents: readonly string[]): string[] => firedEvents.filter(each => each.startsWith('at'));

  it('are fired once per loop, in order, with any frame length', () => {
    for (const step of [1 / 60, 0.3, 0.7, 1, 2, 3.1, 7.9]) {
      const { clock, after } = clockOf();
      clock.play();
      const all = times(after(...Array.from({ length: Math.ceil(19 / step) }, () => step))).slice(0, 36);
      expect(all).toEqual(Array.from({ length: 36 }, (_, i) => `at ${EVENTS[i % 4]!.time}`));
    }
  });

  it('are fired once per direction with ping-pong', () => {
    for (const step of [1 / 60, 0.7, 2, 5]) {
      const { clock, after } = clockOf({ loop: 'pingpong' });
      clock.play();
      const all = times(after(...Array.from({ length: Math.ceil(9 / step) }, () => step))).slice(0, 12);
      expect(all).toEqual([0, 0.5, 1.25, 2, 1.25, 0.5, 0, 0.5, 1.25, 2, 1.25, 0.5].map(time => `at ${time}`));
    }
  });

  it('are not fired by a seek or while paused', () => {
    const { clock, after, firedEvents } = clockOf();
    clock.time = 1;
    clock.time = 1.75;
    expect(times(firedEvents)).toEqual([]);
    expect(after(1)).toEqual([]);
    clock.play();
    expect(times(after(0.1))).toEqual([]);
  });

  it('are fired across the loop of an animation that starts late', () => {
    const events = [0.6, 0.9].map(time => ({ name: '', time, clip: '' }));
    const { clock, after } = clockOf({}, { events, start: 0.5, duration: 1 });
    clock.time = 0.95;
    clock.play();
    expect(times(after(0.1))).toEqual([]);
    expect(times(after(0.1))).toEqual(['at 0.6']);
    expect(times(after(0.5))).toEqual(['at 0.9', 'at 0.6']);
  });

  it('may select another animation or none in their listener', () => {
    const { clock, after, listeners } = clockOf();
    listeners.animationevent = () => {
      delete listeners.animationevent;
      clock.clear();
    };
    clock.play();
    expect(after(1)).toEqual(['at 0', 'pause', 'timeupdate', 'at 0.5', 'timeupdate']);
    expect(after(1)).toEqual([]);
  });
});

describe('attributes', () => {
  it('set the speed, with ratechange, and the loop mode', () => {
    const { clock, firedEvents, attributes, after } = clockOf({ speed: '0.5' }, { events: [] });
    clock.setSpeed();
    expect(firedEvents).toEqual([]);
    attributes['speed'] = '2';
    clock.setSpeed();
    expect(firedEvents).toEqual(['ratechange']);
    attributes['speed'] = 'fast';
    clock.setSpeed();
    clock.play();
    after(0.5);
    expect(clock.time).toBe(0.5);
  });

  it.each([
    [null, { pingPong: true }, 1],
    ['repeat', { pingPong: true }, 0.5],
    ['pingpong', {}, 1.5],
    ['file', { loop: true }, 0.5],
    ['file', { loop: true, pingPong: true }, 1.5],
    ['file', { loop: false, pingPong: true }, 2],
    ['none', { loop: true }, 2],
    ['nonsense', {}, 0.5],
  ] as const)('loop=%s', (loop, motion, wanted) => {
    const { clock, after } = clockOf(loop === null ? {} : { loop }, { events: [], ...motion });
    clock.play();
    after(loop === null ? 3 : 2.5);
    expect(clock.time).toBe(wanted);
  });
});

it('fires no events after dispose', () => {
  const { clock, firedEvents } = clockOf();
  clock.play();
  firedEvents.length = 0;
  clock.dispose();
  clock.tick(0.1);
  clock.pause();
  expect(firedEvents.filter(each => !each.startsWith('at'))).toEqual([]);
});
