// Holds the nodes for WebGPURenderer, which a page imports from `rigcast/three/webgpu`. Pages that draw
// with WebGLRenderer don't fetch them.
import type { Material, SkinnedMesh } from 'three';
import type { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import type { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import type { PatchValues } from './materials/patchValues.ts';
import type * as toonModule from './materials/toon.ts';

/** Functions that build toon materials for a renderer. */
export type ToonModule = Pick<typeof toonModule, 'buildToon' | 'buildOutline' | 'toonValues'>;

/** Classes that draw lines with a width. */
export interface LineClasses {
  LineSegments2: typeof LineSegments2;
  LineMaterial: typeof LineMaterial;
}

export interface NodeMaterials {
  /** Sets the nodes of a material that draw what the GLSL of a patch draws. */
  patch(material: Material, id: string, values: PatchValues[keyof PatchValues]): void;
  /** Prepares a mesh and one of its materials for skinning with all influences. */
  skin(mesh: SkinnedMesh, material: Material): void;
  toon: ToonModule;
  lines: LineClasses;
}

let used: NodeMaterials | null = null;

/** Sets the nodes that all materials from now on use. */
export function setNodeMaterials(nodes: NodeMaterials): void {
  used = nodes;
}

/** Returns the nodes, or null if the page has not imported them. */
export function nodeMaterials(): NodeMaterials | null {
  return used;
}
