// Retargets animations of other formats, such as FBX and BVH, to the model.
//
// A clip without a skeleton is only converted to the unit of such a model.
//
// An animation and a model of rigcast's own formats usually belong together, so their tracks are
// written unchanged. Files of other formats differ in units and in the axes of bones.
import { bind, someOf } from '../../core/bind.ts';
import { isOtherFormatId } from '../../core/otherFormats.ts';
import type { Clip, RigScene } from '../../core/types.ts';
import { scaledTracks, unitOfClip } from '../../rig/bindRetargeted.ts';
import { type BoneMap, resolveBoneMap } from '../../rig/boneMap.ts';
import { createRetargeter, pairingOf } from '../../rig/retargeter.ts';
import { makeClip } from '../../rig/table.ts';
import type { Group } from '../group.ts';
import { lengthDifference } from './boneLengths.ts';
import type { ReportBuilder } from './report.ts';

/**
 * Returns the clips of a group. `clips` of the group are those to write. Clips from a file with another skeleton are retargeted if that file
 * or the model was read by a loader of three.js, or if there is a bone map. Reports how their bones
 * were paired, and names of the bone map that do not exist. `general`: bone map of animations that
 * have none of their own.
 */
export function retargetedClips({ model, scene, clips, animations }: Group, report: ReportBuilder, general?: BoneMap): Clip[] {
  const made = new Map<Clip, Clip>();
  const wanted = new Set(clips);
  for (const { file, boneMap = general, retargetedBy } of animations) {
    const from = file.scene;
    const read = from?.clips.filter(clip => wanted.has(clip)) ?? [];
    if (retargetedBy !== undefined) {
      for (const { name } of read) report.add('CLIP_RETARGETED', name, 1, `${file.name}: ${retargetedBy}`);
      continue;
    }
    const isOther = [file, model.file].some(({ format }) => isOtherFormatId(format ?? ''));
    if (!from) continue;
    if (from.nodes.length <= 1) {
      for (const clip of read) {
        if (boneMap) report.add('BONE_MAP_UNUSED', clip.name, 1, file.name ?? '');
        const unit = isOther ? unitOfClip(clip, scene) : 1;
        if (unit === 1) reportLengths(clip, scene, report);
        else {
          made.set(clip, { ...clip, tracks: makeClip(clip, scaledTracks(clip.tracks, unit)).tracks });
          report.add('CLIP_UNIT_INFERRED', clip.name, 1, `${file.name}: ${Number(unit.toPrecision(6))} to one`);
        }
      }
      continue;
    }
    if (!isOther && !boneMap) continue;
    const retargeter = createRetargeter(from, scene, boneMap);
    const unknown = boneMap ? resolveBoneMap(boneMap, from, scene).unknown : [];
    if (unknown.length > 0) report.add('BONE_MAP_UNKNOWN', file.name ?? '', unknown.length, someOf(unknown));
    for (const clip of read) {
      if (!retargeter) report.add('CLIP_NOT_RETARGETED', clip.name, 1, file.name);
      else {
        made.set(clip, retargeter.retarget(bind(clip, from)));
        report.add('CLIP_RETARGETED', clip.name, 1, `${file.name}: ${pairingOf(retargeter)}`);
      }
    }
  }
  return clips.map(clip => made.get(clip) ?? clip);
}

/** Reports a clip without a skeleton if its bone lengths show that its unit is not that of the model. */
function reportLengths(clip: Clip, scene: RigScene, report: ReportBuilder): void {
  const found = lengthDifference(clip, scene);
  if (found) report.add('CLIP_LENGTHS_DIFFER', clip.name, found.bones, `factor ${Number(found.factor.toPrecision(3))}`);
}
