// Builds parts of characters as PSK files. Tests choose the bones that a part covers; it has a box
// on each of them.
import { chunk, floats, join, makePsa, type PsaParts, text, type Write } from './actorx.ts';

/** Parent and rest position of each bone, in file units. Z points up. */
export type Bones = Readonly<Record<string, readonly [parent: string, x: number, y: number, z: number]>>;

export const HUMAN: Bones = {
  Root: ['', 0, 0, 0],
  Pelvis: ['Root', 0, 0, 100],
  Spine: ['Pelvis', 0, 0, 130],
  Head: ['Spine', 0, 0, 165],
  UpperArm_L: ['Spine', 20, 0, 150],
  LowerArm_L: ['UpperArm_L', 45, 0, 150],
  Hand_L: ['LowerArm_L', 70, 0, 150],
  UpperArm_R: ['Spine', -20, 0, 150],
  LowerArm_R: ['UpperArm_R', -45, 0, 150],
  Hand_R: ['LowerArm_R', -70, 0, 150],
  Thigh_L: ['Pelvis', 10, 0, 95],
  Calf_L: ['Thigh_L', 10, 0, 50],
  Foot_L: ['Calf_L', 10, 0, 8],
  Thigh_R: ['Pelvis', -10, 0, 95],
  Calf_R: ['Thigh_R', -10, 0, 50],
  Foot_R: ['Calf_R', -10, 0, 8],
};

/** Names of all bones of `HUMAN` that have a surface. */
export const BODY = Object.keys(HUMAN).filter(name => name !== 'Root');
export const BOOTS = ['Foot_L', 'Foot_R', 'Calf_L', 'Calf_R'];

/**
 * Returns the bones with changed rest positions. `place`: returns the new position for the old one.
 */
export const moved = (bones: Bones, place: (x: number, y: number, z: number) => readonly [number, number, number]): Bones =>
  Object.fromEntries(Object.entries(bones).map(([name, [parent, ...at]]) => [name, [parent, ...place(...at)] as const]));

/** Returns the rest position of each bone relative to its parent. */
const restsOf = (bones: Bones): (readonly [number, number, number])[] =>
  Object.values(bones).map(([parent, x, y, z]) => {
    const [, px, py, pz] = bones[parent] ?? ['', 0, 0, 0];
    return [x - px, y - py, z - pz];
  });

/**
 * Builds a PSA for a skeleton. The first bone moves along x by one unit per frame. `lift`: its
 * height above its rest position, in units.
 */
export function makeWalk({
  bones = HUMAN,
  lift = 0,
  ...options
}: Omit<PsaParts, 'bones' | 'position'> & { bones?: Bones; lift?: number } = {}): Uint8Array<ArrayBuffer> {
  const rests = restsOf(bones);
  const position: PsaParts['position'] = (bone, frame) => {
    const [x, y, z] = rests[bone]!;
    return bone === 0 ? [x + frame, y, z + lift] : [x, y, z];
  };
  return makePsa({ frames: 31, ...options, bones: Object.keys(bones), position });
}

export interface PartOptions {
  bones?: Bones;
  /** Bones on which the part has a box, and half the side length of the boxes in units. */
  covers: readonly string[];
  size?: number;
  material?: string;
}

/**
 * Builds a PSK of a character part, with a box around each covered bone that is skinned to this
 * bone.
 */
export function makePart({ bones = HUMAN, covers, size = 8, material = 'Skin' }: PartOptions): Uint8Array<ArrayBuffer> {
  const names = Object.keys(bones);
  const rests = restsOf(bones);
  const rows = new Map(names.map((name, row) => [name, row]));
  const points = covers.flatMap(name => {
    const [, x, y, z] = bones[name]!;
    return Array.from({ length: 8 }, (_, i) => ({
      at: [x + (i & 1 ? size : -size), y + (i & 2 ? size : -size), z + (i & 4 ? size : -size)],
      row: rows.get(name)!,
    }));
  });
  const sides = [0, 1, 3, 2, 4, 6, 7, 5, 0, 4, 5, 1, 2, 3, 7, 6, 0, 2, 6, 4, 1, 5, 7, 3];
  const triangles = covers.flatMap((_, box) =>
    Array.from({ length: 6 }, (__, side) => sides.slice(4 * side, 4 * side + 4).map(corner => 8 * box + corner)).flatMap(([a, b, c, d]) => [
      [a!, b!, c!],
      [a!, c!, d!],
    ]),
  );
  return join(
    chunk('ACTRHEAD', 0, []),
    chunk(
      'PNTS0000',
      12,
      points.map(
        ({ at }): Write =>
          (view, to) =>
            floats(view, to, at),
      ),
    ),
    chunk(
      'VTXW0000',
      16,
      points.map(
        (_, i): Write =>
          (view, to) =>
            view.setUint32(to, i, true),
      ),
    ),
    chunk(
      'FACE0000',
      12,
      triangles.map(
        (corners): Write =>
          (view, to) =>
            corners.forEach((corner, i) => view.setUint16(to + 2 * i, corner, true)),
      ),
    ),
    chunk('MATT0000', 88, [(view, to) => text(view, to, material)]),
    chunk(
      'REFSKELT',
      120,
      names.map((name, row): Write => (view, to) => {
        const [parent] = bones[name]!;
        text(view, to, name);
        view.setInt32(to + 68, names.filter(each => bones[each]![0] === name).length, true);
        view.setInt32(to + 72, Math.max(rows.get(parent) ?? row, 0), true);
        floats(view, to + 76, [0, 0, 0, 1, ...rests[row]!]);
      }),
    ),
    chunk(
      'RAWWEIGHTS',
      12,
      points.map(({ row }, i): Write => (view, to) => {
        view.setFloat32(to, 1, true);
        view.setInt32(to + 4, i, true);
        view.setInt32(to + 8, row, true);
      }),
    ),
  );
}
