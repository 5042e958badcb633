// Writes tables of bone positions and rotations over time, as CSV for spreadsheets and data frames
// or as JSON for programs.
import { copyVector } from '../../core/math/vector.ts';
import { isBone, nameOf } from '../../core/tree.ts';
import { numberAt } from '../../core/math/column.ts';
import { bind, type BoundClip, someOf } from '../../core/bind.ts';
import { uniqueNames } from '../../core/names.ts';
import type { Clip, RigScene } from '../../core/types.ts';
import { rotationOf } from '../../rig/frame.ts';
import { Layer } from '../../rig/layer.ts';
import { Pose, PoseShape } from '../../rig/pose.ts';
import { WorldMatrices } from '../../rig/world.ts';
import type { ReportBuilder } from '../common/report.ts';
import type { Writing } from '../common/target.ts';
import type { WrittenFile } from '../common/written.ts';

/** Frame rate of clips that do not declare a frame rate, in frames per second. */
const RATE = 30;
/** Maximum number of frames in a clip. A longer clip is treated as damaged. */
const MAX_FRAMES = 1_000_000;

/** A clip to write. It is sampled while the pieces of the file are read. */
interface SampledClip {
  name: string;
  frameRate: number;
  /** The bound clip, or null for the rest pose. */
  bound: BoundClip | null;
  times: Float64Array;
}

interface Table {
  shape: PoseShape;
  /** Indices of the nodes that the table contains. `labels` contains their names. */
  rows: readonly number[];
  labels: readonly string[];
  clips: readonly SampledClip[];
}

/**
 * Writes a table with all clips, or with the rest pose if there are no clips. The table contains
 * all bones, or all nodes if the scene has no bones.
 */
export async function writeTable({ scene, to, names: { stem }, clips, report, yieldToEventLoop }: Writing): Promise<WrittenFile[]> {
  const { nodes } = scene;
  const isSkeleton = nodes.bones.some(bone => bone >= 0);
  const rows = [...nodes.bones.keys()].filter(row => (isSkeleton ? isBone(nodes, row) : row > 0 || nodes.length === 1));
  reportLosses(scene, report);
  const labels = uniqueNames(rows.map(row => nameOf(nodes, row)));
  const titles = uniqueNames(clips.map(clip => clip.name));
  const sampled: SampledClip[] = [];
  for (const [i, clip] of clips.entries()) {
    await yieldToEventLoop();
    const title = titles[i] ?? clip.name;
    const made = report.attempt(title, () => sampledClipOf(clip, scene, title, { rows, labels, report, isCsv: to === 'csv' }));
    if (made) sampled.push(made);
  }
  if (sampled.length === 0 && report.isLimited) throw report.budget.refusal();
  if (clips.length === 0) sampled.push({ name: '', frameRate: RATE, bound: null, times: Float64Array.of(0) });
  const table = { shape: new PoseShape(scene), rows, labels, clips: sampled };
  return [{ name: `${stem}.${to}`, pieces: encoded(to === 'csv' ? () => csv(table) : () => json(table)) }];
}

function reportLosses({ renderers, lights, cameras, instances }: RigScene, report: ReportBuilder): void {
  const things = renderers.length + lights.length + cameras.length + instances.length;
  if (things > 0) report.add('NOT_IN_TABLE', '', things);
}

function boundTo(clip: Clip, scene: RigScene, name: string, report: ReportBuilder): BoundClip | null {
  const bound = bind(clip, scene);
  const { unmatched } = bound.report;
  const moves = bound.tracks.filter(({ path }) => path === 'translation' || path === 'rotation' || path === 'scale');
  if (moves.length === 0) {
    report.add(clip.tracks.length > 0 ? 'CLIP_UNMATCHED' : 'CLIP_EMPTY', name, 1, someOf(unmatched));
    return null;
  }
  if (unmatched.length > 0) report.add('TRACKS_UNMATCHED', name, unmatched.length, someOf(unmatched));
  const additive = moves.filter(({ mode }) => mode === 'additive').length;
  if (additive > 0) report.add('CLIP_ON_REST', name, additive);
  return bound;
}

/** Estimated length of the time and the seven numbers in a line, in characters. */
const LINE = 80;
/** Bytes that an evaluated pose takes from the work budget, per node. */
const PER_NODE = 40;

/**
 * Prepares a clip to be sampled at every frame, or only at its keys if the frames would exceed the
 * work budget. Returns null if no track of the clip matches the scene.
 */
function sampledClipOf(
  clip: Clip,
  scene: RigScene,
  name: string,
  { rows, labels, report, isCsv }: { rows: readonly number[]; labels: readonly string[]; report: ReportBuilder; isCsv: boolean },
): SampledClip | null {
  const bound = boundTo(clip, scene, name, report);
  if (!bound) return null;
  const { duration } = bound;
  const frameRate = bound.frameRate > 0 ? bound.frameRate : RATE;
  const frames = Math.min(Math.max(Math.round(duration * frameRate), 0) + 1, MAX_FRAMES);
  const words = isCsv ? labels.reduce((sum, label) => sum + label.length + name.length, 0) : 0;
  const moment = Math.max(LINE * rows.length + words, PER_NODE * scene.nodes.length);
  const bytesOf = (count: number): number => count * moment;
  if (report.budget.afford(bytesOf(frames)))
    return { name, frameRate, bound, times: Float64Array.from({ length: frames }, (_, k) => Math.min(k / frameRate, duration)) };
  const keys = new Set([0, duration]);
  for (const { times } of bound.tracks) for (const time of times) if (time > 0 && time < duration) keys.add(time);
  report.budget.spend(bytesOf(keys.size));
  report.add('WORK_LIMIT', name, 1, `${keys.size} key times instead of ${frames} frames`);
  return { name, frameRate, bound, times: Float64Array.from(keys).sort() };
}

