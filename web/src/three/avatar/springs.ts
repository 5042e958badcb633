// Spring bones of three's objects, fetched only for files that have some (modules.ts). By default they swing as in the author's runtime
// (rig/springs.ts), else as VRM's do (springsVrm.ts). Rules: vgo.md sections 5.11 and 12.2.
import { type Numbers } from '../../core/math/vector.ts';
import { Matrix4, type Object3D, Quaternion, type QuaternionLike, Vector3 } from 'three';
import type { RigScene } from '../../core/types.ts';
import { springRowsOf, type SpringSphere } from '../../rig/springRows.ts';
import { SPRING_STEP, type SpringHost, SpringSolver } from '../../rig/springs.ts';
import { Steps } from '../../rig/steps.ts';
import type { Point, SpringCollider, SpringDesign, SpringRules } from './springRules.ts';

export type { SpringCollider, SpringDesign, SpringRules };

/** Hair, tails and skirts that swing. */
export class SpringBones {
  readonly #designs: readonly SpringDesign[];
  readonly #turn = new Quaternion();
  #rules: SpringRules;
  #steps: Steps;
  readonly #bones: { bone: Object3D; rest: Quaternion; last: Quaternion }[];
  #isOn = true;

  /** Null where the file has none that could move. `nodes` by row of the scene's; `Rules` where the author's are not wanted. */
  static of(
    scene: RigScene,
    nodes: readonly Object3D[],
    Rules: new (designs: readonly SpringDesign[]) => SpringRules = UnityRules,
  ): SpringBones | null {
    const designs = designsOf(scene, nodes);
    return designs.some(({ chains }) => chains.length) ? new SpringBones(designs, Rules) : null;
  }

