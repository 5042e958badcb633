// Reads all open files again, for example after a new export.
import type { InputFile, SourceFile } from './inputFile.ts';
import { type LibraryEntry, factsOf, withFacts } from './library.ts';
import type { Model, OpenContext } from './model.ts';
import { readFile } from './readFile.ts';
import { join, formatOptionsOf } from './join.ts';
import type { OpenResult, OpeningContext } from './openResult.ts';
import { openModel, type ModelRequest } from './openModel.ts';
import { Refusal } from './problem.ts';
import type { Session } from './session.ts';
import type { CompanionFiles } from './companionFiles.ts';
import { withoutRetargeting, type CharacterPart } from './openedFile.ts';

/**
 * Reads all files of the session again and shows the same model with the same animations. Files
 * that the browser can't read again, such as files inside an archive, keep their content. Throws a
 * Refusal if a file no longer exists.
 */
export async function reload(session: Session, model: Model | null, how: OpeningContext): Promise<OpenResult> {
  const opening = { ...how, formatOptions: formatOptionsOf(session) };
  const files = await rereadFiles(session, opening.signal);
  const input = memoised((old: InputFile): InputFile => ({ ...old, file: files.get(old.file) ?? old.file }));
  const reloadedCompanions = memoised((old: CompanionFiles): CompanionFiles => old.withReloaded(input, file => files.get(file) ?? file));
  let library: readonly LibraryEntry[] = session.library.map(entry => ({
    input: input(entry.input),
    role: entry.role,
    companionFiles: reloadedCompanions(entry.companionFiles),
    facts: files.has(entry.input.file) ? null : entry.facts,
  }));
  const companionFiles = reloadedCompanions(session.companionFiles);
  const { shown } = session;
  const animations = withoutRetargeting(session.animationFiles)
    .filter(source => source.input !== shown?.input)
    .map(source => input(source.input));
  if (!shown) {
    const before = { ...session, library, companionFiles, animationFiles: [] };
    return join(before, model, { animations, companions: [], companionFiles, notices: [], openedAnimations: [] }, opening);
  }
  const parts: CharacterPart[] = [];
  for (const part of shown.parts) {
    const context: OpenContext = { ...opening, companionFiles: reloadedCompanions(part.companionFiles) };
    const file = await readFile(input(part.input), context);
    opening.signal.throwIfAborted();
    if (file.scene) parts.push({ input: input(part.input), file, companionFiles: context.companionFiles });
    library = withFacts(library, input(part.input), factsOf(file));
  }
  const wanted: ModelRequest = {
    input: input(shown.input),
    parts,
    animations,
    animationFiles: [],
    companionFiles,
    notices: [],
    demo: null,
    library,
    keepsAnimation: true,
  };
  return openModel(session, model, wanted, opening);
}

/** Returns the reloaded version of each file that can be read again. */
async function rereadFiles({ library }: Session, signal: AbortSignal): Promise<Map<SourceFile, SourceFile>> {
  const fresh = new Map<SourceFile, SourceFile>();
  await Promise.all(
    library.map(async ({ input: { file, reread } }) => {
      if (!reread) return;
      const now = await reread(signal).catch(() => null);
      signal.throwIfAborted();
      if (!now) throw new Refusal({ code: 'file-missing', name: file.name });
      fresh.set(file, now);
    }),
  );
  return fresh;
}

/**
 * Returns a cached version of `make`, which is called only once per object, so that shared objects
 * stay shared.
 */
function memoised<Old extends object, New>(make: (old: Old) => New): (old: Old) => New {
  const made = new Map<Old, New>();
  return old => {
    if (!made.has(old)) made.set(old, make(old));
    return made.get(old)!;
  };
}
