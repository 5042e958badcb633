// What is open, read again from where it came: somebody has just exported it anew.
import type { InputFile } from './inputFile.ts';
import { type LibraryEntry, factsOf, withFacts } from './library.ts';
import type { Model, OpenContext } from './model.ts';
import { readFile } from './readFile.ts';
import { join, formatOptionsOf } from './join.ts';
import type { OpenResult, OpeningContext } from './openResult.ts';
import { openModel } from './openModel.ts';
import { Refusal } from './problem.ts';
import type { Session } from './session.ts';
import type { CompanionFiles } from './companionFiles.ts';
import { asGiven, type CharacterPart } from './openedFile.ts';

/**
 * All files of the session as they are now. The same model takes the stage with the same animations; what cannot be had again (a file that was
 * picked, the content of an archive) stays as it was. Throws a Refusal for a file that is no longer there.
 */
export async function reload(session: Session, model: Model | null, how: OpeningContext): Promise<OpenResult> {
  const opening = { ...how, formatOptions: formatOptionsOf(session) };
  const files = await freshOf(session, opening.signal);
  const given = kept((old: InputFile): InputFile => ({ ...old, file: files.get(old.file) ?? old.file }));
  const shelved = kept((old: CompanionFiles): CompanionFiles => old.refreshed(given, file => files.get(file) ?? file));
  let library: readonly LibraryEntry[] = session.library.map(entry => ({
    given: given(entry.given),
    role: entry.role,
    companionFiles: shelved(entry.companionFiles),
    facts: files.has(entry.given.file) ? null : entry.facts,
  }));
  const companionFiles = shelved(session.companionFiles);
  const { shown } = session;
  const animations = asGiven(session.animationFiles)
    .filter(source => source.given !== shown?.given)
    .map(source => given(source.given));
  if (!shown) {
    const before = { ...session, library, companionFiles, animationFiles: [] };
    return join(before, model, { animations, companions: [], companionFiles, notices: [], ready: [] }, opening);
  }
  const pieces: CharacterPart[] = [];
  for (const piece of shown.pieces) {
    const context: OpenContext = { ...opening, companionFiles: shelved(piece.companionFiles) };
    const file = await readFile(given(piece.given), context);
    opening.signal.throwIfAborted();
    if (file.scene) pieces.push({ given: given(piece.given), file, companionFiles: context.companionFiles });
    library = withFacts(library, given(piece.given), factsOf(file));
  }
  const wanted = {
    given: given(shown.given),
    pieces,
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

/** The newer file of each that can be had again. */
async function freshOf({ library }: Session, signal: AbortSignal): Promise<Map<File, File>> {
  const fresh = new Map<File, File>();
  await Promise.all(
    library.map(async ({ given: { file, again } }) => {
      if (!again) return;
      const now = await again(signal).catch(() => null);
      signal.throwIfAborted();
      if (!now) throw new Refusal({ code: 'gone', name: file.name });
      fresh.set(file, now);
    }),
  );
  return fresh;
}

/** A function that gives the same answer to the same question: what was one thing is one thing again. */
function kept<Old extends object, New>(make: (old: Old) => New): (old: Old) => New {
  const made = new Map<Old, New>();
  return old => {
    if (!made.has(old)) made.set(old, make(old));
    return made.get(old)!;
  };
}
