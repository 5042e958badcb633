// A particle system of Unity's, simulated: a seed gives the same particles, in steps of a fixed length, however long the frames are. The subset of
// docs/formats/vgo.md, section 10.3; what a file asks for beyond it is named. Places are right-handed, in the emitter's space or in that of the scene.
import { determinant } from '../core/math/matrix.ts';
import { length3, type Numbers } from '../core/math/vector.ts';
import type { Properties } from '../core/types.ts';
import { type Axes, type Burst, type ParticleDesign, particleDesign, type ParticleLook } from './particleDesign.ts';
import { seeded } from './random.ts';
import { Steps } from './steps.ts';

/** Seconds. */
const STEP = 1 / 60;
const MOST_PREWARM = 1200;
/** Whatever a file says. */
const MOST_PARTICLES = 10_000;
const GRAVITY = -9.81;

/** Properties that chance decides for each particle, by a number of their own. */
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

/** Columns by particle; the first `count` rows live. */
export class ParticleSystem {
  /** Three numbers a particle, metres. */
  readonly positions: Float32Array;
  /** Metres a second, with what velocity over lifetime adds. */
  readonly motions: Float32Array;
  /** What `show` worked out: metres, radians, linear colours with alpha, which picture of the texture. */
  readonly sizes: Float32Array;
  readonly angles: Float32Array;
  readonly colors: Float32Array;
  readonly frames: Float32Array;
  /** Whether it is mirrored: 1 across, 2 upside down, 3 both. */
  readonly mirrors: Uint8Array;
  readonly look: ParticleLook;
  /** Whether positions are in the scene's space; else in the emitter's. */
  readonly isWorld: boolean;
  /** What the file asks for and nothing here does. */
  readonly unplayed: readonly string[];
  count = 0;
  /** As many as there can be. */
  readonly most: number;
  readonly #design: ParticleDesign;
  readonly #random: () => number;
  readonly #velocities: Float32Array;
  readonly #ages: Float32Array;
  readonly #lives: Float32Array;
  readonly #seeds: Uint32Array;
  /** Columns of three numbers that a particle keeps. */
  readonly #threes: readonly Float32Array[];
  readonly #chanceOf = (which: 'frame' | 'start' | 'row', i: number): number => this.#chance(i, CHANCE[which]);
  readonly #startSizes: Float32Array;
  readonly #startColors: Float32Array;
  /** World matrix of the emitter, and where it was a step ago. */
  readonly #matrix = new Float64Array(16);
  readonly #last = new Float64Array(3);
  readonly #spread = new Float64Array(3).fill(1);
  /** Of particles in the scene's space: how much larger the emitter makes them. */
  #scale = 1;
  #hasMatrix = false;
  #time = 0;
  #wait = 0;
  #owed = 0;
  readonly #steps = new Steps(STEP);

