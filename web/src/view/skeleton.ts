// Overlay of the bones. Draws a slim octahedron from each bone to each of its children, and a small
// octahedron for a bone without children. The octahedra are drawn over the surface.

import {
  BufferGeometry,
  type Camera,
  Color,
  Float32BufferAttribute,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  type Object3D,
  Quaternion,
  Raycaster,
  type Vector2,
  Vector3,
} from 'three';

interface BoneShape {
  bone: Object3D;
  /**
   * Bone at the thin end of the octahedron; null for a bone without children. Such an octahedron
   * points in the same direction as that of the parent bone.
   */
  child: Object3D | null;
}

const UP = new Vector3(0, 1, 0);

/** Returns an octahedron from the origin to (0, 1, 0) that is thickest near the origin. */
function boneGeometry(): BufferGeometry {
  const waist = 0.14;
  const points = [
    [0, 0, 0],
    [waist, 0.16, 0],
    [0, 0.16, waist],
    [-waist, 0.16, 0],
    [0, 0.16, -waist],
    [0, 1, 0],
  ];
  const faces = [
    [0, 1, 2],
    [0, 2, 3],
    [0, 3, 4],
    [0, 4, 1],
    [5, 2, 1],
    [5, 3, 2],
    [5, 4, 3],
    [5, 1, 4],
  ];
  const flat = faces.flatMap(face => face.flatMap(index => points[index]!));
  const shade = faces.flatMap((_, face) =>
    Array.from({ length: 3 }, () => [0.72, 0.86, 0.94, 0.8][face % 4]!).flatMap(value => [value, value, value]),
  );
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(flat, 3));
  geometry.setAttribute('color', new Float32BufferAttribute(shade, 3));
  return geometry;
}

export class SkeletonOverlay {
  readonly object: InstancedMesh;
  #shapes: BoneShape[] = [];
  #tip: number;
  #selected: Object3D | null = null;
  #color = new Color(0x4fa3ff);
  #selectedColor = new Color(0xffb020);

  /** `tip`: length of the octahedra of bones without children, in metres. */
  constructor(bones: readonly Object3D[], tip: number) {
    this.#tip = tip;
    const all = new Set(bones);
    for (const bone of bones) {
      const children = bone.children.filter(child => all.has(child));
      if (children.length === 0) this.#shapes.push({ bone, child: null });
      for (const child of children) this.#shapes.push({ bone, child });
    }
    const material = new MeshBasicMaterial({
      vertexColors: true,
      depthTest: false,
      depthWrite: false,
      transparent: true,
      opacity: 0.9,
      toneMapped: false,
    });
    this.object = new InstancedMesh(boneGeometry(), material, this.#shapes.length);
    this.object.name = 'skeleton';
    this.object.frustumCulled = false;
    this.object.renderOrder = 10;
    this.#paint();
  }

  get selected(): Object3D | null {
    return this.#selected;
  }

  select(bone: Object3D | null): void {
    this.#selected = bone;
    this.#paint();
  }

  setColors(color: string, selected: string): void {
    this.#color.set(color);
    this.#selectedColor.set(selected);
    this.#paint();
  }

  /** Moves the octahedra to their bones. Requires up-to-date world matrices. */
  update(): void {
    const from = new Vector3();
    const to = new Vector3();
    const along = new Vector3();
    const rotation = new Quaternion();
    const matrix = new Matrix4();
    const scale = new Vector3();
    this.#shapes.forEach(({ bone, child }, index) => {
      from.setFromMatrixPosition(bone.matrixWorld);
      if (child) {
        along.subVectors(to.setFromMatrixPosition(child.matrixWorld), from);
      } else if (bone.parent) {
        along
          .subVectors(from, to.setFromMatrixPosition(bone.parent.matrixWorld))
          .setLength(Math.min(this.#tip, along.length() || this.#tip));
      }
      const length = along.length();
      if (!(length > 1e-9) || !Number.isFinite(length)) {
        matrix.makeScale(0, 0, 0);
      } else {
        rotation.setFromUnitVectors(UP, along.divideScalar(length));
        const width = Math.min(length, this.#tip * 2.5);
        matrix.compose(from, rotation, scale.set(width, length, width));
      }
      this.object.setMatrixAt(index, matrix);
    });
    this.object.instanceMatrix.needsUpdate = true;
    this.object.boundingSphere = null; // otherwise picking would use the previous positions
  }

  /** Returns the bone at a point in normalized device coordinates; null if there is none. */
  pick(at: Vector2, camera: Camera): Object3D | null {
    const ray = new Raycaster();
    ray.setFromCamera(at, camera);
    const hit = ray.intersectObject(this.object, false)[0];
    return hit?.instanceId === undefined ? null : (this.#shapes[hit.instanceId]?.bone ?? null);
  }

  dispose(): void {
    this.object.removeFromParent();
    this.object.geometry.dispose();
    (this.object.material as MeshBasicMaterial).dispose();
    this.object.dispose();
  }

  #paint(): void {
    this.#shapes.forEach(({ bone }, index) => this.object.setColorAt(index, bone === this.#selected ? this.#selectedColor : this.#color));
    if (this.object.instanceColor) this.object.instanceColor.needsUpdate = true;
  }
}
