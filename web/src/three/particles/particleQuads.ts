// Draws particles as quads that face the camera.
import {
  BufferAttribute,
  BufferGeometry,
  type Camera,
  DynamicDrawUsage,
  LOD,
  type Material,
  Matrix4,
  Mesh,
  Object3D,
  Vector3,
} from 'three';
import type { ParticleSystem } from '../../rig/particles.ts';

/** Corners of a quad: positions in units of half its size, and texture coordinates. */
const CORNERS = [
  [-1, -1, 0, 1],
  [1, -1, 1, 1],
  [1, 1, 1, 0],
  [-1, 1, 0, 0],
] as const;

/**
 * Draws the particles of a system as quads that face the camera. Derived from LOD, because three.js
 * calls `LOD.update` with the camera before each draw.
 */
export class ParticleQuads extends LOD {
  readonly #system: ParticleSystem;
  readonly #mesh: Mesh<BufferGeometry, Material>;
  readonly #order: Uint16Array;
  readonly #depths: Float32Array;
  /**
   * Projection matrix of the camera, and the length in world space of one unit of particle space.
   */
  #lens = viewing;
  #metre = 1;

  constructor(system: ParticleSystem, material: Material) {
    super();
    this.#system = system;
    const { capacity } = system;
    const geometry = new BufferGeometry();
    for (const [name, width] of [
      ['position', 3],
      ['color', 4],
      ['uv', 2],
    ] as const)
      geometry.setAttribute(name, new BufferAttribute(new Float32Array(4 * width * capacity), width).setUsage(DynamicDrawUsage));
    const index = capacity > 16_383 ? new Uint32Array(6 * capacity) : new Uint16Array(6 * capacity);
    for (let i = 0; i < capacity; i++) index.set([4 * i, 4 * i + 1, 4 * i + 2, 4 * i, 4 * i + 2, 4 * i + 3], 6 * i);
    geometry.setIndex(new BufferAttribute(index, 1));
    this.#mesh = new Mesh(geometry, material);
    this.#mesh.frustumCulled = false; // particles can be outside of any fixed bounds
    this.#mesh.raycast = () => {};
    this.#order = new Uint16Array(capacity);
    this.#depths = new Float32Array(capacity);
    this.add(this.#mesh);
    this.settle();
  }

  override raycast(): void {}

  /** Returns an empty LOD, because no solver would update the particles of a clone. */
  override clone(): this {
    return new LOD().add(new Object3D()) as this;
  }

  /**
   * Updates the number of quads after a simulation step. `update` then turns the quads towards the
   * camera.
   */
  settle(): void {
    this.#mesh.geometry.setDrawRange(0, 6 * this.#system.count);
    this.#mesh.visible = this.#system.count > 0;
    this.#system.updateLook();
  }

  override update(camera: Camera): void {
    const { count, look } = this.#system;
    if (count === 0) return;
    // The axes of the camera are transformed to the space of the particles and are one metre long.
    matrix.copy(this.#mesh.matrixWorld).invert().setPosition(0, 0, 0);
    const size = Math.cbrt(Math.abs(this.#mesh.matrixWorld.determinant()));
    const axis = (to: Vector3, k: number): Vector3 => to.setFromMatrixColumn(camera.matrixWorld, k).normalize();
    axis(right, 0);
    axis(up, 1);
    axis(ahead, 2);
    if (look.mode === 'flat') {
      right.set(1, 0, 0);
      up.set(0, 0, -1);
    } else if (look.mode === 'upright') {
      up.set(0, 1, 0);
      right.crossVectors(up, ahead).normalize();
    } else if (look.plane === 'world') {
      right.set(1, 0, 0);
      up.set(0, 1, 0);
    } else if (look.plane === 'emitter') {
      right.setFromMatrixColumn(this.#mesh.matrixWorld, 0).normalize();
      up.setFromMatrixColumn(this.#mesh.matrixWorld, 1).normalize();
    }
    for (const each of [right, up, ahead]) each.applyMatrix4(matrix).multiplyScalar(size);
    viewing.multiplyMatrices(camera.matrixWorldInverse, this.#mesh.matrixWorld);
    this.#lens = camera.projectionMatrix;
    this.#metre = size;
    this.#sort(count);
    for (let i = 0; i < count; i++) this.#write(i, this.#order[i]!);
    for (const name of ['position', 'color', 'uv']) this.#mesh.geometry.getAttribute(name).needsUpdate = true;
  }

  #sort(count: number): void {
    const { positions, look } = this.#system;
    const order = this.#order.subarray(0, count);
    for (let i = 0; i < count; i++) order[i] = i;
    if (!look.isSorted) return;
    const depths = this.#depths;
    for (let i = 0; i < count; i++) depths[i] = place.fromArray(positions, 3 * i).dot(ahead);
    order.sort((a, b) => depths[a]! - depths[b]!);
  }

  #write(at: number, i: number): void {
    const { positions, sizes, angles, colors, frames, mirrors, look } = this.#system;
    const { array: corners } = this.#mesh.geometry.getAttribute('position');
    const { array: tints } = this.#mesh.geometry.getAttribute('color');
    const { array: pictures } = this.#mesh.geometry.getAttribute('uv');
    const bound = look.mode === 'billboard' ? this.#bound(i) : 1;
    const [w, h] = [(bound * sizes[3 * i]!) / 2, (bound * sizes[3 * i + 1]!) / 2];
    const [px, py, pz] = look.pivot as [number, number, number];
    const mirror = mirrors[i]!;
    // In Unity, positive angles rotate a quad clockwise as seen from the camera.
    const angle = -angles[3 * i + 2]!;
    const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
    across.copy(right).multiplyScalar(cosine).addScaledVector(up, sine);
    along.copy(up).multiplyScalar(cosine).addScaledVector(right, -sine);
    let shift = 0;
    let length = h;
    if (look.mode === 'stretched') [shift, length] = this.#stretch(i, h);
    const [column, row] = [frames[i]! % look.columns, Math.floor(frames[i]! / look.columns)];
    for (let c = 0; c < 4; c++) {
      const [x, y, u, v] = CORNERS[c]!;
      const k = 4 * at + c;
      place
        .fromArray(positions, 3 * i)
        .addScaledVector(across, (x + 2 * px) * w)
        .addScaledVector(along, (y + 2 * py) * length + shift)
        .addScaledVector(ahead, -2 * pz * w);
      place.toArray(corners, 3 * k);
      for (let n = 0; n < 4; n++) tints[4 * k + n] = colors[4 * i + n]!;
      pictures[2 * k] = (column + (mirror & 1 ? 1 - u : u)) / look.columns;
      pictures[2 * k + 1] = (row + (mirror & 2 ? 1 - v : v)) / look.rows;
    }
  }

  /**
   * Returns the factor by which a quad is scaled, so that its size in the viewport is within the
   * limits that the file declares.
   */
  #bound(i: number): number {
    const { positions, sizes, look } = this.#system;
    const { smallest, largest } = look;
    if (smallest === 0 && largest === 0) return 1;
    const size = this.#metre * Math.max(sizes[3 * i]!, sizes[3 * i + 1]!);
    const depth = -place.fromArray(positions, 3 * i).applyMatrix4(viewing).z;
    const lens = this.#lens.elements;
    const height = (2 * (lens[15] === 1 ? 1 : depth)) / lens[5]!;
    if (!(size > 0 && height > 0)) return 1;
    const most = largest > 0 ? Math.min(size, largest * height) : size;
    return Math.max(most, Math.min(smallest, largest || Infinity) * height) / size;
  }

  /**
   * Stretches a quad in the direction of the particle's velocity in the view plane. The front end
   * of the quad is at the position of the particle.
   */
  #stretch(i: number, h: number): [shift: number, length: number] {
    const { velocities, look } = this.#system;
    const scale = up.length();
    along.fromArray(velocities, 3 * i);
    const speed = along.length();
    along.addScaledVector(ahead, -along.dot(ahead) / ahead.lengthSq());
    if (along.lengthSq() < 1e-12) along.copy(up);
    along.setLength(scale);
    across.crossVectors(along, ahead).setLength(scale);
    const length = Math.max(h * look.lengthScale + (speed * look.velocityScale) / 2, 1e-4);
    return [-length, length];
  }

  free(): void {
    this.#mesh.geometry.dispose();
  }
}

const matrix = /*@__PURE__*/ new Matrix4();
const place = /*@__PURE__*/ new Vector3();
const right = /*@__PURE__*/ new Vector3();
const up = /*@__PURE__*/ new Vector3();
const ahead = /*@__PURE__*/ new Vector3();
const across = /*@__PURE__*/ new Vector3();
const along = /*@__PURE__*/ new Vector3();
const viewing = /*@__PURE__*/ new Matrix4();
