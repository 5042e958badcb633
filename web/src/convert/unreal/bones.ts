// Prepares bones for PSK and PSA. Both formats require a single root as the first bone, and store
// no scale in the rest pose.
import { numberIn } from '../../core/properties.ts';
import { vectorAt } from '../../core/math/vector.ts';
import { isDivisor } from '../../core/scaledTranslations.ts';
import { isBone, parentOf } from '../../core/tree.ts';
import { numberAt } from '../../core/math/column.ts';
import type { RigScene } from '../../core/types.ts';
import type { Body, RestTransforms } from '../common/bodies.ts';
import type { ReportBuilder } from '../common/report.ts';
import type { BodySpace, BoneSpace } from '../common/space.ts';
import type { ActorXBytes, WriteRecord } from './bytes.ts';
import { storedRotation, upright } from './space.ts';

export interface ActorXBones {
  /** Row in `scene.nodes` of each bone, or -1 for a root bone that was added. */
  rows: readonly number[];
  names: readonly string[];
  /**
   * Index of each bone's parent. The parent of the first bone is 0, that is, the bone itself. So is
   * that of further roots, if the target allows them.
   */
  parents: readonly number[];
  /** True for each bone that has no parent in the source. */
  areRoots: readonly boolean[];
  /** Index in the file of each bone of the body. */
  places: readonly number[];
  /** Conversion of each bone's transforms to the space of the file. */
  spaces: readonly BoneSpace[];
  space: BodySpace;
  /**
   * True if a bone of the rest pose is scaled non-uniformly. In that case the rest pose is written
   * exactly, but animations are only approximated.
   */
  isEvened: boolean;
  /**
   * Rest pose of each bone: `translations` has 3 numbers per bone (metres, Y up), and `rotations`
   * has 4.
   */
  translations: Float64Array;
  rotations: Float64Array;
  /**
   * Product of the scales of each bone's ancestors in the file, 3 numbers per bone. Absent if the
   * file does not store scales.
   */
  ancestorScales?: Float64Array;
}

export interface BonesSource {
  scene: RigScene;
  body: Body;
  /** Rows of the nodes that are not written as bones, because they are written as sockets. */
  left: ReadonlySet<number>;
  space: BodySpace;
  rest: RestTransforms;
  /**
   * True if a mesh is not attached to any bone. If the body has bones, a root bone is added for
   * this mesh.
   */
  isRootNeeded: boolean;
  /** True to add the root bone even if the body has no bones. */
  rootBone?: boolean | undefined;
  /** True if the target allows several roots. A root bone is then only added if `isRootNeeded`. */
  hasRoots?: boolean;
  /** True if the target stores the scales of bones in the rest pose. */
  hasScales?: boolean;
  report: ReportBuilder;
}

export function bonesOf(source: BonesSource): ActorXBones {
  const { scene, body, left, space, rest, isRootNeeded, rootBone = false, hasRoots, hasScales, report } = source;
  const { nodes } = scene;
  const { translations, rotations } = nodes;
  const rows = body.bones.filter(row => !left.has(row));
  if (rows.every(row => isBone(nodes, row))) rows.sort((a, b) => numberAt(nodes.bones, a) - numberAt(nodes.bones, b));
  const known = new Set(rows);
  const roots = rows.filter(row => !known.has(parentOf(nodes, row)));
  const isAdded = (roots.length > 1 && !hasRoots) || (isRootNeeded && (rows.length > 0 || rootBone));
  if (isAdded) report.add('ROOT_ADDED', body.name, 1);
  const [root] = roots;
  const listed = isAdded ? [-1, ...rows] : root === undefined ? rows : [root, ...rows.filter(row => row !== root)];
  const places = new Map(listed.map((row, i) => [row, i]));
  const parentPlaces = listed.map(row => (row < 0 ? 0 : (places.get(parentOf(nodes, row)) ?? 0)));
  const areRoots = listed.map(row => row < 0 || !known.has(parentOf(nodes, row)));
  const scales = hasScales ? new Map<number, RestScale>() : restScales(scene, rows, report);
  const spaceOf = (row: number): BoneSpace => {
    const parent = parentOf(nodes, row);
    const { total = 1, isUneven = false } = scales.get(parent) ?? {};
    const rotation = rest.rotation(parent, body.owner);
    return space.below({ rotation, matrix: isUneven ? rest.of(parent, body.owner) : undefined }, total);
  };
  const made: ActorXBones = {
    rows: listed,
    names: namesOf(listed, scene, report),
    parents: parentPlaces,
    places: body.bones.map(row => places.get(row) ?? 0),
    areRoots,
    spaces: listed.map((row, i) => (areRoots[i] ? space.root : spaceOf(row))),
    space,
    isEvened: listed.length > 0 && (!space.isEven || [...scales.values()].some(({ isUneven }) => isUneven)),
    translations: new Float64Array(3 * listed.length),
    rotations: new Float64Array(4 * listed.length),
  };
  if (hasScales) made.ancestorScales = ancestorScalesOf(made, nodes.scales);
  for (const [i, row] of listed.entries()) {
    if (row >= 0) placeBone(made, i, translations.subarray(3 * row, 3 * row + 3), rotations.subarray(4 * row, 4 * row + 4));
    else made.rotations[3] = 1;
  }
  return made;
}

