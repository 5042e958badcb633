// Draws particle systems, as quads that face the camera or as copies of a mesh. This module is
// imported only for files with particle systems (modules.ts). Particle materials have no shader
// patches, so every renderer of three.js can draw them.
import { DoubleSide, type Material, type Object3D } from 'three';
import { listIn, member, numberIn } from '../../core/properties.ts';
import { nameOf } from '../../core/tree.ts';
import type { Finding, RigScene } from '../../core/types.ts';
import type { Solver } from '../../rig/animator.ts';
import { type ParticleEmitter as Emitter, ParticleEmitters } from '../../rig/particleEmitters.ts';
import type { PoseShape } from '../../rig/pose.ts';
import { buildGeometry } from '../build/geometry.ts';
import { ParticleCopies } from './particleCopies.ts';
import { ParticleQuads } from './particleQuads.ts';

/** Objects and materials that were built from a scene. */
interface Built {
  materials: {
    get(
      index: number,
      traits: { isStrands: boolean; hasColors: boolean; hasNormals: boolean; hasTangents: boolean; owner?: number },
    ): Material;
  };
}

/** The members of ObjectHost (avatar/host.ts) that particle systems need. */
interface Host {
  readonly shape: PoseShape;
  readonly group: Object3D;
  readonly nodes: readonly Object3D[];
  add(solver: Solver): void;
}

/** One of the particle systems in a file. */
export interface RigParticleEmitter {
  readonly name: string;
  /** Index in `scene.nodes` of the node that the particle system belongs to. */
  readonly node: number;
  /** Number of live particles. */
  readonly count: number;
  /**
   * Names of the modules of the particle system that the file enables but rigcast doesn't simulate.
   */
  readonly unplayed: readonly string[];
  /** If false, the system has no particles and emits none. The file declares the initial value. */
  isPlaying: boolean;
}

/** All particle systems of a rig. */
export class Particles {
  readonly #emitters: readonly DrawnEmitter[];

  /**
   * Creates the particle systems of a rig; returns null if the file has none. The same seed always
   * produces the same particles.
   *
   * @internal
   */
  static of(host: Host, built: Built, seed = 1): Particles | null {
    const solver = ParticleEmitters.of(host.shape.scene, seed);
    if (!solver) return null;
    host.add(solver);
    return new Particles(solver.emitters.map(emitter => new DrawnEmitter(emitter, host, built)));
  }

  private constructor(emitters: readonly DrawnEmitter[]) {
    this.#emitters = emitters;
  }

  /** The particle systems, in file order. */
  get emitters(): readonly RigParticleEmitter[] {
    return this.#emitters;
  }

  /** Returns findings about the modules of particle systems that rigcast doesn't simulate. */
  get findings(): Finding[] {
    return this.#emitters.flatMap(({ name, unplayed }) =>
      unplayed.length > 0
        ? [{ code: 'NOT_SIMULATED', severity: 'info' as const, offset: null, path: name, detail: unplayed.join(', '), count: 1 }]
        : [],
    );
  }

  /** Restarts all particle systems. */
  reset(): void {
    for (const emitter of this.#emitters) emitter.reset();
  }

  /**
   * Updates the drawn particles after the solvers have advanced the simulation. Returns true if
   * particles exist or will be emitted.
   */
  draw(): boolean {
    let isMoving = false;
    for (const emitter of this.#emitters) isMoving = emitter.draw() || isMoving;
    return isMoving;
  }

  /** Removes the particle objects from the scene and frees their geometries. */
  dispose(): void {
    for (const emitter of this.#emitters) emitter.dispose();
  }
}

class DrawnEmitter implements RigParticleEmitter {
  readonly name: string;
  readonly #emitter: Emitter;
  readonly #drawn: ParticleQuads | ParticleCopies | null;

  constructor(emitter: Emitter, { shape, group, nodes }: Host, { materials }: Built) {
    const owner = nodes[emitter.node] ?? group;
    this.#emitter = emitter;
    this.name = emitter.feature.name || nameOf(shape.scene.nodes, emitter.node);
    this.#drawn = drawnOf(shape.scene, emitter, materials);
    if (!this.#drawn) return;
    this.#drawn.name = `${owner.name} particles`;
    (emitter.system.isWorld ? group : owner).add(this.#drawn);
  }

  get node(): number {
    return this.#emitter.node;
  }

  get count(): number {
    return this.#emitter.system.count;
  }

  get unplayed(): readonly string[] {
    return this.#emitter.system.unplayed;
  }

  get isPlaying(): boolean {
    return this.#emitter.isPlaying;
  }

  set isPlaying(on: boolean) {
    if (on === this.isPlaying) return;
    this.#emitter.isPlaying = on;
    this.reset();
  }

  reset(): void {
    this.#emitter.system.reset();
    this.#drawn?.settle();
  }

  draw(): boolean {
    if (!this.#drawn) return false;
    const { isShown, system, counterScale } = this.#emitter;
    this.#drawn.visible = isShown;
    if (!isShown) return false;
    if (!system.isWorld) this.#drawn.scale.fromArray(counterScale);
    this.#drawn.settle();
    return !system.isOver;
  }

  dispose(): void {
    this.#drawn?.removeFromParent();
    this.#drawn?.free();
  }
}

/** Returns the objects that draw a particle system, or null if it draws nothing. */
function drawnOf(
  scene: RigScene,
  { index, system, feature: { properties } }: Emitter,
  materials: Built['materials'],
): ParticleQuads | ParticleCopies | null {
  if (system.look.mode === 'none' || system.capacity === 0) return null;
  const row = numberIn(member(properties, 'renderer'), 'sharedMaterialIndex', -1);
  if (system.look.mode !== 'mesh') {
    // Particles have a separate material, because its side and depth settings differ from those of
    // meshes.
    const traits = { isStrands: false, hasColors: true, hasNormals: false, hasTangents: false, owner: -1 - index };
    const material = materials.get(row, traits);
    material.vertexColors = true;
    material.side = DoubleSide;
    if (material.transparent) material.depthWrite = false;
    return new ParticleQuads(system, material);
  }
  const mesh = scene.meshes[numberIn(properties, 'mesh', -1)];
  if (!mesh) return null;
  const listed = listIn(properties, 'materials').map(Number);
  const materialRows = mesh.groups.map((_, group) => listed[group] ?? listed.at(-1) ?? row);
  const { geometry, slots } = buildGeometry(mesh, [{ name: '', node: 0, mesh: 0, materials: materialRows, visible: true }], {
    extend: null,
  });
  const particleMaterials = slots.map(slot => {
    const traits = { isStrands: false, hasColors: true, hasNormals: mesh.normals !== undefined, hasTangents: mesh.tangents !== undefined };
    const material = materials.get(materialRows[slot] ?? row, { ...traits, owner: -1 - index });
    material.vertexColors = true;
    return material;
  });
  return new ParticleCopies(system, geometry, particleMaterials.length === 1 ? particleMaterials[0]! : particleMaterials);
}
