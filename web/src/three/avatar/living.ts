// What moves by itself on a rig, frame by frame, after motions have posed it.
import type { RigScene } from '../../core/types.ts';
import type { PoseShape } from '../../rig/pose.ts';
import type { Avatar, AvatarOptions } from './avatar.ts';
import type { Built } from '../build/build.ts';
import { Expressions } from './expressions.ts';
import type { Life } from '../life.ts';
import type { Modules, ModuleOptions } from '../modules.ts';
import type { Particles } from '../particles/particles.ts';
import type { SpringBones } from './springs.ts';
import type { ToonMaterial } from '../materials/toon.ts';
import { isToonMaterial } from '../materials/toonMaterial.ts';

export class Living {
  readonly expressions: Expressions;
  readonly springs: SpringBones | null;
  readonly particles: Particles | null;
  readonly #scene: RigScene;
  readonly #built: Built;
  readonly #life: Life;
  #toonList: ToonMaterial[] | undefined;
  #making: Promise<Avatar | null> | undefined;
  #avatar: Avatar | null = null;

  constructor(scene: RigScene, built: Built, life: Life, { springs: rules }: ModuleOptions, { springs, vrm, particles, face }: Modules) {
    this.#scene = scene;
    this.#built = built;
    this.#life = life;
    this.expressions = new Expressions(scene.expressions, built.meshes);
    this.springs = springs?.SpringBones.of(scene, built.nodes, rules === 'vrm' ? vrm?.VrmRules : undefined) ?? null;
    this.particles = particles?.Particles.of(scene, built) ?? null;
    if (face) this.expressions.rules = new face.FaceRules(scene);
  }

  /** Made at the first call. */
  avatar(shape: PoseShape, options?: AvatarOptions): Promise<Avatar | null> {
    return (this.#making ??= this.#make(shape, options));
  }

  async #make(shape: PoseShape, options?: AvatarOptions): Promise<Avatar | null> {
    const signal = this.#life.until();
    const { Avatar } = await import('./avatar.ts');
    signal.throwIfAborted();
    return (this.#avatar = Avatar.of(this.#scene, shape, this.#built, this.expressions, options));
  }

  /** True while something still moves. */
  update(seconds: number): boolean {
    let isMoving = this.#avatar?.update(seconds) ?? false;
    this.expressions.apply();
    isMoving = this.springs?.update(seconds) || isMoving;
    for (const material of this.#toons) {
      material.update(seconds);
      isMoving ||=
        material.uvAnimationScrollXSpeedFactor !== 0 ||
        material.uvAnimationScrollYSpeedFactor !== 0 ||
        material.uvAnimationRotationSpeedFactor !== 0;
    }
    return this.particles?.update(seconds) || isMoving;
  }

  get #toons(): readonly ToonMaterial[] {
    return (this.#toonList ??= this.#built.materials.all().filter(isToonMaterial));
  }

  dispose(): void {
    this.#avatar?.dispose();
    this.particles?.dispose();
  }
}
