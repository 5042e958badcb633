// Edits clips before they are written: trims them to loops, removes or adds the distance that the body
// travels, and locks the heading of the body.
import type { Clip, RigScene } from '../../core/types.ts';
import { type ClipEdits, editClip, loopOf } from '../../rig/clipEdits.ts';
import type { ReportBuilder } from './report.ts';
import { mapClips } from './statedModes.ts';

/** Edits of all clips, as options of a conversion. */
export interface EditOptions {
  loop?: boolean | undefined;
  inPlace?: boolean | undefined;
  rootMotion?: boolean | undefined;
  lockHeading?: boolean | undefined;
}

/**
 * Returns the scene and its clips with the requested edits, and reports what was changed. `own`:
 * edits of single clips, which replace those of `options`.
 */
export function editedClips(
  scene: RigScene,
  clips: readonly Clip[],
  { options, own }: { options: EditOptions; own: ReadonlyMap<Clip, ClipEdits> },
  report: ReportBuilder,
): { scene: RigScene; clips: readonly Clip[] } {
  return mapClips(scene, clips, original => {
    const edits = own.get(original) ?? editsOf(original, scene, options, report);
    const { clip, changes } = editClip(original, scene, edits);
    for (const { code, amount, detail } of changes) report.add(code, original.name, amount, detail);
    return clip;
  });
}

/** Returns the edits of a clip. The part to which a loop is trimmed depends on the clip. */
function editsOf(clip: Clip, scene: RigScene, { loop, inPlace, rootMotion, lockHeading }: EditOptions, report: ReportBuilder): ClipEdits {
  const found = loop ? loopOf(clip, scene) : null;
  if (loop && !found) report.add('LOOP_NOT_FOUND', clip.name, 1);
  return {
    ...(found && { trim: found, closeLoop: true }),
    ...(inPlace ? { travel: 'in-place' } : rootMotion && { travel: 'root-motion' }),
    ...(lockHeading && { lockHeading }),
  };
}
