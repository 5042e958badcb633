// Spring bones of a rig, simulated by rig/springBones.ts. This module is imported only for files
// with spring bones (modules.ts).
import { type Group, type Object3D, Quaternion, Vector3 } from 'three';
import type { SpringRules } from '../../rig/springSimulation.ts';
import { SpringBoneSolver } from '../../rig/springBones.ts';
import type { Solver } from '../../rig/animator.ts';
import type { Pose, PoseShape } from '../../rig/pose.ts';
import type { WorldMatrices } from '../../rig/world.ts';

/** The members of ObjectHost (host.ts) that spring bones need. */
interface Host {
  readonly shape: PoseShape;
  readonly group: Group;
  readonly nodes: readonly Object3D[];
  add(solver: Solver, prepare: () => void): void;
  restart(from: (pose: Pose, world: WorldMatrices) => void): void;
}

/** Spring bones, which move hair, tails and skirts. `Rig.update` advances them. */
export class SpringBones {
  readonly #springs: SpringBoneSolver;
  readonly #host: Host;

  /**
   * Creates the spring bones of a rig; returns null if the file has none that could move.
   *
   * @internal
   */
  static of(host: Host, rules: SpringRules = 'unity'): SpringBones | null {
    const springs = SpringBoneSolver.of(host.shape);
    if (springs) springs.rules = rules;
    return springs && new SpringBones(springs, host);
  }

  private constructor(springs: SpringBoneSolver, host: Host) {
    this.#springs = springs;
    this.#host = host;
    const { group } = host;
    host.add(springs, () => {
      group.updateWorldMatrix(true, false);
      group.matrixWorld.decompose(position, rotation, scale);
      springs.placeScene(group.matrixWorld.elements, rotation.toArray(components), group.matrixWorld.getMaxScaleOnAxis());
    });
    this.reset();
  }

  /**
   * Rules by which spring bones move: `unity` (UniVGO) or `vrm`. A change restarts the simulation.
   */
  get rules(): SpringRules {
    return this.#springs.rules;
  }

  set rules(rules: SpringRules) {
    this.#springs.rules = rules;
    this.reset();
  }

  get isOn(): boolean {
    return this.#springs.isOn;
  }

  /** Enables the simulation. If false, the bones keep the pose of the file or of the animation. */
  set isOn(on: boolean) {
    if (on === this.isOn) return;
    this.#springs.isOn = on;
    this.reset();
  }

  /** The bones that are moved by the simulation. */
  get bones(): readonly Object3D[] {
    return Array.from(this.#springs.bones, row => this.#host.nodes[row]!);
  }

  /**
   * Stops all movement and restores the pose of the file or of the animation. Call it after the
   * model or its pose has jumped.
   */
  reset(): void {
    this.#host.restart((pose, world) => this.#springs.reset(pose, world));
  }

  /**
   * Rotates the directions of gravity and other forces, which otherwise remain fixed in world
   * space. If the page rotates the whole scene, call it with the rotation of the scene.
   */
  rotateGravity(rotation: Pick<Quaternion, 'x' | 'y' | 'z' | 'w'>): void {
    this.#springs.rotateGravity([rotation.x, rotation.y, rotation.z, rotation.w]);
  }

  /** True while any spring bone moves. */
  get isMoving(): boolean {
    return this.#springs.isMoving;
  }
}

const position = /*@__PURE__*/ new Vector3();
const scale = /*@__PURE__*/ new Vector3();
const rotation = /*@__PURE__*/ new Quaternion();
const components: [number, number, number, number] = [0, 0, 0, 1];
