// Bone maps: pairs of bones that the user states for retargeting. A stated pair overrides the pair
// that a retargeter finds by name or body part. docs/animations.md describes the JSON format.
import { RigcastError } from '../core/error.ts';
import { findNodes } from '../core/bind.ts';
import type { RigScene } from '../core/types.ts';
import { occurrenceOf } from './table.ts';

/** A bone of the model, and the bone of the animation that moves it. */
export interface BoneMapPair {
  target: string;
  /** Index among the bones of the model with exactly this name, in file order (default 0). */
  targetIndex?: number;
  /** Name of the bone in the animation; null if the bone of the model stays in its rest pose. */
  source: string | null;
  /** Index among the bones of the animation with exactly this name, in file order (default 0). */
  sourceIndex?: number;
}

/** A bone of a skeleton. `index`: index among the bones with the same name, in file order. */
export interface BoneName {
  name: string;
  index: number;
}

export type BoneMap = readonly BoneMapPair[];

/** A pair of a bone map, as rows of the node tables of two scenes. */
export interface StatedPair {
  /** Row in the model. */
  to: number;
  /** Row in the skeleton of the animation; -1 if the bone of the model stays in its rest pose. */
  from: number;
}

/** Returns a bone of a scene for use in a bone map. `row`: row of the bone in the node table. */
export const boneNameOf = (scene: RigScene, row: number): BoneName => ({
  name: scene.nodes.names[row] ?? '',
  index: occurrenceOf(scene.nodes, row),
});

/** Text for a bone. Differs for bones with the same name. */
export const boneLabel = ({ name, index }: BoneName): string => (index > 0 ? `${name} (${index + 1})` : name);

/** Returns a pair of a bone map. `source`: null if the bone of the model stays in its rest pose. */
export const boneMapPair = (target: BoneName, source: BoneName | null): BoneMapPair => ({
  target: target.name,
  ...(target.index > 0 && { targetIndex: target.index }),
  source: source?.name ?? null,
  ...(source && source.index > 0 && { sourceIndex: source.index }),
});

export const targetOf = ({ target, targetIndex = 0 }: BoneMapPair): BoneName => ({ name: target, index: targetIndex });

export const isSameBone = (a: BoneName, b: BoneName): boolean => a.name === b.name && a.index === b.index;

/** Returns true if a value, such as one from a file, is a valid pair. */
export function isBoneMapPair(value: unknown): value is BoneMapPair {
  const { target, targetIndex = 0, source, sourceIndex = 0 } = (value ?? {}) as Record<string, unknown>;
  const areIndices = [targetIndex, sourceIndex].every(index => Number.isInteger(index) && (index as number) >= 0);
  return typeof target === 'string' && (typeof source === 'string' || source === null) && areIndices;
}

const VERSION = 1;
/** Maximum number of pairs. Skeletons have far fewer bones. */
export const MAX_PAIRS = 100_000;

const invalid = (message: string): RigcastError => new RigcastError('BONE_MAP_INVALID', `The bone map is invalid: ${message}`);

/**
 * Reads a bone map from JSON text: `{"boneMap": 1, "pairs": [{"target": "thigh_l", "source": "LeftUpLeg"}]}`.
 * Throws a RigcastError with the code BONE_MAP_INVALID if the text is not a bone map.
 */
export function readBoneMap(text: string): BoneMap {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('it is not JSON.');
  }
  const { boneMap: version, pairs } = (value ?? {}) as Record<string, unknown>;
  if (version !== VERSION) throw invalid(`"boneMap" must be ${VERSION}.`);
  if (!Array.isArray(pairs)) throw invalid('"pairs" must be a list.');
  if (pairs.length > MAX_PAIRS) throw invalid(`it has more than ${MAX_PAIRS} pairs.`);
  const targets = new Set<string>();
  return pairs.map((pair: unknown, at) => {
    if (!isBoneMapPair(pair))
      throw invalid(`pair ${at} must have the bone "target", the bone "source" or null, and integers as "targetIndex" and "sourceIndex".`);
    const { targetIndex = 0, sourceIndex = 0 } = pair;
    const target = { name: pair.target, index: targetIndex };
    const key = `${targetIndex} ${pair.target}`;
    if (targets.has(key)) throw invalid(`the bone ${JSON.stringify(boneLabel(target))} is the target of two pairs.`);
    targets.add(key);
    return boneMapPair(target, pair.source === null ? null : { name: pair.source, index: sourceIndex });
  });
}

/** Returns the JSON text of a bone map, one pair per line. */
export function writeBoneMap(map: BoneMap): string {
  const pairs = map.map(pair => `    ${JSON.stringify(pair)}`);
  return `{\n  "boneMap": ${VERSION},\n  "pairs": [\n${pairs.join(',\n')}\n  ]\n}\n`;
}

/**
 * Finds the bones of a map in two scenes, by the rules for the targets of tracks. `unknown`: bones
 * that a scene does not have. Their pairs are left out.
 */
export function resolveBoneMap(map: BoneMap, from: RigScene, to: RigScene): { pairs: StatedPair[]; unknown: string[] } {
  const rowsIn = (scene: RigScene, bones: readonly BoneName[]): Int32Array =>
    findNodes(
      bones.map(({ name, index }) => ({ target: name, occurrence: index })),
      scene,
      // An index counts bones with exactly the same name. Names that only resemble it have another order.
    ).map((row, at) => (bones[at]!.index > 0 && scene.nodes.names[row] !== bones[at]!.name ? -1 : row));
  const targets = map.map(targetOf);
  const sources = map.map(({ source, sourceIndex = 0 }) => ({ name: source ?? '', index: sourceIndex }));
  const [targetRows, sourceRows] = [rowsIn(to, targets), rowsIn(from, sources)];
  const pairs: StatedPair[] = [];
  const unknown: string[] = [];
  for (const [at, { source }] of map.entries()) {
    const [row, sourceRow] = [targetRows[at]!, source === null ? -1 : sourceRows[at]!];
    if (row < 0) unknown.push(boneLabel(targets[at]!));
    if (source !== null && sourceRow < 0) unknown.push(boneLabel(sources[at]!));
    if (row >= 0 && (source === null || sourceRow >= 0)) pairs.push({ to: row, from: sourceRow });
  }
  return { pairs, unknown: [...new Set(unknown)] };
}
