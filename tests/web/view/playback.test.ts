// Tests start, end, changes of direction and restarts of playback, and the time spans that a tick
// reports for short and long steps.
import { describe, expect, it } from 'vitest';
import { type PlaybackAction, Playback } from '../../../web/src/view/playback.ts';

interface Given extends Partial<PlaybackAction> {
  loop?: boolean;
  speed?: number;
  isPlaying?: boolean;
}

/** Returns a playback clock with an animation, by default of two seconds. */
function playing({ loop = true, speed = 1, isPlaying = true, ...motion }: Given = {}): {
  playback: Playback;
  shown: number[];
  motion: PlaybackAction;
} {
  const playback = new Playback();
  const shown: number[] = [];
  const whole: PlaybackAction = { name: '', duration: 2, frameRate: 30, seek: time => void shown.push(time), stop: () => {}, ...motion };
  Object.assign(playback, { loop, speed });
  playback.select(whole, isPlaying);
  return { playback, shown, motion: whole };
}

/** Formats the played spans as `[from→to` if events at `from` fire, otherwise as `(from→to`. */
const spansOf = ({ playedSpans }: Playback): string[] =>
  playedSpans.map(({ from, to, includesFrom }) => `${includesFrom ? '[' : '('}${+from.toFixed(4)}→${+to.toFixed(4)}`);

describe('playback', () => {
  it('steps by frames, 30 per second if the clip has no rate', () => {
    for (const [frameRate, wanted] of [
      [0, 21 / 30],
      [10, 8 / 10],
    ] as const) {
      const { playback } = playing({ frameRate });
      playback.seek(0.6667);
      playback.step(1);
      expect([playback.time, playback.playing]).toEqual([expect.closeTo(wanted, 9), false]);
    }
  });

  it('starts a clip at its beginning, stops the previous one, and plays only clips with a duration', () => {
    const stopped: string[] = [];
    const { playback, shown, motion } = playing({ stop: () => void stopped.push('first') });
    playback.seek(1);
    playback.range = { from: 0.5, to: 1 };
    shown.length = 0;
    playback.select(motion);
    expect([stopped, shown, playback.range, playback.playing]).toEqual([[], [0], null, true]);
    playback.select({ ...motion, duration: 0, stop: () => void stopped.push('second') });
    expect([stopped, playback.playing]).toEqual([['first'], false]);
    playback.play();
    expect(playback.playing).toBe(false);
    playback.select(null);
    expect([stopped, playback.duration, playback.time]).toEqual([['first', 'second'], 0, 0]);
  });

  it('clamps seeks to the clip and ignores NaN', () => {
    const { playback } = playing();
    for (const [time, wanted] of [
      [1.5, 1.5],
      [Number.NaN, 1.5],
      [Infinity, 1.5],
      [9, 2],
      [-1, 0],
    ] as const) {
      playback.seek(time);
      expect(playback.time).toBe(wanted);
    }
  });

  it('ends once at the end, also if a step is longer than the clip', () => {
    const { playback } = playing({ loop: false });
    expect([playback.tick(0), playback.hasEnded]).toEqual([true, false]);
    expect([playback.tick(5), playback.hasEnded, playback.playing, playback.time]).toEqual([false, true, false, 2]);
    expect(spansOf(playback)).toEqual(['(0→2']);
    playback.tick(1);
    expect([spansOf(playback), playback.hasEnded]).toEqual([[], true]);
    playback.loop = true;
    playback.play();
    expect([playback.hasEnded, playback.time]).toEqual([false, 2]);
    playback.loop = false;
    playback.tick(1);
    playback.seek(1);
    expect(playback.hasEnded).toBe(false);
  });

  it('has ended if a step reaches the end exactly', () => {
    const { playback } = playing({ loop: false });
    expect([playback.tick(2), playback.hasEnded]).toEqual([false, true]);
  });

  it('has not ended if the page pauses it', () => {
    const { playback } = playing({ loop: false, speed: -1 });
    playback.seek(0);
    playback.play();
    playback.pause();
    expect(playback.hasEnded).toBe(false);
  });

  it('ends at the start when played backwards, and restarts from the end', () => {
    const { playback } = playing({ loop: false, speed: -1, isPlaying: false });
    playback.seek(1.5);
    playback.play();
    expect([playback.tick(1), playback.time]).toEqual([true, 0.5]);
    expect([playback.tick(1), playback.hasEnded, playback.playing, playback.time]).toEqual([false, true, false, 0]);
    playback.play();
    expect([playback.time, playback.playing, playback.hasEnded]).toEqual([2, true, false]);
    playback.tick(0.5);
    expect([playback.time, playback.playing]).toEqual([1.5, true]);
    // An action that is selected during playback also starts at the end.
    expect(playing({ loop: false, speed: -1 }).playback.time).toBe(2);
  });

  it('continues backwards from the end, but restarts forwards', () => {
    for (const [speed, wanted] of [
      [-1, 2],
      [1, 0],
    ] as const) {
      const { playback } = playing({ loop: false, speed, isPlaying: false });
      playback.seek(2);
      playback.play();
      expect(playback.time).toBe(wanted);
    }
  });

  it('stands still at speed 0 without ending', () => {
    for (const time of [0, 1, 2]) {
      const { playback } = playing({ loop: false, speed: 0 });
      playback.seek(time);
      expect([playback.tick(1), playback.time, playback.hasEnded]).toEqual([true, time, false]);
    }
  });

  it('stays in place for a looped clip without duration', () => {
    for (const pingPong of [false, true]) {
      const { playback } = playing({ start: 2, pingPong });
      expect([playback.tick(1), playback.time]).toEqual([true, 2]);
    }
  });
});

