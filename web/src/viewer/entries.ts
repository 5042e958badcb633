// Models of the library that come to the one on the stage.
import type { Entry } from '../player/library.ts';
import { buildModel, type Model, openFile } from '../player/model.ts';
import type { Opening } from '../player/opening.ts';
import { isRecording } from '../stage/index.ts';

/** Null: it is a recording, or nothing that stands anywhere. Rejects where it cannot be read. */
export async function buildEntry({ given, shelf }: Entry, opening: Opening): Promise<Model | null> {
  const context = { ...opening, shelf };
  const file = await openFile(given, context);
  opening.signal.throwIfAborted();
  return file.scene && !isRecording(file.scene) ? buildModel(given, file, context) : null;
}
