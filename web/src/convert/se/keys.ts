// Merges the curves of a bone. SEAnim has one list of keys for all axes, while the scene can have a
// separate curve for each axis.
import { numberAt } from '../../core/math/column.ts';
import { dotAt, inverted, multiply, quaternionAt, slerp } from '../../core/math/quaternion.ts';
import type { RigScene, TrackMode } from '../../core/types.ts';
import { type Curve, CurveCursor } from '../../rig/curve.ts';
import { PoseShape } from '../../rig/pose.ts';
import { type CurvePart, JOINS, StackCursor } from '../../rig/stack.ts';
import type { FrameClip, FrameCurve } from '../common/frames.ts';
import { nodeExtents } from '../common/nodeExtents.ts';
import type { ReportBuilder } from '../common/report.ts';

export const KINDS = ['translation', 'rotation', 'scale'] as const;
export type Kind = (typeof KINDS)[number];

/** Keys of one kind (translation, rotation or scale) for one bone. */
export interface Keys {
  frames: readonly number[];
  /** Values of all keys: x y z w for rotations, otherwise x y z. */
  values: Float32Array;
  mode: TrackMode;
}

interface KeysSource {
  clip: FrameClip;
  scene: RigScene;
  report: ReportBuilder;
}

/**
 * Merges the translation, rotation or scale curves of a bone. At the keys of one axis, the other
 * axes get interpolated keys. Additive curves are added with their weights. If several other curves
 * drive the same axis, the last of them is used.
 */
export function keysOf(curves: readonly FrameCurve[], kind: Kind, row: number | undefined, source: KeysSource): Keys | null {
  const [first] = curves;
  if (!first) return null;
  const added = curves.filter(({ mode }) => mode === 'additive');
  const base = curves.filter(({ mode }) => mode !== 'additive');
  const isAlone = added.every(({ blendWeight }) => blendWeight === 1) && !overlap(added);
  if (curves.every(({ mode }) => mode === first.mode) && isAlone) return plainKeys(curves, kind, row, source);
  if (row !== undefined || base.every(({ mode }) => mode === 'absolute')) return stackedKeys(base, added, kind, row, source);
  // Without a rest pose, relative keys cannot be combined with additive curves.
  source.report.add('NOT_SAID', `additive curves combined with others in ${source.clip.name}`, added.length);
  return plainKeys(base, kind, row, source);
}

/** True if two of the curves drive the same axis. */
function overlap(curves: readonly FrameCurve[]): boolean {
  const axes = new Set(curves.map(({ component }) => component));
  return curves.length > 1 && (axes.size < curves.length || [...axes].some(axis => axis < 0));
}

const framesOf = (curves: readonly FrameCurve[]): readonly number[] => {
  const [{ frames: first = [] } = {}, ...others] = curves;
  if (others.every(({ frames }) => frames.length === first.length && frames.every((frame, i) => frame === first[i]))) return first;
  const all = new Set<number>();
  for (const { frames } of curves) for (const frame of frames) all.add(frame);
  return [...all].sort((a, b) => a - b);
};

/** Merges curves that have the same mode. */
function plainKeys(curves: readonly FrameCurve[], kind: Kind, row: number | undefined, { scene, clip, report }: KeysSource): Keys | null {
  const last = curves.at(-1);
  if (!last) return null;
  const { mode } = last;
  if (last.component < 0) return { frames: last.frames, values: last.values, mode };
  const frames = framesOf(curves);
  report.budget.spend(16 * frames.length);
  const values = new Float32Array(3 * frames.length);
  for (let c = 0; c < 3; c++) {
    const curve = curves.findLast(each => each.component === c);
    if (!curve) {
      const column = kind === 'scale' ? scene.nodes.scales : scene.nodes.translations;
      const none = kind === 'scale' ? 1 : 0;
      const rest = mode === 'absolute' && row !== undefined ? (column[3 * row + c] ?? none) : none;
      if (mode === 'absolute' && row === undefined) report.add('AXES_FILLED', last.target, 1, clip.name);
      for (let i = 0; i < frames.length; i++) values[3 * i + c] = rest;
      continue;
    }
    const cursor = new CurveCursor(lines(curve, curve.values));
    for (const [i, frame] of frames.entries()) cursor.evaluate(frame, values, 3 * i + c);
  }
  return { frames, values, mode };
}