describe('playedSpans', () => {
  it('start where playback started, then where the last tick ended', () => {
    const { playback } = playing();
    playback.tick(0);
    expect(spansOf(playback)).toEqual(['[0→0']);
    playback.tick(0.5);
    expect(spansOf(playback)).toEqual(['(0→0.5']);
    playback.seek(1);
    playback.tick(0.5);
    expect(spansOf(playback)).toEqual(['[1→1.5']);
    playback.pause();
    playback.play();
    playback.tick(0.25);
    expect(spansOf(playback)).toEqual(['(1.5→1.75']);
  });

  it('have one span per loop, in both directions', () => {
    const { playback } = playing();
    playback.tick(1.5);
    playback.tick(5);
    expect(spansOf(playback)).toEqual(['(1.5→2', '[0→2', '[0→2', '[0→0.5']);
    playback.speed = -1;
    playback.tick(1);
    expect(spansOf(playback)).toEqual(['(0.5→0', '[2→1.5']);
  });

  it('reach an end before they restart or reverse', () => {
    const { playback } = playing();
    playback.tick(2);
    expect([spansOf(playback), playback.time]).toEqual([['[0→2'], 2]);
    playback.tick(0);
    expect(spansOf(playback)).toEqual(['(2→2']);
    playback.tick(0.5);
    expect(spansOf(playback)).toEqual(['(2→2', '[0→0.5']);
  });

  it('reverse at both ends of a ping-pong clip, and pass each end once', () => {
    const { playback } = playing({ pingPong: true });
    playback.tick(1.5);
    playback.tick(1);
    expect(spansOf(playback)).toEqual(['(1.5→2', '(2→1.5']);
    playback.tick(4);
    expect(spansOf(playback)).toEqual(['(1.5→0', '(0→2', '(2→1.5']);
    playback.speed = -1;
    playback.tick(1);
    expect(spansOf(playback)).toEqual(['(1.5→2', '(2→1.5']);
  });

  it('go forwards after a seek during the backward phase', () => {
    const { playback } = playing({ pingPong: true });
    playback.tick(3);
    playback.seek(1);
    playback.tick(0.5);
    expect(spansOf(playback)).toEqual(['[1→1.5']);
  });

  it('stay within the range', () => {
    const { playback } = playing();
    playback.range = { from: 0.5, to: 1 };
    playback.seek(0.75);
    playback.tick(0.5);
    expect(spansOf(playback)).toEqual(['[0.75→1', '[0.5→0.75']);
  });

  it('report at most 16 loops, and end at the correct time', () => {
    for (const pingPong of [false, true]) {
      const { playback } = playing({ duration: 1e-3, pingPong });
      playback.tick(1.000_25);
      expect(playback.time).toBeCloseTo(0.000_25, 9);
      expect(playback.playedSpans.length).toBeGreaterThan(14);
      expect(playback.playedSpans.length).toBeLessThanOrEqual(pingPong ? 33 : 17);
    }
  });

  it('add up to the elapsed time, whatever the steps', () => {
    let random = 1;
    const chance = (): number => (random = (random * 16807) % 2147483647) / 2147483647;
    for (const pingPong of [false, true])
      for (const speed of [1, -0.7]) {
        const { playback } = playing({ duration: 0.9, start: 0.2, pingPong, speed });
        let sum = 0;
        let passed = 0;
        for (let i = 0; i < 500; i++) {
          const seconds = chance() ** 3 * 4;
          sum += seconds;
          playback.tick(seconds);
          passed += playback.playedSpans.reduce((total, { from, to }) => total + Math.abs(to - from), 0);
          for (const { from, to } of playback.playedSpans) expect(Math.min(from, to) >= 0.2 && Math.max(from, to) <= 0.9).toBe(true);
        }
        expect(passed).toBeCloseTo(sum * Math.abs(speed), 6);
      }
  });
});
