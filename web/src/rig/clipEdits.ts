// Edits a clip that is bound to a scene: trims it, closes its loop, removes or adds the distance that
// the body travels, and locks the heading of the body.
import { bind, type BindByNameOptions } from '../core/bind.ts';
import { add, length, subtract, type Vector } from '../core/math/vector.ts';
import type { Clip, RigScene } from '../core/types.ts';
import { clipFacts } from './clipFacts.ts';
import { bestLoop, closeLoop, type Loop, trimClip } from './loops.ts';
import { type RootMotion, rootMotionOf, setTravel } from './rootMotion.ts';

export interface ClipEdits {
  /** Part of the clip that is kept, times in seconds. An end after that of the clip is moved to it. */
  readonly trim?: { readonly start: number; readonly end: number } | undefined;
  /** True to blend the end of the clip into its start, and to mark the clip as a loop. */
  readonly closeLoop?: boolean | undefined;
  /**
   * `in-place`: removes the horizontal distance that the body travels. `root-motion`: makes a body
   * that plays in place travel as fast as its feet walk.
   */
  readonly travel?: 'in-place' | 'root-motion' | undefined;
  /** True to remove the angle that the body turns about the up axis. */
  readonly lockHeading?: boolean | undefined;
}

/** A change of a clip. `code`, `amount` and `detail` are those of the conversion report. */
export interface ClipChange {
  readonly code: string;
  readonly amount: number;
  readonly detail: string;
}

type Note = (code: string, amount: number, detail?: string) => void;

/** Duration in seconds of the blend at the end of a loop, and its maximum share of the loop. */
const BLEND = 0.2;
const MAX_BLEND_SHARE = 0.25;
/** Maximum angle in degrees by which hips that only sway can turn between start and end. */
const SWAY = 30;
/** Distances in metres and angles in degrees that are too small to be reported. */
const MIN_TRAVEL = 5e-4;
const MIN_TURN = 0.05;

/**
 * Returns a clip with the requested edits, and what was changed. `options`: how the keys of the clip
 * are bound to `scene`.
 */
export function editClip(
  clip: Clip,
  scene: RigScene,
  edits: ClipEdits,
  options: BindByNameOptions = {},
): { clip: Clip; changes: readonly ClipChange[] } {
  const changes: ClipChange[] = [];
  const note: Note = (code, amount, detail = '') => void changes.push({ code, amount, detail });
  return { clip: new ClipEditor(scene, options, note).edit(clip, edits), changes };
}

/** Returns the best loop of a clip (see `bestLoop`), in which the body may turn. */
export function loopOf(clip: Clip, scene: RigScene): Loop | null {
  const editor = new ClipEditor(scene, {}, () => {});
  const motion = editor.motionOf(clip);
  return bestLoop(motion && isTurning(motion) ? editor.moved(clip, motion.travel, 0) : clip);
}

class ClipEditor {
  readonly #scene: RigScene;
  readonly #options: BindByNameOptions;
  readonly #note: Note;

  constructor(scene: RigScene, options: BindByNameOptions, note: Note) {
    this.#scene = scene;
    this.#options = options;
    this.#note = note;
  }

  edit(clip: Clip, edits: ClipEdits): Clip {
    const part = this.#trimmed(clip, edits);
    const { closeLoop: isClosed, travel: wanted, lockHeading } = edits;
    if (!isClosed && !wanted && !lockHeading) return part;
    const motion = this.motionOf(part);
    if (!motion) {
      if (wanted || lockHeading) this.#note('ROOT_UNKNOWN', 1);
      return isClosed ? this.#closed(part) : part;
    }
    const travel = this.#travelOf(part, motion, edits);
    if (lockHeading && Math.abs(motion.turn) > MIN_TURN) this.#note('TURN_REMOVED', Math.abs(motion.turn));
    if (!isClosed) return this.moved(part, travel, lockHeading ? 0 : undefined);
    // The end of a loop is blended while the body neither travels nor turns, so that the blend
    // changes neither.
    const turns = isTurning(motion);
    const still = this.#closed(this.moved(part, [0, 0, 0], lockHeading || turns ? 0 : undefined));
    return this.moved(still, travel, turns && !lockHeading ? motion.turn : undefined);
  }

  motionOf(clip: Clip): RootMotion | null {
    return rootMotionOf(bind(clip, this.#scene, this.#options), this.#scene);
  }

  /** Returns the clip with another root motion, or the clip itself if its root is unknown. */
  moved(clip: Clip, travel: Vector, turn?: number): Clip {
    return setTravel(bind(clip, this.#scene, this.#options), this.#scene, travel, turn === undefined ? {} : { turn }) ?? clip;
  }

  /** Returns the chosen part of a clip, and reports the duration of the rest. */
  #trimmed(clip: Clip, { trim }: ClipEdits): Clip {
    if (!trim) return clip;
    const [start, end] = [Math.max(trim.start, 0), Math.min(trim.end, clip.duration)];
    const rest = clip.duration - (end - start);
    // A file that has changed can be shorter than the part.
    if (!(start < end)) return clip;
    if (rest > 1e-6) this.#note('LOOP_TRIMMED', rest, `${inDigits(start)} to ${inDigits(end)} s of ${inDigits(clip.duration)} s`);
    return { ...trimClip(clip, start, end), loop: clip.loop };
  }

  /** Blends the end of a loop into its start, and reports how much they differed. */
  #closed(loop: Clip): Clip {
    const step = bestLoop(loop, { shortest: loop.duration });
    if (step) this.#note('LOOP_BLENDED', step.pose, `velocities differed by ${inDigits(step.velocity)} degrees per second`);
    return { ...closeLoop(loop, Math.min(BLEND, MAX_BLEND_SHARE * loop.duration), () => false), loop: true };
  }

  /** Returns the distance that a clip travels after its edits, and reports the difference. */
  #travelOf(clip: Clip, motion: RootMotion, { closeLoop: isClosed, travel: wanted }: ClipEdits): Vector {
    const [, rise] = motion.travel;
    if (wanted === 'in-place') {
      const travel: Vector = [0, isClosed ? 0 : rise, 0];
      const removed = subtract(motion.travel, travel);
      if (length(removed) > MIN_TRAVEL) this.#note('TRAVEL_REMOVED', length(removed), `x y z: ${removed.map(inDigits).join(' ')} m`);
      return travel;
    }
    if (!wanted) return motion.travel;
    // If a body turns, its feet move in all directions, from which its path cannot be inferred.
    const facts = isTurning(motion) ? null : clipFacts(bind(clip, this.#scene, this.#options), this.#scene);
    if (!facts) {
      this.#note('GROUND_UNKNOWN', 1);
      return motion.travel;
    }
    const added = subtract(facts.travel, facts.moved);
    if (!(length(added) > MIN_TRAVEL)) return motion.travel;
    this.#note('TRAVEL_GUESSED', length(added), `x y z: ${added.map(inDigits).join(' ')} m`);
    return add(motion.travel, added);
  }
}

const isTurning = ({ turn }: RootMotion): boolean => Math.abs(turn) > SWAY;

const inDigits = (value: number): string => String(Number(value.toFixed(2)) + 0);
