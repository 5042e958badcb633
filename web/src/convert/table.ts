// Where bones are over time, as a table: CSV for spreadsheets and data frames, JSON for programs.
import type { Breath } from './breath.ts';
import { bind, type BoundClip, someOf } from '../core/bind.ts';
import { uniqueNames } from '../core/names.ts';
import type { Clip, RigScene } from '../core/types.ts';
import { rotationOf } from '../rig/frame.ts';
import { Layer } from '../rig/layer.ts';
import { Pose, PoseShape } from '../rig/pose.ts';
import { WorldMatrices } from '../rig/world.ts';
import type { Ledger } from './ledger.ts';

export interface TableOptions {
  to: 'csv' | 'json';
  /** File name without extension. */
  name: string;
  clips: readonly Clip[];
  ledger: Ledger;
  breathe: Breath;
}

/** Of motions that do not say. */
const RATE = 30;
/** A motion of more is an error of its file. */
const MOST_FRAMES = 1_000_000;

/** A motion as samples: of every node 7 numbers a frame, place (metres) and rotation (x y z w) in the space of the scene. */
interface Sampled {
  name: string;
  frameRate: number;
  times: number[];
  /** By node, then frame. */
  values: Float64Array[];
}

/** One file: all motions, or the rest pose alone where there is none. Bones where there are some, else all nodes. */
export async function writeTable(scene: RigScene, options: TableOptions): Promise<{ name: string; bytes: Uint8Array }[]> {
  const { to, name, clips, ledger, breathe } = options;
  const { names, bones, parents, count } = scene.nodes;
  const isSkeleton = bones.some(bone => bone >= 0);
  const rows = Array.from({ length: count }, (_, row) => row).filter(row =>
    isSkeleton ? (bones[row] ?? -1) >= 0 : row > 0 || count === 1,
  );
  tellLosses(scene, ledger);
  const shape = new PoseShape(scene);
  const titles = uniqueNames(clips.map(clip => clip.name));
  const motions: Sampled[] = [];
  for (const [i, clip] of clips.entries()) {
    await breathe();
    const bound = boundTo(clip, scene, titles[i] ?? clip.name, ledger);
    if (bound) motions.push(sample(shape, bound, titles[i] ?? clip.name, rows));
  }
  if (clips.length === 0) motions.push(sample(shape, null, '', rows));
  const labels = uniqueNames(rows.map(row => names[row] ?? ''));
  const holders = rows.map(row => {
    let above = parents[row] ?? -1;
    while (above >= 0 && !rows.includes(above)) above = parents[above] ?? -1;
    return rows.indexOf(above);
  });
  const text = to === 'csv' ? csv(motions, labels) : json(motions, labels, holders);
  return [{ name: `${name}.${to}`, bytes: new TextEncoder().encode(text) }];
}

function tellLosses({ renderers, lights, cameras, instances }: RigScene, ledger: Ledger): void {
  const things = renderers.length + lights.length + cameras.length + instances.length;
  if (things > 0) ledger.add('NOT_IN_TABLE', '', things);
}

function boundTo(clip: Clip, scene: RigScene, name: string, ledger: Ledger): BoundClip | null {
  let bound = bind(clip, scene);
  const { unmatched, findings } = bound.report;
  const isDifference = findings.some(({ code }) => code === 'LOOKS_ADDITIVE');
  if (isDifference) bound = bind(clip, scene, { additive: 'rest' }); // no body stands it otherwise
  const moves = bound.tracks.filter(({ path }) => path === 'translation' || path === 'rotation' || path === 'scale');
  if (moves.length === 0) {
    ledger.add(clip.tracks.count > 0 ? 'CLIP_UNMATCHED' : 'CLIP_EMPTY', name, 1, someOf(unmatched));
    return null;
  }
  if (unmatched.length > 0) ledger.add('TRACKS_UNMATCHED', name, unmatched.length, someOf(unmatched));
  if (isDifference) ledger.add('CLIP_ON_REST', name, moves.length);
  return bound;
}

function sample(shape: PoseShape, bound: BoundClip | null, name: string, rows: readonly number[]): Sampled {
  const rate = bound && bound.frameRate > 0 ? bound.frameRate : RATE;
  const frames = bound ? Math.min(Math.max(Math.round(bound.duration * rate), 0) + 1, MOST_FRAMES) : 1;
  const layer = bound && new Layer(shape, bound.tracks);
  const pose = new Pose(shape);
  const world = new WorldMatrices(shape);
  const times = Array.from({ length: frames }, (_, k) => (bound ? Math.min(k / rate, bound.duration) : 0));
  const values = rows.map(() => new Float64Array(7 * frames));
  const turn = [0, 0, 0, 1];
  for (const [k, time] of times.entries()) {
    pose.reset();
    if (layer) {
      layer.time = time;
      layer.apply(pose);
    }
    world.update(pose);
    for (const [i, row] of rows.entries()) {
      rotationOf(world.matrices, row, pose.scales, turn);
      values[i]?.set([...world.matrices.subarray(16 * row + 12, 16 * row + 15), ...turn], 7 * k);
    }
  }
  return { name, frameRate: rate, times, values };
}

/** Seven digits: a tenth of a micrometre in a metre. */
const digits = (value: number): string => String(Number(value.toFixed(7)) || 0);

/** One line per node and moment. */
function csv(motions: readonly Sampled[], labels: readonly string[]): string {
  const lines = ['motion,time,node,x,y,z,qx,qy,qz,qw'];
  for (const { name, times, values } of motions)
    for (const [k, time] of times.entries())
      for (const [i, label] of labels.entries()) {
        const own = values[i]?.subarray(7 * k, 7 * k + 7) ?? [];
        lines.push([quoted(name), digits(time), quoted(label), ...Array.from(own, digits)].join(','));
      }
  return `${lines.join('\n')}\n`;
}

/** RFC 4180. A cell that a spreadsheet would take for a formula begins with a quote mark instead. */
function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function json(motions: readonly Sampled[], labels: readonly string[], parents: readonly number[]): string {
  const numbers = (values: ArrayLike<number>, from: number, width: number): number[] =>
    Array.from(
      { length: (values.length / 7) * width },
      (_, n) => Number((values[7 * Math.floor(n / width) + from + (n % width)] ?? 0).toFixed(7)) || 0,
    );
  return JSON.stringify({
    space: 'right-handed, Y up, metres, seconds, quaternions x y z w, all in the space of the scene',
    nodes: labels.map((name, i) => ({ name, parent: parents[i] ?? -1 })),
    motions: motions.map(({ name, frameRate, times, values }) => ({
      name,
      frameRate,
      times: times.map(time => Number(time.toFixed(7))),
      nodes: values.map(own => ({ positions: numbers(own, 0, 3), rotations: numbers(own, 3, 4) })),
    })),
  });
}
