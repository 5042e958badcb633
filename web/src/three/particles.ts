// Particle systems on three's objects: quads that face the camera that looks at them, and copies of a mesh. Fetched for files that have some (modules.ts).
// Plain geometries and materials, so that any renderer of three's draws them.
import {
  BufferAttribute,
  BufferGeometry,
  type Camera,
  Color,
  DoubleSide,
  DynamicDrawUsage,
  Euler,
  InstancedMesh,
  LOD,
  type Material,
  Matrix4,
  Mesh,
  Object3D,
  Quaternion,
  Vector3,
} from 'three';
import { listIn, member, numberIn } from '../core/properties.ts';
import type { Feature, Finding, Properties, RigScene } from '../core/types.ts';
import { ParticleSystem } from '../rig/particles.ts';
import { buildGeometry } from './geometry.ts';

/** Systems with more of the one than of the other would stand in each other's way. */
const SEED_STEP = 7919;

/** Objects and materials that a scene has become. */
interface Host {
  group: Object3D;
  nodes: readonly Object3D[];
  materials: {
    get(
      index: number,
      traits: { isStrands: boolean; hasColors: boolean; hasNormals: boolean; hasTangents: boolean; owner?: number },
    ): Material;
  };
}

/** One system of a file. */
export interface ParticleEmitter {
  readonly name: string;
  /** The row of `scene.nodes` it is at. */
  readonly node: number;
  /** How many fly now. */
  readonly count: number;
  /** Modules that the file turns on and nothing plays. */
  readonly unplayed: readonly string[];
  /** Off: what flies is gone. As the file says at first. */
  isPlaying: boolean;
}

/** All systems of a rig. */
export class Particles {
  readonly #emitters: readonly Emitter[];

  /** Null where the file has none that could be seen. A seed gives the same particles each time. */
  static of(scene: RigScene, built: Host, seed = 1): Particles | null {
    const emitters = scene.features.flatMap((feature, i) => {
      if (feature.kind !== 'particleSystem' || !built.nodes[feature.node ?? -1]) return [];
      return [new Emitter(scene, feature, built, i, seed + SEED_STEP * i)];
    });
    return emitters.length > 0 ? new Particles(emitters) : null;
  }

  private constructor(emitters: readonly Emitter[]) {
    this.#emitters = emitters;
  }

  /** In the file's order. */
  get emitters(): readonly ParticleEmitter[] {
    return this.#emitters;
  }

