// Extracts head, hands and gaze for MRTK, as one curve per number in Unity's space
// (docs/formats/mrtk-input-animation.md sections 3, 5 and 10).
import { numberAt } from '../../core/math/column.ts';
import { rotateVector } from '../../core/math/quaternion.ts';
import { bind, type BoundTrack } from '../../core/bind.ts';
import type { Clip, Extrapolation, RigScene } from '../../core/types.ts';
import { CurveCursor } from '../../rig/curve.ts';
import { reportSampled } from '../common/frames.ts';
import type { Budget } from '../common/budget.ts';
import type { ReportBuilder } from '../common/report.ts';
import { refusal } from '../common/refusals.ts';
import { refusals } from './messages.ts';

export interface NumberCurve {
  times: number[];
  values: number[];
  before: Extrapolation;
  after: Extrapolation;
}

/**
 * Seven curves that describe a pose: position x y z, rotation x y z w. If the pose was not
 * recorded, all curves are empty.
 */
export type PoseCurves = readonly NumberCurve[];

export interface RecordedHand {
  tracked: NumberCurve;
  pinching: NumberCurve;
  /** Curves of 27 joints in the order of MRTK files, of which the first joint is unused. */
  joints: readonly PoseCurves[];
}

export interface Recording {
  head: PoseCurves | null;
  /** Left hand and right hand, or null if the recording has no hands. */
  hands: readonly [RecordedHand, RecordedHand] | null;
  /** Six curves for the origin and direction of the gaze, or null if the recording has no gaze. */
  gaze: readonly NumberCurve[] | null;
  markers: readonly { time: number; name: string }[];
}

export const JOINTS = 27;
const SIDES = ['left', 'right'] as const;
/** Frame rate of sampled curves, in frames per second. */
const DENSE = 120;
/** Number of bytes by which a time or value reduces the work budget. */
const PER_NUMBER = 4;

export const blank = (): NumberCurve => ({ times: [], values: [], before: 'hold', after: 'hold' });
export const blankPose = (): PoseCurves => Array.from({ length: 7 }, blank);

/**
 * Returns the recording of a clip. Throws a ConversionError if there is no clip, or if the scene
 * has neither hands nor a gaze.
 */
export function recordingOf(scene: RigScene, clip: Clip | undefined, report: ReportBuilder): Recording {
  const node = (kind: string, name?: string): number =>
    scene.features.find(each => each.kind === kind && (name === undefined || each.name === name))?.node ?? -1;
  const hands = SIDES.map(side => node('hand', side));
  const gaze = node('gaze');
  const head = scene.cameras[0]?.node ?? -1;
  if (!clip || (hands.every(row => row < 0) && gaze < 0)) throw refusal(refusals, 'RECORDING_MISSING');
  const reader = new TrackReader(scene, clip, report.budget);
  const made: Recording = {
    head: head >= 0 ? reader.pose(head) : null,
    hands: hands.some(row => row >= 0) ? [reader.hand(hands[0] ?? -1, 'left'), reader.hand(hands[1] ?? -1, 'right')] : null,
    gaze: gaze >= 0 ? reader.ray(gaze) : null,
    markers: clip.events,
  };
  const { sampled, sparse } = reader;
  if (sparse > 0) report.add('WORK_LIMIT', clip.name, 1, `${sparse} curves have values only at their keys`);
  else if (sampled > 0) reportSampled(clip, clip.name, scene, { frameRate: DENSE, sampled, isWholeOnly: false }, report);
  return made;
}

class TrackReader {
  readonly #scene: RigScene;
  readonly #tracks: readonly BoundTrack[];
  readonly #budget: Budget;
  sampled = 0;
  /**
   * Number of curves of which only the keys are written, because samples would have exceeded the
   * work budget.
   */
  sparse = 0;

  constructor(scene: RigScene, clip: Clip, budget: Budget) {
    this.#scene = scene;
    this.#tracks = bind(clip, scene).tracks;
    this.#budget = budget;
    for (const { times, values } of this.#tracks) budget.spend(PER_NUMBER * (times.length + values.length));
  }

  hand(row: number, side: string): RecordedHand {
    const feature = this.#scene.features.find(({ kind, name }) => kind === 'hand' && name === side);
    const rows = feature?.properties?.['joints'];
    const joints = Array.isArray(rows) ? rows.map(Number) : [];
    return {
      tracked: this.#state(row, `${side}.tracked`),
      pinching: this.#state(row, `${side}.pinch`),
      joints: Array.from({ length: JOINTS }, (_, i) =>
        i === 0 || joints[i - 1] === undefined ? blankPose() : this.pose(joints[i - 1] ?? -1),
      ),
    };
  }

  #state(row: number, property: string): NumberCurve {
    const track = this.#tracks.find(each => each.path === 'property' && each.node === row && each.morph === property);
    return track ? (curvesOf(track, 1)[0] ?? blank()) : blank();
  }

