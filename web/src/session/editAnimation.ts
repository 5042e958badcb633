// Applies the visitor's edits to an animation. Loaded when the first animation is edited.
import type { Clip, RigScene } from '../core/types.ts';
import { type ClipChange, type ClipEdits, editClip } from '../rig/clipEdits.ts';
import { type AnimationMode, bindOptionsOf } from './clipAction.ts';
import type { AnimationRow, OpenedFile } from './openedFile.ts';

export { loopOf } from '../rig/clipEdits.ts';

interface EditedClip {
  readonly edits: ClipEdits;
  readonly scene: RigScene;
  readonly mode: AnimationMode;
  readonly clip: Clip;
  readonly changes: readonly ClipChange[];
}

/** The last result for each clip. */
const edited = new WeakMap<Clip, EditedClip>();

/**
 * Returns a clip with edits, and what they changed. Returns the same result until the edits, the model or
 * the mode change. `scene`: scene of the model that plays the clip.
 */
export function editedClip(clip: Clip, scene: RigScene, edits: ClipEdits, mode: AnimationMode): Pick<EditedClip, 'clip' | 'changes'> {
  const known = edited.get(clip);
  if (known?.edits === edits && known.scene === scene && known.mode === mode) return known;
  const made = { edits, scene, mode, ...editClip(clip, scene, edits, bindOptionsOf(mode, false)) };
  edited.set(clip, made);
  return made;
}

/**
 * Returns the source of a row with its edited clips, and the mode in which the row plays. `edits`: edits of
 * the clips of the file by their index.
 */
export function editedSource(
  { source, indices }: AnimationRow,
  scene: RigScene,
  edits: ReadonlyMap<number, ClipEdits>,
  mode: AnimationMode,
): { source: OpenedFile; mode: AnimationMode } {
  const own = indices.flatMap(index => edits.get(index) ?? []);
  if (own.length === 0) return { source, mode };
  const from = source.file.scene!;
  const clips = from.clips.map((clip, index) =>
    indices.includes(index) && edits.has(index) ? editedClip(clip, scene, edits.get(index)!, mode).clip : clip,
  );
  // Edits of the root motion have already added the keys to the rest pose.
  const isAdded = mode === 'additive' && own.some(({ travel, lockHeading, closeLoop }) => travel ?? lockHeading ?? closeLoop);
  return { source: { ...source, file: { ...source.file, scene: { ...from, clips } } }, mode: isAdded ? 'file' : mode };
}
