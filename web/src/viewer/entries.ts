// Secondary models: their types, and building them from library entries.
import type { Group, Matrix4, Object3D } from 'three';
import type { LibraryEntry } from '../session/library.ts';
import { buildModel, type Model, displayName, openFile } from '../session/model.ts';
import type { LayeredAction } from '../session/layeredAction.ts';
import type { OpeningContext } from '../session/openResult.ts';
import { Refusal } from '../session/problem.ts';
import { isRecording } from '../view/index.ts';
import { words } from './words/index.ts';

/**
 * A model besides the shown one. `bone`: the bone to which it is attached; null if it is beside the
 * shown model.
 */
export interface SecondaryModel {
  model: Model;
  bone: Object3D | null;
}

/** Describes the position of a secondary model: its bone, or beside the shown model. */
export const positionText = ({ bone }: SecondaryModel): string =>
  bone ? words.attachedTo(displayName(bone) || words.noName) : words.shownBeside;

/** A model attached to a bone of the shown model. */
export interface AttachedModel {
  entry: LibraryEntry;
  bone: Object3D;
  model: Model;
  /** Parent of the model, child of the bone. */
  anchor: Group;
  /** Set if the model has the same root bone as the shown model; null if it keeps its bind pose. */
  rootBinding: RootBinding | null;
}

/**
 * Root bone of an attached model. It follows a bone of the shown model; the other bones are animated.
 */
export interface RootBinding {
  root: Object3D;
  /** Local matrix of the root in the bind pose. */
  rest: Matrix4;
  action: LayeredAction | null;
}

/** Builds a model of the library. Rejects if its file can't be read or is a recording. */
export async function buildLibraryModel({ input, companionFiles }: LibraryEntry, opening: OpeningContext): Promise<Model> {
  const context = { ...opening, companionFiles };
  const file = await openFile(input, context);
  opening.signal.throwIfAborted();
  if (!file.scene || isRecording(file.scene)) throw new Refusal({ code: 'failed', message: words.noMesh(input.file.name) });
  return buildModel(input, file, context);
}
