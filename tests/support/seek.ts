import type { AnimationAction } from 'three';

/**
 * Sets three.js animation actions to a time and applies them to the objects. The time is rounded to
 * float32, as key times are. Ignores the loop mode of the actions, so that the last frame of a
 * looping action can be evaluated.
 */
export function seek(actions: AnimationAction | readonly AnimationAction[], time: number): void {
  const all = [actions].flat() as AnimationAction[];
  for (const action of all) action.reset().play().time = Math.fround(time);
  for (const mixer of new Set(all.map(action => action.getMixer()))) mixer.update(0);
}
