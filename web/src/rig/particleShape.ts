// Chooses random start positions and directions of particles within the shape of an emitter. The
// axes are Unity's: shapes open along +Z (docs/formats/vgo.md, section 5.13).
import { fromAxisAngle, multiply, type Quat, quat, rotateVector } from '../core/math/quaternion.ts';
import {
  addScaled,
  copyVector,
  length,
  multiplyScalar,
  multiplyVector,
  normalize,
  setVector,
  toVec3,
  type Vec3,
  vec3,
  type VectorLike,
} from '../core/math/vector.ts';
import { numberIn, numbersIn } from '../core/properties.ts';
import type { PropertyValue } from '../core/types.ts';

type Random = () => number;

const RADIANS = Math.PI / 180;

/**
 * Supported emitter shapes by their numbers in Unity. The other shapes need a mesh or sprite, which
 * the files don't contain.
 */
const KINDS: Readonly<Record<number, 'sphere' | 'hemisphere' | 'cone' | 'box' | 'circle' | 'edge' | 'donut' | 'rectangle'>> = {
  0: 'sphere',
  1: 'sphere',
  2: 'hemisphere',
  3: 'hemisphere',
  4: 'cone',
  5: 'box',
  7: 'cone',
  8: 'cone',
  9: 'cone',
  10: 'circle',
  11: 'circle',
  12: 'edge',
  15: 'box',
  16: 'box',
  17: 'donut',
  18: 'rectangle',
};
/** Numbers of the emitter shapes that emit only from their surface. */
const SHELLS: ReadonlySet<number> = new Set([1, 3, 7, 9, 11]);
const CONE_VOLUMES: ReadonlySet<number> = new Set([8, 9]);
const BOX_SHELL = 15;
const BOX_EDGE = 16;

export class EmitterShape {
  readonly #type: number;
  readonly #radius: number;
  /** Inner radius of the emitting volume as a fraction of its outer radius. */
  readonly #hollow: number;
  readonly #donutRadius: number;
  /** Angle in radians between the axis and the side of a cone. */
  readonly #angle: number;
  readonly #arc: number;
  readonly #length: number;
  readonly #chance: { direction: number; sphere: number; position: number };
  readonly #scale: Vec3;
  readonly #position: Vec3;
  readonly #rotation: Quat;

  /**
   * Returns null if the shape is disabled. Particles then start at the origin of the emitter and
   * move along +Z.
   */
  static of(shape: PropertyValue | undefined, isOn: boolean): EmitterShape | null {
    return isOn ? new EmitterShape(shape) : null;
  }

  constructor(shape: PropertyValue | undefined) {
    const number = (name: string, otherwise = 0): number => {
      const value = numberIn(shape, name, otherwise);
      return Number.isFinite(value) ? value : 0;
    };
    this.#type = number('shapeType');
    this.#radius = Math.max(number('radius'), 0);
    const thickness = SHELLS.has(this.#type) ? 0 : Math.min(Math.max(number('radiusThickness'), 0), 1);
    this.#hollow = 1 - thickness;
    this.#donutRadius = Math.max(number('donutRadius'), 0);
    this.#angle = Math.min(Math.max(number('angle'), 0), 90) * RADIANS;
    this.#arc = number('arc', 360) * RADIANS;
    this.#length = number('length');
    this.#chance = {
      direction: number('randomDirectionAmount'),
      sphere: number('sphericalDirectionAmount'),
      position: number('randomPositionAmount'),
    };
    this.#scale = toVec3(numbersIn(shape, 'scale', [1, 1, 1]));
    this.#position = toVec3(numbersIn(shape, 'position', [0, 0, 0]));
    this.#rotation = rotationOf(numbersIn(shape, 'rotation', [0, 0, 0]));
  }

