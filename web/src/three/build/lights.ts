import type { Light, Object3D } from 'three';

/** Returns the visible lights in the tree below `object`. */
export function lightsOf(object: Object3D): Light[] {
  const lights: Light[] = [];
  object.traverseVisible(child => {
    if ((child as Light).isLight && (child as Light).intensity > 0) lights.push(child as Light);
  });
  return lights;
}
