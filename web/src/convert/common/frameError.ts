// How far lines between frames are from the curves that they stand for, at the skin.
import { numberAt } from '../../core/math/column.ts';
import { slerp } from '../../core/math/quaternion.ts';
import { bind, type BoundTrack } from '../../core/bind.ts';
import { entry } from '../../core/entry.ts';
import type { Clip, Mesh, RigScene } from '../../core/types.ts';
import { CurveCursor } from '../../rig/curve.ts';
import { PoseShape } from '../../rig/pose.ts';
import type { Budget } from './budget.ts';
import { longestVector, reachOf } from '../gltf/reach.ts';

const PROBES = [0.25, 0.5, 0.75];
/** Looks of one curve; of a longer one only some of its frames are looked at. */
const MOST_LOOKS = 20_000;
/** Looks above the limit of the conversion. */
const FEW_LOOKS = 60;
/** Bytes of the limit that a look counts as: the curve is evaluated five times. */
const PER_LOOK = 16;
const WIDTHS: Readonly<Record<string, number>> = { translation: 3, rotation: 4, scale: 3 };

/**
 * Metres, what errors of bones above one another come to together. Null where the scene has no bones for the motion. `isKept`: a curve is written key by key.
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
  const { lengths, units } = reachOf(new PoseShape(scene));
  const errors = new Float64Array(scene.nodes.count);
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
    else if (node >= 0 && path in WIDTHS) errors[node]! += gap * numberAt(path === 'translation' ? units : lengths, node);
  }
  for (const [row, parent] of scene.nodes.parents.entries()) {
    if (parent >= 0) errors[row]! += numberAt(errors, parent);
    most = Math.max(most, numberAt(errors, row));
  }
  return most;
}

/** The largest difference between frames: an angle of rotations, else a distance. */
function gapOf(track: BoundTrack, frameRate: number, duration: number, budget: Budget): number {
  const { path, component } = track;
  const width = component < 0 ? (WIDTHS[path] ?? 1) : 1;
  const cursor = new CurveCursor({ ...track, width });
  const [a, b, line, probe] = [new Float64Array(width), new Float64Array(width), new Float64Array(width), new Float64Array(width)];
  const frames = Math.ceil(duration * frameRate);
  const looks = Math.min(frames * PROBES.length, MOST_LOOKS);
  const most = budget.affordMore(PER_LOOK * looks) ? looks : Math.min(looks, FEW_LOOKS);
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
      const other = width === 4 ? Math.hypot(...line.map((value, c) => value + numberAt(probe, c))) : gap; // q and -q are one turn
      const least = Math.min(gap, other);
      largest = Math.max(largest, path === 'rotation' ? 4 * Math.asin(Math.min(least / 2, 1)) : least);
    }
  }
  return largest;
}

/** By the name of a shape: the farthest that it moves a vertex. */
function lengthsOf({ morphs }: Mesh): Map<string, number> {
  const lengths = new Map<string, number>();
  for (const { name, positions } of morphs) lengths.set(name, Math.max(lengths.get(name) ?? 0, longestVector(positions)));
  return lengths;
}
