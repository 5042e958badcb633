// Edits clips before they are written: trims them to loops, removes or adds the distance that the body
// travels, and locks the heading of the body.
import { bind } from '../../core/bind.ts';
import { add, length, subtract, type Vector } from '../../core/math/vector.ts';
import type { Clip, RigScene } from '../../core/types.ts';
import { clipFacts } from '../../rig/clipFacts.ts';
import { bestLoop, closeLoop, trimClip } from '../../rig/loops.ts';
import { type RootMotion, rootMotionOf, setTravel } from '../../rig/rootMotion.ts';
import type { ReportBuilder } from './report.ts';
import { mapClips } from './statedModes.ts';

export interface ClipEdits {
  loop?: boolean | undefined;
  inPlace?: boolean | undefined;
  rootMotion?: boolean | undefined;
  lockHeading?: boolean | undefined;
}

/** Duration in seconds of the blend at the end of a loop, and its maximum share of the loop. */
const BLEND = 0.2;
const MAX_BLEND_SHARE = 0.25;
/** Maximum angle in degrees by which hips that only sway can turn between start and end. */
const SWAY = 30;
/** Distances in metres and angles in degrees that are too small to be reported. */
const MIN_TRAVEL = 5e-4;
const MIN_TURN = 0.05;

/** Returns the scene and its clips with the requested edits, and reports what was changed. */
export function editedClips(
  scene: RigScene,
  clips: readonly Clip[],
  edits: ClipEdits,
  report: ReportBuilder,
): { scene: RigScene; clips: readonly Clip[] } {
  if (!edits.loop && !edits.inPlace && !edits.rootMotion && !edits.lockHeading) return { scene, clips };
  return mapClips(scene, clips, clip => editedClip(clip, scene, edits, report));
}

function editedClip(clip: Clip, scene: RigScene, edits: ClipEdits, report: ReportBuilder): Clip {
  const { loop, inPlace, rootMotion, lockHeading } = edits;
  const part = loop ? bestPart(clip, scene, report) : null;
  const used = part ?? clip;
  const motion = motionOf(used, scene);
  if (!motion) {
    if (inPlace || rootMotion || lockHeading) report.add('ROOT_UNKNOWN', clip.name, 1);
    return part ? closed(part, report) : clip;
  }
  const travel = travelOf(used, scene, motion, { ...edits, loop: part !== null }, report);
  if (lockHeading && Math.abs(motion.turn) > MIN_TURN) report.add('TURN_REMOVED', clip.name, Math.abs(motion.turn));
  if (!part) return moved(clip, scene, travel, lockHeading ? 0 : undefined);
  // The end of a loop is blended while the body neither travels nor turns, so that the blend
  // changes neither.
  const turns = isTurning(motion);
  const still = closed(moved(part, scene, [0, 0, 0], lockHeading || turns ? 0 : undefined), report);
  return moved(still, scene, travel, turns && !lockHeading ? motion.turn : undefined);
}

/**
 * Returns the distance that a clip travels after its edits, and reports the difference. `loop`: the clip
 * is a loop.
 */
function travelOf(
  clip: Clip,
  scene: RigScene,
  motion: RootMotion,
  { loop, inPlace, rootMotion }: ClipEdits,
  report: ReportBuilder,
): Vector {
  const [, rise] = motion.travel;
  if (inPlace) {
    const travel: Vector = [0, loop ? 0 : rise, 0];
    const removed = subtract(motion.travel, travel);
    if (length(removed) > MIN_TRAVEL)
      report.add('TRAVEL_REMOVED', clip.name, length(removed), `x y z: ${removed.map(inDigits).join(' ')} m`);
    return travel;
  }
  if (!rootMotion) return motion.travel;
  // If a body turns, its feet move in all directions, from which its path cannot be inferred.
  const facts = isTurning(motion) ? null : clipFacts(bind(clip, scene), scene);
  if (!facts) {
    report.add('GROUND_UNKNOWN', clip.name, 1);
    return motion.travel;
  }
  const added = subtract(facts.travel, facts.moved);
  if (!(length(added) > MIN_TRAVEL)) return motion.travel;
  report.add('TRAVEL_GUESSED', clip.name, length(added), `x y z: ${added.map(inDigits).join(' ')} m`);
  return add(motion.travel, added);
}

/** Returns the part of a clip that is the best loop, and reports it. Returns null if there is none. */
function bestPart(clip: Clip, scene: RigScene, report: ReportBuilder): Clip | null {
  const motion = motionOf(clip, scene);
  const loop = bestLoop(motion && isTurning(motion) ? moved(clip, scene, motion.travel, 0) : clip);
  if (!loop) {
    report.add('LOOP_NOT_FOUND', clip.name, 1);
    return null;
  }
  const { start, end } = loop;
  const rest = clip.duration - (end - start);
  if (rest > 1e-6) report.add('LOOP_TRIMMED', clip.name, rest, `${inDigits(start)} to ${inDigits(end)} s of ${inDigits(clip.duration)} s`);
  return trimClip(clip, start, end);
}

/** Blends the end of a loop into its start, and reports how much they differed. */
function closed(loop: Clip, report: ReportBuilder): Clip {
  const step = bestLoop(loop, { shortest: loop.duration });
  if (step) report.add('LOOP_BLENDED', loop.name, step.pose, `velocities differed by ${inDigits(step.velocity)} degrees per second`);
  return closeLoop(loop, Math.min(BLEND, MAX_BLEND_SHARE * loop.duration), () => false);
}

const isTurning = ({ turn }: RootMotion): boolean => Math.abs(turn) > SWAY;

const motionOf = (clip: Clip, scene: RigScene): RootMotion | null => rootMotionOf(bind(clip, scene), scene);

/** Returns the clip with another root motion, or the clip itself if its root is unknown. */
const moved = (clip: Clip, scene: RigScene, travel: Vector, turn?: number): Clip =>
  setTravel(bind(clip, scene), scene, travel, turn === undefined ? {} : { turn }) ?? clip;

const inDigits = (value: number): string => String(Number(value.toFixed(2)) + 0);
