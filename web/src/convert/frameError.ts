// How far lines between frames are from the curves that they stand for, at the skin.
import { bind, type BoundTrack } from '../core/bind.ts';
import type { Clip, RigScene } from '../core/types.ts';
import { CurveCursor } from '../rig/curve.ts';
import { PoseShape } from '../rig/pose.ts';
import { slerp } from '../rig/quaternion.ts';
import { reachOf } from './gltf/reach.ts';

const PROBES = [0.25, 0.5, 0.75];
/** Looks of one curve; of a longer one only some of its frames are looked at. */
const MOST_LOOKS = 20_000;
const WIDTHS: Readonly<Record<string, number>> = { translation: 3, rotation: 4, scale: 3 };

/**
 * Metres, what errors of bones above one another come to together. Null where the scene has no bones for the motion. `isKept`: a curve is written key by key.
 */
export function frameError(clip: Clip, scene: RigScene, frameRate: number, isKept: (track: BoundTrack) => boolean): number | null {
  const { tracks } = bind(clip, scene);
  if (tracks.length === 0) return null;
  const { lengths, units } = reachOf(new PoseShape(scene));
  const errors = new Float64Array(scene.nodes.count);
  let most = 0;
  for (const track of tracks) {
    const { node, path, times } = track;
    if (times.length === 0 || isKept(track)) continue;
    const gap = gapOf(track, frameRate, clip.duration);
    if (path === 'weight') most = Math.max(most, gap * longestOf(track, scene));
    else if (node >= 0 && path in WIDTHS)
      errors[node] = (errors[node] ?? 0) + gap * ((path === 'translation' ? units : lengths)[node] ?? 1);
  }
  for (const [row, parent] of scene.nodes.parents.entries()) {
    errors[row] = (errors[row] ?? 0) + (errors[parent] ?? 0);
    most = Math.max(most, errors[row] ?? 0);
  }
  return most;
}

/** The largest difference between frames: an angle of rotations, else a distance. */
function gapOf(track: BoundTrack, frameRate: number, duration: number): number {
  const { path, component } = track;
  const width = component < 0 ? (WIDTHS[path] ?? 1) : 1;
  const cursor = new CurveCursor({ ...track, width });
  const [a, b, line, probe] = [0, 1, 2, 3].map(() => new Float64Array(width)) as [Float64Array, Float64Array, Float64Array, Float64Array];
  const frames = Math.ceil(duration * frameRate);
  const step = Math.max(1, Math.ceil((frames * PROBES.length) / MOST_LOOKS));
  let most = 0;
  for (let frame = 0; frame < frames; frame += step) {
    cursor.evaluate(Math.fround(frame / frameRate), a, 0);
    cursor.evaluate(Math.fround((frame + 1) / frameRate), b, 0);
    for (const u of PROBES) {
      cursor.evaluate(Math.fround((frame + u) / frameRate), probe, 0);
      if (width === 4) slerp(line, 0, a, 0, b, 0, u);
      else for (let c = 0; c < width; c++) line[c] = (a[c] ?? 0) + ((b[c] ?? 0) - (a[c] ?? 0)) * u;
      const gap = Math.hypot(...line.map((value, c) => value - (probe[c] ?? 0)));
      const other = width === 4 ? Math.hypot(...line.map((value, c) => value + (probe[c] ?? 0))) : gap; // q and -q are one turn
      const least = Math.min(gap, other);
      most = Math.max(most, path === 'rotation' ? 4 * Math.asin(Math.min(least / 2, 1)) : least);
    }
  }
  return most;
}

/** The farthest that a shape moves a vertex. */
function longestOf({ renderers, morph }: BoundTrack, { renderers: all, meshes }: RigScene): number {
  let most = 0;
  for (const row of renderers)
    for (const { name, positions } of meshes[all[row]?.mesh ?? -1]?.morphs ?? []) {
      if (name !== morph) continue;
      for (let i = 0; i + 2 < positions.length; i += 3)
        most = Math.max(most, Math.hypot(positions[i] ?? 0, positions[i + 1] ?? 0, positions[i + 2] ?? 0));
    }
  return most;
}
