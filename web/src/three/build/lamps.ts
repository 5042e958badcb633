import type { Light, Object3D } from 'three';

/** Returns the visible lights in the tree of `object`. */
export function lampsOf(object: Object3D): Light[] {
  const lamps: Light[] = [];
  object.traverseVisible(child => {
    if ((child as Light).isLight && (child as Light).intensity > 0) lamps.push(child as Light);
  });
  return lamps;
}
