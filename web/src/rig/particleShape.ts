// Where particles begin and which way they go: Unity's emitters, in Unity's axes, where they open along +Z (docs/formats/vgo.md, section 5.13).
import { type Numbers } from '../core/math/vector.ts';
import { numberIn, numbersIn } from '../core/properties.ts';
import type { PropertyValue } from '../core/types.ts';

type Random = () => number;

const RADIANS = Math.PI / 180;

/** Shapes by Unity's numbers that are known here; what a mesh or a sprite emits from is not in the file. */
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
/** Those of them that emit from their surface alone. */
const SHELLS: ReadonlySet<number> = new Set([1, 3, 7, 9, 11]);

export class EmitterShape {
  readonly #type: number;
  readonly #radius: number;
  /** The part of the radius that is hollow. */
  readonly #hollow: number;
  readonly #donut: number;
  readonly #angle: number;
  readonly #arc: number;
  readonly #length: number;
  readonly #chance: { direction: number; sphere: number; position: number };
  readonly #scale: readonly number[];
  readonly #place: readonly number[];
  /** Row-major. */
  readonly #turn: readonly number[];

  /** Null where the shape is off: then they begin at the emitter and go along its axis. */
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
    this.#donut = Math.max(number('donutRadius'), 0);
    this.#angle = Math.min(Math.max(number('angle'), 0), 90) * RADIANS;
    this.#arc = number('arc', 360) * RADIANS;
    this.#length = number('length');
    this.#chance = {
      direction: number('randomDirectionAmount'),
      sphere: number('sphericalDirectionAmount'),
      position: number('randomPositionAmount'),
    };
    this.#scale = numbersIn(shape, 'scale', [1, 1, 1]);
    this.#place = numbersIn(shape, 'position', [0, 0, 0]);
    this.#turn = turnOf(numbersIn(shape, 'rotation', [0, 0, 0]));
  }

  /** What it does is known here. */
  get isKnown(): boolean {
    return Object.hasOwn(KINDS, this.#type);
  }

  /** Writes three numbers each: a place in the emitter's space, and a direction of length one. */
  emit(random: Random, place: Numbers, way: Numbers): void {
    this.#begin(random, place, way);
    const { direction, sphere, position } = this.#chance;
    if (sphere > 0) mix(way, place, sphere);
    if (direction > 0) {
      onSphere(random, other);
      mix(way, other, direction);
    }
    if (position > 0) {
      onSphere(random, other);
      const far = position * Math.cbrt(random());
      for (let c = 0; c < 3; c++) place[c]! += other[c]! * far;
    }
    for (let c = 0; c < 3; c++) place[c]! *= this.#scale[c]!;
    apply(this.#turn, place);
    apply(this.#turn, way);
    unit(way);
    for (let c = 0; c < 3; c++) place[c]! += this.#place[c]!;
  }

  #begin(random: Random, place: Numbers, way: Numbers): void {
    set(place, 0, 0, 0);
    set(way, 0, 0, 1);
    switch (KINDS[this.#type]) {
      case 'sphere':
      case 'hemisphere': {
        onSphere(random, way);
        if (KINDS[this.#type] === 'hemisphere') way[2] = Math.abs(way[2]!);
        const inner = this.#hollow ** 3;
        const far = this.#radius * Math.cbrt(inner + (1 - inner) * random());
        for (let c = 0; c < 3; c++) place[c] = way[c]! * far;
        return;
      }
      case 'cone': {
        const share = this.#onDisc(random, place);
        const angle = this.#angle * share;
        const sine = Math.sin(angle) / (this.#radius * share || 1);
        set(way, place[0]! * sine, place[1]! * sine, Math.cos(angle));
        const isVolume = this.#type === 8 || this.#type === 9;
        const far = isVolume ? this.#length * random() : 0;
        for (let c = 0; c < 3; c++) place[c]! += way[c]! * far;
        return;
      }
      case 'circle':
        this.#onDisc(random, place);
        set(way, place[0]!, place[1]!, 0);
        return;
      case 'donut': {
        const around = random() * this.#arc;
        const inside = 2 * Math.PI * random();
        const far = this.#donut * Math.sqrt(this.#hollow ** 2 + (1 - this.#hollow ** 2) * random());
        const out = this.#radius + far * Math.cos(inside);
        set(place, out * Math.cos(around), out * Math.sin(around), far * Math.sin(inside));
        set(way, Math.cos(inside) * Math.cos(around), Math.cos(inside) * Math.sin(around), Math.sin(inside));
        return;
      }
      case 'box':
        this.#inBox(random, place);
        return;
      case 'rectangle':
        set(place, random() - 0.5, random() - 0.5, 0);
        return;
      case 'edge':
        set(place, this.#radius * (2 * random() - 1), 0, 0);
        set(way, 0, 1, 0);
        return;
      default:
        onSphere(random, way);
    }
  }

  /** A point of the disc; returns how far out it is, 0 to 1. */
  #onDisc(random: Random, place: Numbers): number {
    const around = random() * this.#arc;
    const inner = this.#hollow ** 2;
    const share = Math.sqrt(inner + (1 - inner) * random());
    set(place, this.#radius * share * Math.cos(around), this.#radius * share * Math.sin(around), 0);
    return share;
  }

  #inBox(random: Random, place: Numbers): void {
    set(place, random() - 0.5, random() - 0.5, random() - 0.5);
    // A face, or an edge: one axis, or two, at an end.
    const axis = Math.floor(3 * random());
    const ends = this.#type === 15 ? [axis] : this.#type === 16 ? [axis, (axis + 1) % 3] : [];
    for (const c of ends) place[c] = random() < 0.5 ? -0.5 : 0.5;
  }
}

const other = [0, 0, 0];

function set(to: Numbers, x: number, y: number, z: number): void {
  to[0] = x;
  to[1] = y;
  to[2] = z;
}

function onSphere(random: Random, to: Numbers): void {
  const z = 2 * random() - 1;
  const around = 2 * Math.PI * random();
  const flat = Math.sqrt(1 - z * z);
  set(to, flat * Math.cos(around), flat * Math.sin(around), z);
}

/** Turns a direction by a share towards another one. */
function mix(way: Numbers, into: Numbers, share: number): void {
  const size = Math.sqrt(into[0]! ** 2 + into[1]! ** 2 + into[2]! ** 2);
  if (!(size > 0)) return;
  for (let c = 0; c < 3; c++) way[c]! += (into[c]! / size - way[c]!) * Math.min(share, 1);
}

function unit(way: Numbers): void {
  const size = Math.sqrt(way[0]! ** 2 + way[1]! ** 2 + way[2]! ** 2);
  if (size > 0) for (let c = 0; c < 3; c++) way[c]! /= size;
  else set(way, 0, 0, 1);
}

/** Degrees about z, then x, then y, as Unity means it. */
function turnOf(angles: readonly number[]): readonly number[] {
  const [x, y, z] = angles.map(angle => (Number.isFinite(angle) ? angle : 0) * RADIANS) as [number, number, number];
  const [cx, cy, cz] = [Math.cos(x), Math.cos(y), Math.cos(z)];
  const [sx, sy, sz] = [Math.sin(x), Math.sin(y), Math.sin(z)];
  return [
    cy * cz + sy * sx * sz,
    sy * sx * cz - cy * sz,
    sy * cx,
    cx * sz,
    cx * cz,
    -sx,
    cy * sx * sz - sy * cz,
    sy * sz + cy * sx * cz,
    cy * cx,
  ];
}

function apply(m: readonly number[], v: Numbers): void {
  const [x, y, z] = [v[0]!, v[1]!, v[2]!];
  for (let r = 0; r < 3; r++) v[r] = m[3 * r]! * x + m[3 * r + 1]! * y + m[3 * r + 2]! * z;
}
