// Writes PSA and `.config` files. A PSA has a key for every bone at every frame, and the `.config`
// lists the bones whose keys only repeat the rest pose (docs/formats/psk-psa.md section 7).
import { numberAt } from '../../core/math/column.ts';
import type { YieldToEventLoop } from '../common/yielding.ts';
import { bind, type BoundTrack, someOf } from '../../core/bind.ts';
import { numberIn } from '../../core/properties.ts';
import type { Clip, RigScene, Track } from '../../core/types.ts';
import { CurveCursor } from '../../rig/curve.ts';
import { Layer } from '../../rig/layer.ts';
import { Pose, PoseShape } from '../../rig/pose.ts';
import { framing, MAX_FRAMES, reportSampled, reportUnsupportedTracks } from '../common/frames.ts';
import type { ReportBuilder } from '../common/report.ts';
import { type ActorXBones, rotationOf, translationOf, writeBones } from './bones.ts';
import { ActorXBytes, HEAD, putFloats, storedName } from './bytes.ts';
import { storedRotation, upright, uprightScale } from './space.ts';
import type { WrittenFile } from '../common/written.ts';

export interface PsaSource {
  /**
   * Scene of the model. If there is no model, a scene that contains the bones to which the clips
   * refer.
   */
  scene: RigScene;
  bones: ActorXBones;
  clips: readonly Clip[];
  unit: number;
  report: ReportBuilder;
  yieldToEventLoop: YieldToEventLoop;
}

/** A clip to write. Its keys are computed when the caller reads the output piece by piece. */
export interface Sequence {
  clip: Clip;
  frameRate: number;
  frames: number;
  /** Bound tracks that move bones. */
  tracks: readonly BoundTrack[];
  isScaled: boolean;
  /** Animated properties, each as its path and node row, for example `rotation 3`. */
  moved: ReadonlySet<string>;
  /**
   * Maps the name of each morph target to its weight track. If morph targets of several meshes have
   * the same name, the first track is used.
   */
  shapes: ReadonlyMap<string, Track>;
}

/**
 * Writes clips as a PSA. Also returns a `.config` if a bone has no curve for its translation or
 * rotation. Returns null if no clip matches the bones.
 */
export async function writePsa(source: PsaSource): Promise<{ psa: WrittenFile['pieces']; config: Uint8Array<ArrayBuffer> | null } | null> {
  const { clips, bones, scene, unit, report, yieldToEventLoop } = source;
  const sequences: Sequence[] = [];
  for (const clip of clips) {
    await yieldToEventLoop();
    const made = report.attempt(clip.name, () => sequenceOf(clip, source));
    if (made) sequences.push(made);
  }
  if (sequences.length === 0) return null;
  const bytes = new ActorXBytes();
  bytes.chunk('ANIMHEAD', 0, 0, undefined, HEAD);
  writeBones(bytes, 'BONENAMES', bones, scene, unit);
  writeInfos(bytes, sequences, bones.rows.length);
  writeKeys(bytes, sequences, source);
  writeCurves(bytes, sequences);
  bytes.reportLosses(report);
  reportWideNames([...bones.names, ...sequences.map(({ clip }) => clip.name)], report);
  return { psa: bytes.pieces, config: configOf(sequences, bones) };
}

export function sequenceOf(clip: Clip, { scene, bones, unit, report }: Omit<PsaSource, 'clips' | 'yieldToEventLoop'>): Sequence | null {
  const { name } = clip;
  const bound = bind(clip, scene);
  const moves = bound.tracks.filter(({ path }) => path === 'translation' || path === 'rotation' || path === 'scale');
  const weights = [...clip.tracks].filter(({ path, times }) => path === 'weight' && times.length > 0);
  if (moves.length + weights.length === 0 && clip.tracks.length > 0) {
    report.add('CLIP_UNMATCHED', name, 1, someOf(bound.report.unmatched));
    return null;
  }
  reportUnsupportedTracks(clip, name, scene, report);
  const shapes = new Map<string, Track>();
  for (const track of weights) if (!shapes.has(track.property)) shapes.set(track.property, track);
  const { own, frameRate: dense, sampled } = framing(clip, true);
  const unmatched = bound.report.unmatched.filter(each => !shapes.has(each));
  if (unmatched.length > 0) report.add('TRACKS_UNMATCHED', name, unmatched.length, someOf(unmatched));
  reportLosses(clip, moves.filter(({ mode }) => mode !== 'absolute').length, report);
  const isScaled = moves.some(({ path }) => path === 'scale');
  const framesAt = (rate: number): number =>
    clip.tracks.length === 0 && clip.frameCount === 0 ? 0 : Math.min(Math.max(Math.ceil(clip.duration * rate - 1e-3), 0), MAX_FRAMES) + 1;
  // Returns the size of the keys and of the `.config` lines at a frame rate, in bytes.
  const bytesAt = (rate: number): number =>
    framesAt(rate) * (bones.rows.length * (isScaled ? 48 : 32) + 8 * scene.nodes.length + 4 * shapes.size) +
    bones.rows.length * (4 + name.length) +
    128 * shapes.size;
  const isDense = dense !== own && report.budget.afford(bytesAt(dense));
  const frameRate = isDense ? dense : own;
  if (!isDense) report.budget.spend(bytesAt(own));
  if (frameRate !== dense) report.add('WORK_LIMIT', name, 1, `${sampled} curves have values at ${own} frames per second only`);
  else if (sampled > 0) reportSampled(clip, name, scene, { frameRate, sampled, isWholeOnly: true }, report);
  reportHuge(name, moves, bones, unit, report);
  const moved = new Set(moves.map(({ path, node }) => `${path} ${node}`));
  return { clip, frameRate, frames: framesAt(frameRate), tracks: moves, isScaled, moved, shapes };
}

