// Animations that start automatically. In Unity each component plays a clip on its own object, and
// all play together.
import { type AnimationAction, type AnimationMixer, LoopOnce, LoopPingPong, LoopRepeat } from 'three';
import { member, numberIn } from '../../core/properties.ts';
import type { RigScene } from '../../core/types.ts';
import type { Motion } from './clips.ts';

/**
 * Returns the rows of `scene.clips` that start automatically: one for each visible object with an
 * enabled component.
 */
export function startingClips({ clips, features, nodes: { parents, visible } }: RigScene): number[] {
  const isShown = (row: number): boolean => {
    for (; row >= 0 && row < visible.length; row = parents[row]!) if (!visible[row]) return false;
    return true;
  };
  const found = new Set<number>();
  for (const { kind, node = -1, properties } of features) {
    if (
      kind !== 'animation' ||
      member(properties, 'playAutomatically') !== true ||
      member(properties, 'enabled') === false ||
      !isShown(node)
    )
      continue;
    const clip = numberIn(properties, 'clip', -1);
    if (clips[clip]) found.add(clip);
  }
  return [...found];
}

/** Starts animations on a mixer, looped as the file declares. */
export function start(motions: readonly Motion[], mixer: AnimationMixer): AnimationAction[] {
  return motions.flatMap(motion =>
    motion.actions(mixer).map(action => {
      action.setLoop(motion.pingPong ? LoopPingPong : motion.loop ? LoopRepeat : LoopOnce, motion.loop ? Infinity : 1);
      action.clampWhenFinished = true;
      return action.reset().play();
    }),
  );
}

/** Returns the time in a clip `time` seconds after its start. */
export function timeIn({ duration, loop, pingPong }: Pick<Motion, 'duration' | 'loop' | 'pingPong'>, time: number): number {
  if (duration <= 0) return 0;
  if (!loop) return Math.min(time, duration);
  if (!pingPong) return time % duration;
  const phase = time % (2 * duration);
  return phase > duration ? 2 * duration - phase : phase;
}

const MOST_SECONDS = 60;

/**
 * Returns the duration after which all clips begin a loop together, if it is within a minute; else
 * the largest multiple of the longest clip within a minute.
 */
export function commonDuration(motions: readonly Pick<Motion, 'duration' | 'loop' | 'pingPong'>[]): number {
  const turns = motions.filter(({ duration, loop }) => loop && duration > 0).map(({ duration, pingPong }) => (pingPong ? 2 : 1) * duration);
  const longest = Math.max(0, ...motions.map(({ duration }) => duration), ...turns);
  const meet = (length: number): boolean => turns.every(turn => Math.abs(length / turn - Math.round(length / turn)) * turn < 1e-3);
  const most = Math.max(1, Math.floor(MOST_SECONDS / longest) || 1);
  for (let times = 1; times <= most; times++) if (meet(times * longest)) return times * longest;
  return most * longest;
}
