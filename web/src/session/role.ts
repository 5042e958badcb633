// Determines the roles of files (model, animation, companion file, …) from their headers or names.
import { roleByExtension } from '../core/formats.ts';
import { probe, type Role } from '../core/probe.ts';
import { isImage } from '../textures/sources.ts';
export type { Role } from '../core/probe.ts';
import { importedRole } from '../interop/importedRole.ts';
import { extensionOf } from '../core/paths.ts';
import type { InputFile, SourceFile } from './inputFile.ts';
import { RangedFile } from './rangedFile.ts';

/** Maximum number of headers that are read concurrently. */
const MAX_CONCURRENT = 64;

/**
 * Returns the role of a file, determined from its header. If the header can't be read, uses the
 * name.
 */
export async function roleOf(file: SourceFile): Promise<Role> {
  if (file instanceof RangedFile) return roleByName(file.name); // only animations are read in parts
  if (isImage(file.name)) return 'companion';
  const imported = await importedRole(file, file.name);
  if (imported) return imported;
  const { role } = await probe(file)
    .catch(() => probe(new Uint8Array(0), file.name))
    .catch(() => ({ role: 'unknown' as const })); // rigcast.wasm is missing, which is reported when the file is opened
  return role;
}

/** Returns the role of a file based on its name only. This does not need rigcast.wasm. */
export async function roleByName(name: string): Promise<Role> {
  if (isImage(name)) return 'companion';
  return (await importedRole(new Blob(), name)) ?? roleByExtension(extensionOf(name));
}

export interface FilesByRole {
  models: InputFile[];
  animations: InputFile[];
  /** Files that may contain a model, animations or both. */
  rigs: InputFile[];
  /** Scenes with instances of other files. */
  scenes: InputFile[];
  companions: InputFile[];
  unknown: InputFile[];
}

export async function sortByRole(files: InputFile[]): Promise<FilesByRole> {
  const sorted: FilesByRole = { models: [], animations: [], rigs: [], scenes: [], companions: [], unknown: [] };
  const byPath = [...files].sort((a, b) => a.path.localeCompare(b.path, undefined, { numeric: true }));
  const roles: Role[] = [];
  // Roles are determined concurrently, because each reply of the worker can be delayed by a frame.
  for (let at = 0; at < byPath.length; at += MAX_CONCURRENT)
    roles.push(...(await Promise.all(byPath.slice(at, at + MAX_CONCURRENT).map(({ file }) => roleOf(file)))));
  for (const [at, input] of byPath.entries()) {
    const role = roles[at]!;
    const lists: Record<Role, InputFile[]> = {
      model: sorted.models,
      animation: sorted.animations,
      rig: sorted.rigs,
      scene: sorted.scenes,
      companion: sorted.companions,
      unknown: sorted.unknown,
    };
    lists[role].push(input);
  }
  return sorted;
}