  constructor(properties: Properties | undefined, seed: number) {
    this.#design = particleDesign(properties);
    const { look, unplayed, isWorld, most: wanted } = this.#design;
    this.look = look;
    this.unplayed = unplayed;
    this.isWorld = isWorld;
    this.#random = seeded(seed);
    const most = (this.most = Math.min(wanted, MOST_PARTICLES));
    const column = (width: number): Float32Array => new Float32Array(width * most);
    [this.positions, this.motions, this.sizes, this.angles] = [column(3), column(3), column(3), column(3)];
    [this.colors, this.frames, this.#velocities, this.#ages] = [column(4), column(1), column(3), column(1)];
    [this.#lives, this.#startSizes, this.#startColors] = [column(1), column(3), column(4)];
    this.#seeds = new Uint32Array(most);
    this.mirrors = new Uint8Array(most);
    this.#threes = [this.positions, this.motions, this.angles, this.#velocities, this.#startSizes];
    this.reset();
  }

  /** Nothing flies yet; a system that is warm from its start is. */
  reset(): void {
    this.count = 0;
    this.#time = this.#owed = 0;
    this.#steps.reset();
    this.#wait = this.#design.main.delay.at(0, this.#random());
    this.#hasMatrix = false;
  }

  /** Its particles come to an end, and there are none. */
  get isOver(): boolean {
    return this.count === 0 && !this.#design.main.loop && this.#time >= this.#design.main.duration;
  }

  /** Moves on by `seconds`; `matrix`: the emitter's, 16 numbers, in the scene's space; `spread`: how much wider its shape is than that says, for each axis. */
  advance(seconds: number, matrix: ArrayLike<number>, spread: readonly number[] = EVEN): void {
    for (let i = 0; i < 16; i++) this.#matrix[i] = matrix[i]!;
    for (let c = 0; c < 3; c++) this.#spread[c] = spread[c]!;
    this.#scale = this.isWorld ? scaleOf(this.#matrix) : 1;
    if (!this.#hasMatrix) {
      this.#hasMatrix = true;
      this.#last.set(this.#matrix.subarray(12, 15));
      const { isWarm, duration, loop } = this.#design.main;
      if (isWarm && loop) for (let i = Math.min(Math.ceil(duration / STEP), MOST_PREWARM); i > 0; i--) this.#step(STEP);
    }
    const steps = this.#steps.take(seconds * this.#design.main.speed);
    for (let i = 0; i < steps; i++) this.#step(STEP);
  }

  /** Sizes, angles, colours and pictures of all that live. */
  show(): void {
    const [across, upright] = this.look.flip as [number, number];
    for (let i = 0; i < this.count; i++) {
      if (across > 0 || upright > 0)
        this.mirrors[i] = Number(this.#chance(i, CHANCE.across) < across) + 2 * Number(this.#chance(i, CHANCE.upright) < upright);
      const age = Math.min(this.#ages[i]! / this.#lives[i]!, 1);
      for (let c = 0; c < 4; c++) this.colors[4 * i + c] = this.#startColors[4 * i + c]!;
      this.#design.shade?.tint(this.colors, 4 * i, age, this.#chance(i, CHANCE.color));
      for (let c = 0; c < 3; c++) this.sizes[3 * i + c] = this.#startSizes[3 * i + c]! * this.#scale;
      if (this.#design.grow) {
        const { x, y, z } = this.#design.grow;
        const random = this.#chance(i, CHANCE.size);
        this.sizes[3 * i]! *= x.at(age, random);
        this.sizes[3 * i + 1]! *= y.at(age, random);
        this.sizes[3 * i + 2]! *= z.at(age, random);
      }
      if (this.#design.sheet) this.frames[i] = this.#design.sheet.at(age, this.#ages[i]!, i, this.#chanceOf);
    }
  }

  /** From 0 to below 1: the same for a particle and a property, always. */
  #chance(i: number, property: number): number {
    let t = (this.#seeds[i]! + Math.imul(property, 0x9e3779b9)) | 0;
    t = Math.imul(t ^ (t >>> 15), 1 | t);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  #step(seconds: number): void {
    for (let i = this.count - 1; i >= 0; i--) this.#move(i, seconds);
    if (this.#wait > 0) {
      this.#wait -= seconds;
      return;
    }
    const { duration, loop } = this.#design.main;
    if (!loop && this.#time >= duration) return;
    const before = this.#time === 0 ? -1e-9 : this.#time; // so that a burst at the very beginning is one
    this.#time += seconds;
    this.#emitBetween(before, Math.min(this.#time, duration));
    if (loop && this.#time >= duration) {
      this.#time -= duration;
      this.#emitBetween(-1e-9, this.#time, true);
    }
  }

  /** Seconds of the system's own time. `isBurstsOnly`: the rate has been counted already. */
  #emitBetween(from: number, to: number, isBurstsOnly = false): void {
    const { duration } = this.#design.main;
    let count = 0;
    for (const burst of this.#design.bursts) count += this.#burstsBetween(burst, from, to);
    if (!isBurstsOnly) {
      this.#owed += Math.max(this.#design.rate.at(from / duration, this.#random()), 0) * STEP;
      if (!this.#design.perMetre.isNothing)
        this.#owed += Math.max(this.#design.perMetre.at(from / duration, this.#random()), 0) * this.#moved();
      const whole = Math.min(Math.floor(this.#owed + 1e-6), MOST_PARTICLES);
      this.#owed = Math.min(this.#owed - whole, 1);
      count += whole;
    }
    for (count = Math.min(count, this.most - this.count); count > 0; count--) this.#emit(to / duration);
  }

  #burstsBetween({ time, count, cycles, interval, probability }: Burst, from: number, to: number): number {
    let sum = 0;
    const first = Math.max(Math.floor((from - time) / interval), 0);
    for (let k = first; k < cycles && time + k * interval <= to; k++) {
      if (time + k * interval <= from) continue;
      if (this.#random() < probability) sum += Math.max(Math.round(count.at(time / this.#design.main.duration, this.#random())), 0);
    }
    return Math.min(sum, MOST_PARTICLES);
  }

  /** Metres since the last step. */
  #moved(): number {
    const m = this.#matrix;
    const far = length3(m[12]! - this.#last[0]!, m[13]! - this.#last[1]!, m[14]! - this.#last[2]!);
    this.#last.set(m.subarray(12, 15));
    return far;
  }

  #emit(time: number): void {
    const random = this.#random;
    const main = this.#design.main;
    const i = this.count++;
    const at = 3 * i;
    this.#seeds[i] = Math.floor(random() * 4294967296);
    set(place, 0, 0, 0);
    set(way, 0, 0, 1);
    this.#design.shape?.emit(random, place, way);
    const speed = main.speedAt.at(time, random());
    for (let c = 0; c < 3; c++) {
      const mirror = c === 2 ? -1 : 1;
      place[c]! *= mirror * this.#spread[c]!;
      way[c]! *= mirror * speed;
    }
    if (this.isWorld) {
      this.#toWorld(place, 1);
      this.#toWorld(way, 0);
    }
    for (let c = 0; c < 3; c++) {
      this.positions[at + c] = place[c]!;
      this.#velocities[at + c] = this.motions[at + c] = way[c]!;
    }
    this.#ages[i] = 0;
    this.#lives[i] = Math.max(main.life.at(time, random()), 1e-3);
    const same = random();
    const turn = random() < main.flip ? -1 : 1;
    for (let c = 0; c < 3; c++) {
      this.#startSizes[at + c] = Math.max(main.size[c]!.at(time, main.hasSizes ? random() : same), 0);
      this.angles[at + c] = turn * main.angle[c]!.at(time, main.hasAngles ? random() : same);
    }
    for (let c = 0; c < 4; c++) this.#startColors[4 * i + c] = 1;
    main.color.tint(this.#startColors, 4 * i, time, random());
  }

  #move(i: number, seconds: number): void {
    this.#ages[i]! += seconds;
    if (this.#ages[i]! >= this.#lives[i]!) return this.#end(i);
    const age = this.#ages[i]! / this.#lives[i]!;
    const at = 3 * i;
    const v = this.#velocities;
    if (!this.#design.main.gravity.isNothing) {
      set(way, 0, GRAVITY * this.#design.main.gravity.at(0, 0), 0);
      if (!this.isWorld) this.#toLocal(way);
      for (let c = 0; c < 3; c++) v[at + c]! += way[c]! * seconds;
    }
    if (this.#design.force) {
      this.#along(this.#design.force, age, this.#chance(i, CHANCE.force));
      for (let c = 0; c < 3; c++) v[at + c]! += way[c]! * seconds;
    }
    if (this.#design.limit) this.#slow(i, age, seconds);
    if (this.#design.drift) this.#along(this.#design.drift, age, this.#chance(i, CHANCE.speed));
    else set(way, 0, 0, 0);
    if (!this.#design.radial.isNothing) this.#away(i, this.#design.radial.at(age, this.#chance(i, CHANCE.speed)));
    const factor = this.#design.drift ? this.#design.modifier.at(age, this.#chance(i, CHANCE.modifier)) : 1;
    for (let c = 0; c < 3; c++) {
      this.motions[at + c] = (v[at + c]! + way[c]!) * factor;
      this.positions[at + c]! += this.motions[at + c]! * seconds;
    }
    if (this.#design.spin) {
      const random = this.#chance(i, CHANCE.spin);
      this.angles[at]! += this.#design.spin.x.at(age, random) * seconds;
      this.angles[at + 1]! += this.#design.spin.y.at(age, random) * seconds;
      this.angles[at + 2]! += this.#design.spin.z.at(age, random) * seconds;
    }
  }

  /** The last one takes its place. */
  #end(i: number): void {
    const last = --this.count;
    if (i === last) return;
    for (let k = 0; k < this.#threes.length; k++) this.#threes[k]!.copyWithin(3 * i, 3 * last, 3 * last + 3);
    this.#startColors.copyWithin(4 * i, 4 * last, 4 * last + 4);
    this.#ages[i] = this.#ages[last]!;
    this.#lives[i] = this.#lives[last]!;
    this.#seeds[i] = this.#seeds[last]!;
  }

  #slow(i: number, age: number, seconds: number): void {
    const { speed, dampen, drag } = this.#design.limit!;
    const v = this.#velocities;
    const at = 3 * i;
    const now = length3(v[at]!, v[at + 1]!, v[at + 2]!);
    const most = Math.max(speed.at(age, this.#chance(i, CHANCE.limit)), 0);
    let factor = 1;
    // Unity's damping is what a thirtieth of a second does.
    if (now > most) factor = 1 - (1 - most / now) * (1 - (1 - Math.min(Math.max(dampen, 0), 1)) ** (30 * seconds));
    factor *= Math.max(1 - drag.at(age, this.#chance(i, CHANCE.drag)) * seconds, 0);
    for (let c = 0; c < 3; c++) v[at + c]! *= factor;
  }

  /** Away from the emitter, on top of what `way` holds. */
  #away(i: number, speed: number): void {
    const at = 3 * i;
    for (let c = 0; c < 3; c++) place[c] = this.positions[at + c]! - (this.isWorld ? this.#matrix[12 + c]! : 0);
    const far = length3(place[0]!, place[1]!, place[2]!);
    if (far > 1e-6) for (let c = 0; c < 3; c++) way[c]! += (place[c]! / far) * speed;
  }

  /** Axes of Unity's as a vector of the space that positions are in, in `way`. */
  #along({ x, y, z, isWorld }: Axes, age: number, random: number): void {
    set(way, x.at(age, random), y.at(age, random), -z.at(age, random));
    if (isWorld && !this.isWorld) this.#toLocal(way);
    if (!isWorld && this.isWorld) this.#toWorld(way, 0);
  }

  #toWorld(v: Numbers, w: number): void {
    const m = this.#matrix;
    const [x, y, z] = [v[0]!, v[1]!, v[2]!];
    for (let c = 0; c < 3; c++) v[c] = m[c]! * x + m[4 + c]! * y + m[8 + c]! * z + m[12 + c]! * w;
  }

  /** A direction of the world in the emitter's axes, at the size that it has there. */
  #toLocal(v: Numbers): void {
    const m = this.#matrix;
    const [x, y, z] = [v[0]!, v[1]!, v[2]!];
    for (let c = 0, at = 0; c < 3; c++, at += 4) {
      const size = m[at]! ** 2 + m[at + 1]! ** 2 + m[at + 2]! ** 2;
      v[c] = size > 0 ? (m[at]! * x + m[at + 1]! * y + m[at + 2]! * z) / size : 0;
    }
  }
}

const EVEN: readonly number[] = [1, 1, 1];

/** The cube root of how much a matrix makes bodies larger. */
function scaleOf(m: Float64Array): number {
  return Math.cbrt(Math.abs(determinant(m)));
}

const place = [0, 0, 0];
const way = [0, 0, 0];

function set(to: Numbers, x: number, y: number, z: number): void {
  to[0] = x;
  to[1] = y;
  to[2] = z;
}
