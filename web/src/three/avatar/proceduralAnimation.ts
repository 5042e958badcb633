// Procedural animation of a rig: look-at, blinking, expressions, spring bones and particles. It
// runs in every frame, after the animations.
import { Expressions } from '../../rig/expressions.ts';
import type { PoseShape } from '../../rig/pose.ts';
import type { Built } from '../build/build.ts';
import type { Lifetime } from '../lifetime.ts';
import type { ToonMaterial } from '../materials/toon.ts';
import { isToonMaterial } from '../materials/toonMaterial.ts';
import type { Modules, ModuleOptions } from '../modules.ts';
import type { Particles } from '../particles/particles.ts';
import type { Avatar, AvatarOptions } from './avatar.ts';
import { ObjectHost } from './host.ts';
import type { SpringBones } from './springs.ts';

export class ProceduralAnimation {
  readonly expressions: Expressions;
  readonly springs: SpringBones | null;
  readonly particles: Particles | null;
  readonly #shape: PoseShape;
  readonly #built: Built;
  readonly #lifetime: Lifetime;
  /** Runs the solvers; null until a solver is added. */
  #host: ObjectHost | null = null;
  #toonList: ToonMaterial[] | undefined;
  #making: Promise<Avatar | null> | undefined;
  #avatar: Avatar | null = null;

  constructor(shape: PoseShape, built: Built, lifetime: Lifetime, options: ModuleOptions, { springs, particles, face }: Modules) {
    const { scene } = shape;
    this.#shape = shape;
    this.#built = built;
    this.#lifetime = lifetime;
    const expressions = (this.expressions = new Expressions(shape, face ? new face.ExpressionRules(scene) : null));
    if (scene.expressions.length > 0) {
      const host = this.#hosted();
      host.add(expressions);
      expressions.apply = () => host.show(expressions);
    }
    this.springs = springs?.SpringBones.of(this.#hosted(), options.springs) ?? null;
    this.particles = particles?.Particles.of(this.#hosted(), built) ?? null;
  }

  #hosted(): ObjectHost {
    return (this.#host ??= new ObjectHost(this.#shape, this.#built));
  }

  /** Returns the avatar, which is created on the first call. */
  avatar(options?: AvatarOptions): Promise<Avatar | null> {
    return (this.#making ??= this.#make(options));
  }

  async #make(options?: AvatarOptions): Promise<Avatar | null> {
    const signal = this.#lifetime.until();
    const { Avatar } = await import('../rareModules.ts');
    signal.throwIfAborted();
    return (this.#avatar = Avatar.of(this.#shape.scene, this.#built.meshes, this.#hosted(), this.expressions, options));
  }

  /** Advances the procedural animation. Returns true while anything still moves. */
  update(seconds: number): boolean {
    this.#host?.update(seconds);
    let isMoving = (this.#avatar?.isMoving ?? false) || (this.springs?.isMoving ?? false);
    for (const material of this.#toons) {
      material.update(seconds);
      isMoving ||=
        material.uvAnimationScrollXSpeedFactor !== 0 ||
        material.uvAnimationScrollYSpeedFactor !== 0 ||
        material.uvAnimationRotationSpeedFactor !== 0;
    }
    return this.particles?.draw() || isMoving;
  }

  get #toons(): readonly ToonMaterial[] {
    return (this.#toonList ??= this.#built.materials.all().filter(isToonMaterial));
  }

  dispose(): void {
    this.#avatar?.dispose();
    this.particles?.dispose();
  }
}