/**
 * Reports curves with values that may overflow. The curves are checked in advance, because their
 * keys are created only after the report is complete.
 */
function reportHuge(name: string, moves: readonly BoundTrack[], { rows, spaces }: ActorXBones, unit: number, report: ReportBuilder): void {
  const places = new Map(rows.map((row, bone) => [row, bone]));
  const isHuge = ({ path, node, values }: BoundTrack): boolean => {
    report.budget.spend(values.length);
    const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const corner = new Float64Array(3).fill(largest);
    if (path === 'translation') spaces[places.get(node) ?? -1]?.translation(corner, 0, true);
    // The factor 4 is a safety margin, because a curve can exceed its keys, and converting the
    // space mixes the axes.
    return !corner.every(value => Number.isFinite(Math.fround((4 * value) / unit)));
  };
  const count = moves.filter(isHuge).length;
  if (count > 0) report.add('NUMBERS_REPAIRED', name, count, 'curves with keys that may be too large');
}

function reportLosses(clip: Clip, differences: number, report: ReportBuilder): void {
  const { name, events, loop, start } = clip;
  if (differences > 0) report.add('CLIP_ON_REST', name, differences);
  if (events.length > 0) report.add('NOT_SAID', `animation events in ${name}`, events.length);
  if (!loop) report.add('NOT_SAID', `play once, of ${name}`, 1);
  if (start < 0) report.add('PREROLL_CUT', name, -start);
  const seen = [...clip.tracks].filter(({ path }) => path === 'visible').length;
  if (seen > 0) report.add('VISIBILITY_TRACKS_LOST', name, seen);
}

function writeInfos(bytes: ActorXBytes, sequences: readonly Sequence[], bones: number): void {
  let first = 0;
  bytes.chunk('ANIMINFO', 168, sequences.length, (view, at, i) => {
    const sequence = sequences[i];
    if (!sequence) return;
    const { clip, frames, frameRate, isScaled } = sequence;
    const { properties } = clip;
    const group = properties?.['group'];
    bytes.name(view, at, clip.name);
    bytes.name(view, at + 64, typeof group === 'string' ? group : 'None');
    for (const [k, value] of [bones, isScaled ? 1 : 0, numberIn(properties, 'keyCompressionStyle', 0), bones * frames].entries())
      view.setInt32(at + 128 + 4 * k, value, true);
    putFloats(view, at + 144, numberIn(properties, 'keyReduction', 0), frames, frameRate);
    for (const [k, value] of [numberIn(properties, 'startBone', 0), first, frames].entries()) view.setInt32(at + 156 + 4 * k, value, true);
    first += frames;
  });
}

/** Reports names that are not ASCII, because other importers interpret each byte as a character. */
function reportWideNames(names: readonly string[], report: ReportBuilder): void {
  const wide = names.filter(name => /[^\0-\x7f]/.test(name));
  if (wide.length > 0) report.add('NAMES_WIDE', wide[0] ?? '', wide.length);
}

/**
 * Writes the key chunk and the scale chunk, frame by frame. The scale chunk contains only clips
 * with scale curves. An empty scale chunk is also written, because old importers require it.
 */
function writeKeys(bytes: ActorXBytes, sequences: readonly Sequence[], { scene, bones, unit }: PsaSource): void {
  const shape = new PoseShape(scene);
  const stream = (id: string, size: number, list: readonly Sequence[], write: WriteKey): void => {
    const records = {
      *[Symbol.iterator]() {
        for (const sequence of list) yield* recordsOf(sequence, shape, bones, size, write);
      },
    };
    bytes.stream(id, size, bones.rows.length * list.reduce((sum, { frames }) => sum + frames, 0), records);
  };
  stream('ANIMKEYS', 32, sequences, (view, at, key, bone) =>
    putFloats(view, at, ...upright(key, 1 / unit), ...storedRotation(key.subarray(3, 7), bone), 1),
  );
  stream(
    'SCALEKEYS',
    16,
    sequences.filter(({ isScaled }) => isScaled),
    (view, at, key) => putFloats(view, at, ...uprightScale(key.subarray(7)), 1),
  );
}

