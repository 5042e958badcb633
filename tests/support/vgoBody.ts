// Builds a VGO avatar from a body of tests/support/bodies.ts. It has nodes and Unity's humanoid
// mapping.
import { Matrix4, Quaternion, Vector3 } from 'three';
import type { TestBody } from './bodies.ts';
// @ts-expect-error a plain script
import { encodeVgo as encode, VgoResource as Resource } from './vgoFile.mjs';

const encodeVgo = encode as (file: object) => Uint8Array<ArrayBuffer>;
const VgoResource = Resource as new () => { add(values: ArrayLike<number>, type: string, kind?: number): number };

/** Unity's numbers for human bones. */
const HUMAN: Readonly<Record<string, number>> = {
  hips: 0,
  leftUpperLeg: 1,
  rightUpperLeg: 2,
  leftLowerLeg: 3,
  rightLowerLeg: 4,
  leftFoot: 5,
  rightFoot: 6,
  spine1: 7,
  spine2: 8,
  neck1: 9,
  head: 10,
  leftShoulder: 11,
  rightShoulder: 12,
  leftUpperArm: 13,
  rightUpperArm: 14,
  leftLowerArm: 15,
  rightLowerArm: 16,
  leftHand: 17,
  rightHand: 18,
  leftToes: 19,
  rightToes: 20,
};

export function vgoBody(body: TestBody): Uint8Array<ArrayBuffer> {
  const { nodes: table } = body.scene;
  const resource = new VgoResource();
  // The root comes first. The other nodes follow in the order of the body, parents before children,
  // as the format requires.
  const nodes: Record<string, unknown>[] = [{ name: 'avatar', isRoot: true, isActive: true, children: [1] }];
  const matrices = new Matrix4().toArray();
  const scale = new Vector3(1, 1, 1);
  for (let row = 1; row < table.length; row++) {
    const place = new Vector3().fromArray(table.translations, 3 * row);
    matrices.push(...new Matrix4().compose(place, new Quaternion().fromArray(table.rotations, 4 * row), scale).toArray());
    const children = Array.from({ length: table.length }, (_, i) => i).filter(i => table.parents[i] === row);
    nodes.push({ name: body.bones[row - 1]!.part, isActive: true, ...(children.length > 0 && { children }) });
  }
  resource.add(Float32Array.from(matrices), 'mat4', 2);
  nodes[0]!['animator'] = {
    name: 'avatar',
    humanAvatar: {
      name: 'avatar',
      humanBones: Object.entries(HUMAN).map(([part, humanBodyBone]) => ({ humanBodyBone, nodeIndex: body.row(part) })),
    },
  };
  const assetInfo = { generatorName: 'test', generatorVersion: '2.5.22', specVersion: '2.5' };
  return encodeVgo({ assetInfo, layout: { nodes }, resource });
}
