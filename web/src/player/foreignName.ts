// Which files three's own loaders open, by their names.
const FOREIGN = /.\.(glb|gltf|vrm|vrma|fbx|obj|bvh)$/i;

export const isForeign = (name: string): boolean => FOREIGN.test(name);
