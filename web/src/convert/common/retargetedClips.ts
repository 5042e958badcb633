// Retargets animations of other formats, such as FBX and BVH, to the model.
//
// An animation and a model of rigcast's own formats usually belong together, so their tracks are
// written unchanged. Files of other formats differ in units and in the axes of bones.
import { bind } from '../../core/bind.ts';
import { isOtherFormatId } from '../../core/otherFormats.ts';
import type { Clip } from '../../core/types.ts';
import { createRetargeter, pairingOf } from '../../rig/retargeter.ts';
import type { Group } from '../group.ts';
import type { ReportBuilder } from './report.ts';

/**
 * Returns the clips of a group. Clips from a file with another skeleton are retargeted if that file
 * or the model was read by a loader of three.js. Reports how their bones were paired.
 */
export function retargetedClips({ model, scene, clips, animations }: Group, report: ReportBuilder): Clip[] {
  const made = new Map<Clip, Clip>();
  for (const { file } of animations) {
    const from = file.scene;
    const isOther = [file, model.file].some(({ format }) => isOtherFormatId(format ?? ''));
    if (!from || !isOther || from.nodes.length <= 1) continue;
    const retargeter = createRetargeter(from, scene);
    for (const clip of from.clips) {
      if (!retargeter) report.add('CLIP_NOT_RETARGETED', clip.name, 1, file.name);
      else {
        made.set(clip, retargeter.retarget(bind(clip, from)));
        report.add('CLIP_RETARGETED', clip.name, 1, `${file.name}: ${pairingOf(retargeter)}`);
      }
    }
  }
  return clips.map(clip => made.get(clip) ?? clip);
}
