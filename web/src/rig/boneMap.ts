// Bone maps: pairs of bones that the user states for retargeting. A stated pair overrides the pair
// that a retargeter finds by name or body part. docs/animations.md describes the JSON format.
import { RigcastError } from '../core/error.ts';
import { findNodes } from '../core/bind.ts';
import type { RigScene } from '../core/types.ts';

/** A bone of the model, and the bone of the animation that moves it. */
export interface BoneMapPair {
  target: string;
  /** Name of the bone in the animation; null if the bone of the model stays in its rest pose. */
  source: string | null;
}

export type BoneMap = readonly BoneMapPair[];

/** A pair of a bone map, as rows of the node tables of two scenes. */
export interface StatedPair {
  /** Row in the model. */
  to: number;
  /** Row in the skeleton of the animation; -1 if the bone of the model stays in its rest pose. */
  from: number;
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
    const { target, source } = (pair ?? {}) as Record<string, unknown>;
    if (typeof target !== 'string' || (typeof source !== 'string' && source !== null))
      throw invalid(`pair ${at} must have the bone "target", and the bone "source" or null.`);
    if (targets.has(target)) throw invalid(`the bone ${JSON.stringify(target)} is the target of two pairs.`);
    targets.add(target);
    return { target, source };
  });
}

/** Returns the JSON text of a bone map, one pair per line. */
export function writeBoneMap(map: BoneMap): string {
  const pairs = map.map(({ target, source }) => `    ${JSON.stringify({ target, source })}`);
  return `{\n  "boneMap": ${VERSION},\n  "pairs": [\n${pairs.join(',\n')}\n  ]\n}\n`;
}

/**
 * Finds the bones of a map in two scenes, by the rules for the targets of tracks. `unknown`: names
 * that a scene does not have. Their pairs are left out.
 */
export function resolveBoneMap(map: BoneMap, from: RigScene, to: RigScene): { pairs: StatedPair[]; unknown: string[] } {
  const rowsIn = (scene: RigScene, names: readonly string[]): Int32Array =>
    findNodes(
      names.map(target => ({ target, occurrence: 0 })),
      scene,
    );
  const targets = rowsIn(
    to,
    map.map(({ target }) => target),
  );
  const sources = rowsIn(
    from,
    map.map(({ source }) => source ?? ''),
  );
  const pairs: StatedPair[] = [];
  const unknown: string[] = [];
  for (const [at, { target, source }] of map.entries()) {
    const [row, sourceRow] = [targets[at]!, source === null ? -1 : sources[at]!];
    if (row < 0) unknown.push(target);
    if (source !== null && sourceRow < 0) unknown.push(source);
    if (row >= 0 && (source === null || sourceRow >= 0)) pairs.push({ to: row, from: sourceRow });
  }
  return { pairs, unknown: [...new Set(unknown)] };
}
