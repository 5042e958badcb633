// An avatar that looks at things and blinks, on three's objects, whatever poses them: a mixer, an engine, the page. Fetched when it is asked for.
import { Matrix4, type Object3D, type QuaternionTuple, Vector3 } from 'three';
import type { RigScene } from '../../core/types.ts';
import { Blink } from '../../rig/blink.ts';
import { FaceRules } from '../../rig/faceRules.ts';
import { LookAt } from '../../rig/lookAt.ts';
import { Pose, type PoseShape } from '../../rig/pose.ts';
import { WorldMatrices } from '../../rig/world.ts';
import type { Built } from '../build/build.ts';
import type { Expressions } from './expressions.ts';
import { FirstPerson } from './firstPerson.ts';

/** What to look at: an object wherever it goes, or a place in the world of the page. */
export type LookTarget = Object3D | Vector3;

export interface AvatarOptions {
  /** Of the times at which it blinks. Default 1. */
  seed?: number;
}

/** All of it is off until the page turns it on. `Rig.live`, and with it `Rig.update`, moves it on. */
export class Avatar {
  readonly #scene: RigScene;
  readonly #built: Built;
  readonly #expressions: Expressions;
  readonly #look: LookAt | null;
  readonly #blink: Blink | null;
  readonly #rules: FaceRules;
  readonly #pose: Pose;
  readonly #world: WorldMatrices;
  /** What the rotations of the head hang on, itself included, parents first. */
  readonly #read: readonly number[];
  readonly #turned: readonly { row: number; base: QuaternionTuple; written: QuaternionTuple }[];
  #target: LookTarget | null = null;
  #firstPerson: FirstPerson | null | undefined;

  /** Null where the file has neither a head nor a face that could do something. */
  static of(scene: RigScene, shape: PoseShape, built: Built, expressions: Expressions, { seed = 1 }: AvatarOptions = {}): Avatar | null {
    const rules = (expressions.rules ??= new FaceRules(scene));
    const look = LookAt.of(scene, rules);
    const blink = Blink.of(rules, seed);
    return look || blink ? new Avatar(shape, built, expressions, rules, look, blink) : null;
  }

