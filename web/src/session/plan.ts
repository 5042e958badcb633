// What a handful of files means beside what is open: one pure decision. Nothing is read here.
import type { Need } from '../core/types.ts';
import { baseName, extensionOf } from '../core/paths.ts';
import type { InputFile } from './inputFile.ts';
import type { FilesByRole } from './role.ts';
import type { Session } from './session.ts';

export type Plan =
  /** One of them is what a file waits for, which is read again then. */
  | { kind: 'answer'; answer: InputFile; shelve: InputFile[]; animations: InputFile[] }
  /** They join what is open: animations to be played, companions that files may ask for. */
  | { kind: 'join'; animations: InputFile[]; companions: InputFile[] }
  /** One of the candidates takes the stage; where there are several, worlds tell which of them are only placed, else somebody has to choose. */
  | { kind: 'open'; candidates: InputFile[]; worlds: InputFile[]; animations: InputFile[]; shelve: InputFile[] }
  /** Nothing can be shown. Companions are kept for the model that they may belong to. */
  | { kind: 'refuse'; companions: InputFile[] };

export function plan({ shown, demo, pending }: Pick<Session, 'shown' | 'demo' | 'pending'>, sorted: FilesByRole): Plan {
  // Nobody completes a demo: what visitors give stands for itself.
  const missing = demo === null && shown ? shown.missingFiles : null;
  const waitingFor = pending?.need ?? null;
  const { models, rigs, worlds, companions, unknown } = sorted;
  const candidates = [...models, ...rigs, ...worlds];
  const { animations } = sorted;
  const answer = waitingFor && [...companions, ...unknown, ...rigs].find(({ file }) => answers(waitingFor, file.name));
  if (answer && models.length === 0) return { kind: 'answer', answer, shelve: [...companions, ...unknown], animations };

  // A file with a strange name may be anything: its content decides.
  if (candidates.length + animations.length + companions.length === 0 && unknown[0]) candidates.push(unknown[0]);
  if (candidates.length === 0)
    return animations.length > 0 || missing ? { kind: 'join', animations, companions } : { kind: 'refuse', companions };

  // Files that the world on the stage has missed so far fill it in.
  const isMissed = new Set(missing?.map(name => name.toLowerCase()));
  const fills = ({ file }: InputFile): boolean => isMissed.has(file.name.toLowerCase());
  if (candidates.some(fills) && worlds.every(fills)) return { kind: 'join', animations, companions: [...companions, ...candidates] };
  return { kind: 'open', candidates, worlds, animations, shelve: [...companions, ...unknown] };
}

/** A key may have any name, but for its ending; everything else is asked for by name, folders and case left aside. */
function answers({ kind, name }: Need, given: string): boolean {
  return kind === 'key' ? extensionOf(given) === extensionOf(name) : given.toLowerCase() === baseName(name).toLowerCase();
}
