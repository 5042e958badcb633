// Bones as PSK and PSA list them: one root, which comes first, and no scale at rest.
import type { RigScene } from '../../core/types.ts';
import type { Body } from '../bodies.ts';
import type { Ledger } from '../ledger.ts';
import type { BodySpace } from '../space.ts';
import { type ActorXBytes, putFloats, type WriteRecord } from './bytes.ts';
import { storedTurn, upright } from './space.ts';

export interface ActorXBones {
  /** Rows of nodes; -1: a root that the source does not have. */
  rows: readonly number[];
  names: readonly string[];
  /** Of the first bone 0. */
  parents: readonly number[];
  /** By place in the body: that in the file. */
  places: readonly number[];
  /** By bone: what its translations are multiplied with, since the bones above it rest without a scale here. */
  factors: readonly number[];
  space: BodySpace;
  /** Where each bone rests, three and four numbers; in metres with Y up. */
  translations: Float64Array;
  rotations: Float64Array;
}

export interface BonesSource {
  scene: RigScene;
  body: Body;
  /** Rows of nodes that are said in another way. */
  left: ReadonlySet<number>;
  space: BodySpace;
  /** Something stands still that no bone moves. */
  isRootNeeded: boolean;
  ledger: Ledger;
}

export function bonesOf({ scene, body, left, space, isRootNeeded, ledger }: BonesSource): ActorXBones {
  const { names, bones, parents, translations, rotations } = scene.nodes;
  const rows = body.bones.filter(row => !left.has(row));
  if (rows.every(row => (bones[row] ?? -1) >= 0)) rows.sort((a, b) => (bones[a] ?? 0) - (bones[b] ?? 0));
  const known = new Set(rows);
  const roots = rows.filter(row => !known.has(parents[row] ?? -1));
  const isAdded = rows.length > 0 && (roots.length > 1 || isRootNeeded);
  if (isAdded) ledger.add('ROOT_ADDED', body.name, 1);
  const [root] = roots;
  const listed = isAdded ? [-1, ...rows] : root === undefined ? rows : [root, ...rows.filter(row => row !== root)];
  const places = new Map(listed.map((row, i) => [row, i]));
  const rest = restScales(scene, rows, ledger);
  const made: ActorXBones = {
    rows: listed,
    names: listed.map(row => names[row] ?? rootName(rows.map(each => names[each] ?? ''))),
    parents: listed.map(row => places.get(parents[row] ?? -1) ?? 0),
    places: body.bones.map(row => places.get(row) ?? 0),
    factors: listed.map(row => rest.get(parents[row] ?? -1) ?? 1),
    space,
    translations: new Float64Array(3 * listed.length),
    rotations: new Float64Array(4 * listed.length),
  };
  for (const [i, row] of listed.entries()) {
    if (row >= 0) placeBone(made, i, translations.subarray(3 * row, 3 * row + 3), rotations.subarray(4 * row, 4 * row + 4));
    else made.rotations[3] = 1;
  }
  return made;
}

/** Whether a bone lies in the body's space, and not in another bone's. */
export const isRoot = ({ rows, parents }: ActorXBones, bone: number): boolean =>
  bone === 0 || ((parents[bone] ?? 0) === 0 && rows[0] === -1);

/** Sets where a bone is to a local transform of the scene, brought into the file's metres. */
function placeBone(bones: ActorXBones, bone: number, translation: ArrayLike<number>, rotation: ArrayLike<number>): void {
  bones.translations.set(translationOf(bones, bone, translation), 3 * bone);
  bones.rotations.set(rotationOf(bones, bone, rotation), 4 * bone);
}

export function translationOf(bones: ActorXBones, bone: number, local: ArrayLike<number>): Float64Array {
  const { space, factors } = bones;
  const moved = Float64Array.from(local);
  if (isRoot(bones, bone)) space.move(moved, 0, 'point');
  else for (let c = 0; c < 3; c++) moved[c] = (moved[c] ?? 0) * space.scale * (factors[bone] ?? 1);
  return moved;
}

export function rotationOf(bones: ActorXBones, bone: number, local: ArrayLike<number>): Float64Array {
  const turned = Float64Array.from(local);
  if (isRoot(bones, bone)) bones.space.turn(turned, 0);
  return turned;
}

/** By row: the scale that a bone and those above it come to. */
function restScales({ nodes }: RigScene, rows: readonly number[], ledger: Ledger): Map<number, number> {
  const { scales, parents, segmentScaleCompensate } = nodes;
  const totals = new Map<number, number>();
  let baked = 0;
  let uneven = 0;
  const ordered = rows.toSorted((a, b) => a - b); // parents come before children
  for (const row of ordered) {
    const [x = 1, y = 1, z = 1] = scales.subarray(3 * row, 3 * row + 3);
    const own = Math.cbrt(Math.abs(x * y * z)) || 1;
    const parent = parents[row] ?? -1;
    const above = segmentScaleCompensate[row] ? 1 : (totals.get(parent) ?? 1);
    totals.set(row, above * own);
    if ([x, y, z].some(s => Math.abs(s - own) > 1e-4 * own)) uneven++;
    else if (Math.abs(own - 1) > 1e-6) baked++;
  }
  if (baked > 0) ledger.add('SCALES_BAKED', '', baked);
  if (uneven > 0) ledger.add('SCALE_INHERITED', '', uneven, 'bones that rest with a scale that differs by axis');
  return totals;
}

function rootName(taken: readonly string[]): string {
  let name = 'root';
  for (let k = 2; taken.some(each => each.trim().toLowerCase() === name); k++) name = `root_${k}`;
  return name;
}

/** REFSKELT and BONENAMES are the same. `unit`: metres. */
export function writeBones(bytes: ActorXBytes, id: string, bones: ActorXBones, scene: RigScene, unit: number): void {
  const { rows, names, parents, translations, rotations } = bones;
  const children = new Int32Array(rows.length);
  for (const [i, parent] of parents.entries()) if (i > 0) children[parent] = (children[parent] ?? 0) + 1;
  const write: WriteRecord = (view, at, i) => {
    bytes.name(view, at, names[i] ?? '');
    const flags = scene.nodes.properties.get(rows[i] ?? -1)?.['flags'];
    view.setUint32(at + 64, typeof flags === 'number' ? flags : 0, true);
    view.setInt32(at + 68, children[i] ?? 0, true);
    view.setInt32(at + 72, parents[i] ?? 0, true);
    putFloats(view, at + 76, ...storedTurn(rotations.subarray(4 * i, 4 * i + 4), i));
    putFloats(view, at + 92, ...upright(translations.subarray(3 * i, 3 * i + 3), 1 / unit));
  };
  bytes.chunk(id, 120, rows.length, write);
}
