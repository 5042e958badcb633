// What is open, read again from where it came: somebody has just exported it anew.
import type { GivenFile } from './given.ts';
import { type Entry, factsOf, withFacts } from './library.ts';
import type { Model, OpenContext } from './model.ts';
import { readFile } from './reading.ts';
import { join, readingOf } from './joining.ts';
import type { Opened, Opening } from './opened.ts';
import { openModel } from './opening.ts';
import { Refusal } from './problem.ts';
import type { Session } from './session.ts';
import type { Shelf } from './shelf.ts';
import { asGiven, type Piece } from './source.ts';

/**
 * All files of the session as they are now. The same model takes the stage with the same motions; what cannot be had again (a file that was
 * picked, the content of an archive) stays as it was. Throws a Refusal for a file that is no longer there.
 */
export async function renew(session: Session, model: Model | null, how: Opening): Promise<Opened> {
  const opening = { ...how, formatOptions: readingOf(session) };
  const files = await freshOf(session, opening.signal);
  const given = kept((old: GivenFile): GivenFile => ({ ...old, file: files.get(old.file) ?? old.file }));
  const shelved = kept((old: Shelf): Shelf => old.renewed(given, file => files.get(file) ?? file));
  let library: readonly Entry[] = session.library.map(entry => ({
    given: given(entry.given),
    role: entry.role,
    shelf: shelved(entry.shelf),
    facts: files.has(entry.given.file) ? null : entry.facts,
  }));
  const shelf = shelved(session.shelf);
  const { shown } = session;
  const motions = asGiven(session.sources)
    .filter(source => source.given !== shown?.given)
    .map(source => given(source.given));
  if (!shown) {
    const before = { ...session, library, shelf, sources: [] };
    return join(before, model, { motions, companions: [], shelf, notes: [], ready: [] }, opening);
  }
  const pieces: Piece[] = [];
  for (const piece of shown.pieces) {
    const context: OpenContext = { ...opening, shelf: shelved(piece.shelf) };
    const file = await readFile(given(piece.given), context);
    opening.signal.throwIfAborted();
    if (file.scene) pieces.push({ given: given(piece.given), file, shelf: context.shelf });
    library = withFacts(library, given(piece.given), factsOf(file));
  }
  const wanted = { given: given(shown.given), pieces, motions, sources: [], shelf, notes: [], demo: null, library, isStep: true };
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
