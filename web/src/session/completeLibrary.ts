// Reads the models and animation files of a large drop in the background, after its first model is
// shown.
import { entry } from '../core/entry.ts';
import { animatesNodesOnly, isMadeFor, match, mayBeMadeFor } from '../core/match.ts';
import type { RigScene } from '../core/types.ts';
import type { InputFile } from './inputFile.ts';
import { compatibilityIn } from './animationRows.ts';
import { formatOptionsOf, isOpen, MAX_ANIMATION_FILES } from './join.ts';
import { factsOf, type FileSummary, type LibraryEntry, modelsIn } from './library.ts';
import { mostSimilar } from './nameSimilarity.ts';
import type { OpenedFile } from './openedFile.ts';
import type { OpeningContext } from './openResult.ts';
import { readFile } from './readFile.ts';
import type { Action } from './reduce.ts';
import type { Session } from './session.ts';

/** Maximum size of a file that is read in the background, in bytes. */
const MAX_BYTES = 64e6;
/** Number of models after which their facts are added to the session. */
const BATCH = 24;

/** The session that is completed. It may change while files are read. */
export interface Completion {
  session(): Session;
  dispatch(action: Action): void;
  /** Waits until the page has time for more work. */
  pause(): Promise<void>;
  opening: OpeningContext;
  /** Files that were already read. Files that are read are added. */
  done: Set<InputFile>;
}

/**
 * Reads the models of the library whose facts or number of animations are unknown, and matches them
 * with the open animation files. Adds the facts to the session. Rejects if the signal is aborted.
 */
export async function readFacts({ session, dispatch, pause, opening, done }: Completion): Promise<void> {
  let found = new Map<InputFile, FileSummary>();
  const flush = (): void => {
    if (found.size > 0) dispatch({ type: 'add-facts', facts: found });
    found = new Map();
  };
  const next = (): LibraryEntry | undefined =>
    modelsIn(session().library).find(
      ({ input, facts }) => facts?.animations === undefined && !done.has(input) && input.file.size <= MAX_BYTES,
    );
  for (let entry = next(); entry; entry = next()) {
    const { input, companionFiles } = entry;
    done.add(input);
    await pause();
    opening.signal.throwIfAborted();
    const file = await readFile(input, { ...opening, companionFiles, formatOptions: formatOptionsOf(session()) }).catch(() => null);
    opening.signal.throwIfAborted();
    if (!file) continue;
    const facts = factsOf(file);
    let animations = facts.clips;
    for (const source of session().animationFiles) {
      if (source.input === input || !file.scene || !(await isFor(source, file.scene, pause))) continue;
      animations += source.file.scene!.clips.length;
    }
    found.set(input, { ...facts, animations });
    if (found.size >= BATCH) flush();
  }
  flush();
}

/** Returns true if an animation file was made for a model. Pauses before a slow comparison. */
async function isFor({ file, retargeted }: OpenedFile, scene: RigScene, pause: Completion['pause']): Promise<boolean> {
  const clips = (retargeted?.original.file ?? file).scene?.clips ?? [];
  if (clips.length === 0 || (animatesNodesOnly(clips) && !mayBeMadeFor(clips, scene))) return false;
  await pause();
  return isMadeFor(match(clips, scene));
}

/**
 * Opens the animation files of the library that are not open, except for copies with the same name
 * and content, and matches them with the shown model. Adds them to the session together, so that the
 * list of animations changes once. Rejects if the signal is aborted.
 */
export async function openRemainingAnimations({ session, dispatch, pause, opening, done }: Completion): Promise<void> {
  const { library, animationFiles, companionFiles } = session();
  const sameName = new Map<string, { input: InputFile }[]>();
  for (const source of animationFiles) entry(sameName, source.input.file.name, () => []).push(source);
  const closed: InputFile[] = [];
  for (const { role, input } of library) {
    if (role !== 'animation' || done.has(input)) continue;
    const others = entry(sameName, input.file.name, () => []);
    if (others.length > 0) await pause();
    if (await isOpen(input, others)) continue;
    opening.signal.throwIfAborted();
    others.push({ input });
    closed.push(input);
  }
  const models = modelsIn(library).map(({ input }) => input);
  const added: OpenedFile[] = [];
  for (const input of mostSimilar(closed, models, Math.max(MAX_ANIMATION_FILES - animationFiles.length, 0))) {
    done.add(input);
    await pause();
    opening.signal.throwIfAborted();
    const file = await readFile(input, { ...opening, companionFiles, formatOptions: formatOptionsOf(session()) }).catch(() => null);
    opening.signal.throwIfAborted();
    if (!file?.scene) continue;
    const source = { input, file };
    compatibilityIn(session(), source); // cached, so that the list of animations is sorted quickly
    added.push(source);
  }
  if (added.length > 0) dispatch({ type: 'add-animations', added });
}
