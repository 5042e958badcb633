// Decides what to do with a set of dropped files. Pure: reads no files.
import type { Need } from '../core/types.ts';
import { baseName, extensionOf } from '../core/paths.ts';
import type { InputFile } from './inputFile.ts';
import type { FilesByRole } from './role.ts';
import type { Session } from './session.ts';

export type Plan =
  /** One of the files is what the pending file needs. */
  | { kind: 'answer'; answer: InputFile; shelve: InputFile[]; animations: InputFile[] }
  /** Adds animations and companion files to the open model. */
  | { kind: 'join'; animations: InputFile[]; companions: InputFile[] }
  /** Shows one of the candidates. `worlds` are scenes that may instance the others. */
  | { kind: 'open'; candidates: InputFile[]; worlds: InputFile[]; animations: InputFile[]; shelve: InputFile[] }
  /** Nothing can be shown. The companion files are kept for a later model. */
  | { kind: 'refuse'; companions: InputFile[] };

export function plan({ shown, demo, pending }: Pick<Session, 'shown' | 'demo' | 'pending'>, sorted: FilesByRole): Plan {
  // Dropped files are never used as missing files of a demo.
  const missing = demo === null && shown ? shown.missingFiles : null;
  const waitingFor = pending?.need ?? null;
  const { models, rigs, worlds, companions, unknown } = sorted;
  const candidates = [...models, ...rigs, ...worlds];
  const { animations } = sorted;
  const answer = waitingFor && [...companions, ...unknown, ...rigs].find(({ file }) => answers(waitingFor, file.name));
  if (answer && models.length === 0) return { kind: 'answer', answer, shelve: [...companions, ...unknown], animations };

  // A file with an unknown extension is opened by its content.
  if (candidates.length + animations.length + companions.length === 0 && unknown[0]) candidates.push(unknown[0]);
  if (candidates.length === 0)
    return animations.length > 0 || missing ? { kind: 'join', animations, companions } : { kind: 'refuse', companions };

  // Files that the shown scene misses complete it.
  const isMissed = new Set(missing?.map(name => name.toLowerCase()));
  const fills = ({ file }: InputFile): boolean => isMissed.has(file.name.toLowerCase());
  if (candidates.some(fills) && worlds.every(fills)) return { kind: 'join', animations, companions: [...companions, ...candidates] };
  return { kind: 'open', candidates, worlds, animations, shelve: [...companions, ...unknown] };
}

/**
 * True if the file name matches the need: a key by its extension, other files by name,
 * case-insensitive.
 */
function answers({ kind, name }: Need, given: string): boolean {
  return kind === 'key' ? extensionOf(given) === extensionOf(name) : given.toLowerCase() === baseName(name).toLowerCase();
}
