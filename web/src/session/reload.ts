// Reads all open files from disk again, for example after a new export.
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
import { withoutRetargeting, type CharacterPart } from './openedFile.ts';

/**
 * Reloads all files of the session and shows the same model with the same animations. Files that
 * can't be read again (chosen in a dialog, or inside an archive) stay as they are. Throws a Refusal
 * if a file no longer exists.
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
  const animations = withoutRetargeting(session.animationFiles)
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

/** Returns the reloaded version of every file that can be read again. */
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

/** Memoises `make`, so that shared objects stay shared. */
function kept<Old extends object, New>(make: (old: Old) => New): (old: Old) => New {
  const made = new Map<Old, New>();
  return old => {
    if (!made.has(old)) made.set(old, make(old));
    return made.get(old)!;
  };
}
