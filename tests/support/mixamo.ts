// Builds animations as Mixamo exports them: an FBX skeleton with curves, and a BVH. Bones have
// world axes; lengths are in centimetres.
import { Euler, type EulerOrder, type Quaternion, Vector3 } from 'three';
import type { Part, TestBody } from './bodies.ts';

export interface MovingBody {
  body: TestBody;
  nameOf: (part: Part) => string;
  seconds: number;
  rate: number;
  poseAt: (time: number) => { turns: ReadonlyMap<Part, Quaternion>; hips: Vector3 };
}

const DEGREES = 180 / Math.PI;
/** Number of FBX time units per second. */
const TICKS = 46_186_158_000;

interface Frame {
  translations: Vector3[];
  rotations: Quaternion[];
}

function framesOf({ body, seconds, rate, poseAt }: MovingBody): Frame[] {
  return Array.from({ length: Math.round(seconds * rate) + 1 }, (_, i) => {
    const { turns, hips } = poseAt(i / rate);
    return body.locals(turns, hips);
  });
}

/**
 * Returns the Euler angles of a bone in degrees, one vector per frame. Consecutive angles have no
 * jumps of 360°.
 */
function anglesOf(frames: readonly Frame[], bone: number, order: EulerOrder): Vector3[] {
  let last = new Vector3();
  return frames.map(({ rotations }) => {
    const { x, y, z } = new Euler().setFromQuaternion(rotations[bone]!, order);
    const near = (angle: number, before: number): number => angle * DEGREES - 360 * Math.round((angle * DEGREES - before) / 360);
    return (last = new Vector3(near(x, last.x), near(y, last.y), near(z, last.z)));
  });
}

/**
 * Builds an FBX 7.4 text file as Mixamo exports it: one take, and LimbNodes whose rest pose is a
 * T-pose. `hasMesh`: adds a triangle, so that the file counts as a model with an animation.
 */
export function mixamoFbx(moving: MovingBody, hasMesh = false): ArrayBuffer {
  const { body, nameOf, rate } = moving;
  const frames = framesOf(moving);
  const rest = body.locals(new Map(), body.hipHeight());
  const objects: string[] = [];
  const links: string[] = [];
  const modelOf = (bone: number): number => 1000 + bone;
  let next = 10_000;
  const times = frames.map((_, i) => Math.round((i / rate) * TICKS)).join(',');
  const curves = (bone: number, what: 'T' | 'R', property: string, values: readonly Vector3[]): void => {
    const node = next++;
    objects.push(`\tAnimationCurveNode: ${node}, "AnimCurveNode::${what}", "" {\n\t\tProperties70:  {\n\t\t}\n\t}`);
    links.push(`\tC: "OO",${node},3`, `\tC: "OP",${node},${modelOf(bone)}, "${property}"`);
    for (const axis of ['x', 'y', 'z'] as const) {
      const curve = next++;
      const list = values.map(value => value[axis].toFixed(5)).join(',');
      objects.push(
        `\tAnimationCurve: ${curve}, "AnimCurve::", "" {\n\t\tDefault: 0\n\t\tKeyVer: 4008\n\t\tKeyTime: *${frames.length} {\n\t\t\ta: ${times}\n\t\t}\n\t\tKeyValueFloat: *${frames.length} {\n\t\t\ta: ${list}\n\t\t}\n\t}`,
      );
      links.push(`\tC: "OP",${curve},${node}, "d|${axis.toUpperCase()}"`);
    }
  };
  for (const [bone, { part, parent }] of body.bones.entries()) {
    const [x, y, z] = rest.translations[bone]!.toArray().map(value => 100 * value);
    objects.push(
      `\tModel: ${modelOf(bone)}, "Model::${nameOf(part)}", "LimbNode" {\n\t\tVersion: 232\n\t\tProperties70:  {\n\t\t\tP: "Lcl Translation", "Lcl Translation", "", "A",${x},${y},${z}\n\t\t}\n\t}`,
    );
    links.push(`\tC: "OO",${modelOf(bone)},${parent < 0 ? 0 : modelOf(parent)}`);
    curves(bone, 'R', 'Lcl Rotation', anglesOf(frames, bone, 'ZYX'));
    if (parent < 0)
      curves(
        bone,
        'T',
        'Lcl Translation',
        frames.map(({ translations }) => translations[bone]!.clone().multiplyScalar(100)),
      );
  }
  if (hasMesh) {
    objects.push(
      '\tGeometry: 5, "Geometry::skin", "Mesh" {\n\t\tVertices: *9 {\n\t\t\ta: 0,0,0,1,0,0,0,1,0\n\t\t}\n\t\tPolygonVertexIndex: *3 {\n\t\t\ta: 0,1,-3\n\t\t}\n\t}',
      '\tModel: 6, "Model::skin", "Mesh" {\n\t\tVersion: 232\n\t}',
    );
    links.push('\tC: "OO",6,0', '\tC: "OO",5,6');
  }
  const text = `; FBX 7.4.0 project file
FBXHeaderExtension:  {
\tFBXHeaderVersion: 1003
\tFBXVersion: 7400
}
GlobalSettings:  {
\tVersion: 1000
\tProperties70:  {
\t\tP: "UpAxis", "int", "Integer", "",1
\t\tP: "UnitScaleFactor", "double", "Number", "",1
\t}
}
Objects:  {
${objects.join('\n')}
\tAnimationStack: 2, "AnimStack::mixamo.com", "" {
\t\tProperties70:  {
\t\t\tP: "LocalStop", "KTime", "Time", "",${Math.round(((frames.length - 1) / rate) * TICKS)}
\t\t}
\t}
\tAnimationLayer: 3, "AnimLayer::Layer0", "" {
\t}
}
Connections:  {
\tC: "OO",3,2
${links.join('\n')}
}
`;
  return new TextEncoder().encode(text).buffer;
}

