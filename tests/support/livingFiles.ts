// Builds characters for tests of solvers and layers: Cast models that consist of boxes, with
// constraints and layered animations.
import { BoxGeometry, type BufferGeometry, Quaternion, Vector3 } from 'three';
import type { Clip } from '../../web/src/core/types.ts';
import { type Part, TestBody } from './bodies.ts';
import { castFile, type CastNode, type CastProperty, metadata, model, node } from './castFile.ts';

type Place = readonly [x: number, y: number, z: number];

const RATE = 30;

/** Geometry that is skinned to one bone. */
interface Solid {
  geometry: BufferGeometry;
  bone: number;
}

function meshOf(name: string, solids: readonly Solid[], material?: CastNode): CastNode {
  const [positions, normals, faces, joints]: number[][] = [[], [], [], []];
  for (const { geometry, bone } of solids) {
    const first = positions!.length / 3;
    const { position, normal } = geometry.attributes;
    positions!.push(...position!.array);
    normals!.push(...normal!.array);
    faces!.push(...Array.from(geometry.index!.array, vertex => first + vertex));
    joints!.push(...Array.from({ length: position!.count }, () => bone));
  }
  return node('mesh', {
    n: ['s', name],
    vp: ['3v', positions!],
    vn: ['3v', normals!],
    f: ['i', faces!],
    mi: ['b', [1]],
    wb: ['i', joints!],
    wv: ['f', joints!.map(() => 1)],
    ...(material && { m: ['l', material.hash] as CastProperty }),
  });
}

function bone(name: string, parent: number, place: Place, more: CastNode['properties'] = {}): CastNode {
  return node('bone', {
    n: ['s', name],
    p: ['i', [parent < 0 ? 0xffffffff : parent]],
    lp: ['3v', place],
    lr: ['4v', [0, 0, 0, 1]],
    ...more,
  });
}

/** Returns a box that connects two points. */
function limb(from: Vector3, to: Vector3, width: number): BufferGeometry {
  const way = to.clone().sub(from);
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), way.clone().normalize());
  const middle = from.clone().addScaledVector(way, 0.5);
  return new BoxGeometry(width, 0.94 * way.length(), width).applyQuaternion(turn).translate(middle.x, middle.y, middle.z);
}

function solidsOf({ bones }: TestBody): Solid[] {
  const solids: Solid[] = [];
  for (const [i, { part, place, parent }] of bones.entries()) {
    const above = bones[parent];
    const width = /Thumb|Index|Middle|Ring|Little/.test(part) ? 0.018 : /spine|neck|hips/.test(above?.part ?? '') ? 0.13 : 0.08;
    if (above && place.distanceTo(above.place) > 0.005) solids.push({ geometry: limb(above.place, place, width), bone: parent });
    if (part === 'head')
      solids.push({ geometry: new BoxGeometry(0.17, 0.24, 0.2).translate(place.x, place.y + 0.12, place.z + 0.02), bone: i });
  }
  return solids;
}

const bonesOf = ({ bones }: TestBody): CastNode[] =>
  bones.map(({ part, parent, place }) => {
    const from = bones[parent]?.place ?? new Vector3();
    return bone(part, parent, place.clone().sub(from).toArray());
  });

function motionOf(name: string, { tracks, frameCount }: Clip): CastNode {
  const kb = ['i', Array.from({ length: frameCount }, (_, i) => i)] as const;
  const curves = [...tracks].flatMap(({ target, path, values }) => {
    const curve = (kp: string, kv: CastProperty) => node('curv', { nn: ['s', target], kp: ['s', kp], kb, kv, m: ['s', 'absolute'] });
    const component = (c: number): number[] => Array.from({ length: frameCount }, (_, i) => values[3 * i + c]!);
    return path === 'rotation' ? [curve('rq', ['4v', [...values]])] : ['tx', 'ty', 'tz'].map((kp, c) => curve(kp, ['f', component(c)]));
  });
  return node('anim', { n: ['s', name], fr: ['f', [RATE]], lo: ['b', [1]] }, ...curves);
}