  private constructor(
    shape: PoseShape,
    built: Built,
    expressions: Expressions,
    rules: FaceRules,
    look: LookAt | null,
    blink: Blink | null,
  ) {
    this.#scene = shape.scene;
    this.#built = built;
    this.#expressions = expressions;
    this.#look = look;
    this.#blink = blink;
    this.#rules = rules;
    this.#pose = new Pose(shape);
    this.#world = new WorldMatrices(shape);
    if (blink) blink.isOn = false;
    const needed = new Set<number>();
    const { parents } = shape.scene.nodes;
    for (const first of look?.rows ?? []) for (let row = first; row >= 0 && !needed.has(row); row = parents[row]!) needed.add(row);
    this.#read = [...needed].sort((a, b) => a - b);
    this.#turned = (look?.rows ?? []).map(row => {
      const now = built.nodes[row]!.quaternion.toArray();
      return { row, base: now, written: [...now] };
    });
  }

  /** Vue leaves it as it is instead of wrapping it: private members know no wrappers. */
  get __v_skip(): true {
    return true;
  }

  /** What looks: eyes by their bones or by expressions, or the head alone; null where there is no head. */
  get looksBy(): 'bones' | 'expressions' | 'head' | null {
    const kind = this.#look?.design.kind;
    return kind === undefined ? null : ({ bone: 'bones', expression: 'expressions', none: 'head' } as const)[kind];
  }

  /** Looks at it from now on; null: at nothing. Eyes go as far as the file lets them, or as those of avatars do. False where it cannot. */
  lookAt(target: LookTarget | null): boolean {
    this.#target = target;
    return this.#look !== null;
  }

  get target(): LookTarget | null {
    return this.#target;
  }

  /** 0 to 1: how much of the way the head turns, on top of what moves it, up to 60° aside and 34° up or down. Default 0: eyes alone. */
  get headShare(): number {
    return this.#look?.headShare ?? 0;
  }

  set headShare(share: number) {
    if (this.#look) this.#look.headShare = Math.min(Math.max(share, 0), 1) || 0;
  }

  /** Seconds in which most of the way is gone when what it looks at jumps, or goes. Default 0: at once. */
  get lag(): number {
    return this.#look?.lag ?? 0;
  }

  set lag(seconds: number) {
    if (this.#look) this.#look.lag = Math.max(seconds, 0) || 0;
  }

  /** The face has something to blink with. */
  get canBlink(): boolean {
    return this.#blink !== null;
  }

  /** Blinks by itself, at times that the seed decides. Default false. */
  get blinks(): boolean {
    return this.#blink?.isOn ?? false;
  }

  set blinks(isOn: boolean) {
    if (!this.#blink) return;
    this.#blink.isOn = isOn;
    this.#blink.solve(null, null, 0);
    this.#expressions.apply();
  }

  /** Presets leave eyelids alone, as UniVGO offers it: what blinks moves them. Default false. */
  get leavesEyelids(): boolean {
    return this.#rules.leavesEyelids;
  }

  set leavesEyelids(isSo: boolean) {
    this.#rules.leavesEyelids = isSo;
    this.#expressions.apply();
  }

  /** Presets leave the mouth alone, as UniVGO offers it: what speaks moves it. Default false. */
  get leavesMouth(): boolean {
    return this.#rules.leavesMouth;
  }

  set leavesMouth(isSo: boolean) {
    this.#rules.leavesMouth = isSo;
    this.#expressions.apply();
  }

  /** What the avatar's own eyes see of it; null where it has no head. */
  get firstPerson(): FirstPerson | null {
    return (this.#firstPerson ??= FirstPerson.of(this.#scene, this.#built.meshes));
  }

  /** Call it when everything else stands where it shall this frame (`Rig.live` does). True while something still moves. */
  update(seconds: number): boolean {
    if (this.#blink?.isOn) this.#blink.solve(null, null, seconds);
    const isLooking = this.#look !== null && this.#lookOn(this.#look, seconds);
    return isLooking || (this.#blink?.isOn ?? false);
  }

  /** Frees what it made: the rig does so when it is disposed of. */
  dispose(): void {
    this.#firstPerson?.dispose();
  }

  #lookOn(look: LookAt, seconds: number): boolean {
    const { nodes, group } = this.#built;
    const target = this.#target;
    if (target === null) look.target = null;
    else {
      if ('isObject3D' in target) vector.setFromMatrixPosition(target.matrixWorld);
      else vector.copy(target);
      group.updateWorldMatrix(true, false);
      vector.applyMatrix4(inverse.copy(group.matrixWorld).invert());
      look.target ??= [0, 0, 0];
      vector.toArray(look.target);
    }
    const { translations, rotations, scales } = this.#pose;
    for (const row of this.#read) {
      const { position, quaternion, scale } = nodes[row]!;
      position.toArray(translations, 3 * row);
      quaternion.toArray(rotations, 4 * row);
      scale.toArray(scales, 3 * row);
    }
    // What was written last is not what moves the bone: that lies below it.
    for (const { row, base, written } of this.#turned) {
      let isOurs = true;
      for (let c = 0; c < 4; c++) isOurs &&= rotations[4 * row + c] === written[c];
      if (!isOurs) for (let c = 0; c < 4; c++) base[c] = rotations[4 * row + c]!;
      for (let c = 0; c < 4; c++) rotations[4 * row + c] = base[c]!;
    }
    look.solve(this.#pose, this.#world, seconds);
    for (const { row, written } of this.#turned) {
      for (let c = 0; c < 4; c++) written[c] = rotations[4 * row + c]!;
      nodes[row]!.quaternion.fromArray(written);
    }
    return look.isMoving;
  }
}

const vector = /*@__PURE__*/ new Vector3();
const inverse = /*@__PURE__*/ new Matrix4();
