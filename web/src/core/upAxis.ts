// Compares the up axes of a scene and of a file that its instances refer to.
import { inverted, multiplied } from './math/quaternion.ts';
import type { Quaternion } from './math/quaternion.ts';
import type { RigScene } from './types.ts';

/**
 * Returns the rotation from the axes of `file` to those of `scene` as a quaternion; null if there is
 * no difference. Instances keep the coordinates of their files, as in the reference plugins, unless
 * both files state their up axis (docs/formats/cast.md section 3.8).
 */
export function axisRotation(scene: RigScene, file: RigScene): Quaternion | null {
  const [own, other] = [scene.asset.upAxis, file.asset.upAxis];
  if (!own || !other || own === other) return null;
  // The root of a scene rotates the up axis of its file to Y.
  const rootOf = ({ nodes }: RigScene): number[] => [...nodes.rotations.subarray(0, 4)];
  return multiplied(inverted(rootOf(scene)), rootOf(file));
}

/** Describes the difference for a report. */
export const axisDetail = (scene: RigScene, file: RigScene): string => `${file.asset.upAxis} instead of ${scene.asset.upAxis}`;
