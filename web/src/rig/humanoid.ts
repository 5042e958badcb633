// Maps the bones of a skeleton to humanoid bones. Uses the mapping that the file declares;
// otherwise bone names and hierarchy; otherwise bone positions.
import { wordsOf } from '../core/nameWords.ts';
import { nameOf, parentOf } from '../core/tree.ts';
import type { NodeTable, RigScene } from '../core/types.ts';
import { boneOf } from './bodyPlan.ts';
import type { NumberedFingers } from './fingers.ts';
import { commonOf, isBelow, pathTo } from './hierarchy.ts';
import { type Side, SIDES } from '../core/nameWords.ts';
import type { HumanBone } from './humanBones.ts';
import { inferHumanoid } from './humanoidShape.ts';
import { NamedBody } from './namedBody.ts';
import { type Quadruped, quadrupedOf } from './quadruped.ts';

export type { HumanBone } from './humanBones.ts';

export interface Humanoid {
  kind: 'humanoid';
  /** Row in `scene.nodes` of each humanoid bone that was found. */
  bones: ReadonlyMap<HumanBone, number>;
  /**
   * Bones between hips and neck, from bottom to top. Includes `spine`, `chest` and `upperChest`.
   */
  spine: readonly number[];
  /** Bones between spine and head, from bottom to top. */
  neck: readonly number[];
  /**
   * Source of the mapping: the mapping that the file declares, bone names, or bone positions
   * (`topology`).
   */
  detectedFrom: 'file' | 'names' | 'topology';
  /** Finger bones whose names are only numbers. */
  numberedFingers: NumberedFingers;
}

const NO_FINGERS: NumberedFingers = { inferred: [], unknown: [] };

/** Humanoid bones that a skeleton must have to count as a humanoid. */
const REQUIRED: readonly HumanBone[] = [
  'hips',
  ...SIDES.flatMap(side => (['UpperLeg', 'LowerLeg', 'UpperArm', 'LowerArm'] as const).map(part => `${side}${part}` as const)),
];

/**
 * Returns the humanoid of a scene, or null if no humanoid was found. A quadruped isn't
 * a humanoid, even with the bone names of a human, unless the file declares it.
 */
export function humanoidOf(scene: RigScene): Humanoid | null {
  for (const [detectedFrom, find] of [
    ['file', fromFile],
    ['names', fromNames],
    ['topology', fromTopology],
  ] as const) {
    const { bones, numberedFingers } = find(scene);
    if (!REQUIRED.every(name => bones.has(name))) continue;
    if (detectedFrom !== 'file' && quadrupedOf(scene)) return null;
    return complete(bones, scene.nodes, detectedFrom, numberedFingers);
  }
  return null;
}

/** Returns the humanoid or the quadruped of a scene, or null if there is neither. */
export const bodyOf = (scene: RigScene): Humanoid | Quadruped | null => humanoidOf(scene) ?? quadrupedOf(scene);

/**
 * Returns all bones of the humanoid if the scene has one, and none if it has a quadruped. Otherwise returns the bones of hands and
 * fingers, for example of first-person arms or of a single hand. The side of a single hand whose bone
 * names have no side, such as the `generic-hand` of WebXR, is found by other names in the file or by
 * the positions of its bones.
 */
export function handBonesOf(scene: RigScene): ReadonlyMap<HumanBone, number> {
  return handsOf(scene).bones;
}

/** Like `handBonesOf`, with the finger bones whose names are only numbers. */
export function handsOf(scene: RigScene): Pick<Humanoid, 'bones' | 'numberedFingers'> {
  const found = bodyOf(scene);
  if (found) return found.kind === 'humanoid' ? found : { bones: new Map<HumanBone, number>(), numberedFingers: NO_FINGERS };
  const body = new NamedBody(scene.nodes);
  return { bones: body.hands(scene.asset), numberedFingers: body.numberedFingers };
}

interface FoundBones {
  bones: Map<HumanBone, number>;
  numberedFingers: NumberedFingers;
}

function fromNames({ nodes }: RigScene): FoundBones {
  const body = new NamedBody(nodes);
  return { bones: body.find(), numberedFingers: body.numberedFingers };
}

const fromTopology = (scene: RigScene): FoundBones => ({
  bones: inferHumanoid(scene) ?? new Map<HumanBone, number>(),
  numberedFingers: NO_FINGERS,
});

/** Reads the mapping that the file declares (docs/formats/vgo.md, humanAvatar). */
function fromFile(scene: RigScene): FoundBones {
  const declared = scene.features.find(({ kind }) => kind === 'humanoid')?.properties?.bones;
  const entries = declared && typeof declared === 'object' && !Array.isArray(declared) ? Object.entries(declared) : [];
  const isRow = (row: unknown): row is number => typeof row === 'number' && row > 0 && row < scene.nodes.length;
  const bones = new Map(entries.filter((entry): entry is [HumanBone, number] => isRow(entry[1])));
  return { bones, numberedFingers: NO_FINGERS };
}

/**
 * Adds the bones of the spine (from the hips to the arms) and of the neck (from the arms to the
 * head).
 */
function complete(
  bones: Map<HumanBone, number>,
  nodes: NodeTable,
  detectedFrom: Humanoid['detectedFrom'],
  numberedFingers: NumberedFingers,
): Humanoid {
  const hips = boneOf({ bones }, 'hips');
  const arms = commonOf(nodes, armRoot(bones, 'left'), armRoot(bones, 'right'));
  const head = bones.get('head') ?? -1;
  const trunk =
    detectedFrom === 'file' ? (bones.get('upperChest') ?? bones.get('chest') ?? bones.get('spine') ?? arms) : chestBelow(nodes, arms, hips);
  const spine = pathTo(nodes, hips, trunk);
  if (trunk !== hips && isBelow(nodes, trunk, hips)) spine.push(trunk);
  const neck = head >= 0 && isBelow(nodes, head, trunk) ? pathTo(nodes, trunk, head) : [];
  if (detectedFrom !== 'file') {
    const [first, second, third] = spine;
    if (first !== undefined) bones.set('spine', first);
    if (second !== undefined) bones.set('chest', second);
    if (third !== undefined) bones.set('upperChest', spine.at(-1) ?? third);
    if (neck[0] !== undefined) bones.set('neck', neck[0]);
  }
  return { kind: 'humanoid', bones, spine, neck, detectedFrom, numberedFingers };
}

const armRoot = (bones: ReadonlyMap<HumanBone, number>, side: Side): number =>
  bones.get(`${side}Shoulder`) ?? boneOf({ bones }, `${side}UpperArm`);

/**
 * Returns the top bone of the spine: the common ancestor of the arms or, if that is a neck bone,
 * the nearest ancestor that isn't. In 3ds Max's Biped, the collar bones are children of the neck.
 */
function chestBelow(nodes: NodeTable, arms: number, hips: number): number {
  let row = arms;
  while (row > 0 && row !== hips && wordsOf(nameOf(nodes, row)).some(word => word.startsWith('neck'))) row = parentOf(nodes, row);
  return row;
}
