// Tests cross-fades from a stored pose.
import { describe, expect, it } from 'vitest';
import { Fade } from '../../../web/src/rig/fade.ts';
import { Pose, PoseShape } from '../../../web/src/rig/pose.ts';
import { armScene } from '../../support/armScene.ts';

const shape = new PoseShape(armScene());
const poseAt = (x: number): Pose => {
  const pose = new Pose(shape);
  pose.translations[3] = x;
  return pose;
};

/** Advances a fade from 8 to 0 by `seconds`, and returns the x position of the node. */
function seen(fade: Fade, seconds: number): number {
  fade.advance(seconds);
  const pose = poseAt(0);
  fade.solve(pose);
  return pose.translations[3]!;
}

describe('a fade', () => {
  it('eases in and out', () => {
    const fade = new Fade();
    fade.start(poseAt(8), 2);
    expect([0, 0.5, 0.5, 0.5, 0.5].map(seconds => seen(fade, seconds))).toEqual([8, 6.75, 4, 1.25, 0]);
    expect(fade.isOn).toBe(false);
  });

  it('ends after a long frame or when stopped', () => {
    const fade = new Fade();
    fade.start(poseAt(8), 2);
    expect([seen(fade, 9), fade.isOn]).toEqual([0, false]);
    fade.start(poseAt(8), 2);
    fade.stop();
    expect([seen(fade, 0), fade.isOn]).toEqual([0, false]);
    fade.start(poseAt(8), 0);
    expect([seen(fade, 0), fade.isOn]).toEqual([0, false]);
  });

  it('has no effect while paused, and resumes where it was', () => {
    const fade = new Fade();
    fade.start(poseAt(8), 2);
    fade.advance(1);
    const resume = fade.pause();
    expect([fade.isOn, seen(fade, 0.5)]).toEqual([false, 0]);
    resume();
    expect([fade.isOn, seen(fade, 0)]).toEqual([true, 4]);
  });

  it('blends a copy of the pose at its start', () => {
    const fade = new Fade();
    const pose = poseAt(8);
    fade.start(pose, 2);
    pose.translations[3] = 100;
    expect(seen(fade, 1)).toBe(4);
  });
});