  /** What of them is not played. */
  get findings(): Finding[] {
    return this.#emitters.flatMap(({ name, unplayed }) =>
      unplayed.length > 0
        ? [{ code: 'NOT_SIMULATED', severity: 'info' as const, offset: null, path: name, detail: unplayed.join(', '), count: 1 }]
        : [],
    );
  }

  /** All from their beginning. */
  reset(): void {
    for (const emitter of this.#emitters) emitter.reset();
  }

  /** Call it when everything else stands where it shall this frame. True while something flies, or will. */
  update(seconds: number): boolean {
    let isMoving = false;
    for (const emitter of this.#emitters) isMoving = emitter.update(seconds) || isMoving;
    return isMoving;
  }

  /** What it made and the graphics card holds. */
  dispose(): void {
    for (const emitter of this.#emitters) emitter.dispose();
  }
}

class Emitter implements ParticleEmitter {
  readonly name: string;
  readonly node: number;
  readonly #system: ParticleSystem;
  readonly #owner: Object3D;
  readonly #group: Object3D;
  readonly #drawn: Quads | Copies | null;
  /** What undoes the scale of what it hangs on, where the file wants none of it. */
  readonly #own = new Vector3(1, 1, 1);
  #isPlaying: boolean;

  constructor(scene: RigScene, { node = 0, name, properties }: Feature, { group, nodes, materials }: Host, index: number, seed: number) {
    this.node = node;
    this.name = name || scene.nodes.names[node]!;
    this.#owner = nodes[node]!;
    this.#group = group;
    this.#system = new ParticleSystem(properties, seed);
    this.#isPlaying = member(member(properties, 'main'), 'playOnAwake') !== false;
    if (numberIn(member(properties, 'main'), 'scalingMode', 0) === 1) this.#undoScale();
    this.#drawn = drawnOf(scene, properties, this.#system, materials, index);
    if (!this.#drawn) return;
    this.#drawn.name = `${this.#owner.name} particles`;
    if (this.#system.isWorld) group.add(this.#drawn);
    else {
      this.#drawn.scale.copy(this.#own);
      this.#owner.add(this.#drawn);
    }
  }

  #undoScale(): void {
    const { parent } = this.#owner;
    if (!parent) return;
    this.#group.updateWorldMatrix(true, true);
    matrix.copy(this.#group.matrixWorld).invert().multiply(parent.matrixWorld).decompose(place, turn, this.#own);
    for (const axis of ['x', 'y', 'z'] as const) this.#own[axis] = this.#own[axis] === 0 ? 1 : 1 / this.#own[axis];
  }

  get count(): number {
    return this.#system.count;
  }

  get unplayed(): readonly string[] {
    return this.#system.unplayed;
  }

  get isPlaying(): boolean {
    return this.#isPlaying;
  }

  set isPlaying(on: boolean) {
    if (on === this.#isPlaying) return;
    this.#isPlaying = on;
    this.reset();
  }

  reset(): void {
    this.#system.reset();
    this.#drawn?.settle();
  }

  update(seconds: number): boolean {
    let isShown = this.#isPlaying;
    for (let at: Object3D | null = this.#owner; isShown && at && at !== this.#group; at = at.parent) isShown = at.visible;
    if (this.#drawn) this.#drawn.visible = isShown;
    if (!isShown || !this.#drawn) return false;
    this.#owner.updateWorldMatrix(true, false);
    matrix.copy(this.#group.matrixWorld).invert().multiply(this.#owner.matrixWorld).scale(this.#own);
    this.#system.advance(seconds, matrix.elements);
    this.#drawn.settle();
    return !this.#system.isOver;
  }

  dispose(): void {
    this.#drawn?.removeFromParent();
    this.#drawn?.free();
  }
}

function drawnOf(
  scene: RigScene,
  properties: Properties | undefined,
  system: ParticleSystem,
  materials: Host['materials'],
  index: number,
): Quads | Copies | null {
  if (system.look.mode === 'none' || system.most === 0) return null;
  const row = numberIn(member(properties, 'renderer'), 'sharedMaterialIndex', -1);
  if (system.look.mode !== 'mesh') {
    // A material for itself, whose sides and depth are no others' concern.
    const traits = { isStrands: false, hasColors: true, hasNormals: false, hasTangents: false, owner: -1 - index };
    const material = materials.get(row, traits);
    material.vertexColors = true;
    material.side = DoubleSide;
    if (material.transparent) material.depthWrite = false;
    return new Quads(system, material);
  }
  const mesh = scene.meshes[numberIn(properties, 'mesh', -1)];
  if (!mesh) return null;
  const given = listIn(properties, 'materials').map(Number);
  const wearing = mesh.groups.map((_, group) => given[group] ?? given.at(-1) ?? row);
  const { geometry, slots } = buildGeometry(mesh, [{ name: '', node: 0, mesh: 0, materials: wearing, visible: true }], { extend: null });
  const traits = { isStrands: false, hasColors: false, hasNormals: mesh.normals !== undefined, hasTangents: mesh.tangents !== undefined };
  const worn = slots.map(slot => materials.get(wearing[slot] ?? row, traits));
  return new Copies(system, geometry, worn.length === 1 ? worn[0]! : worn);
}

// ---------------------------------------------------------------- quads

/** Where the corners of a quad lie, in halves of its size, and of its picture. */
const CORNERS = [
  [-1, -1, 0, 1],
  [1, -1, 1, 1],
  [1, 1, 1, 0],
  [-1, 1, 0, 0],
] as const;

/** three asks its LODs, before anything is drawn, what to show to the camera that looks: the one moment at which quads can be turned to it. */
class Quads extends LOD {
  readonly #system: ParticleSystem;
  readonly #mesh: Mesh<BufferGeometry, Material>;
  readonly #order: Uint16Array;
  readonly #depths: Float32Array;

  constructor(system: ParticleSystem, material: Material) {
    super();
    this.#system = system;
    const { most } = system;
    const geometry = new BufferGeometry();
    for (const [name, width] of [
      ['position', 3],
      ['color', 4],
      ['uv', 2],
    ] as const)
      geometry.setAttribute(name, new BufferAttribute(new Float32Array(4 * width * most), width).setUsage(DynamicDrawUsage));
    const index = most > 16_383 ? new Uint32Array(6 * most) : new Uint16Array(6 * most);
    for (let i = 0; i < most; i++) index.set([4 * i, 4 * i + 1, 4 * i + 2, 4 * i, 4 * i + 2, 4 * i + 3], 6 * i);
    geometry.setIndex(new BufferAttribute(index, 1));
    this.#mesh = new Mesh(geometry, material);
    this.#mesh.frustumCulled = false; // they fly anywhere
    this.#mesh.raycast = () => {};
    this.#order = new Uint16Array(most);
    this.#depths = new Float32Array(most);
    this.add(this.#mesh);
    this.settle();
  }

  override raycast(): void {}

  /** Copies of a rig's objects do not go on by themselves. */
  override clone(): this {
    return new LOD().add(new Object3D()) as this;
  }

  /** After a step: how many there are. Where they face, `update` says. */
  settle(): void {
    this.#mesh.geometry.setDrawRange(0, 6 * this.#system.count);
    this.#mesh.visible = this.#system.count > 0;
    this.#system.show();
  }

  override update(camera: Camera): void {
    const { count, look } = this.#system;
    if (count === 0) return;
    // The camera's axes in the particles' own space, as long as a metre is there.
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
    const { positions, sizes, angles, colors, frames, look } = this.#system;
    const { array: corners } = this.#mesh.geometry.getAttribute('position');
    const { array: tints } = this.#mesh.geometry.getAttribute('color');
    const { array: pictures } = this.#mesh.geometry.getAttribute('uv');
    const [w, h] = [sizes[3 * i]! / 2, sizes[3 * i + 1]! / 2];
    // Unity turns clockwise as seen from the camera.
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
        .addScaledVector(across, x * w)
        .addScaledVector(along, y * length + shift);
      place.toArray(corners, 3 * k);
      for (let n = 0; n < 4; n++) tints[4 * k + n] = colors[4 * i + n]!;
      pictures[2 * k] = (column + u) / look.columns;
      pictures[2 * k + 1] = (row + v) / look.rows;
    }
  }

  /** Along the way it flies, as seen by the camera; its head where the particle is. */
  #stretch(i: number, h: number): [shift: number, length: number] {
    const { motions, look } = this.#system;
    const scale = up.length();
    along.fromArray(motions, 3 * i);
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

// ---------------------------------------------------------------- copies of a mesh

class Copies extends InstancedMesh {
  readonly #system: ParticleSystem;

  constructor(system: ParticleSystem, geometry: BufferGeometry, material: Material | Material[]) {
    super(geometry, material, system.most);
    this.#system = system;
    this.frustumCulled = false;
    this.instanceMatrix.setUsage(DynamicDrawUsage);
    if (system.most > 0) this.setColorAt(0, tint.setRGB(1, 1, 1));
    this.settle();
  }

  override raycast(): void {}

  override clone(): this {
    return new Object3D() as this;
  }

  settle(): void {
    const { positions, sizes, angles, colors, count } = this.#system;
    this.#system.show();
    this.count = count;
    for (let i = 0; i < count; i++) {
      turn.setFromEuler(euler.set(-angles[3 * i]!, -angles[3 * i + 1]!, angles[3 * i + 2]!, 'YXZ'));
      matrix.compose(place.fromArray(positions, 3 * i), turn, right.fromArray(sizes, 3 * i));
      this.setMatrixAt(i, matrix);
      this.setColorAt(i, tint.setRGB(colors[4 * i]!, colors[4 * i + 1]!, colors[4 * i + 2]!));
    }
    this.instanceMatrix.needsUpdate = true;
    if (this.instanceColor) this.instanceColor.needsUpdate = true;
  }

  free(): void {
    this.geometry.dispose();
    this.dispose();
  }
}

const matrix = /*@__PURE__*/ new Matrix4();
const place = /*@__PURE__*/ new Vector3();
const right = /*@__PURE__*/ new Vector3();
const up = /*@__PURE__*/ new Vector3();
const ahead = /*@__PURE__*/ new Vector3();
const across = /*@__PURE__*/ new Vector3();
const along = /*@__PURE__*/ new Vector3();
const turn = /*@__PURE__*/ new Quaternion();
const euler = /*@__PURE__*/ new Euler();
const tint = /*@__PURE__*/ new Color();
