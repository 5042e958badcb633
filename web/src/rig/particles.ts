// Simulates one of Unity's particle systems. docs/formats/vgo.md, section 10.3, lists the supported
// settings; `unplayed` lists the settings of a file that are not supported. Simulation steps have a
// fixed duration, so equal seeds give equal particles at any frame rate. Coordinates are
// right-handed, either in emitter space or in scene space.
import { determinant, transformDirection, transformPoint } from '../core/math/matrix.ts';
import { copyQuaternion as copyColor } from '../core/math/quaternion.ts';
import { numberAt } from '../core/math/column.ts';
import {
  addScaled,
  copyVector,
  distance,
  dot,
  length,
  multiplyScalar,
  multiplyVector,
  setVector,
  vec3,
  type VectorLike,
} from '../core/math/vector.ts';
import type { Properties } from '../core/types.ts';
import { type AxisAmounts, type Burst, type ParticleDesign, particleDesign, type ParticleLook, type SpaceAxes } from './particleDesign.ts';
import { seeded } from './random.ts';
import { Steps } from './steps.ts';

/** Duration of a simulation step in seconds. */
const STEP = 1 / 60;
const MAX_PREWARM_STEPS = 1200;
/** Maximum number of live particles of one particle system. */
const MAX_PARTICLES = 10_000;
/** Gravitational acceleration along y in metres per second². */
const GRAVITY = -9.81;
/**
 * Start time of the first emission interval of a cycle, in seconds. It is slightly negative,
 * because intervals exclude their start and the first one must contain bursts at time 0.
 */
const BEFORE_START = -1e-9;

/**
 * Random properties of a particle. Each constant is hashed together with the particle's seed, so
 * that every property has an independent random number.
 */
const CHANCE = {
  speed: 1,
  force: 5,
  limit: 6,
  drag: 7,
  color: 8,
  size: 9,
  spin: 12,
  frame: 15,
  start: 16,
  row: 17,
  modifier: 18,
  across: 19,
  upright: 20,
} as const;

/**
 * A particle system. The arrays have one row per particle; the first `count` rows are live
 * particles.
 *
 * @experimental
 */
export class ParticleSystem {
  /** Positions of the particles in metres, 3 numbers per particle. */
  readonly positions: Float64Array;
  /**
   * Velocities of the particles in metres per second, including Unity's velocity over lifetime. 3
   * numbers per particle.
   */
  readonly velocities: Float64Array;
  /** Sizes of the particles in metres, 3 numbers per particle. Updated by `updateLook`. */
  readonly sizes: Float64Array;
  /** Rotations of the particles about the three axes in radians, 3 numbers per particle. */
  readonly angles: Float64Array;
  /** Linear RGBA colors of the particles, 4 numbers per particle. Updated by `updateLook`. */
  readonly colors: Float32Array;
  /** Index of each particle's tile in the texture sheet. Updated by `updateLook`. */
  readonly frames: Float64Array;
  /**
   * Mirroring of the particles, one number per particle: 1 if mirrored horizontally, 2 if mirrored
   * vertically, 3 if both, 0 if neither. Updated by `updateLook`.
   */
  readonly mirrors: Uint8Array;
  readonly look: ParticleLook;
  /** True if the positions of particles are in scene space, false if they are in emitter space. */
  readonly isWorld: boolean;
  /** Settings of the particle system that are not simulated. */
  readonly unplayed: readonly string[];
  /** Number of live particles. */
  count = 0;
  /** Maximum value of `count`. */
  readonly capacity: number;
  readonly #design: ParticleDesign;
  readonly #random: () => number;
  /** Velocities without Unity's velocity over lifetime, 3 numbers per particle. */
  readonly #ownVelocities: Float64Array;
  /** Ages and lifetimes of the particles in seconds. */
  readonly #ages: Float64Array;
  readonly #lifetimes: Float64Array;
  readonly #seeds: Uint32Array;
  readonly #startSizes: Float64Array;
  readonly #startColors: Float32Array;
  /** All arrays with three numbers per particle that keep their values between steps. */
  readonly #vectors: readonly Float64Array[];
  /** All arrays with one number per particle that keep their values between steps. */
  readonly #scalars: readonly (Float64Array | Uint32Array)[];
  readonly #chanceOf = (which: 'frame' | 'start' | 'row', i: number): number => this.#chance(i, CHANCE[which]);
  /** Matrix that transforms from emitter space to scene space. */
  readonly #matrix = new Float64Array(16);
  /** Current position of the emitter, and its position at the last call of `#takeDistance`. */
  readonly #origin = vec3();
  readonly #lastOrigin = vec3();
  readonly #shapeScale = vec3(1, 1, 1);
  /** Gravitational acceleration in the same space as the positions of the particles. */
  readonly #gravity = vec3();
  /** Scale of the emitter if particles are simulated in scene space; otherwise 1. */
  #scale = 1;
  #hasMatrix = false;
  /** Seconds since the start of the current cycle. */
  #time = 0;
  /** Seconds until the first cycle starts. */
  #delay = 0;
  /**
   * Remainder of the emission: the fraction of a particle that is carried over to the next
   * interval.
   */
  #due = 0;
  readonly #steps = new Steps(STEP);

