// Solver for the particle systems of a scene: computes the matrix of each emitter and advances its
// particle system (particles.ts).
import { outOfRange } from '../core/error.ts';
import { copyMatrix, decompose, scaleAxes } from '../core/math/matrix.ts';
import { copyVector, setVector, vec3 } from '../core/math/vector.ts';
import { member, numberIn } from '../core/properties.ts';
import { parentOf } from '../core/tree.ts';
import type { Feature, RigScene } from '../core/types.ts';
import type { Solver } from './animator.ts';
import { ParticleSystem } from './particles.ts';
import type { Pose } from './pose.ts';
import type { WorldMatrices } from './world.ts';

/** Difference between the seeds of consecutive particle systems. */
const SEED_STEP = 7919;

/**
 * Solver for all particle systems of a scene, in the order of the file.
 *
 * @experimental
 */
export class ParticleEmitters implements Solver {
  readonly stage = 'particles';
  readonly emitters: readonly ParticleEmitter[];

  /** Returns null if the scene has no particle system. Equal seeds give equal particles. */
  static of(scene: RigScene, seed = 1): ParticleEmitters | null {
    const emitters = scene.features.flatMap((feature, i) => {
      const { kind, node = -1 } = feature;
      return kind === 'particleSystem' && node >= 0 && node < scene.nodes.length
        ? [new ParticleEmitter(scene, i, seed + SEED_STEP * i)]
        : [];
    });
    return emitters.length > 0 ? new ParticleEmitters(emitters) : null;
  }

  private constructor(emitters: readonly ParticleEmitter[]) {
    this.emitters = emitters;
  }

  /** Advances all particle systems by `seconds`. Doesn't change the pose. */
  solve(pose: Pose, world: WorldMatrices, seconds: number): void {
    world.touch(0);
    for (const emitter of this.emitters) emitter.advance(pose, world, seconds);
  }
}

/**
 * A particle system that is attached to a node.
 *
 * @experimental
 */
export class ParticleEmitter {
  readonly feature: Feature;
  /** Index of `feature` in `scene.features`. */
  readonly index: number;
  /** Row in `scene.nodes` of the node to which the particle system is attached. */
  readonly node: number;
  readonly system: ParticleSystem;
  /**
   * Scale factors that cancel the world scale that the scaling mode excludes. The mode `local`
   * excludes the scale of all ancestors. The mode `shape` excludes the complete world scale,
   * because it scales only start positions.
   */
  readonly counterScale = vec3(1, 1, 1);
  /** If false, the particle system is paused. */
  isPlaying: boolean;
  readonly #scene: RigScene;
  readonly #scaling: 'hierarchy' | 'local' | 'shape';
  readonly #shapeScale = vec3(1, 1, 1);
  #isVisible = true;

  constructor(scene: RigScene, index: number, seed: number) {
    const feature = scene.features[index];
    if (!feature) throw outOfRange(`The scene has no feature ${index}.`);
    const main = member(feature.properties, 'main');
    this.#scene = scene;
    this.feature = feature;
    this.index = index;
    this.node = feature.node ?? 0;
    this.system = new ParticleSystem(feature.properties, seed);
    this.isPlaying = member(main, 'playOnAwake') !== false;
    this.#scaling = (['hierarchy', 'local', 'shape'] as const)[numberIn(main, 'scalingMode', 0)] ?? 'hierarchy';
  }

  /**
   * True if the particle system is playing and its node and all ancestors were visible in the last
   * frame.
   */
  get isShown(): boolean {
    return this.isPlaying && this.#isVisible;
  }

  advance(pose: Pose, world: WorldMatrices, seconds: number): void {
    const { nodes } = this.#scene;
    this.#isVisible = true;
    for (let row = this.node; row >= 0; row = parentOf(nodes, row)) if (pose.visible[row] === 0) this.#isVisible = false;
    if (!this.isShown) return;
    world.reach(pose, this.node);
    this.#updateCounterScale(world);
    copyMatrix(matrix, world.matrices, 16 * this.node);
    scaleAxes(matrix, this.counterScale);
    this.system.advance(seconds, matrix, this.#shapeScale);
  }

  #updateCounterScale(world: WorldMatrices): void {
    const row = this.#scaling === 'shape' ? this.node : parentOf(this.#scene.nodes, this.node);
    if (this.#scaling === 'hierarchy' || row < 0) return;
    copyMatrix(matrix, world.matrices, 16 * row);
    decompose(matrix, transform);
    copyVector(scale, 0, transform, 7);
    if (this.#scaling === 'shape') this.#shapeScale.set(scale);
    setVector(this.counterScale, inverseOf(scale[0]), inverseOf(scale[1]), inverseOf(scale[2]));
  }
}

const inverseOf = (factor: number): number => (factor === 0 ? 1 : 1 / factor);

const matrix = new Float64Array(16);
/** Decomposed matrix: translation (3 numbers), rotation (4), scale (3). */
const transform = new Float64Array(10);
const scale = vec3();