  /**
   * Returns the position and rotation curves of a node. If the node is not animated, each curve has
   * a single key with the rest pose. If the node is a joint that was not recorded, the curves are
   * empty.
   */
  pose(row: number): PoseCurves {
    const { rotations, visible } = this.#scene.nodes;
    const own = this.#tracks.filter(({ node, path }) => node === row && (path === 'translation' || path === 'rotation'));
    if (own.length === 0 && !visible[row]) return blankPose();
    const turn =
      this.#column(own, 'rotation', 4) ?? (own.length > 0 ? blankPose().slice(3) : still(rotations.subarray(4 * row, 4 * row + 4)));
    even(turn);
    for (const curve of turn.slice(0, 2)) turnOver(curve);
    return [...this.#place(row), ...turn];
  }

  #place(row: number): NumberCurve[] {
    const { translations } = this.#scene.nodes;
    const own = this.#tracks.filter(({ node, path }) => node === row && path === 'translation');
    const place = this.#column(own, 'translation', 3) ?? still(translations.subarray(3 * row, 3 * row + 3));
    even(place);
    for (const curve of place.slice(2)) turnOver(curve);
    return place;
  }

  /**
   * Returns six curves: the origin and direction of a ray that starts at a node and points along
   * its −Z axis.
   */
  ray(row: number): NumberCurve[] {
    const origin = this.#place(row);
    const track = this.#tracks.find(({ node, path, component }) => node === row && path === 'rotation' && component < 0);
    const { rotations } = this.#scene.nodes;
    const times = track ? Array.from(track.times) : [0];
    const direction = [0, 1, 2].map((): NumberCurve => ({ ...blank(), times: [...times] }));
    for (const i of times.keys()) {
      const way = Float64Array.of(0, 0, -1);
      rotateVector(way, 0, track ? track.values.subarray(4 * i, 4 * i + 4) : rotations.subarray(4 * row, 4 * row + 4));
      for (const [c, curve] of direction.entries()) curve.values.push((c === 2 ? -1 : 1) * numberAt(way, c));
    }
    return [...origin, ...direction];
  }

  #column(tracks: readonly BoundTrack[], path: string, width: number): NumberCurve[] | null {
    const own = tracks.filter(each => each.path === path);
    if (own.length === 0) return null;
    const made = Array.from({ length: width }, blank);
    for (const track of own) {
      const isExact = !track.kinds && (track.interpolation === 'linear' || track.times.length < 2);
      const numbers = track.component < 0 ? width : 1;
      if (!isExact) this.sampled++;
      const isSampled = !isExact && this.#budget.afford(PER_NUMBER * (1 + numbers) * stepsOf(track));
      if (!isExact && !isSampled) this.sparse++;
      const curves = isSampled ? sampledOf(track, numbers) : curvesOf(track, numbers);
      for (const [c, curve] of curves.entries()) made[track.component < 0 ? c : track.component] = curve;
    }
    return made;
  }
}

/**
 * Gives curves that have a single key the key times of the longest curve, because importers treat a
 * recording as damaged if some curves have one key and others have many.
 */
function even(curves: readonly NumberCurve[]): void {
  const longest = curves.reduce((most, curve) => (curve.times.length > most.times.length ? curve : most), curves[0] ?? blank());
  for (const curve of curves) {
    const [value] = curve.values;
    if (value === undefined || curve.times.length > 1 || longest.times.length < 2) continue;
    curve.times = [...longest.times];
    curve.values = longest.times.map(() => value);
  }
}

function turnOver(curve: NumberCurve): void {
  curve.values = curve.values.map(value => -value || 0);
}

const still = (values: Iterable<number>): NumberCurve[] => Array.from(values, value => ({ ...blank(), times: [0], values: [value] }));

function curvesOf({ times, values, before, after }: BoundTrack, width: number): NumberCurve[] {
  return Array.from({ length: width }, (_, c) => ({
    times: Array.from(times),
    values: Array.from(times, (_, i) => numberAt(values, width * i + c)),
    before,
    after,
  }));
}

/** Returns the number of frame intervals between the first and the last key. */
const stepsOf = ({ times }: BoundTrack): number => Math.ceil(((times.at(-1) ?? 0) - (times[0] ?? 0)) * DENSE);

/** Samples a track at its keys and at every frame between the first and the last key. */
function sampledOf(track: BoundTrack, width: number): NumberCurve[] {
  const { times, before, after } = track;
  const first = times[0] ?? 0;
  const all = new Float32Array(times.length + stepsOf(track));
  all.set(times);
  for (let i = times.length; i < all.length; i++) all[i] = first + (i - times.length) / DENSE;
  all.sort();
  const at = Array.from(all.filter((time, i) => i === 0 || time !== all[i - 1]));
  const cursor = new CurveCursor({ ...track, width });
  const now = new Float64Array(width);
  const made = Array.from({ length: width }, (): NumberCurve => ({ times: at, values: [], before, after }));
  for (const time of at) {
    cursor.evaluate(time, now, 0);
    for (const [c, curve] of made.entries()) curve.values.push(numberAt(now, c));
  }
  return made;
}