  constructor(properties: Properties | undefined, seed: number) {
    this.#design = particleDesign(properties);
    const { look, unplayed, isWorld, maxParticles } = this.#design;
    this.look = look;
    this.unplayed = unplayed;
    this.isWorld = isWorld;
    this.#random = seeded(seed);
    const capacity = (this.capacity = Math.min(maxParticles, MAX_PARTICLES));
    const column = (width: number): Float64Array => new Float64Array(width * capacity);
    [this.positions, this.velocities, this.sizes, this.angles] = [column(3), column(3), column(3), column(3)];
    [this.frames, this.#ownVelocities, this.#startSizes] = [column(1), column(3), column(3)];
    [this.#ages, this.#lifetimes] = [column(1), column(1)];
    [this.colors, this.#startColors] = [new Float32Array(4 * capacity), new Float32Array(4 * capacity)];
    this.#seeds = new Uint32Array(capacity);
    this.mirrors = new Uint8Array(capacity);
    this.#vectors = [this.positions, this.velocities, this.angles, this.#ownVelocities, this.#startSizes];
    this.#scalars = [this.#ages, this.#lifetimes, this.#seeds];
    this.reset();
  }

  /** Removes all particles. The next call of `advance` restarts the particle system. */
  reset(): void {
    this.count = 0;
    this.#time = this.#due = 0;
    this.#steps.reset();
    this.#delay = this.#design.main.delay.at(0, this.#random());
    this.#hasMatrix = false;
  }

  /** True if all particles have died and no more will be emitted. */
  get isOver(): boolean {
    return this.count === 0 && !this.#design.main.loop && this.#time >= this.#design.main.duration;
  }

  /**
   * Advances the particle system by `seconds`. `matrix`: transforms from emitter space to scene
   * space. `shapeScale`: scale factors of the start positions along each axis.
   */
  advance(seconds: number, matrix: ArrayLike<number>, shapeScale: VectorLike = UNSCALED): void {
    this.#matrix.set(matrix);
    copyVector(this.#origin, 0, this.#matrix, 12);
    copyVector(this.#shapeScale, 0, shapeScale, 0);
    this.#scale = this.isWorld ? uniformScale(this.#matrix) : 1;
    if (!this.#hasMatrix) {
      this.#hasMatrix = true;
      this.#lastOrigin.set(this.#origin);
      const { isWarm, duration, loop } = this.#design.main;
      if (isWarm && loop) for (let i = Math.min(Math.ceil(duration / STEP), MAX_PREWARM_STEPS); i > 0; i--) this.#step();
    }
    for (let steps = this.#steps.take(seconds * this.#design.main.speed); steps > 0; steps--) this.#step();
  }

  /** Updates `sizes`, `colors`, `frames` and `mirrors` of all live particles. */
  updateLook(): void {
    const [across = 0, upright = 0] = this.look.flip;
    const { shade, grow, sheet } = this.#design;
    for (let i = 0; i < this.count; i++) {
      if (across > 0 || upright > 0)
        this.mirrors[i] = Number(this.#chance(i, CHANCE.across) < across) + 2 * Number(this.#chance(i, CHANCE.upright) < upright);
      const seconds = numberAt(this.#ages, i);
      const age = Math.min(seconds / numberAt(this.#lifetimes, i), 1);
      copyColor(this.colors, 4 * i, this.#startColors, 4 * i);
      shade?.tint(this.colors, 4 * i, age, this.#chance(i, CHANCE.color));
      copyVector(size, 0, this.#startSizes, 3 * i);
      multiplyScalar(size, this.#scale);
      if (grow) {
        evaluateAxes(factors, grow, age, this.#chance(i, CHANCE.size));
        multiplyVector(size, factors);
      }
      copyVector(this.sizes, 3 * i, size, 0);
      if (sheet) this.frames[i] = sheet.at(age, seconds, i, this.#chanceOf);
    }
  }

  /** Returns a random number in [0, 1) that is always the same for one particle and property. */
  #chance(i: number, property: number): number {
    let t = (numberAt(this.#seeds, i) + Math.imul(property, 0x9e3779b9)) | 0;
    t = Math.imul(t ^ (t >>> 15), 1 | t);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  #step(): void {
    setVector(this.#gravity, 0, GRAVITY * this.#design.main.gravity.at(0, 0), 0);
    if (!this.isWorld) this.#toEmitterSpace(this.#gravity);
    for (let i = this.count - 1; i >= 0; i--) this.#stepParticle(i);
    if (this.#delay > 0) {
      this.#delay -= STEP;
      return;
    }
    const { duration, loop } = this.#design.main;
    if (!loop && this.#time >= duration) return;
    const before = this.#time === 0 ? BEFORE_START : this.#time;
    this.#time += STEP;
    this.#emitBetween(before, Math.min(this.#time, duration));
    if (loop && this.#time >= duration) {
      this.#time -= duration;
      this.#emitBetween(BEFORE_START, this.#time, true);
    }
  }

  /**
   * Emits the particles that are due between two times of the cycle. If `isBurstsOnly` is true,
   * only bursts are emitted.
   */
  #emitBetween(from: number, to: number, isBurstsOnly = false): void {
    const { bursts, rate, perMetre, main } = this.#design;
    let count = 0;
    for (const burst of bursts) count += this.#burstsBetween(burst, from, to);
    if (!isBurstsOnly) {
      this.#due += Math.max(rate.at(from / main.duration, this.#random()), 0) * STEP;
      if (!perMetre.isNothing) this.#due += Math.max(perMetre.at(from / main.duration, this.#random()), 0) * this.#takeDistance();
      const emitted = Math.min(Math.floor(this.#due + 1e-6), MAX_PARTICLES);
      this.#due = Math.min(this.#due - emitted, 1);
      count += emitted;
    }
    for (count = Math.min(count, this.capacity - this.count); count > 0; count--) this.#emit(to / main.duration);
  }

  #burstsBetween({ time, count, cycles, interval, probability }: Burst, from: number, to: number): number {
    let sum = 0;
    const first = Math.max(Math.floor((from - time) / interval), 0);
    for (let k = first; k < cycles && time + k * interval <= to; k++) {
      if (time + k * interval <= from) continue;
      if (this.#random() < probability) sum += Math.max(Math.round(count.at(time / this.#design.main.duration, this.#random())), 0);
    }
    return Math.min(sum, MAX_PARTICLES);
  }

  /** Returns the distance in metres by which the emitter has moved since the last call. */
  #takeDistance(): number {
    const moved = distance(this.#origin, this.#lastOrigin);
    this.#lastOrigin.set(this.#origin);
    return moved;
  }

  /** Emits one particle. `time`: normalized time in the cycle, 0 to 1. */
  #emit(time: number): void {
    const random = this.#random;
    const { main, shape } = this.#design;
    const i = this.count++;
    this.#seeds[i] = Math.floor(random() * 4294967296);
    setVector(position, 0, 0, 0);
    setVector(velocity, 0, 0, 1);
    shape?.emit(random, position, velocity);
    multiplyScalar(velocity, main.speedAt.at(time, random()));
    multiplyVector(position, this.#shapeScale);
    mirrorZ(position);
    mirrorZ(velocity);
    if (this.isWorld) {
      transformPoint(position, this.#matrix, 0, position);
      transformDirection(velocity, this.#matrix, 0, velocity);
    }
    copyVector(this.positions, 3 * i, position, 0);
    copyVector(this.velocities, 3 * i, velocity, 0);
    copyVector(this.#ownVelocities, 3 * i, velocity, 0);
    this.#ages[i] = 0;
    this.#lifetimes[i] = Math.max(main.life.at(time, random()), 1e-3);
    const shared = random();
    const sign = random() < main.flip ? -1 : 1;
    let at = 3 * i;
    for (const axis of main.axes) {
      this.#startSizes[at] = Math.max(axis.size.at(time, main.hasSizes ? random() : shared), 0);
      this.angles[at] = sign * axis.angle.at(time, main.hasAngles ? random() : shared);
      at++;
    }
    this.#startColors.fill(1, 4 * i, 4 * i + 4);
    main.color.tint(this.#startColors, 4 * i, time, random());
  }

  #stepParticle(i: number): void {
    const { force, limit, drift, radial, modifier, spin } = this.#design;
    const seconds = (this.#ages[i] = numberAt(this.#ages, i) + STEP);
    const lifetime = numberAt(this.#lifetimes, i);
    if (seconds >= lifetime) return this.#remove(i);
    const age = seconds / lifetime;
    copyVector(velocity, 0, this.#ownVelocities, 3 * i);
    addScaled(velocity, 0, this.#gravity, STEP);
    if (force) {
      this.#evaluateAxes(added, force, age, this.#chance(i, CHANCE.force));
      addScaled(velocity, 0, added, STEP);
    }
    if (limit) this.#limitSpeed(limit, i, age);
    copyVector(this.#ownVelocities, 3 * i, velocity, 0);

    copyVector(position, 0, this.positions, 3 * i);
    if (drift) {
      this.#evaluateAxes(added, drift, age, this.#chance(i, CHANCE.speed));
      addScaled(velocity, 0, added, 1);
    }
    if (!radial.isNothing) this.#addRadial(radial.at(age, this.#chance(i, CHANCE.speed)));
    if (drift) multiplyScalar(velocity, modifier.at(age, this.#chance(i, CHANCE.modifier)));
    copyVector(this.velocities, 3 * i, velocity, 0);
    addScaled(position, 0, velocity, STEP);
    copyVector(this.positions, 3 * i, position, 0);
    if (spin) {
      evaluateAxes(added, spin, age, this.#chance(i, CHANCE.spin));
      addScaled(this.angles, 3 * i, added, STEP);
    }
  }

  /** Removes a particle by overwriting its row with the last live particle. */
  #remove(i: number): void {
    const last = --this.count;
    if (i === last) return;
    for (const column of this.#vectors) column.copyWithin(3 * i, 3 * last, 3 * last + 3);
    this.#startColors.copyWithin(4 * i, 4 * last, 4 * last + 4);
    for (const column of this.#scalars) column.copyWithin(i, last, last + 1);
  }

  /** Applies the speed limit and the drag of the particle system to `velocity`. */
  #limitSpeed({ speed, dampen, drag }: NonNullable<ParticleDesign['limit']>, i: number, age: number): void {
    const now = length(velocity);
    const most = Math.max(speed.at(age, this.#chance(i, CHANCE.limit)), 0);
    // Unity's `dampen` is the fraction of the excess speed that is lost per thirtieth of a second.
    if (now > most) multiplyScalar(velocity, 1 - (1 - most / now) * (1 - (1 - Math.min(Math.max(dampen, 0), 1)) ** (30 * STEP)));
    multiplyScalar(velocity, Math.max(1 - drag.at(age, this.#chance(i, CHANCE.drag)) * STEP, 0));
  }

  /** Adds `speed` to `velocity`, in the direction from the emitter to `position`. */
  #addRadial(speed: number): void {
    copyVector(added, 0, position, 0);
    if (this.isWorld) addScaled(added, 0, this.#origin, -1);
    const far = length(added);
    if (far > 1e-6) addScaled(velocity, 0, added, speed / far);
  }

  /**
   * Evaluates a vector with one curve per axis, and converts it from Unity's axes to the space of
   * the particle positions.
   */
  #evaluateAxes(result: VectorLike, axes: SpaceAxes, age: number, random: number): void {
    evaluateAxes(result, axes, age, random);
    mirrorZ(result);
    if (axes.isWorld && !this.isWorld) this.#toEmitterSpace(result);
    if (!axes.isWorld && this.isWorld) transformDirection(result, this.#matrix, 0, result);
  }

  /** Transforms a direction from scene space to emitter space, including scale. */
  #toEmitterSpace(v: VectorLike): void {
    copyVector(world, 0, v, 0);
    setVector(v, this.#alongAxis(0), this.#alongAxis(4), this.#alongAxis(8));
  }

  /**
   * Returns the component of `world` along an axis of the emitter, in multiples of the axis length.
   * `at`: index of the first element of the axis in the emitter's matrix.
   */
  #alongAxis(at: number): number {
    copyVector(axis, 0, this.#matrix, at);
    const squared = dot(axis, axis);
    return squared > 0 ? dot(axis, world) / squared : 0;
  }
}

const UNSCALED = vec3(1, 1, 1);

/** Returns the cube root of the factor by which a matrix scales volumes. */
function uniformScale(m: Float64Array): number {
  return Math.cbrt(Math.abs(determinant(m)));
}

function evaluateAxes(result: VectorLike, { x, y, z }: AxisAmounts, time: number, random: number): void {
  setVector(result, x.at(time, random), y.at(time, random), z.at(time, random));
}

/** Converts a vector between Unity's left-handed axes and right-handed axes. */
function mirrorZ(v: VectorLike): void {
  v[2] = -v[2];
}

const position = vec3();
const velocity = vec3();
const added = vec3();
const world = vec3();
const axis = vec3();
const size = vec3();
const factors = vec3();
