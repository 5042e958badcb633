// An avatar that looks at things and blinks, on three's objects, whatever poses them. Fetched when it is asked for.
import { type Group, Matrix4, type Object3D, Vector3 } from 'three';
import type { RigScene } from '../../core/types.ts';
import { Blink } from '../../rig/blink.ts';
import type { Expressions } from '../../rig/expressions.ts';
import { FaceRules } from '../../rig/faceRules.ts';
import { LookAt } from '../../rig/lookAt.ts';
import type { RigMesh } from '../build/build.ts';
import { FirstPerson } from './firstPerson.ts';
import type { ObjectHost } from './host.ts';

/** What to look at: an object wherever it goes, or a place in the world of the page. */
export type LookTarget = Object3D | Vector3;

export interface AvatarOptions {
  /** Of the times at which it blinks. Default 1. */
  seed?: number;
}

/** All of it is off until the page turns it on. `Rig.live`, and with it `Rig.update`, moves it on. */
export class Avatar {
  readonly #scene: RigScene;
  readonly #meshes: readonly (RigMesh | null)[];
  readonly #group: Group;
  readonly #expressions: Expressions;
  readonly #rules: FaceRules;
  readonly #look: LookAt | null;
  readonly #blink: Blink | null;
  #target: LookTarget | null = null;
  #firstPerson: FirstPerson | null | undefined;

  /** Null if the file has neither a head nor a face that could do something. */
  static of(
    scene: RigScene,
    meshes: readonly (RigMesh | null)[],
    host: ObjectHost,
    expressions: Expressions,
    { seed = 1 }: AvatarOptions = {},
  ): Avatar | null {
    const rules = (expressions.rules ??= new FaceRules(scene));
    const look = LookAt.of(scene, rules);
    const blink = Blink.of(rules, seed);
    return look || blink ? new Avatar(scene, meshes, host, expressions, rules, look, blink) : null;
  }

  private constructor(
    scene: RigScene,
    meshes: readonly (RigMesh | null)[],
    host: ObjectHost,
    expressions: Expressions,
    rules: FaceRules,
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
    return (this.#firstPerson ??= FirstPerson.of(this.#scene, this.#meshes));
  }

  /** True while the gaze still follows its target, or the eyes blink. */
  get isMoving(): boolean {
    return (this.#look?.isMoving ?? false) || this.blinks;
  }

  /** Frees what it made: the rig does so when it is disposed of. */
  dispose(): void {
    this.#firstPerson?.dispose();
  }

  /** Brings the target into the space of the scene. */
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