/**
 * Yields an array for each time. It contains seven numbers per row: position (metres) and rotation
 * (x y z w) in scene space. Each iteration overwrites the array.
 */
function* moments(shape: PoseShape, { bound, times }: SampledClip, rows: readonly number[]): Generator<Float64Array> {
  const layer = bound && new Layer(shape, bound.tracks);
  const pose = new Pose(shape);
  const world = new WorldMatrices(shape);
  const numbers = new Float64Array(7 * rows.length);
  const turn = [0, 0, 0, 1];
  for (const time of times) {
    pose.reset();
    if (layer) {
      layer.time = time;
      layer.apply(pose);
    }
    world.update(pose);
    for (const [i, row] of rows.entries()) {
      rotationOf(world.matrices, row, pose.scales, turn);
      copyVector(numbers, 7 * i, world.matrices, 16 * row + 12);
      numbers.set(turn, 7 * i + 3);
    }
    yield numbers;
  }
}

/** Minimum size of a piece, in characters. */
const PIECE = 2 ** 16;

/** Returns an iterable that encodes text as UTF-8 pieces. Each iteration calls `words` again. */
function encoded(words: () => Iterable<string>): Iterable<Uint8Array> {
  const encoder = new TextEncoder();
  return {
    *[Symbol.iterator]() {
      let text = '';
      for (const word of words()) {
        text += word;
        if (text.length < PIECE) continue;
        yield encoder.encode(text);
        text = '';
      }
      yield encoder.encode(text);
    },
  };
}

/**
 * Numbers above this limit are not rounded to seven decimals, because double precision does not
 * suffice.
 */
const LARGE = 1e8;

/** Rounds a number to seven decimals, which is a tenth of a micrometre for positions. */
const rounded = (value: number): number => (Math.abs(value) < LARGE ? Math.round(value * 1e7) / 1e7 : Number(value.toFixed(7))) || 0;

/** Yields the CSV header, and then a line for each node at each time. */
function* csv({ shape, rows, labels, clips }: Table): Generator<string> {
  yield 'motion,time,node,x,y,z,qx,qy,qz,qw\n';
  const nodes = labels.map(quoted);
  for (const clip of clips) {
    const name = quoted(clip.name);
    let k = 0;
    for (const numbers of moments(shape, clip, rows)) {
      const time = rounded(numberAt(clip.times, k++));
      for (const [i, node] of nodes.entries()) {
        let line = `${name},${time},${node}`;
        for (let c = 7 * i; c < 7 * i + 7; c++) line += `,${rounded(numberAt(numbers, c))}`;
        yield `${line}\n`;
      }
    }
  }
}

/**
 * Quotes a CSV cell (RFC 4180). If a spreadsheet would interpret the text as a formula, an
 * apostrophe is added at its beginning.
 */
function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Maximum number of values that are kept in memory. A clip with more values is sampled several
 * times, each time for another group of nodes.
 */
const MAX_VALUES = 2 ** 23;

function* json({ shape, rows, labels, clips }: Table): Generator<string> {
  const holders = holdersOf(shape.scene, rows);
  const space = 'right-handed, Y up, metres, seconds, quaternions x y z w, all in the space of the scene';
  yield `{"space":${JSON.stringify(space)},"nodes":${JSON.stringify(labels.map((name, i) => ({ name, parent: holders[i] })))},"motions":[`;
  for (const [m, clip] of clips.entries()) {
    const { name, frameRate, times } = clip;
    yield `${m > 0 ? ',' : ''}{"name":${JSON.stringify(name)},"frameRate":${frameRate},"times":[`;
    yield* list(times.length, k => rounded(numberAt(times, k)));
    yield '],"nodes":[';
    const most = Math.max(Math.floor(MAX_VALUES / (7 * times.length)), 1);
    for (let first = 0; first < rows.length; first += most) {
      const group = rows.slice(first, first + most);
      const width = 7 * group.length;
      const values = new Float64Array(width * times.length);
      let k = 0;
      for (const numbers of moments(shape, clip, group)) values.set(numbers, width * k++);
      for (let i = 0; i < group.length; i++) {
        yield `${first + i > 0 ? ',' : ''}{"positions":[`;
        yield* list(3 * times.length, n => rounded(numberAt(values, width * Math.floor(n / 3) + 7 * i + (n % 3))));
        yield '],"rotations":[';
        yield* list(4 * times.length, n => rounded(numberAt(values, width * Math.floor(n / 4) + 7 * i + 3 + (n % 4))));
        yield ']}';
      }
    }
    yield ']}';
  }
  yield ']}';
}

/** Yields the text of `count` numbers, separated by commas. */
function* list(count: number, number: (n: number) => number): Generator<string> {
  let text = '';
  for (let n = 0; n < count; n++) {
    const value = number(n);
    text += `${n > 0 ? ',' : ''}${Number.isFinite(value) ? value : 'null'}`;
    if (text.length < PIECE) continue;
    yield text;
    text = '';
  }
  yield text;
}

/**
 * Returns, for each row, the index of its nearest ancestor in the table, or -1 if there is none.
 */
function holdersOf({ nodes: { parents, length: count } }: RigScene, rows: readonly number[]): number[] {
  const places = new Map(rows.map((row, i) => [row, i]));
  const nearest = new Int32Array(count).fill(-1);
  // Parents come before their children.
  for (let row = 1; row < count; row++) {
    const parent = numberAt(parents, row);
    nearest[row] = places.get(parent) ?? nearest[parent] ?? -1;
  }
  return rows.map(row => numberAt(nearest, row));
}
