// Small Cast files with one skeleton. They test conversion rules to which other files don't lead.
import { castFile, model, node, triangle, type CastNode, type CastProperty } from './castFile.ts';

const NO_PARENT = 0xffffffff;

export interface RigBone {
  name: string;
  parent?: number;
  place?: readonly number[];
  turn?: readonly number[];
  scale?: readonly number[];
}

export function skeleton(bones: readonly RigBone[]): CastNode {
  return node(
    'skel',
    {},
    ...bones.map(({ name, parent = -1, place = [0, 0, 0], turn = [0, 0, 0, 1], scale }) =>
      node('bone', {
        n: ['s', name],
        p: ['i', [parent < 0 ? NO_PARENT : parent]],
        lp: ['3v', place],
        lr: ['4v', turn],
        ...(scale && { s: ['3v', scale] as CastProperty }),
      }),
    ),
  );
}

/** Returns a curve with keys at integer frames. */
export function curve(bone: string, kind: string, frames: readonly number[], values: readonly number[], mode = 'absolute'): CastNode {
  const type = kind === 'rq' ? '4v' : 'f';
  return node('curv', { nn: ['s', bone], kp: ['s', kind], kb: ['i', frames], kv: [type, values], m: ['s', mode] });
}

export function animation(name: string, ...curves: CastNode[]): CastNode {
  return node('anim', { n: ['s', name], fr: ['f', [30]], lo: ['b', [1]] }, ...curves);
}

/** Returns a triangle that is skinned to one bone. */
export const skinned = (name: string, bone: number, size = 1): CastNode =>
  triangle(name, size, { wb: ['b', [bone, bone, bone]], wv: ['f', [1, 1, 1]], mi: ['b', [1]], vn: ['3v', [0, 0, 1, 0, 0, 1, 0, 0, 1]] });

/**
 * Builds a Cast file with a chain of eight bones that have rest rotations. Their curves declare
 * `absolute`, but rotations are the identity, and heights grow to 1, 2, … 8, so the values look
 * like differences from the rest pose. At frame 10, bone `b7` is at (8.4, 36, 0).
 */
export function zero8(): Uint8Array {
  const turn = [0, 0, Math.sin(0.7), Math.cos(0.7)];
  const names = Array.from({ length: 8 }, (_, i) => `b${i}`);
  const bones = names.map((name, i): RigBone => ({ name, parent: i - 1, place: [i === 0 ? 0 : 1.2, 0.5, 0], turn }));
  const identity = [0, 0, 0, 1, 0, 0, 0, 1];
  const curves = names.flatMap((name, i) => [curve(name, 'rq', [0, 10], identity), curve(name, 'ty', [0, 10], [0, i + 1])]);
  return castFile(model('zero8', skeleton(bones), skinned('skin', 7)), animation('rise', ...curves));
}

/** Builds a Cast file with an unskinned triangle on a scaled model. */
export function scaledTriangle(scale: readonly number[]): Uint8Array {
  const mesh = node('mesh', {
    n: ['s', 'side'],
    vp: ['3v', [0, 0, 0, 1, 0, 0, 0, 2, 0]],
    vn: ['3v', [0, 0, 1, 0, 0, 1, 0, 0, 1]],
    f: ['b', [0, 1, 2]],
  });
  return castFile(
    node('modl', { n: ['s', 'scaled'], p: ['3v', [0.5, 0, 0]], r: ['4v', [0, 0, Math.sin(0.4), Math.cos(0.4)]], s: ['3v', scale] }, mesh),
  );
}

/** Builds a Cast file with three animated bones and a skinned mesh on a scaled model. */
export function scaledArm(scale: readonly number[], modes: 'absolute' | 'relative' | 'additive' = 'absolute'): Uint8Array {
  const turn = [0.1, 0.2, Math.sin(0.5), 0.8].map(value => value / Math.hypot(0.1, 0.2, Math.sin(0.5), 0.8));
  const bones = [
    { name: 'hip', place: [0.2, 1, 0], turn },
    { name: 'knee', parent: 0, place: [0, 1.5, 0.3], turn },
    { name: 'foot', parent: 1, place: [0.4, 1, 0] },
  ];
  const bent = [0, 0, 0, 1, 0.1, 0.3, -0.2, Math.sqrt(1 - 0.14)];
  const moves = (bone: string): CastNode[] => [
    curve(bone, 'rq', [0, 10], bent, modes === 'additive' ? 'additive' : 'absolute'),
    curve(bone, 'tx', [0, 10], [0.2, 0.7], modes),
    curve(bone, 'ty', [0, 10], [1, 1.5], modes),
    curve(bone, 'tz', [0, 10], [0, -0.4], modes),
  ];
  const skin = [0, 1, 2].map(bone => skinned(`skin${bone}`, bone, 0.5));
  const arm = node(
    'modl',
    { n: ['s', 'arm'], p: ['3v', [1, 2, 3]], r: ['4v', [0, Math.sin(0.4), 0, Math.cos(0.4)]], s: ['3v', scale] },
    skeleton(bones),
    ...skin,
  );
  return castFile(arm, animation('bend', ...moves('hip'), ...moves('knee')));
}

/**
 * Builds a Cast file whose model has the same name as one of its bones. This bone moves from 1 to
 * 5. At frame 10, bone `knee` is at (0, 6, 0).
 */
export function sameName(): Uint8Array {
  const bones = [
    { name: 'hip', place: [0, 1, 0] },
    { name: 'knee', parent: 0, place: [0, 1, 0] },
  ];
  return castFile(model('hip', skeleton(bones), skinned('skin', 1)), animation('up', curve('hip', 'ty', [0, 10], [1, 5])));
}
