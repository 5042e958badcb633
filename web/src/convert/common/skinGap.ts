// Measures the error at the skin for targets that cannot reproduce the bone scales of the source.
import { toVec3, vectorAt } from '../../core/math/vector.ts';
import { toQuat } from '../../core/math/quaternion.ts';
import { numberAt } from '../../core/math/column.ts';
import { compose, identity, inverted, multiplied, multiply } from '../../core/math/matrix.ts';
import { bind } from '../../core/bind.ts';
import type { Clip, RigScene } from '../../core/types.ts';
import { Layer } from '../../rig/layer.ts';
import { Pose, PoseShape } from '../../rig/pose.ts';
import { WorldMatrices } from '../../rig/world.ts';
import type { RestTransforms } from './bodies.ts';
import { gapOf, nodeExtents } from './nodeExtents.ts';
import type { BoneSpace } from './space.ts';

/** Bones as they are written to the file. */
export interface WrittenBones {
  /**
   * Row in `scene.nodes` of each bone, or -1 for a bone that the source does not have. Parents come
   * before their children.
   */
  rows: readonly number[];
  /** Index of each bone's parent, or -1 if the bone has no parent. */
  parents: readonly number[];
  spaces: readonly BoneSpace[];
  /** True if the file contains the scales that bones have in the rest pose. */
  hasScales: boolean;
}

/** Number of times in each clip at which the error is measured. */
const MOMENTS = 12;

/**
 * Returns the largest error at the skin during the clips, in units of the file. The rest pose
 * itself is written exactly. `place`: column-major matrix that converts the space of the body to
 * the space of the file.
 */
export function skinGap(
  scene: RigScene,
  owner: number,
  rest: RestTransforms,
  place: Float64Array,
  bones: WrittenBones,
  clips: readonly Clip[],
): number {
  const shape = new PoseShape(scene);
  const { corners } = nodeExtents(shape);
  const pose = new Pose(shape);
  const world = new WorldMatrices(shape);
  const toFile = multiplied(place, inverted(rest.inScene(owner)));
  const restScales = scene.nodes.scales;
  const written = bones.rows.map(() => identity());
  const update = (): void => {
    const local = identity();
    for (const [i, row] of bones.rows.entries()) {
      if (row < 0) continue;
      const t = toVec3(pose.translations, 3 * row);
      const q = toQuat(pose.rotations, 4 * row);
      const s = vectorAt(pose.scales, 3 * row);
      if (!bones.hasScales) for (let c = 0; c < 3; c++) s[c]! /= restScales[3 * row + c] || 1;
      const [x, y, z] = s;
      bones.spaces[i]!.translation(t, 0, false);
      bones.spaces[i]!.rotation(q, 0, false);
      compose(local, t, 0, q, 0, x, y, z);
      const above = written[numberAt(bones.parents, i)];
      const own = written[i]!;
      if (above) multiply(own, 0, above, 0, local);
      else own.set(local);
    }
  };
  const truth = (row: number): Float64Array => multiplied(toFile, world.matrices.subarray(16 * row, 16 * row + 16));
  update();
  world.update(pose);
  const skins = bones.rows.map((row, i) => (row < 0 ? null : multiplied(inverted(written[i]!), truth(row))));
  let most = 0;
  for (const clip of clips) {
    const layer = new Layer(shape, bind(clip, scene).tracks);
    for (let moment = 0; moment < MOMENTS; moment++) {
      pose.reset();
      layer.time = (clip.duration * moment) / (MOMENTS - 1);
      layer.apply(pose);
      world.update(pose);
      update();
      for (const [i, row] of bones.rows.entries()) {
        const [skin, own] = [skins[i], corners[row] ?? []];
        if (skin && own.length > 0) most = Math.max(most, gapOf(multiplied(written[i]!, skin), truth(row), 0, own));
      }
    }
  }
  return most;
}
