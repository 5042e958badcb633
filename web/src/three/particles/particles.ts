// Particle systems on three's objects: quads that face the camera that looks at them, and copies of a mesh. Fetched for files that have some (modules.ts).
// Plain geometries and materials, so that any renderer of three's draws them.
import { DoubleSide, type Material, Matrix4, type Object3D, Quaternion, Vector3 } from 'three';
import { listIn, member, numberIn } from '../../core/properties.ts';
import type { Feature, Finding, Properties, RigScene } from '../../core/types.ts';
import { ParticleSystem } from '../../rig/particles.ts';
import { buildGeometry } from '../build/geometry.ts';
import { ParticleCopies } from './particleCopies.ts';
import { ParticleQuads } from './particleQuads.ts';

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
  readonly #drawn: ParticleQuads | ParticleCopies | null;
  /** What undoes the scale that the file wants none of: of what it hangs on, or its own as well, so that only the place where particles begin is wider. */
  readonly #scaling: 'hierarchy' | 'local' | 'shape';
  readonly #own = new Vector3(1, 1, 1);
  readonly #spread = [1, 1, 1];
  #isPlaying: boolean;

  constructor(scene: RigScene, { node = 0, name, properties }: Feature, { group, nodes, materials }: Host, index: number, seed: number) {
    this.node = node;
    this.name = name || scene.nodes.names[node]!;
    this.#owner = nodes[node]!;
    this.#group = group;
    this.#system = new ParticleSystem(properties, seed);
    this.#isPlaying = member(member(properties, 'main'), 'playOnAwake') !== false;
    this.#scaling = (['hierarchy', 'local', 'shape'] as const)[numberIn(member(properties, 'main'), 'scalingMode', 0)] ?? 'hierarchy';
    this.#drawn = drawnOf(scene, properties, this.#system, materials, index);
    if (!this.#drawn) return;
    this.#drawn.name = `${this.#owner.name} particles`;
    (this.#system.isWorld ? group : this.#owner).add(this.#drawn);
  }

  #undoScale(): void {
    const from = this.#scaling === 'shape' ? this.#owner : this.#owner.parent;
    if (this.#scaling === 'hierarchy' || !from) return;
    matrix.copy(this.#group.matrixWorld).invert().multiply(from.matrixWorld).decompose(place, turn, this.#own);
    if (this.#scaling === 'shape') this.#own.toArray(this.#spread);
    for (const axis of ['x', 'y', 'z'] as const) this.#own[axis] = this.#own[axis] === 0 ? 1 : 1 / this.#own[axis];
    if (!this.#system.isWorld) this.#drawn!.scale.copy(this.#own);
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
    this.#undoScale();
    matrix.copy(this.#group.matrixWorld).invert().multiply(this.#owner.matrixWorld).scale(this.#own);
    this.#system.advance(seconds, matrix.elements, this.#spread);
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
): ParticleQuads | ParticleCopies | null {
  if (system.look.mode === 'none' || system.most === 0) return null;
  const row = numberIn(member(properties, 'renderer'), 'sharedMaterialIndex', -1);
  if (system.look.mode !== 'mesh') {
    // A material for itself, whose sides and depth are no others' concern.
    const traits = { isStrands: false, hasColors: true, hasNormals: false, hasTangents: false, owner: -1 - index };
    const material = materials.get(row, traits);
    material.vertexColors = true;
    material.side = DoubleSide;
    if (material.transparent) material.depthWrite = false;
    return new ParticleQuads(system, material);
  }
  const mesh = scene.meshes[numberIn(properties, 'mesh', -1)];
  if (!mesh) return null;
  const given = listIn(properties, 'materials').map(Number);
  const wearing = mesh.groups.map((_, group) => given[group] ?? given.at(-1) ?? row);
  const { geometry, slots } = buildGeometry(mesh, [{ name: '', node: 0, mesh: 0, materials: wearing, visible: true }], { extend: null });
  const worn = slots.map(slot => {
    const traits = { isStrands: false, hasColors: true, hasNormals: mesh.normals !== undefined, hasTangents: mesh.tangents !== undefined };
    const material = materials.get(wearing[slot] ?? row, { ...traits, owner: -1 - index });
    material.vertexColors = true;
    return material;
  });
  return new ParticleCopies(system, geometry, worn.length === 1 ? worn[0]! : worn);
}

const matrix = /*@__PURE__*/ new Matrix4();
const place = /*@__PURE__*/ new Vector3();
const turn = /*@__PURE__*/ new Quaternion();
