// Writes SEAnim files, which contain one clip each (docs/formats/se.md section 3).
import { numberAt } from '../../core/math/column.ts';
import { multiply } from '../../core/math/quaternion.ts';
import { entry } from '../../core/entry.ts';
import type { RigScene, TrackMode } from '../../core/types.ts';
import type { FrameClip, FrameCurve } from '../common/frames.ts';
import type { ReportBuilder } from '../common/report.ts';
import { SeBytes, widthOf } from './bytes.ts';
import { type Keys, keysOf, type Kind, KINDS } from './keys.ts';
import type { BoneSpace } from '../common/space.ts';
import type { SeBody } from './space.ts';

const HEADER = 0x1c;
const NOTES = 64;

/**
 * Modes of translation, rotation and scale keys for each SEAnim animation type, as both public
 * importers interpret them.
 */
const TYPES: Readonly<Record<number, Readonly<Record<Kind, TrackMode>>>> = {
  0: { translation: 'absolute', rotation: 'absolute', scale: 'absolute' },
  1: { translation: 'additive', rotation: 'additive', scale: 'absolute' },
  2: { translation: 'relative', rotation: 'absolute', scale: 'absolute' },
};
const DELTA = 3;

type Bone = Partial<Record<Kind, Keys>>;

export interface SeAnimSource {
  clip: FrameClip;
  scene: RigScene;
  /** Skeletons of the model, and the conversions of their transforms to the space of the file. */
  bodies: readonly SeBody[];
  /** True if the source declares root motion, that is, the first bone moves the model. */
  isDelta: boolean;
  report: ReportBuilder;
}

export function writeSeAnim(source: SeAnimSource): Uint8Array<ArrayBuffer>[] {
  const { clip, report } = source;
  for (const { name } of clip.events) report.budget.spend(4 + name.length);
  const places = placesOf(source);
  const bones = new Map<string, Bone>();
  for (const [target, kinds] of byTarget(clip)) {
    const bone: Bone = {};
    for (const kind of KINDS) {
      const keys = keysOf(kinds.get(kind) ?? [], kind, places.get(target)?.row, source);
      if (keys) bone[kind] = keys;
    }
    bones.set(target, bone);
  }
  const type = typeOf([...bones.values()]);
  settle(bones, type, places, source);
  for (const [target, bone] of bones) move(bone, places.get(target), source);
  const modifiers = modifiersOf(source);
  for (const { node } of modifiers) if (!bones.has(node)) bones.set(node, {});
  const lost = clip.curves.filter(({ path }) => path === 'weight' || path === 'visible').length;
  if (lost > 0) report.add('NOT_SAID', `curves of morph targets and visibility in ${clip.name}`, lost);
  return bytesOf(report, clip, bones, type === 2 && source.isDelta ? DELTA : type, modifiers);
}

function bytesOf(
  report: ReportBuilder,
  clip: FrameClip,
  bones: ReadonlyMap<string, Bone>,
  type: number,
  modifiers: readonly Modifier[],
): Uint8Array<ArrayBuffer>[] {
  const names = [...bones.keys()];
  const has = KINDS.map(kind => [...bones.values()].some(bone => bone[kind]));
  const frameCount = clip.lastFrame + 1;
  const width = widthOf(frameCount);
  const boneWidth = widthOf(names.length);
  const bytes = new SeBytes().utf8('SEAnim').u16(1).u16(HEADER);
  bytes.u8(type).u8(clip.loop ? 1 : 0);
  bytes.u8(has.reduce((sum, isThere, i) => sum | (isThere ? 1 << i : 0), clip.events.length > 0 ? NOTES : 0));
  bytes.u8(0).u8(0).u8(0).f32(clip.frameRate);
  bytes
    .u32(frameCount)
    .u32(has.includes(true) ? names.length : 0)
    .u8(has.includes(true) ? modifiers.length : 0);
  bytes.u8(0).u8(0).u8(0).u32(clip.events.length);
  if (has.includes(true)) {
    for (const name of names) bytes.text(name);
    const places = new Map(names.map((name, i) => [name, i]));
    for (const { node, type: own } of modifiers) bytes.index(places.get(node) ?? -1, boneWidth).u8(own);
    for (const bone of bones.values()) {
      bytes.u8(0);
      for (const [i, kind] of KINDS.entries()) {
        if (!has[i]) continue;
        const { frames = [], values = new Float32Array(0) } = bone[kind] ?? {};
        const size = kind === 'rotation' ? 4 : 3;
        bytes.index(frames.length, width);
        for (const [k, frame] of frames.entries()) {
          bytes.index(frame, width);
          for (let c = 0; c < size; c++) bytes.f32(numberAt(values, size * k + c));
        }
      }
    }
  }
  for (const { name, frame } of clip.events) bytes.index(frame, width).text(name);
  bytes.reportLosses(report);
  return bytes.finish();
}

