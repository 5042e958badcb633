// What files are for: their headers tell, else their names.
import { roleByExtension } from '../core/formats.ts';
import { probe, type Role } from '../core/probe.ts';
import { isImage } from '../textures/sources.ts';
export type { Role } from '../core/probe.ts';
import { foreignRole } from '../interop/role.ts';
import { extensionOf } from '../core/paths.ts';
import type { InputFile } from './inputFile.ts';

/** Read side by side. */
const LANES = 64;

/** What a file is for. Reads no more than headers; where not even these can be read, its name tells. */
export async function roleOf(file: File): Promise<Role> {
  if (isImage(file.name)) return 'companion';
  const foreign = await foreignRole(file);
  if (foreign) return foreign;
  const { role } = await probe(file)
    .catch(() => probe(new Uint8Array(0), file.name))
    .catch(() => ({ role: 'unknown' as const })); // without rigcast.wasm, whose absence is told where the file is opened
  return role;
}

/** The role of a file of which only the name is known, without rigcast.wasm. */
export async function roleByName(name: string): Promise<Role> {
  if (isImage(name)) return 'companion';
  return (await foreignRole(new File([], name))) ?? roleByExtension(extensionOf(name));
}

export interface FilesByRole {
  models: InputFile[];
  animations: InputFile[];
  /** May hold a model, animations, or both: only reading it tells. */
  rigs: InputFile[];
  /** Place other files. */
  worlds: InputFile[];
  companions: InputFile[];
  unknown: InputFile[];
}

export async function sortByRole(files: InputFile[]): Promise<FilesByRole> {
  const sorted: FilesByRole = { models: [], animations: [], rigs: [], worlds: [], companions: [], unknown: [] };
  const byPath = [...files].sort((a, b) => a.path.localeCompare(b.path, undefined, { numeric: true }));
  const roles: Role[] = [];
  // Side by side, as every answer waits for the page to have drawn.
  for (let at = 0; at < byPath.length; at += LANES)
    roles.push(...(await Promise.all(byPath.slice(at, at + LANES).map(({ file }) => roleOf(file)))));
  for (const [at, given] of byPath.entries()) {
    const role = roles[at]!;
    const lists: Record<Role, InputFile[]> = {
      model: sorted.models,
      motion: sorted.animations,
      rig: sorted.rigs,
      world: sorted.worlds,
      companion: sorted.companions,
      unknown: sorted.unknown,
    };
    lists[role].push(given);
  }
  return sorted;
}
