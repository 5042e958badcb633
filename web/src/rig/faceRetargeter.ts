// Converts the expressions and gaze of VRM animations to curves of a model's morph targets and
// eyes. At each frame, it samples the result of the model's expressions and look-at rules.
import { numberAt } from '../core/math/column.ts';
import { nameOf } from '../core/tree.ts';
import { type Quat, quat, copyQuaternion, normalize, rotateVector } from '../core/math/quaternion.ts';
import { type Vector } from '../core/math/vector.ts';
import { trackWidth } from '../core/description.ts';
import type { Clip, RigScene, Track, TrackPath } from '../core/types.ts';
import { CurveCursor } from './curve.ts';
import { Expressions } from './expressions.ts';
import { ExpressionRules } from './expressionRules.ts';
import { LookAt } from './lookAt.ts';
import { Pose, PoseShape } from './pose.ts';
import { makeClip, occurrenceOf, sampledTrack } from './table.ts';
import { WorldMatrices } from './world.ts';

/** Maximum number of keys per sampled curve. */
const MAX_FRAMES = 36_000;

/** Retargets the expressions and gaze of one clip to a model. */
export class FaceRetargeter {
  /**
   * Names of the clip's expressions that the model has (`shown`) and that it lacks (`lost`). Gaze
   * is listed as `look`.
   */
  readonly shown: readonly string[];
  readonly lost: readonly string[];
  /**
   * Names of the eye bones that the result of `tracks` animates. These curves replace all other
   * curves of the bones.
   */
  readonly bones: readonly string[];
  readonly #clip: Clip;
  readonly #to: RigScene;
  readonly #expressions: readonly { name: string; cursor: CurveCursor }[];
  readonly #gaze: CurveCursor | null;
  readonly #rules: ExpressionRules;
  readonly #look: LookAt | null;

  /** Returns null if the clip has neither expressions nor gaze. */
  static of(clip: Clip, to: RigScene): FaceRetargeter | null {
    const tracks = [...clip.tracks].filter(({ path, times }) => isFacePath(path) && times.length > 0);
    return tracks.length > 0 ? new FaceRetargeter(clip, tracks, to) : null;
  }

  private constructor(clip: Clip, tracks: readonly Track[], to: RigScene) {
    this.#clip = clip;
    this.#to = to;
    this.#rules = new ExpressionRules(to);
    const gaze = tracks.find(({ path }) => path === 'look');
    const look = gaze ? LookAt.of(to, this.#rules) : null;
    this.#look = look && look.design.kind !== 'none' ? look : null;
    this.#gaze = gaze && this.#look ? cursorOf(gaze) : null;
    const requested = tracks.filter(({ path }) => path === 'expression');
    const has = ({ property }: Track): boolean => to.expressions.some(({ name, preset }) => name === property || preset === property);
    this.#expressions = requested.filter(has).map(track => ({ name: track.property, cursor: cursorOf(track) }));
    this.shown = [...new Set([...this.#expressions.map(({ name }) => name), ...(this.#look ? ['look'] : [])])];
    this.lost = [
      ...new Set([...requested.filter(each => !has(each)).map(({ property }) => property), ...(gaze && !this.#look ? ['look'] : [])]),
    ];
    this.bones = this.#look?.design.kind === 'bone' ? this.#look.design.eyes.map(({ row }) => nameOf(to.nodes, row)) : [];
  }

  /** Returns curves of morph targets and eyes, with a key at each frame of the clip. */
  tracks(): Track[] {
    const { duration, frameRate } = this.#clip;
    const rate = frameRate > 0 ? frameRate : 30;
    const frames = Math.min(Math.max(Math.round(duration * rate), 0) + 1, MAX_FRAMES);
    const times = Float32Array.from({ length: frames }, (_, i) => Math.min(i / rate, duration));
    const shape = new PoseShape(this.#to);
    const solver = new Expressions(shape, this.#rules);
    const [pose, world] = [new Pose(shape), new WorldMatrices(shape)];
    const weights = pose.weights.length;
    const sampled = new Float32Array(weights * frames);
    const eyes =
      this.bones.length === 0 ? [] : (this.#look?.design.eyes ?? []).map(({ row }) => ({ row, values: new Float32Array(4 * frames) }));
    for (const [frame, time] of times.entries()) {
      for (const { name, cursor } of this.#expressions) {
        cursor.evaluate(time, read, 0);
        solver.set(name, read[0]);
      }
      pose.reset();
      if (this.#look && this.#gaze) {
        this.#gaze.evaluate(time, read, 0);
        this.#look.target = targetInDirection(this.#look, read);
        this.#look.solve(pose, world, 0);
      }
      solver.solve(pose);
      for (const [w, weight] of pose.weights.entries()) sampled[w * frames + frame] = weight;
      for (const { row, values } of eyes) copyQuaternion(values, 4 * frame, pose.rotations, 4 * row);
    }
    const { nodes } = this.#to;
    return [
      ...this.#morphWeights(shape, sampled, frames).map(([property, values]) =>
        sampledTrack({ target: '', occurrence: 0, property, path: 'weight', times, values }),
      ),
      ...eyes.map(({ row, values }) =>
        sampledTrack({ target: nameOf(nodes, row), occurrence: occurrenceOf(nodes, row), path: 'rotation', times, values }),
      ),
    ];
  }

  /**
   * Returns the sampled weights of each morph target, by name. If several meshes have morph targets
   * with the same name, uses the largest weight.
   */
  #morphWeights({ morphOffsets }: PoseShape, sampled: Float32Array, frames: number): [string, Float32Array][] {
    const { renderers, meshes, expressions } = this.#to;
    const found = new Map<string, Float32Array>();
    const moved = new Set(this.#expressions.map(({ name }) => name));
    for (const { name, preset = '', bindings } of expressions) {
      const isDriven = moved.has(name) || moved.has(preset) || (this.#look !== null && preset.startsWith('look'));
      for (const { renderer, morph } of isDriven ? bindings : []) {
        const shape = meshes[renderers[renderer]?.mesh ?? -1]?.morphs[morph]?.name;
        if (shape === undefined) continue;
        const at = (numberAt(morphOffsets, renderer) + morph) * frames;
        const values = sampled.subarray(at, at + frames);
        const before = found.get(shape);
        found.set(shape, before ? before.map((value, i) => Math.max(value, numberAt(values, i))) : values);
      }
    }
    return [...found];
  }
}

/** Returns a position in front of the eyes. Its direction is +Z, rotated by `rotation`. */
function targetInDirection(look: LookAt, rotation: Quat): Vector {
  const gaze: Vector = [0, 0, 1];
  normalize(rotation);
  rotateVector(gaze, 0, rotation);
  return look.positionAt(Math.atan2(gaze[0], gaze[2]), Math.atan2(gaze[1], Math.hypot(gaze[0], gaze[2])));
}

const isFacePath = (path: TrackPath): boolean => path === 'expression' || path === 'look';

const read = quat();

function cursorOf({ path, times, values, interpolation, kinds, tangents, weights, before, after }: Track): CurveCursor {
  return new CurveCursor({ times, values, width: trackWidth(path, -1), interpolation, kinds, tangents, weights, before, after });
}

/** Returns a copy of the clip without its curves of expressions and gaze. */
export function withoutFace(clip: Clip): Clip {
  const tracks = [...clip.tracks].filter(({ path }) => !isFacePath(path));
  return { ...clip, tracks: makeClip(clip, tracks).tracks };
}