function byTarget({ curves }: FrameClip): Map<string, Map<Kind, FrameCurve[]>> {
  const targets = new Map<string, Map<Kind, FrameCurve[]>>();
  for (const curve of curves) {
    if (curve.path === 'weight' || curve.path === 'visible') continue;
    const kinds = targets.get(curve.target) ?? new Map<Kind, FrameCurve[]>();
    targets.set(curve.target, kinds);
    entry(kinds, curve.path, () => []).push(curve);
  }
  return targets;
}

/**
 * Returns the SEAnim animation type that matches the modes of all keys. If no type matches, returns
 * 0 (absolute).
 */
function typeOf(bones: readonly Bone[]): number {
  const isAll = (type: number): boolean =>
    bones.every(bone => KINDS.every(kind => !bone[kind] || bone[kind]?.mode === TYPES[type]?.[kind]));
  return [0, 2, 1].find(isAll) ?? 0;
}

/**
 * Adds keys to the rest pose if their mode does not match the animation type, so that they become
 * absolute keys.
 */
function settle(bones: Map<string, Bone>, type: number, places: ReadonlyMap<string, Place>, { scene, clip, report }: SeAnimSource): void {
  let settled = 0;
  let lost = 0;
  for (const [target, bone] of bones)
    for (const kind of KINDS) {
      const keys = bone[kind];
      if (!keys || keys.mode === TYPES[type]?.[kind]) continue;
      const row = places.get(target)?.row;
      if (row === undefined) {
        delete bone[kind];
        lost++;
        continue;
      }
      settled++;
      bone[kind] = { frames: keys.frames, values: onRest(keys, kind, scene, row), mode: 'absolute' };
    }
  if (settled > 0) report.add('CLIP_ON_REST', clip.name, settled);
  if (lost > 0) report.add('TRACKS_UNMATCHED', clip.name, lost, 'relative keys without the rest pose of a model');
}

function onRest({ frames, values }: Keys, kind: Kind, { nodes }: RigScene, row: number): Float32Array {
  const made = values.slice();
  for (let i = 0; i < frames.length; i++) {
    if (kind === 'rotation') multiply(made, 4 * i, nodes.rotations, 4 * row, values, 4 * i);
    else
      for (let c = 0; c < 3; c++) {
        const value = numberAt(values, 3 * i + c);
        made[3 * i + c] =
          kind === 'scale' ? value * numberAt(nodes.scales, 3 * row + c) : value + numberAt(nodes.translations, 3 * row + c);
      }
  }
  return made;
}

/** Node row of a bone, and the conversion of its keys to the space of the file. */
interface Place {
  row: number;
  space: BoneSpace;
}

function placesOf({ scene, bodies }: SeAnimSource): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const { body, space, spaces } of bodies)
    for (const [i, row] of body.bones.entries()) {
      const name = scene.nodes.names[row] ?? '';
      if (!places.has(name)) places.set(name, { row, space: spaces[i] ?? space.root });
    }
  return places;
}

/**
 * Converts the keys of a bone to the space of the file. A bone that the model does not contain is
 * converted like the child of another bone.
 */
function move({ translation, rotation }: Bone, place: Place | undefined, { bodies }: SeAnimSource): void {
  const space = place?.space ?? bodies[0]?.space.below({ rotation: [0, 0, 0, 1] });
  if (!space) return;
  if (translation) {
    const values = translation.values.slice();
    for (let i = 0; i < values.length; i += 3) space.translation(values, i, translation.mode !== 'absolute');
    translation.values = values;
  }
  if (rotation) {
    const values = rotation.values.slice();
    for (let i = 0; i < values.length; i += 4) space.rotation(values, i, rotation.mode !== 'absolute');
    rotation.values = values;
  }
}

interface Modifier {
  node: string;
  type: number;
}

/**
 * Merges the mode overrides of each bone into one SEAnim modifier. Reports overrides that match no
 * animation type.
 */
function modifiersOf({ clip, report }: SeAnimSource): Modifier[] {
  const nodes = new Map<string, Partial<Record<Kind, TrackMode>>>();
  let reduced = 0;
  for (const { node, mode, translation, rotation, scale, includesNode } of clip.overrides) {
    const modes = nodes.get(node) ?? {};
    nodes.set(node, modes);
    if (translation) modes.translation = mode;
    if (rotation) modes.rotation = mode;
    if (includesNode || (scale && mode !== 'absolute')) reduced++;
  }
  const made: Modifier[] = [];
  for (const [node, { translation, rotation }] of nodes) {
    const type = [0, 2, 1].find(
      each =>
        (translation === undefined || TYPES[each]?.translation === translation) &&
        (rotation === undefined || TYPES[each]?.rotation === rotation),
    );
    if (type === undefined || made.length === 0xff) reduced++;
    else if (translation ?? rotation) made.push({ node, type });
  }
  if (reduced > 0) report.add('OVERRIDE_REDUCED', clip.name, reduced);
  return made;
}
