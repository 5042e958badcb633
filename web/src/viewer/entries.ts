// Types of secondary models, and a function that builds a model from a library entry.
import type { Group, Matrix4, Object3D } from 'three';
import type { LibraryEntry } from '../session/library.ts';
import { buildModel, type Model, displayName, openFile } from '../session/model.ts';
import type { LayeredAction } from '../session/layeredAction.ts';
import type { OpeningContext } from '../session/openResult.ts';
import { Refusal } from '../session/problem.ts';
import { isRecording } from '../view/index.ts';
import { words } from './words/index.ts';

/**
 * A model that is visible in addition to the shown model. `bone`: the bone to which it is attached;
 * null if it is placed beside the shown model.
 */
export interface SecondaryModel {
  model: Model;
  bone: Object3D | null;
}

/**
 * Returns a text about the position of a secondary model: attached to a bone, or beside the shown
 * model.
 */
export const positionText = ({ bone }: SecondaryModel): string =>
  bone ? words.attachedTo(displayName(bone) || words.noName) : words.shownBeside;

/** A model attached to a bone of the shown model. */
export interface AttachedModel {
  entry: LibraryEntry;
  bone: Object3D;
  model: Model;
  /** Group between the bone and the model. It aligns the model with the bone. */
  anchor: Group;
  /**
   * Animation of the attached model if its root bone has the same name as `bone`; null if the model
   * keeps its bind pose.
   */
  rootBinding: RootBinding | null;
}

/**
 * Root bone of an attached model. The root follows a bone of the shown model; the other bones are
 * animated.
 */
export interface RootBinding {
  root: Object3D;
  /** Local matrix of the root bone in the bind pose. */
  rest: Matrix4;
  action: LayeredAction | null;
}

/**
 * Builds a model from a library entry. Rejects if the file can't be read, has no scene or is a
 * recording.
 */
export async function buildLibraryModel({ input, companionFiles }: LibraryEntry, opening: OpeningContext): Promise<Model> {
  const context = { ...opening, companionFiles };
  const file = await openFile(input, context);
  opening.signal.throwIfAborted();
  if (!file.scene || isRecording(file.scene)) throw new Refusal({ code: 'failed', message: words.noMesh(input.file.name) });
  return buildModel(input, file, context);
}
