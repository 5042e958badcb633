// Decides what to do with dropped files. The function is pure and reads no files.
import type { Need } from '../core/types.ts';
import { baseName, extensionOf } from '../core/paths.ts';
import type { InputFile } from './inputFile.ts';
import type { FilesByRole } from './role.ts';
import type { Session } from './session.ts';

export type Plan =
  /** One of the files is the file that the pending file needs. */
  | { kind: 'resume'; needed: InputFile; companions: InputFile[]; animations: InputFile[] }
  /** Adds animations and companion files to the open model. */
  | { kind: 'join'; animations: InputFile[]; companions: InputFile[] }
  /** Shows one of the candidates. `scenes`: candidates whose instances may refer to other files. */
  | { kind: 'open'; candidates: InputFile[]; scenes: InputFile[]; animations: InputFile[]; companions: InputFile[] }
  /** Nothing can be shown. The companion files are kept for a later model. */
  | { kind: 'refuse'; companions: InputFile[] };

export function plan({ shown, demo, pending }: Pick<Session, 'shown' | 'demo' | 'pending'>, sorted: FilesByRole): Plan {
  // Dropped files are never used as missing files of a demo.
  const missing = demo === null && shown ? shown.missingFiles : null;
  const waitingFor = pending?.need ?? null;
  const { models, rigs, scenes, companions, unknown } = sorted;
  const candidates = [...models, ...rigs, ...scenes];
  const { animations } = sorted;
  const needed = waitingFor && [...companions, ...unknown, ...rigs].find(({ file }) => satisfies(waitingFor, file.name));
  if (needed && models.length === 0) return { kind: 'resume', needed, companions: [...companions, ...unknown], animations };

  // A file with an unknown extension is opened by its content.
  if (candidates.length + animations.length + companions.length === 0 && unknown[0]) candidates.push(unknown[0]);
  if (candidates.length === 0)
    return animations.length > 0 || missing ? { kind: 'join', animations, companions } : { kind: 'refuse', companions };

  // Dropped files that are missing in the shown scene are added to that scene.
  const isMissed = new Set(missing?.map(name => name.toLowerCase()));
  const fills = ({ file }: InputFile): boolean => isMissed.has(file.name.toLowerCase());
  if (candidates.some(fills) && scenes.every(fills)) return { kind: 'join', animations, companions: [...companions, ...candidates] };
  return { kind: 'open', candidates, scenes, animations, companions: [...companions, ...unknown] };
}

/**
 * Returns true if a file name matches a needed file. Keys are compared by extension, other files by
 * name (case-insensitive).
 */
function satisfies({ kind, name }: Need, input: string): boolean {
  return kind === 'key' ? extensionOf(input) === extensionOf(name) : input.toLowerCase() === baseName(name).toLowerCase();
}