  /**
   * True if the shape is supported. Unsupported shapes emit in all directions from the origin of
   * the emitter.
   */
  get isKnown(): boolean {
    return Object.hasOwn(KINDS, this.#type);
  }

  /**
   * Writes a random start position and a random direction of unit length, both in emitter space.
   */
  emit(random: Random, position: VectorLike, direction: VectorLike): void {
    this.#emitFromShape(random, position, direction);
    const chance = this.#chance;
    if (chance.sphere > 0) blendDirection(direction, position, chance.sphere);
    if (chance.direction > 0) {
      onSphere(random, other);
      blendDirection(direction, other, chance.direction);
    }
    if (chance.position > 0) {
      onSphere(random, other);
      addScaled(position, 0, other, chance.position * Math.cbrt(random()));
    }
    multiplyVector(position, this.#scale);
    rotateVector(position, 0, this.#rotation);
    rotateVector(direction, 0, this.#rotation);
    if (length(direction) > 0) normalize(direction);
    else setVector(direction, 0, 0, 1);
    addScaled(position, 0, this.#position, 1);
  }

  #emitFromShape(random: Random, position: VectorLike, direction: VectorLike): void {
    setVector(position, 0, 0, 0);
    setVector(direction, 0, 0, 1);
    switch (KINDS[this.#type]) {
      case 'sphere':
      case 'hemisphere': {
        onSphere(random, direction);
        if (KINDS[this.#type] === 'hemisphere') direction[2] = Math.abs(direction[2]);
        const inner = this.#hollow ** 3;
        copyVector(position, 0, direction, 0);
        multiplyScalar(position, this.#radius * Math.cbrt(inner + (1 - inner) * random()));
        return;
      }
      case 'cone': {
        const share = this.#onDisc(random, position);
        const angle = this.#angle * share;
        const sine = Math.sin(angle) / (this.#radius * share || 1);
        setVector(direction, position[0] * sine, position[1] * sine, Math.cos(angle));
        addScaled(position, 0, direction, CONE_VOLUMES.has(this.#type) ? this.#length * random() : 0);
        return;
      }
      case 'circle':
        this.#onDisc(random, position);
        setVector(direction, position[0], position[1], 0);
        return;
      case 'donut': {
        const around = random() * this.#arc;
        const inside = 2 * Math.PI * random();
        const far = this.#donutRadius * Math.sqrt(this.#hollow ** 2 + (1 - this.#hollow ** 2) * random());
        const out = this.#radius + far * Math.cos(inside);
        setVector(position, out * Math.cos(around), out * Math.sin(around), far * Math.sin(inside));
        setVector(direction, Math.cos(inside) * Math.cos(around), Math.cos(inside) * Math.sin(around), Math.sin(inside));
        return;
      }
      case 'box':
        this.#inBox(random, position);
        return;
      case 'rectangle':
        setVector(position, random() - 0.5, random() - 0.5, 0);
        return;
      case 'edge':
        setVector(position, this.#radius * (2 * random() - 1), 0, 0);
        setVector(direction, 0, 1, 0);
        return;
      default:
        onSphere(random, direction);
    }
  }

  /**
   * Writes a random point of the disc with the radius of the shape. Returns its distance from the
   * centre as a fraction of the radius.
   */
  #onDisc(random: Random, position: VectorLike): number {
    const around = random() * this.#arc;
    const inner = this.#hollow ** 2;
    const share = Math.sqrt(inner + (1 - inner) * random());
    setVector(position, this.#radius * share * Math.cos(around), this.#radius * share * Math.sin(around), 0);
    return share;
  }

  #inBox(random: Random, position: VectorLike): void {
    setVector(position, random() - 0.5, random() - 0.5, random() - 0.5);
    // For a point on a face, one coordinate is at the limit of the box; for a point on an edge, two
    // are.
    const axis = Math.floor(3 * random());
    const ends = this.#type === BOX_SHELL ? [axis] : this.#type === BOX_EDGE ? [axis, (axis + 1) % 3] : [];
    for (const c of ends) position[c as 0 | 1 | 2] = random() < 0.5 ? -0.5 : 0.5;
  }
}

const other = vec3();

/** Writes a random unit vector. All directions are equally likely. */
function onSphere(random: Random, result: VectorLike): void {
  const z = 2 * random() - 1;
  const around = 2 * Math.PI * random();
  const flat = Math.sqrt(1 - z * z);
  setVector(result, flat * Math.cos(around), flat * Math.sin(around), z);
}

/**
 * Blends the unit vector `direction` linearly towards the direction of `target`. `share`: weight of
 * `target`, 0 to 1.
 */
function blendDirection(direction: VectorLike, target: VectorLike, share: number): void {
  const size = length(target);
  if (!(size > 0)) return;
  const blend = Math.min(share, 1);
  multiplyScalar(direction, 1 - blend);
  addScaled(direction, 0, target, blend / size);
}

/**
 * Converts Unity's Euler angles in degrees to a rotation: first about z, then about x, then about
 * y.
 */
function rotationOf(angles: readonly number[]): Quat {
  const [x = 0, y = 0, z = 0] = angles.map(angle => (Number.isFinite(angle) ? angle : 0) * RADIANS);
  const result = quat();
  const next = quat();
  fromAxisAngle(result, 0, 0, 1, z);
  fromAxisAngle(next, 1, 0, 0, x);
  multiply(result, 0, next, 0, result, 0);
  fromAxisAngle(next, 0, 1, 0, y);
  multiply(result, 0, next, 0, result, 0);
  return result;
}
