// Look-at, blinking and first-person view of an avatar, which may be posed by a mixer, an animator
// or the page. This module is imported on demand.
import { type Group, Matrix4, type Object3D, Vector3 } from 'three';
import type { RigScene } from '../../core/types.ts';
import { Blink } from '../../rig/blink.ts';
import type { Expressions } from '../../rig/expressions.ts';
import { ExpressionRules } from '../../rig/expressionRules.ts';
import { LookAt } from '../../rig/lookAt.ts';
import type { RigMesh } from '../build/build.ts';
import { FirstPerson } from './firstPerson.ts';
import type { ObjectHost } from './host.ts';

/** Target of look-at: an object to follow, or a position in world space. */
export type LookTarget = Object3D | Vector3;

export interface AvatarOptions {
  /** Random seed for the times of blinks. Default: 1. */
  seed?: number;
}

/**
 * Controls for look-at, blinking and first-person view, which are all off initially. `Rig.update`
 * advances them.
 */
export class Avatar {
  readonly #scene: RigScene;
  readonly #meshes: readonly (RigMesh | null)[];
  readonly #group: Group;
  readonly #expressions: Expressions;
  readonly #rules: ExpressionRules;
  readonly #look: LookAt | null;
  readonly #blink: Blink | null;
  #target: LookTarget | null = null;
  #firstPerson: FirstPerson | null | undefined;

  /**
   * Creates an avatar; returns null if the file has neither a recognized head nor an expression for
   * blinking.
   *
   * @internal
   */
  static of(
    scene: RigScene,
    meshes: readonly (RigMesh | null)[],
    host: ObjectHost,
    expressions: Expressions,
    { seed = 1 }: AvatarOptions = {},
  ): Avatar | null {
    const rules = (expressions.rules ??= new ExpressionRules(scene));
    const look = LookAt.of(scene, rules);
    const blink = Blink.of(rules, seed);
    return look || blink ? new Avatar(scene, meshes, host, expressions, rules, look, blink) : null;
  }

  private constructor(
    scene: RigScene,
    meshes: readonly (RigMesh | null)[],
    host: ObjectHost,
    expressions: Expressions,
    rules: ExpressionRules,
    look: LookAt | null,
    blink: Blink | null,
  ) {
    this.#scene = scene;
    this.#meshes = meshes;
    this.#group = host.group;
    this.#expressions = expressions;
    this.#rules = rules;
    this.#look = look;
    this.#blink = blink;
    if (look) host.add(look, () => this.#aim(look));
    if (blink) {
      blink.isOn = false;
      host.add(blink);
    }
  }

  /** Keeps Vue from wrapping the object in a proxy, which would break access to private members. */
  get __v_skip(): true {
    return true;
  }

  /**
   * Objects that direct the gaze: eye bones, expressions, or only the head. Null if no head was
   * recognized.
   */
  get looksBy(): 'bones' | 'expressions' | 'head' | null {
    const kind = this.#look?.design.kind;
    return kind === undefined ? null : ({ bone: 'bones', expression: 'expressions', none: 'head' } as const)[kind];
  }

  /**
   * Sets the target of the gaze, or removes it if `target` is null. The eyes rotate within the
   * ranges that the file declares, or within typical ranges if it declares none. Returns false if
   * no head was recognized.
   */
  lookAt(target: LookTarget | null): boolean {
    this.#target = target;
    return this.#look !== null;
  }

  get target(): LookTarget | null {
    return this.#target;
  }

  /**
   * Fraction of the angle to the target by which the head rotates, from 0 to 1. In addition to the
   * animation, the head rotates at most 60° to each side and 34° up or down. Default: 0.
   */
  get headShare(): number {
    return this.#look?.headShare ?? 0;
  }

  set headShare(share: number) {
    if (this.#look) this.#look.headShare = Math.min(Math.max(share, 0), 1) || 0;
  }

  /**
   * Time constant of the gaze in seconds: the time after which 63 % of a change is complete.
   * Default: 0 (no delay).
   */
  get lag(): number {
    return this.#look?.lag ?? 0;
  }

  set lag(seconds: number) {
    if (this.#look) this.#look.lag = Math.max(seconds, 0) || 0;
  }

  /** True if the file has an expression for blinking. */
  get canBlink(): boolean {
    return this.#blink !== null;
  }

  /** If true, the avatar blinks automatically. The seed determines the times. Default: false. */
  get blinks(): boolean {
    return this.#blink?.isOn ?? false;
  }

  set blinks(isOn: boolean) {
    if (!this.#blink) return;
    this.#blink.isOn = isOn;
    this.#blink.solve(null, null, 0);
    this.#expressions.apply();
  }

  /**
   * If true, preset expressions don't move the eyelids, which is an option of UniVGO. Default:
   * false.
   */
  get skipsEyelids(): boolean {
    return this.#rules.skipsEyelids;
  }

  set skipsEyelids(isSo: boolean) {
    this.#rules.skipsEyelids = isSo;
    this.#expressions.apply();
  }

  /**
   * If true, preset expressions don't move the mouth, which is an option of UniVGO. Default: false.
   */
  get skipsMouth(): boolean {
    return this.#rules.skipsMouth;
  }

  set skipsMouth(isSo: boolean) {
    this.#rules.skipsMouth = isSo;
    this.#expressions.apply();
  }

  /** First-person view of the avatar; null if no head was recognized. */
  get firstPerson(): FirstPerson | null {
    return (this.#firstPerson ??= FirstPerson.of(this.#scene, this.#meshes));
  }

  /** True while the gaze changes or automatic blinking is on. */
  get isMoving(): boolean {
    return (this.#look?.isMoving ?? false) || this.blinks;
  }

  /** Frees the GPU resources of the avatar. `Rig.dispose` calls it. */
  dispose(): void {
    this.#firstPerson?.dispose();
  }

  /** Transforms the target of the gaze to scene space. */
  #aim(look: LookAt): void {
    const target = this.#target;
    if (target === null) {
      look.target = null;
      return;
    }
    if ('isObject3D' in target) vector.setFromMatrixPosition(target.matrixWorld);
    else vector.copy(target);
    this.#group.updateWorldMatrix(true, false);
    vector.applyMatrix4(inverse.copy(this.#group.matrixWorld).invert());
    look.target ??= [0, 0, 0];
    vector.toArray(look.target);
  }
}

const vector = /*@__PURE__*/ new Vector3();
const inverse = /*@__PURE__*/ new Matrix4();
