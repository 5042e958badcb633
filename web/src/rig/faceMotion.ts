// What a motion says of a face without naming its shapes (VRM animations: how strong an expression is, where the eyes look), as curves for the face of a model: the
// model's own expressions and its own rules of looking, frame by frame.
import type { BoundClip } from '../core/bind.ts';
import type { RigScene, Track } from '../core/types.ts';
import { Animator } from './animator.ts';
import { ExpressionSolver } from './expressions.ts';
import { FaceRules } from './faceRules.ts';
import { Layer } from './layer.ts';
import { LookAt } from './lookAt.ts';
import { Pose, PoseShape } from './pose.ts';
import { rotate } from './quaternion.ts';
import { occurrenceOf, sampledTrack } from './table.ts';
import { WorldMatrices } from './world.ts';

/** Most keys of a curve. */
const MOST_FRAMES = 36_000;

export class FaceMotion {
  /** Bones whose curves are made here: what else moves them gives way. */
  readonly bones: readonly string[];
  readonly #from: RigScene;
  readonly #to: RigScene;
  readonly #expressions: readonly { name: string; row: number }[];
  readonly #gaze: number;
  readonly #rules: FaceRules;
  readonly #look: LookAt | null;

  /** Null where the motion's own file says nothing of faces. */
  static of(from: RigScene, to: RigScene): FaceMotion | null {
    return from.features.some(({ kind }) => kind === 'expressionTrack' || kind === 'lookAtTrack') ? new FaceMotion(from, to) : null;
  }

  private constructor(from: RigScene, to: RigScene) {
    this.#from = from;
    this.#to = to;
    this.#expressions = from.features.flatMap(({ kind, name = '', node }) =>
      kind === 'expressionTrack' && node !== undefined ? [{ name, row: node }] : [],
    );
    this.#gaze = from.features.find(({ kind }) => kind === 'lookAtTrack')?.node ?? -1;
    this.#rules = new FaceRules(to);
    this.#look = this.#gaze < 0 ? null : LookAt.of(to, this.#rules);
    this.bones = this.#look?.design.kind === 'bone' ? this.#look.design.eyes.map(({ row }) => to.nodes.names[row]!) : [];
  }

  /** `motion` is bound to its own file. */
  tracks(motion: BoundClip): Track[] {
    const rate = motion.frameRate > 0 ? motion.frameRate : 30;
    const frames = Math.min(Math.max(Math.round(motion.duration * rate), 0) + 1, MOST_FRAMES);
    const times = Float32Array.from({ length: frames }, (_, i) => Math.min(i / rate, motion.duration));
    const animator = new Animator(new PoseShape(this.#from));
    const layer = new Layer(animator.shape, motion.tracks);
    animator.layers.push(layer);
    const shape = new PoseShape(this.#to);
    const solver = new ExpressionSolver(shape, this.#rules);
    const [pose, world] = [new Pose(shape), new WorldMatrices(shape)];
    const weights = pose.weights.length;
    const seen = new Float32Array(weights * frames);
    const eyes = this.bones.length === 0 ? [] : this.#look!.design.eyes.map(({ row }) => ({ row, values: new Float32Array(4 * frames) }));
    for (let frame = 0; frame < frames; frame++) {
      layer.time = times[frame]!;
      const now = animator.evaluate();
      for (const { name, row } of this.#expressions) solver.set(name, now.translations[3 * row]!);
      pose.reset();
      if (this.#look) {
        sight[0] = sight[1] = 0;
        sight[2] = 1;
        rotate(sight, 0, now.rotations.subarray(4 * this.#gaze, 4 * this.#gaze + 4));
        const flat = Math.hypot(sight[0], sight[2]);
        this.#look.target = this.#look.placeAt(Math.atan2(sight[0], sight[2]), Math.atan2(sight[1], flat));
        this.#look.solve(pose, world, 0);
      }
      solver.solve(pose);
      for (let w = 0; w < weights; w++) seen[w * frames + frame] = pose.weights[w]!;
      for (const { row, values } of eyes) for (let c = 0; c < 4; c++) values[4 * frame + c] = pose.rotations[4 * row + c]!;
    }
    const { nodes } = this.#to;
    return [
      ...this.#shapes(shape, seen, frames).map(([property, values]) =>
        sampledTrack({ target: '', occurrence: 0, property, path: 'weight', times, values }),
      ),
      ...eyes.map(({ row, values }) =>
        sampledTrack({ target: nodes.names[row]!, occurrence: occurrenceOf(nodes, row), path: 'rotation', times, values }),
      ),
    ];
  }

  /** By the names of shapes that any expression moves; of several meshes with one, the stronger. */
  #shapes({ morphOffsets }: PoseShape, seen: Float32Array, frames: number): [string, Float32Array][] {
    const { renderers, meshes, expressions } = this.#to;
    const found = new Map<string, Float32Array>();
    const moved = new Set(this.#expressions.map(({ name }) => name));
    for (const { name, preset = '', bindings } of expressions) {
      const isDriven = moved.has(name) || moved.has(preset) || (this.#look !== null && preset.startsWith('look'));
      for (const { renderer, morph } of isDriven ? bindings : []) {
        const shape = meshes[renderers[renderer]?.mesh ?? -1]?.morphs[morph]?.name;
        if (shape === undefined) continue;
        const at = (morphOffsets[renderer]! + morph) * frames;
        const values = seen.subarray(at, at + frames);
        const before = found.get(shape);
        found.set(shape, before ? before.map((value, i) => Math.max(value, values[i]!)) : values);
      }
    }
    return [...found];
  }
}

const sight = [0, 0, 0] as [number, number, number];
