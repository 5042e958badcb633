// Measures the error at the skin that results if the curves of a clip are interpolated linearly
// between frames.
import { numberAt } from '../../core/math/column.ts';
import { slerp } from '../../core/math/quaternion.ts';
import { bind, type BoundTrack } from '../../core/bind.ts';
import { entry } from '../../core/entry.ts';
import type { Clip, Mesh, RigScene } from '../../core/types.ts';
import { CurveCursor } from '../../rig/curve.ts';
import { PoseShape } from '../../rig/pose.ts';
import type { Budget } from './budget.ts';
import { longestVector, nodeExtents } from './nodeExtents.ts';

const PROBES = [0.25, 0.5, 0.75];
/**
 * Maximum number of samples per curve. If a curve would need more, only some of its frames are
 * sampled.
 */
const MAX_SAMPLES = 20_000;
/** Maximum number of samples per curve if the work budget does not suffice for more. */
const MIN_SAMPLES = 60;
/** Bytes that a sample takes from the work budget. */
const PER_SAMPLE = 16;
const WIDTHS: Readonly<Record<string, number>> = { translation: 3, rotation: 4, scale: 3 };

/**
 * Returns the largest error at the skin, in metres. The errors of nested bones are added up.
 * Returns null if no track matches the scene. `isKept`: returns true for curves whose keys are
 * written unchanged.
 */
export function frameError(
  clip: Clip,
  scene: RigScene,
  frameRate: number,
  isKept: (track: BoundTrack) => boolean,
  budget: Budget,
): number | null {
  const { tracks } = bind(clip, scene);
  if (tracks.length === 0) return null;
  const { radii, parentScales } = nodeExtents(new PoseShape(scene));
  const errors = new Float64Array(scene.nodes.length);
  const shapes = new Map<Mesh, Map<string, number>>();
  const shapesOf = (renderer: number): Map<string, number> | undefined => {
    const mesh = scene.meshes[scene.renderers[renderer]?.mesh ?? -1];
    return mesh && entry(shapes, mesh, () => lengthsOf(mesh));
  };
  let most = 0;
  for (const track of tracks) {
    const { node, path, times, renderers, morph } = track;
    if (times.length === 0 || isKept(track)) continue;
    const gap = gapOf(track, frameRate, clip.duration, budget);
    if (path === 'weight') for (const row of renderers) most = Math.max(most, gap * (shapesOf(row)?.get(morph) ?? 0));
    else if (node >= 0 && path in WIDTHS) errors[node]! += gap * numberAt(path === 'translation' ? parentScales : radii, node);
  }
  for (const [row, parent] of scene.nodes.parents.entries()) {
    if (parent >= 0) errors[row]! += numberAt(errors, parent);
    most = Math.max(most, numberAt(errors, row));
  }
  return most;
}

/**
 * Returns the largest difference between a curve and the linear interpolation of its values at the
 * frames. For rotations, the difference is an angle in radians.
 */
function gapOf(track: BoundTrack, frameRate: number, duration: number, budget: Budget): number {
  const { path, component } = track;
  const width = component < 0 ? (WIDTHS[path] ?? 1) : 1;
  const cursor = new CurveCursor({ ...track, width });
  const [a, b, line, probe] = [new Float64Array(width), new Float64Array(width), new Float64Array(width), new Float64Array(width)];
  const frames = Math.ceil(duration * frameRate);
  const samples = Math.min(frames * PROBES.length, MAX_SAMPLES);
  const most = budget.affordMore(PER_SAMPLE * samples) ? samples : Math.min(samples, MIN_SAMPLES);
  const step = Math.max(1, Math.ceil((frames * PROBES.length) / most));
  let largest = 0;
  for (let frame = 0; frame < frames; frame += step) {
    cursor.evaluate(Math.fround(frame / frameRate), a, 0);
    cursor.evaluate(Math.fround((frame + 1) / frameRate), b, 0);
    for (const u of PROBES) {
      cursor.evaluate(Math.fround((frame + u) / frameRate), probe, 0);
      if (width === 4) slerp(line, 0, a, 0, b, 0, u);
      else for (let c = 0; c < width; c++) line[c] = numberAt(a, c) + (numberAt(b, c) - numberAt(a, c)) * u;
      const gap = Math.hypot(...line.map((value, c) => value - numberAt(probe, c)));
      const other = width === 4 ? Math.hypot(...line.map((value, c) => value + numberAt(probe, c))) : gap; // q and -q are the same rotation
      const least = Math.min(gap, other);
      largest = Math.max(largest, path === 'rotation' ? 4 * Math.asin(Math.min(least / 2, 1)) : least);
    }
  }
  return largest;
}

/** Maps the name of each morph target to the largest displacement of a vertex. */
function lengthsOf({ morphs }: Mesh): Map<string, number> {
  const lengths = new Map<string, number>();
  for (const { name, positions } of morphs) lengths.set(name, Math.max(lengths.get(name) ?? 0, longestVector(positions)));
  return lengths;
}