/**
 * Returns an animation in which body parts swing about an axis: the angles follow one period of a
 * sine. `degrees`: largest angle. `mode`: mode of the curves.
 */
function swayOf(name: string, seconds: number, parts: readonly [part: Part, axis: Place, degrees: number][], mode: string): CastNode {
  const frames = Math.round(seconds * RATE) + 1;
  const kb = ['i', Array.from({ length: frames }, (_, i) => i)] as const;
  const curves = parts.map(([part, axis, degrees]) => {
    const turns = Array.from({ length: frames }, (_, i) => {
      const angle = (degrees * Math.PI * Math.sin((2 * Math.PI * i) / (frames - 1))) / 180;
      return new Quaternion().setFromAxisAngle(new Vector3(...axis).normalize(), angle).toArray();
    });
    return node('curv', { nn: ['s', part], kp: ['s', 'rq'], kb, kv: ['4v', turns.flat()], m: ['s', mode] });
  });
  return node('anim', { n: ['s', name], fr: ['f', [RATE]], lo: ['b', [1]] }, ...curves);
}

const up = metadata({ up: 'y' });

/**
 * Builds a Cast file with a body whose left foot is placed on a step by an IK handle. The knee
 * points to a pole in front of the body.
 */
export function stepFile(): Uint8Array {
  const body = new TestBody({ armsDown: 0 });
  const bones = bonesOf(body);
  const at = (part: Part): number => body.bones.findIndex(each => each.part === part);
  const { place } = body.bones[at('leftFoot')]!;
  const goal = bone('goal', -1, [place.x, 0.38 + place.y, 0.3]);
  const pole = bone('pole', -1, [place.x, 0.8, 1.5]);
  const step = bone('step', -1, [0, 0, 0]);
  const box = new BoxGeometry(0.5, 0.38, 0.4).translate(place.x, 0.19, 0.36);
  const handle = node('ikhd', {
    n: ['s', 'left leg'],
    sb: ['l', bones[at('leftUpperLeg')]!.hash],
    eb: ['l', bones[at('leftFoot')]!.hash],
    tb: ['l', goal.hash],
    pv: ['l', pole.hash],
  });
  const skeleton = node('skel', {}, ...bones, goal, pole, step, handle);
  return castFile(
    up,
    model('leg on a step', skeleton, meshOf('body', solidsOf(body)), meshOf('step', [{ geometry: box, bone: bones.length + 2 }])),
  );
}

/**
 * Builds a Cast file with a running body and an additive breathing clip, in which trunk and
 * shoulders rise and sink.
 */
export function breathFile(): Uint8Array {
  const body = new TestBody();
  const run = body.clip('Run', 1, RATE, time => {
    const { turns, hips } = body.walk(time, 0);
    return { turns, hips };
  });
  const breath = swayOf(
    'Breath',
    3,
    [
      ['spine2', [1, 0, 0], -14],
      ['leftShoulder', [0, 0, 1], 16],
      ['rightShoulder', [0, 0, 1], -16],
      ['head', [1, 0, 0], 14],
    ],
    'additive',
  );
  const skeleton = node('skel', {}, ...bonesOf(body));
  return castFile(up, model('runner', skeleton, meshOf('body', solidsOf(body))), motionOf('Run', run), breath);
}

/**
 * Builds a Cast file with a body to whose fingers recorded hands can be retargeted. `part`: pattern
 * for the names of the visible parts.
 */
export function fingersFile(part = /./): Uint8Array {
  const body = new TestBody();
  const solids = solidsOf(body).filter(({ bone }) => part.test(body.bones[bone]!.part));
  return castFile(up, model('fingers', node('skel', {}, ...bonesOf(body)), meshOf('body', solids)));
}
