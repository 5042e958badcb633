// Tests the time spans in which hands of a recording were tracked and pinched, and the bounds of
// recordings.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Track } from '../../../web/src/core/types.ts';
import { handSpans, recordingView } from '../../../web/src/view/spans.ts';
import { type Rig, RigcastLoader } from '../../../web/src/three/index.ts';
import { seek } from '../../support/seek.ts';
import { AnimationMixer, Vector3 } from 'three';
import { clip, f32, track } from '../../support/armScene.ts';

/** Returns a track with step interpolation. */
const held = (property: string, times: number[], values: number[]): Track =>
  track({ target: 'hand', path: 'property', property, times: f32(...times), values: f32(...values), interpolation: 'step' });
const spans = (...tracks: Track[]) => handSpans(clip('recording', 10, ...tracks));

describe('the spans of a hand', () => {
  it('reach from a key that is on to the next that is off', () => {
    const [right] = spans(held('right.tracked', [1, 2, 3, 6, 8], [0, 1, 0, 1, 0.5]));
    expect(right).toEqual({
      handedness: 'right',
      tracked: [
        { from: 2, to: 3 },
        { from: 6, to: 8 },
      ],
      pinching: [],
    });
  });

  it('start and end with the clip, and lie within it', () => {
    expect(spans(held('left.tracked', [1, 2, 9], [1, 0, 1]))[0]!.tracked).toEqual([
      { from: 0, to: 2 },
      { from: 9, to: 10 },
    ]);
    expect(spans(held('left.tracked', [2, 12, 14], [1, 1, 0]))[0]!.tracked).toEqual([{ from: 0, to: 10 }]);
    expect(spans(held('left.tracked', [-2, -1, 4], [0, 1, 0]))[0]!.tracked).toEqual([{ from: 0, to: 4 }]);
  });

  it('join successive keys that are on', () => {
    expect(spans(held('left.tracked', [0, 1, 2, 3], [1, 0.8, 1, 0]))[0]!.tracked).toEqual([{ from: 0, to: 3 }]);
  });

  it('of a pinch are cut to those in which the hand was tracked', () => {
    const [left] = spans(held('left.tracked', [0, 2, 5, 8], [0, 1, 0, 1]), held('left.pinch', [0, 1, 3, 4, 9], [0, 1, 0, 1, 0]));
    expect(left!.pinching).toEqual([
      { from: 2, to: 3 },
      { from: 4, to: 5 },
      { from: 8, to: 9 },
    ]);
  });

  it('list the left hand first, and only hands with tracking data', () => {
    const both = spans(held('right.tracked', [0], [1]), held('left.tracked', [0], [0]));
    expect(both.map(({ handedness, tracked }) => [handedness, tracked.length])).toEqual([
      ['left', 0],
      ['right', 1],
    ]);
    expect(spans(held('left.pinch', [0], [1]), held('gaze.tracked', [0], [1]))).toEqual([]);
  });
});

describe('the view of a recording', () => {
  async function recording(): Promise<{ rig: Rig; duration: number; seekTo: (time: number) => void; asked: number[] }> {
    const bytes = readFileSync(new URL('../../../web/src/viewer/demo/wavingHands.bin', import.meta.url));
    const rig = await new RigcastLoader().parseAsync(new Uint8Array(bytes), '', 'wavingHands.bin');
    const [motion] = rig.clips;
    const mixer = new AnimationMixer(rig.scene);
    const action = motion!.clipAction(mixer);
    const asked: number[] = [];
    return { rig, duration: motion!.duration, asked, seekTo: time => (asked.push(time), seek(action, time)) };
  }

  it('looks from the front, slightly from the side and above, over the whole clip', async () => {
    const { rig, duration, seekTo, asked } = await recording();
    const { direction, box } = recordingView(rig, duration, seekTo);
    expect([Math.min(...asked), Math.max(...asked)]).toEqual([0, duration]);
    expect(asked.length).toBeGreaterThan(30);
    const head = rig.nodes[rig.file.scene!.cameras[0]!.node]!;
    const forward = new Vector3();
    const times = asked.slice(); // copied, because seekTo appends to `asked`
    for (const time of times) {
      seekTo(time);
      rig.scene.updateMatrixWorld(true);
      forward.add(new Vector3(0, 0, -1).transformDirection(head.matrixWorld));
    }
    forward.setY(0).normalize();
    expect(direction.length()).toBeCloseTo(1, 6);
    expect(direction.dot(forward)).toBeGreaterThan(0.4);
    expect(Math.abs(direction.dot(new Vector3(-forward.z, 0, forward.x)))).toBeGreaterThan(0.4);
    expect(direction.y).toBeGreaterThan(0.1);
    expect(direction.y).toBeLessThan(0.5);
    // The bounds contain the hands, but not the head far behind them.
    expect(box.containsPoint(head.getWorldPosition(new Vector3()))).toBe(false);
  });

  it('includes hands only while they are tracked', async () => {
    const { rig, duration, seekTo } = await recording();
    const whole = recordingView(rig, duration, seekTo).box;
    const none = recordingView(rig, duration, time => {
      seekTo(time);
      for (const node of rig.nodes) if (/hand/.test(String(node.userData['name']))) node.visible = false;
    }).box;
    // If no hand is tracked, the bounds are those of the head.
    const head = rig.nodes[rig.file.scene!.cameras[0]!.node]!;
    expect(none.containsPoint(head.getWorldPosition(new Vector3()))).toBe(true);
    expect(none.equals(whole)).toBe(false);
  });

  it('ignores rare positions of hands far away', async () => {
    const { rig, duration, seekTo } = await recording();
    const near = recordingView(rig, duration, seekTo).box;
    const flung = recordingView(rig, duration, time => {
      seekTo(time);
      rig.scene.position.x = time > 0.95 * duration ? 50 : 0;
    }).box;
    expect(flung.max.x).toBeLessThan(near.max.x + 1);
    const gone = recordingView(rig, duration, time => {
      seekTo(time);
      rig.scene.position.x = time > 0.5 * duration ? 50 : 0;
    }).box;
    expect(gone.max.x).toBeGreaterThan(40);
  });
});
