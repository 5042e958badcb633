// Lists the meshes and materials of a model as named parts that can be hidden.

import type { Material, Mesh, Object3D } from 'three';

/** A part that can be hidden: a mesh, or one material of a mesh. */
export interface Part {
  name: string;
  kind: 'mesh' | 'material';
  /** The mesh; if the part is a material, the mesh that uses it. */
  object: Mesh;
  triangles: number;
  visible: boolean;
  setVisible(visible: boolean): void;
  children: Part[];
}

const SECONDARY = 'isSecondary';

/**
 * Marks an object as part of a secondary model, so that `meshesOf` skips this object and its
 * descendants.
 */
export function markSecondary<Kind extends Object3D>(object: Kind): Kind {
  object.userData[SECONDARY] = true;
  return object;
}

/** Returns the meshes below an object, except those of secondary models. */
export function meshesOf(object: Object3D): Mesh[] {
  const meshes: Mesh[] = [];
  const visit = (child: Object3D): void => {
    if ((child as Mesh).isMesh) meshes.push(child as Mesh);
    for (const below of child.children) if (!below.userData[SECONDARY]) visit(below);
  };
  visit(object);
  return meshes;
}

export function hasVertexColors(object: Object3D): boolean {
  return meshesOf(object).some(mesh => mesh.geometry.hasAttribute('color'));
}

/**
 * Returns the parts of a model. `nameOf`: returns the name that a mesh or material has in its file.
 */
export function partsOf(object: Object3D, nameOf: (thing: Object3D | Material) => string): Part[] {
  return meshesOf(object).map(mesh => {
    // The outline of a material is hidden together with the material.
    const outlines = [mesh.material].flat().filter(({ userData }) => userData['outlineOf']);
    const materials = [mesh.material].flat().filter(({ userData }) => !userData['outlineOf']);
    const groups = mesh.geometry.groups;
    const total = (mesh.geometry.index?.count ?? mesh.geometry.getAttribute('position')?.count ?? 0) / 3;
    const trianglesOf = (index: number): number =>
      groups.length === 0
        ? total
        : groups.filter(group => (group.materialIndex ?? 0) === index).reduce((sum, group) => sum + group.count / 3, 0);
    return {
      name: nameOf(mesh),
      kind: 'mesh' as const,
      object: mesh,
      triangles: total,
      visible: mesh.visible,
      setVisible: (visible: boolean) => (mesh.visible = visible),
      children: materials.map((material, index) => ({
        name: nameOf(material),
        kind: 'material' as const,
        object: mesh,
        triangles: trianglesOf(index),
        visible: material.visible,
        setVisible: (visible: boolean) => {
          material.visible = visible;
          for (const outline of outlines) if (outline.userData['outlineOf'] === material) outline.visible = visible;
        },
        children: [],
      })),
    };
  });
}
