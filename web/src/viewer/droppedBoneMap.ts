// Finds the bone map among dropped files.
import { extensionOf } from '../core/paths.ts';
import { type BoneMap, readBoneMap } from '../rig/boneMap.ts';
import { type InputFile, isLocal } from '../session/inputFile.ts';
import { Refusal } from '../session/problem.ts';

/** Maximum size of a bone map in bytes. */
const MAX_SIZE = 16e6;
/** Number of bytes at the start and at the end of a file that are searched for the name of the format. */
const SEARCHED = 65_536;

export interface DroppedFiles {
  /** The files that are not a bone map. */
  files: InputFile[];
  /** The bone map; null if there is none. If there are several, the first one. */
  boneMap: { name: string; pairs: BoneMap } | null;
}

/** Separates a bone map from the other files. Throws a Refusal if the bone map is invalid. */
export async function withoutBoneMaps(all: readonly InputFile[]): Promise<DroppedFiles> {
  const areMaps = await Promise.all(all.map(async input => isLocal(input) && isBoneMap(input.file)));
  const files = all.filter((_, at) => !areMaps[at]);
  const map = all.filter((_, at) => areMaps[at]).find(isLocal)?.file;
  if (!map) return { files, boneMap: null };
  try {
    return { files, boneMap: { name: map.name, pairs: readBoneMap(await map.text()) } };
  } catch (error) {
    throw new Refusal({ code: 'failed', message: `${map.name}: ${(error as Error).message}` });
  }
}

/** Returns true if a file is a JSON file with a bone map. */
export async function isBoneMap(file: File): Promise<boolean> {
  if (extensionOf(file.name) !== 'json' || file.size > MAX_SIZE) return false;
  const parts = await Promise.all([file.slice(0, SEARCHED), file.slice(-SEARCHED)].map(part => part.text().catch(() => '')));
  return parts.some(text => /"boneMap"\s*:/.test(text));
}
