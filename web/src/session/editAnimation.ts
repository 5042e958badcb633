// Applies the visitor's edits to an animation. Loaded when the first animation is edited.
import type { Clip, RigScene } from '../core/types.ts';
import { type ClipChange, type ClipEdits, editClip } from '../rig/clipEdits.ts';
import { clipsOf } from './animationRows.ts';
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

/** Returns the source of a row whose clip is replaced by the edited clip, and the mode in which it plays. */
export function editedSource(
  row: AnimationRow,
  scene: RigScene,
  edits: ClipEdits,
  mode: AnimationMode,
): { source: OpenedFile; mode: AnimationMode } {
  const [original] = clipsOf(row) as [Clip];
  const { clip } = editedClip(original, scene, edits, mode);
  const { source } = row;
  const from = source.file.scene!;
  const clips = from.clips.map(each => (each === original ? clip : each));
  // Edits of the root motion have already added the keys to the rest pose.
  const isAdded = mode === 'additive' && Boolean(edits.travel ?? edits.lockHeading ?? edits.closeLoop);
  return { source: { ...source, file: { ...source.file, scene: { ...from, clips } } }, mode: isAdded ? 'file' : mode };
}