/**
 * Function that writes the local transform of a bone as a record. `key`: translation, rotation and
 * scale as ten numbers (metres, Y up).
 */
type WriteKey = (view: DataView, at: number, key: Float32Array, bone: number) => void;

/** Minimum size of a piece in bytes. A piece contains complete frames, so it can be larger. */
const PIECE = 2 ** 16;

/** Samples a clip with the pose engine and yields its records in pieces. */
function* recordsOf(
  { tracks, frames, frameRate }: Sequence,
  shape: PoseShape,
  bones: ActorXBones,
  size: number,
  write: WriteKey,
): Generator<Uint8Array> {
  const { rows } = bones;
  const layer = new Layer(shape, tracks);
  const pose = new Pose(shape);
  const rest = pose.scales.slice();
  const length = size * rows.length;
  const most = Math.max(Math.floor(PIECE / length), 1);
  for (let first = 0; first < frames; first += most) {
    const bytes = new Uint8Array(length * Math.min(most, frames - first));
    const view = new DataView(bytes.buffer);
    for (let at = 0; at < bytes.length; at += length) {
      pose.reset();
      layer.time = (first + at / length) / frameRate;
      layer.apply(pose);
      for (let i = 0; i < rows.length; i++) write(view, at + size * i, keyOf(bones, i, pose, rest), i);
    }
    yield bytes;
  }
}

const key = new Float32Array(10);

/**
 * Returns the local transform of a bone in a pose, as ten numbers. Each call overwrites the
 * returned array.
 */
function keyOf(bones: ActorXBones, bone: number, pose: Pose, rest: Float64Array): Float32Array {
  const row = numberAt(bones.rows, bone);
  if (row < 0) {
    key.fill(0, 0, 6).fill(1, 6);
    return key;
  }
  key.set(translationOf(bones, bone, pose.translations.subarray(3 * row, 3 * row + 3)));
  key.set(rotationOf(bones, bone, pose.rotations.subarray(4 * row, 4 * row + 4)), 3);
  for (let c = 0; c < 3; c++) key[7 + c] = numberAt(pose.scales, 3 * row + c) / (rest[3 * row + c] || 1);
  return key;
}

/**
 * Writes morph target weights, with one chunk per clip. If no clip has weights, nothing is written.
 */
function writeCurves(bytes: ActorXBytes, sequences: readonly Sequence[]): void {
  if (sequences.every(({ shapes }) => shapes.size === 0)) return;
  for (const { clip, frames, frameRate, shapes } of sequences) {
    const prefix = clip.name.replace(/[^\x20-\x7e]/g, '_').slice(0, 14);
    const list = [...shapes];
    bytes.chunk(`${prefix}:CUR`, 128 + 4 * frames, list.length, (view, at, i) => {
      const [name, track] = list[i] ?? [];
      if (name === undefined || !track) return;
      bytes.name(view, at, name, 128);
      const cursor = new CurveCursor({ ...track, width: 1 });
      const weights = new Float32Array(view.buffer, at + 128, frames);
      for (let frame = 0; frame < frames; frame++) cursor.evaluate(Math.fround(frame / frameRate), weights, frame);
    });
  }
}

/**
 * Returns the `.config`, which lists the bones whose keys only repeat the rest pose. Returns null
 * if there are no such bones.
 */
function configOf(sequences: readonly Sequence[], { rows }: ActorXBones): Uint8Array<ArrayBuffer> | null {
  const lines = sequences.flatMap(({ clip, moved, frames }) => {
    const name = storedName(clip.name);
    const words = frames === 0 ? [] : rows.map(row => removedOf(row, moved));
    return words.flatMap((word, bone) => (word ? [`${name}.${bone}=${word}`] : []));
  });
  if (lines.length === 0) return null;
  return new TextEncoder().encode(['[AnimSet]', 'bAnimRotationOnly=0', '', '[RemoveTracks]', ...lines, ''].join('\n'));
}

/**
 * Returns which tracks of a bone importers must ignore: `trans` (translation), `rot` (rotation),
 * `all` (translation, rotation and scale), or '' (none).
 */
function removedOf(row: number, moved: ReadonlySet<string>): string {
  const [translation, rotation, scale] = ['translation', 'rotation', 'scale'].map(path => moved.has(`${path} ${row}`));
  if (translation && rotation) return '';
  return translation ? 'rot' : rotation || scale ? 'trans' : 'all';
}
