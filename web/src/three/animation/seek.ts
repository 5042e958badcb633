import { type AnimationAction, type AnimationMixer, LoopPingPong } from 'three';

/**
 * Poses a model at a moment, for pages, tests and the command line alike.
 *
 * Key times are float32, so the time is rounded to float32 too: a stepped key at frame k takes effect at k / frameRate. The action's own loop is not applied, so
 * that the last frame of a loop can be reached. Outside the keys the curves specify what holds. A paused or finished action runs again from here; one that never
 * played is started.
 *
 * `target` is a mixer (all its active actions) or some actions. `time` is that of all of them, or a function that returns the time of each.
 */
export function seek(
  target: AnimationMixer | AnimationAction | readonly AnimationAction[],
  time: number | ((action: AnimationAction) => number),
): void {
  const actions = actionsOf(target);
  const mixers = new Set<AnimationMixer>('clipAction' in target ? [target] : []);
  for (const action of actions) {
    // In its backward phase a ping-pong action mirrors `time`. `reset` clears that; it also drops the loop count and fades.
    if (isOnItsWayBack(action)) action.reset();
    action.paused = false;
    action.enabled = true;
    action.time = Math.fround(typeof time === 'number' ? time : time(action));
    action.play();
    mixers.add(action.getMixer());
  }
  for (const mixer of mixers) mixer.update(0);
}

function actionsOf(target: AnimationMixer | AnimationAction | readonly AnimationAction[]): readonly AnimationAction[] {
  if ('clipAction' in target) {
    const { _actions, _nActiveActions } = target as unknown as { _actions?: AnimationAction[]; _nActiveActions?: number };
    if (!Array.isArray(_actions) || typeof _nActiveActions !== 'number')
      throw new Error(
        'seek: this release of three does not tell what plays on a mixer; give the actions that mixer.clipAction made: seek([action], time)',
      );
    return _actions.slice(0, _nActiveActions);
  }
  return 'getMixer' in target ? [target] : target;
}

function isOnItsWayBack(action: AnimationAction): boolean {
  const { _loopCount: count = 1 } = action as unknown as { _loopCount?: number }; // where three does not tell, it may be
  return action.loop === LoopPingPong && Math.abs(count % 2) === 1;
}
