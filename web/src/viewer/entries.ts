// Models of the library that come to the one on the stage.
import type { Group, Matrix4, Object3D } from 'three';
import type { LibraryEntry } from '../session/library.ts';
import { buildModel, type Model, displayName, openFile } from '../session/model.ts';
import type { LayeredAction } from '../session/layeredAction.ts';
import type { OpeningContext } from '../session/openResult.ts';
import { Refusal } from '../session/problem.ts';
import { isRecording } from '../view/index.ts';
import { words } from './words/index.ts';

/** A model that came to the one on the stage. `bone`: what it hangs on; null: it stands beside it. */
export interface Guest {
  model: Model;
  bone: Object3D | null;
}

/** Where it is, of the model on the stage. */
export const whereabouts = ({ bone }: Guest): string => (bone ? words.hangsOn(displayName(bone) || words.noName) : words.standsBeside);

/** A model on a bone of the one on the stage. */
export interface Held {
  entry: LibraryEntry;
  bone: Object3D;
  model: Model;
  /** What it hangs by. */
  hook: Group;
  /** What keeps its first bone on that of the host while its other bones move; null: its place is that of its file. */
  graft: Graft | null;
}

/** What begins with the bone that it hangs on. */
export interface Graft {
  root: Object3D;
  /** The first bone at rest, in its parent. */
  rest: Matrix4;
  motion: LayeredAction | null;
}

/** Rejects where it cannot be read, and where it is a recording, or nothing that stands anywhere. */
export async function buildEntry({ given, companionFiles }: LibraryEntry, opening: OpeningContext): Promise<Model> {
  const context = { ...opening, companionFiles };
  const file = await openFile(given, context);
  opening.signal.throwIfAborted();
  if (!file.scene || isRecording(file.scene)) throw new Refusal({ code: 'failed', message: words.standsNowhere(given.file.name) });
  return buildModel(given, file, context);
}
