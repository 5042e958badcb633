// Entry `rigcast/three/webgpu`. A page that draws with WebGPURenderer imports it in addition to
// `rigcast/three`. Models that are loaded afterwards are then drawn as with WebGLRenderer: with any
// number of influences, dual quaternions, packed channels, gloss, masks, detail and height maps, toon
// materials, and hair with a width.
import { Line2NodeMaterial, type Node } from 'three/webgpu';
import { LineSegments2 } from 'three/addons/lines/webgpu/LineSegments2.js';
import { type LineClasses, setNodeMaterials } from '../nodeMaterials.ts';
import { patchNodes } from './materialNodes.ts';
import { withSkinning } from './skinningNodes.ts';
import * as toon from './toonNodes.ts';

setNodeMaterials({
  patch: patchNodes,
  skin(mesh, material) {
    (mesh as { isSkinnedMesh: boolean }).isSkinnedMesh = false; // three.js would also skin the mesh
    const made = material as { positionNode?: Node | null };
    made.positionNode = withSkinning(made.positionNode);
  },
  toon,
  lines: { LineSegments2, LineMaterial: Line2NodeMaterial } as unknown as LineClasses,
});
