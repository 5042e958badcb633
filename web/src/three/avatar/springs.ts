// Spring bones of a rig, fetched only for files that have some (modules.ts). rig/swing.ts moves them.
import { type Group, type Object3D, Quaternion, type QuaternionLike, Vector3 } from 'three';
import type { SpringRules } from '../../rig/springs.ts';
import { Springs } from '../../rig/swing.ts';
import type { Solver } from '../../rig/animator.ts';
import type { Pose, PoseShape } from '../../rig/pose.ts';
import type { WorldMatrices } from '../../rig/world.ts';

/** The part of ObjectHost (host.ts) that springs need. */
interface Host {
  readonly shape: PoseShape;
  readonly group: Group;
  readonly nodes: readonly Object3D[];
  add(solver: Solver, prepare: () => void): void;
  restart(from: (pose: Pose, world: WorldMatrices) => void): void;
}

/** Hair, tails and skirts. `Rig.live`, and with it `Rig.update`, moves them on. */
export class SpringBones {
  readonly #springs: Springs;
  readonly #host: Host;

  /** Null if the file has none that could move. */
  static of(host: Host, rules: SpringRules = 'unity'): SpringBones | null {
    const springs = Springs.of(host.shape);
    if (springs) springs.rules = rules;
    return springs && new SpringBones(springs, host);
  }

  private constructor(springs: Springs, host: Host) {
    this.#springs = springs;
    this.#host = host;
    const { group } = host;
    host.add(springs, () => {
      group.updateWorldMatrix(true, false);
      group.matrixWorld.decompose(position, rotation, scale);
      springs.placeScene(group.matrixWorld.elements, rotation.toArray(turn), group.matrixWorld.getMaxScaleOnAxis());
    });
    this.reset();
  }

  /** The rules by which they move: those of the author's runtime, or VRM's. A change starts at rest. */
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

  /** Off: the bones keep the pose of the file or of an animation. */
  set isOn(on: boolean) {
    if (on === this.isOn) return;
    this.#springs.isOn = on;
    this.reset();
  }

  /** Bones that swing. */
  get bones(): readonly Object3D[] {
    return Array.from(this.#springs.bones, row => this.#host.nodes[row]!);
  }

  /** Puts the bones back to where the file or an animation has them, without a swing: after a jump, a teleport, or another pose. */
  reset(): void {
    this.#host.restart((pose, world) => this.#springs.reset(pose, world));
  }

  /**
   * Gravity is that of the world, whichever way the rig is turned. A page that turns the whole scene (for example an avatar towards its camera) sets that rotation
   * here, so that sideways forces such as wind turn with it.
   */
  turnWorld(turn: QuaternionLike): void {
    this.#springs.turnGravity([turn.x, turn.y, turn.z, turn.w]);
  }

  /** True while a bone still moves. */
  get isMoving(): boolean {
    return this.#springs.isMoving;
  }
}

const position = /*@__PURE__*/ new Vector3();
const scale = /*@__PURE__*/ new Vector3();
const rotation = /*@__PURE__*/ new Quaternion();
const turn: [number, number, number, number] = [0, 0, 0, 1];