/** Returns the product of the scales of each bone's ancestors in the file. */
function ancestorScalesOf({ rows, parents, areRoots }: ActorXBones, scales: ArrayLike<number>): Float64Array {
  const products = new Float64Array(3 * rows.length).fill(1);
  const order = [...rows.keys()].sort((a, b) => numberAt(rows, a) - numberAt(rows, b)); // parents come before their children
  for (const bone of order) {
    const [parent, above] = [numberAt(parents, bone), numberAt(rows, numberAt(parents, bone))];
    if (areRoots[bone] || above < 0) continue;
    for (let c = 0; c < 3; c++) products[3 * bone + c] = numberAt(products, 3 * parent + c) * numberAt(scales, 3 * above + c);
  }
  return products.map(scale => (isDivisor(scale) ? scale : 1));
}

/**
 * Sets the rest pose of a bone. `translation`, `rotation`: local transform of the bone in the
 * scene.
 */
function placeBone(bones: ActorXBones, bone: number, translation: ArrayLike<number>, rotation: ArrayLike<number>): void {
  bones.translations.set(translationOf(bones, bone, translation), 3 * bone);
  bones.rotations.set(rotationOf(bones, bone, rotation), 4 * bone);
}

export function translationOf(bones: ActorXBones, bone: number, local: ArrayLike<number>): Float64Array {
  const moved = Float64Array.from(local);
  bones.spaces[bone]?.translation(moved, 0, false);
  return moved;
}

export function rotationOf(bones: ActorXBones, bone: number, local: ArrayLike<number>): Float64Array {
  const turned = Float64Array.from(local);
  bones.spaces[bone]?.rotation(turned, 0, false);
  return turned;
}

interface RestScale {
  total: number;
  /** True if the bone or one of its ancestors has a non-uniform or negative scale. */
  isUneven: boolean;
}

/**
 * Returns the mean rest pose scale of each bone, multiplied by the mean scales of its ancestors.
 * `rows`: rows of the bones.
 */
function restScales({ nodes }: RigScene, rows: readonly number[], report: ReportBuilder): Map<number, RestScale> {
  const { scales, segmentScaleCompensate } = nodes;
  const totals = new Map<number, RestScale>();
  let baked = 0;
  let uneven = 0;
  const ordered = rows.toSorted((a, b) => a - b); // parents come before their children
  for (const row of ordered) {
    const [x, y, z] = vectorAt(scales, 3 * row);
    const own = Math.cbrt(Math.abs(x * y * z)) || 1;
    const above = segmentScaleCompensate[row] ? undefined : totals.get(parentOf(nodes, row));
    const isUneven = [x, y, z].some(s => Math.abs(s - own) > 1e-4 * own);
    totals.set(row, { total: (above?.total ?? 1) * own, isUneven: isUneven || (above?.isUneven ?? false) });
    if (isUneven) uneven++;
    else if (Math.abs(own - 1) > 1e-6) baked++;
  }
  if (baked + uneven > 0) report.add('SCALES_BAKED', '', baked + uneven);
  return totals;
}

/** Returns unique bone names. Bones without a name and an added root bone get new names. */
function namesOf(rows: readonly number[], { nodes }: RigScene, report: ReportBuilder): string[] {
  const isNamed = (row: number): boolean => (nodes.names[row] ?? '').trim() !== '';
  const taken = new Set(rows.filter(isNamed).map(row => (nodes.names[row] ?? '').trim().toLowerCase()));
  const free = (name: string): string => {
    let own = name;
    for (let k = 2; taken.has(own); k++) own = `${name}_${k}`;
    taken.add(own);
    return own;
  };
  const unnamed = rows.filter(row => row >= 0 && !isNamed(row)).length;
  if (unnamed > 0) report.add('NAMES_GIVEN', '', unnamed);
  return rows.map((row, i) => (row < 0 ? free('root') : isNamed(row) ? (nodes.names[row] ?? '') : free(`bone_${i}`)));
}

/**
 * Writes the chunk that lists all bones. `id`: name of the chunk, REFSKELT in a PSK and BONENAMES
 * in a PSA. `unit`: metres per unit of the file.
 */
export function writeBones(bytes: ActorXBytes, id: string, bones: ActorXBones, scene: RigScene, unit: number): void {
  const { rows, names, parents, translations, rotations } = bones;
  const children = new Int32Array(rows.length);
  for (const [i, parent] of parents.entries()) if (i > 0) children[parent]!++;
  const write: WriteRecord = (view, at, i) => {
    bytes.name(view, at, names[i]!);
    view.setUint32(at + 64, numberIn(scene.nodes.properties.get(rows[i]!), 'flags', 0), true);
    view.setInt32(at + 68, numberAt(children, i), true);
    view.setInt32(at + 72, numberAt(parents, i), true);
    bytes.floats(view, at + 76, ...storedRotation(rotations.subarray(4 * i, 4 * i + 4), i));
    bytes.floats(view, at + 92, ...upright(translations.subarray(3 * i, 3 * i + 3), 1 / unit));
  };
  bytes.chunk(id, 120, rows.length, write);
}