/**
 * Builds a BVH file with positions of the hips, and with rotations of all bones in the order Z, X,
 * Y.
 */
export function mixamoBvh(moving: MovingBody): string {
  const { body, nameOf, rate } = moving;
  const frames = framesOf(moving);
  const rest = body.locals(new Map(), body.hipHeight());
  const order: number[] = [];
  const lines: string[] = ['HIERARCHY'];
  const write = (bone: number, depth: number): void => {
    order.push(bone);
    const pad = '\t'.repeat(depth);
    const place = bone === 0 ? [0, 0, 0] : rest.translations[bone]!.toArray();
    const offset = place.map(value => (100 * value).toFixed(5)).join(' ');
    lines.push(`${pad}${bone === 0 ? 'ROOT' : 'JOINT'} ${nameOf(body.bones[bone]!.part)}`, `${pad}{`, `${pad}\tOFFSET ${offset}`);
    lines.push(`${pad}\tCHANNELS ${bone === 0 ? '6 Xposition Yposition Zposition' : '3'} Zrotation Xrotation Yrotation`);
    const children = body.bones.flatMap(({ parent }, i) => (parent === bone ? [i] : []));
    for (const child of children) write(child, depth + 1);
    if (children.length === 0) lines.push(`${pad}\tEnd Site`, `${pad}\t{`, `${pad}\t\tOFFSET 0 0 0`, `${pad}\t}`);
    lines.push(`${pad}}`);
  };
  write(0, 0);
  const angles = order.map(bone => anglesOf(frames, bone, 'ZXY'));
  lines.push('MOTION', `Frames: ${frames.length}`, `Frame Time: ${(1 / rate).toFixed(7)}`);
  for (const [i, { translations }] of frames.entries()) {
    const place = translations[0]!.toArray().map(value => 100 * value);
    const turns = angles.flatMap(each => [each[i]!.z, each[i]!.x, each[i]!.y]);
    lines.push([...place, ...turns].map(value => value.toFixed(5)).join(' '));
  }
  return lines.join('\n');
}