/** Returns a linear curve whose key times are frame numbers. */
const lines = ({ path, component, frames }: FrameCurve, values: Float32Array): Curve => ({
  times: Float32Array.from(frames),
  values,
  width: component < 0 ? (path === 'rotation' ? 4 : 3) : 1,
  interpolation: path === 'rotation' ? 'slerp' : 'linear',
  before: 'hold',
  after: 'hold',
});

/**
 * Adds weighted additive curves to the other curves, as the pose engine does. Returns absolute
 * keys, or additive keys if all curves are additive.
 */
function stackedKeys(
  base: readonly FrameCurve[],
  added: readonly FrameCurve[],
  kind: Kind,
  row: number | undefined,
  { scene, clip, report }: KeysSource,
): Keys {
  const none = kind === 'rotation' ? [0, 0, 0, 1] : kind === 'scale' ? [1, 1, 1] : [0, 0, 0];
  const column = { translation: scene.nodes.translations, rotation: scene.nodes.rotations, scale: scene.nodes.scales }[kind];
  const size = none.length;
  const rest = row === undefined ? none : [...column.subarray(size * row, size * row + size)];
  const parts = [
    ...base.map((curve): CurvePart => {
      const values = curve.mode === 'absolute' ? curve.values : onRestOf(curve, kind, rest);
      return { curve: lines(curve, values), component: Math.max(curve.component, 0) };
    }),
    ...added.map((curve): CurvePart => ({
      curve: lines(curve, curve.values),
      component: Math.max(curve.component, 0),
      join: JOINS[kind],
      weight: curve.blendWeight,
    })),
  ];
  const cursor = new StackCursor({ parts, rest: base.length > 0 ? rest : none, isRotation: kind === 'rotation' });
  const keys = framesOf([...base, ...added]);
  const [first = 0, last = 0] = [keys[0], keys.at(-1)];
  // The product of two rotations does not follow a single arc, so rotations need a key at every
  // frame.
  const frames = kind === 'rotation' ? Array.from({ length: last - first + 1 }, (_, i) => first + i) : keys;
  report.budget.spend(4 * frames.length * (size + 1 + parts.length));
  const values = new Float32Array(size * frames.length);
  const now = new Float64Array(size);
  for (const [i, frame] of frames.entries()) {
    cursor.evaluate(frame, now);
    values.set(now, size * i);
  }
  if (kind === 'rotation') reportGap(cursor, frames, values, row, scene, clip, report);
  return { frames, values, mode: base.length > 0 ? 'absolute' : 'additive' };
}

/** Converts values that are relative to the rest pose to absolute values. */
function onRestOf({ component, values, mode, frames }: FrameCurve, kind: Kind, rest: readonly number[]): Float32Array {
  const made = values.slice();
  const width = values.length / frames.length;
  for (let i = 0; i < values.length; i += width) {
    if (kind === 'rotation') {
      const back = mode === 'delta' ? inverted(quaternionAt(values, 0)) : [0, 0, 0, 1];
      multiply(made, i, back, 0, values, i);
      multiply(made, i, rest, 0, made.slice(i, i + 4), 0);
      continue;
    }
    for (let c = 0; c < width; c++) {
      const own = numberAt(rest, Math.max(component, 0) + c);
      const begin = numberAt(values, c);
      const value = numberAt(values, i + c);
      const difference = mode === 'delta' ? value - begin : value;
      made[i + c] = kind === 'scale' ? own * (mode === 'delta' ? value / (begin || 1) : value) : own + difference;
    }
  }
  return made;
}

/**
 * Reports how far the skin deviates between frames. It deviates because rotations are interpolated
 * along an arc.
 */
function reportGap(
  cursor: StackCursor,
  frames: readonly number[],
  values: Float32Array,
  row: number | undefined,
  scene: RigScene,
  clip: FrameClip,
  report: ReportBuilder,
): void {
  const [now, line] = [new Float64Array(4), new Float64Array(4)];
  let most = 0;
  for (let i = 0; i + 1 < frames.length; i++) {
    cursor.evaluate(numberAt(frames, i) + 0.5, now);
    slerp(line, 0, values, 4 * i, values, 4 * i + 4, 0.5);
    const cosine = Math.abs(dotAt(now, 0, line, 0));
    most = Math.max(most, 2 * Math.acos(Math.min(cosine, 1)));
  }
  const length = row === undefined ? 1 : numberAt(nodeExtents(new PoseShape(scene)).radii, row);
  if (most > 1e-6)
    report.add('CURVES_SAMPLED', clip.name, most * length, `additive rotations of ${scene.nodes.names[row ?? -1] ?? 'a bone'}`);
}
