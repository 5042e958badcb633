// Draws each particle as an instance of a mesh.
import {
  type BufferGeometry,
  DynamicDrawUsage,
  Euler,
  InstancedBufferAttribute,
  InstancedMesh,
  type Material,
  Matrix4,
  Object3D,
  Quaternion,
  Vector3,
} from 'three';
import type { ParticleSystem } from '../../rig/particles.ts';

export class ParticleCopies extends InstancedMesh {
  readonly #system: ParticleSystem;
  readonly #tints: InstancedBufferAttribute;

  constructor(system: ParticleSystem, geometry: BufferGeometry, material: Material | Material[]) {
    super(geometry, material, system.capacity);
    this.#system = system;
    this.frustumCulled = false;
    this.instanceMatrix.setUsage(DynamicDrawUsage);
    // Colors are a separate attribute, because `instanceColor` of three.js has no alpha.
    this.#tints = new InstancedBufferAttribute(system.colors, 4).setUsage(DynamicDrawUsage);
    geometry.setAttribute('color', this.#tints);
    this.settle();
  }

  override raycast(): void {}

  override clone(): this {
    return new Object3D() as this;
  }

  settle(): void {
    const { positions, sizes, angles, count, look } = this.#system;
    const [px, py, pz] = look.pivot as [number, number, number];
    this.#system.updateLook();
    this.count = count;
    for (let i = 0; i < count; i++) {
      turn.setFromEuler(euler.set(-angles[3 * i]!, -angles[3 * i + 1]!, angles[3 * i + 2]!, 'YXZ'));
      matrix.compose(place.fromArray(positions, 3 * i), turn, size.fromArray(sizes, 3 * i));
      if (px !== 0 || py !== 0 || pz !== 0) matrix.setPosition(place.set(px, py, -pz).applyMatrix4(matrix));
      this.setMatrixAt(i, matrix);
    }
    this.instanceMatrix.needsUpdate = true;
    this.#tints.needsUpdate = true;
  }

  free(): void {
    this.geometry.dispose();
    this.dispose();
  }
}

const matrix = /*@__PURE__*/ new Matrix4();
const place = /*@__PURE__*/ new Vector3();
const turn = /*@__PURE__*/ new Quaternion();
const euler = /*@__PURE__*/ new Euler();
const size = /*@__PURE__*/ new Vector3();
