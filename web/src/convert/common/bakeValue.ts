// Samples the curves that drive one animated value, within a tolerance at the skin.
import { vectorAt } from '../../core/math/vector.ts';
import { parentOf } from '../../core/tree.ts';
import { numberAt } from '../../core/math/column.ts';
import { Layer } from '../../rig/layer.ts';
import { Pose, type PoseShape } from '../../rig/pose.ts';
import { angleBetween, bake, type Baked, betweenNumbers, betweenRotations, pointsOf, type Sampler } from '../../rig/sampler.ts';
import type { Budget } from './budget.ts';
import type { Value } from './driven.ts';
import { longestVector, type NodeExtents } from './nodeExtents.ts';
import { inverseScale } from './scaleInheritance.ts';

const COLUMNS = { translation: 'translations', rotation: 'rotations', scale: 'scales', weights: 'weights' } as const;

/**
 * Samples an animated value from time 0 to `end`, in seconds. `tolerance`: largest error at the
 * skin, in metres. If the path is `unscale`, the value is the inverse of the parent's scale:
 * `value.row` is the bone, and `value.tracks` drive the scale of its parent.
 */
export function bakeValue(shape: PoseShape, extents: NodeExtents, value: Value, end: number, tolerance: number, budget: Budget): Baked {
  const { width, rest, tracks } = value;
  const isUndone = value.path === 'unscale';
  const path = value.path === 'unscale' ? 'scale' : value.path;
  const row = isUndone ? parentOf(shape.scene.nodes, value.row) : value.row;
  const layer = new Layer(shape, tracks);
  const pose = new Pose(shape);
  const column = pose[COLUMNS[path]];
  const at = path === 'weights' ? numberAt(shape.morphOffsets, row) : width * row;
  const sample: Sampler['sample'] = (time, result) => {
    column.set(rest, at);
    layer.time = time;
    layer.apply(pose);
    for (let c = 0; c < width; c++) result[c] = numberAt(column, at + c);
    if (isUndone) result.set(inverseScale(vectorAt(result, 0)));
  };
  const factors = path === 'weights' ? morphLengths(shape, row) : [];
  const measure = errorMeasure(value.path, extents, row, path === 'scale' ? rest.map(scale => 1 / (Math.abs(scale) || 1)) : factors);
  return bake({ width, sample, ...measure }, pointsOf(tracks, end), tolerance, budget);
}

/** Returns the largest vertex displacement of each morph target, in metres. */
function morphLengths({ scene }: PoseShape, renderer: number): number[] {
  const morphs = scene.meshes[scene.renderers[renderer]?.mesh ?? -1]?.morphs ?? [];
  return morphs.map(({ positions }) => longestVector(positions));
}

/**
 * Returns the interpolation of a value, and a function that converts errors of the value to metres
 * at the skin. `factors`: for weights, the displacement in metres per unit of each component. For
 * scales, a relative factor.
 */
export function errorMeasure(
  path: Value['path'],
  extents: NodeExtents,
  row: number,
  factors: readonly number[],
): Pick<Sampler, 'between' | 'distance'> {
  if (path === 'rotation') {
    const length = numberAt(extents.radii, row);
    return { between: betweenRotations, distance: (a, b) => length * angleBetween(a, b) };
  }
  const factor = path === 'weights' ? 1 : numberAt(path === 'translation' ? extents.parentScales : extents.radii, row);
  const distance: Sampler['distance'] = (a, b) => {
    let sum = 0;
    for (let c = 0; c < a.length; c++) {
      // The error of an inverse scale is relative, because the parent's scale and its inverse
      // cancel out.
      const step = path === 'unscale' ? 1 / (Math.abs(numberAt(a, c)) || 1) : (factors[c] ?? (path === 'weights' ? 0 : 1));
      sum += Math.abs(numberAt(a, c) - numberAt(b, c)) * step * factor;
    }
    return sum;
  };
  return { between: betweenNumbers, distance };
}
