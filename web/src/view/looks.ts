// The meshes and materials of a model as a person would name them, and whether they are shown.

import type { Material, Mesh, Object3D } from 'three';

/** One thing that can be hidden: a mesh, or one material of a mesh. */
export interface Part {
  name: string;
  kind: 'mesh' | 'material';
  /** The mesh, or that of the material. */
  object: Mesh;
  triangles: number;
  visible: boolean;
  setVisible(visible: boolean): void;
  children: Part[];
}

const GUEST = 'isGuest';

/** What lies below it came to the model and is none of its own. */
export function asGuest<Kind extends Object3D>(object: Kind): Kind {
  object.userData[GUEST] = true;
  return object;
}

/** The meshes below, without those of guests. */
export function meshesOf(object: Object3D): Mesh[] {
  const meshes: Mesh[] = [];
  const visit = (child: Object3D): void => {
    if ((child as Mesh).isMesh) meshes.push(child as Mesh);
    for (const below of child.children) if (!below.userData[GUEST]) visit(below);
  };
  visit(object);
  return meshes;
}

export function hasVertexColors(object: Object3D): boolean {
  return meshesOf(object).some(mesh => mesh.geometry.hasAttribute('color'));
}

/** The parts of a model, as a person would name them: `nameOf` gives the name that the file has. */
export function partsOf(object: Object3D, nameOf: (thing: Object3D | Material) => string): Part[] {
  return meshesOf(object).map(mesh => {
    // A line around a material is a part of it.
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