  private constructor(designs: readonly SpringDesign[], Rules: new (designs: readonly SpringDesign[]) => SpringRules) {
    this.#bones = designs.flatMap(({ chains }) =>
      chains.flat().map(({ bone }) => ({ bone, rest: bone.quaternion.clone(), last: bone.quaternion.clone() })),
    );
    this.#designs = designs;
    this.#rules = new Rules(designs);
    this.#steps = stepsOf(this.#rules);
  }

  /** Whose rules they follow: the author's runtime, or VRM's. */
  get rules(): 'unity' | 'vrm' {
    return this.#rules instanceof UnityRules ? 'unity' : 'vrm';
  }

  /** Other rules from now on, starting at rest. Rejects where they cannot be fetched. */
  async swingBy(rules: 'unity' | 'vrm'): Promise<void> {
    const Rules = rules === 'vrm' ? (await import('./springsVrm.ts')).VrmRules : UnityRules;
    this.reset();
    this.#rules = new Rules(this.#designs);
    this.#steps = stepsOf(this.#rules);
    this.#rules.turnWorld(this.#turn);
    this.reset();
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Off: the bones are as the file, or a motion, has them. */
  set isOn(on: boolean) {
    if (on === this.#isOn) return;
    this.#isOn = on;
    this.reset();
  }

  /** Bones that swing. */
  get bones(): readonly Object3D[] {
    return this.#bones.map(({ bone }) => bone);
  }

  /** Back to rest, without a swing: after a jump, a teleport, or another pose. */
  reset(): void {
    this.#steps.reset();
    for (const { bone, rest } of this.#bones) bone.quaternion.copy(rest);
    this.#rules.reset();
    for (const { bone, rest } of this.#bones) bone.quaternion.copy(rest);
  }

  /**
   * Gravity is the world's, whichever way the rig stands in it. A page that turns the file's whole world (an avatar to its camera) says so here, so that
   * what pulls sideways, a wind, turns along.
   */
  turnWorld(turn: QuaternionLike): void {
    this.#turn.copy(turn);
    this.#rules.turnWorld(turn);
  }

  /** Call it when everything else stands where it shall this frame. True while something still moves. */
  update(seconds: number): boolean {
    if (!this.#isOn) return false;
    const steps = this.#steps.take(seconds);
    if (steps === 0) return true;
    for (let i = 0; i < steps; i++) this.#rules.advance();
    let isMoving = false;
    for (const { bone, last } of this.#bones) {
      isMoving ||= Math.abs(bone.quaternion.dot(last)) < 1 - 1e-9;
      last.copy(bone.quaternion);
    }
    return isMoving;
  }
}

/** Rules whose steps are as long as frames get one per frame. */
const stepsOf = ({ step }: SpringRules): Steps => new Steps(step, step < SPRING_STEP ? 0.3 : undefined);

function designsOf(scene: RigScene, nodes: readonly Object3D[]): SpringDesign[] {
  const made = new Map<SpringSphere, SpringCollider>();
  const colliderOf = (sphere: SpringSphere): SpringCollider => {
    const { row, offset, radius } = sphere;
    const collider = made.get(sphere) ?? { owner: nodes[row]!, offset, radius };
    made.set(sphere, collider);
    return collider;
  };
  return springRowsOf(scene).map(({ settings, gravity, colliders, chains }) => ({
    settings,
    gravity,
    colliders: colliders.map(colliderOf),
    chains: chains.map(chain => chain.map(({ row, child }) => ({ bone: nodes[row]!, child: nodes[child]! }))),
  }));
}

/** The author's rules on three's objects. */
class UnityRules implements SpringRules, SpringHost {
  readonly step = SPRING_STEP;
  readonly #solver: SpringSolver;
  readonly #bones: Object3D[] = [];
  readonly #roots = new Set<number>();
  readonly #colliders: SpringCollider[] = [];
  readonly #pulls: { now: Point; gravity: Vector3 }[] = [];

  constructor(designs: readonly SpringDesign[]) {
    const groups = designs.map(({ settings, gravity, colliders, chains }) => {
      const now: Point = [...gravity];
      this.#pulls.push({ now, gravity: new Vector3(...gravity) });
      return {
        settings,
        gravity: now,
        colliders: colliders.map(each => this.#colliders.push(each) - 1),
        chains: chains.map(chain =>
          chain.map(({ bone, child }, i) => {
            const row = this.#bones.push(bone) - 1;
            if (i === 0) this.#roots.add(row);
            return { row, tail: child.position.toArray() };
          }),
        ),
      };
    });
    this.#solver = new SpringSolver(this, groups);
  }

  advance(): void {
    this.#solver.step();
  }

  reset(): void {
    this.#solver.reset();
  }

  turnWorld(turn: QuaternionLike): void {
    for (const { now, gravity } of this.#pulls) vector.copy(gravity).applyQuaternion(turn).toArray(now);
  }

  read(row: number, head: Numbers, parent: Numbers, local: Numbers): void {
    const bone = this.#bones[row]!;
    bone.updateWorldMatrix(this.#roots.has(row), false);
    vector.setFromMatrixPosition(bone.matrixWorld).toArray(head as number[]);
    if (bone.parent) bone.parent.matrixWorld.decompose(vector, quaternion, scale);
    else quaternion.identity();
    quaternion.toArray(parent as number[]);
    bone.quaternion.toArray(local as number[]);
  }

  place(row: number, local: Numbers): void {
    const bone = this.#bones[row]!;
    bone.quaternion.fromArray(local as number[]);
    bone.updateWorldMatrix(false, false);
  }

  toWorld(row: number, [x, y, z]: readonly [number, number, number], to: Numbers): void {
    const bone = this.#bones[row]!;
    bone.updateWorldMatrix(true, false);
    vector
      .set(x, y, z)
      .applyMatrix4(bone.matrixWorld)
      .toArray(to as number[]);
  }

  collider(index: number, to: Numbers): void {
    const { owner, offset, radius } = this.#colliders[index]!;
    owner.updateWorldMatrix(true, false);
    matrix.copy(owner.matrixWorld);
    vector
      .set(...offset)
      .applyMatrix4(matrix)
      .toArray(to as number[]);
    to[3] = radius * matrix.getMaxScaleOnAxis();
  }
}

const vector = /*@__PURE__*/ new Vector3();
const scale = /*@__PURE__*/ new Vector3();
const quaternion = /*@__PURE__*/ new Quaternion();
const matrix = /*@__PURE__*/ new Matrix4();
