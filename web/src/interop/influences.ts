// Bone influences of the loaders' geometries. GLTFLoader draws only the first four influences of a
// vertex, and keeps further sets as attributes that it does not use (joints_1, weights_1 …).
import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute } from 'three';
import type { Mesh } from '../core/types.ts';

export type Attribute = BufferAttribute | InterleavedBufferAttribute;

/** Returns the values of an attribute as floats, without a copy if possible. */
export function floats(attribute: Attribute, width: number): Float32Array {
  const { array } = attribute as BufferAttribute;
  const isOwn = !('isInterleavedBufferAttribute' in attribute) && attribute.itemSize === width;
  if (isOwn && array instanceof Float32Array && array.length === width * attribute.count) return array;
  const result = new Float32Array(width * attribute.count);
  for (let i = 0; i < attribute.count; i++)
    for (let c = 0; c < width; c++) result[width * i + c] = c < attribute.itemSize ? attribute.getComponent(i, c) : 1;
  return result;
}

/** Joints and weights, four per vertex. */
interface InfluenceSet {
  joints: Float32Array;
  weights: Float32Array;
}

/** Returns joints and weights. The weights of each vertex have a sum of 1. */
export function influencesOf(geometry: BufferGeometry): Partial<Mesh> {
  const first = setIn(geometry, 'skinIndex', 'skinWeight');
  if (!first) return {};
  const weights = first.weights.slice();
  for (let at = 0; at < weights.length; at += 4) normalise(weights.subarray(at, at + 4));
  const plain = { joints: Uint16Array.from(first.joints), weights, maxInfluences: 4 };
  const further: InfluenceSet[] = [];
  for (let n = 1; ; n++) {
    const set = setIn(geometry, `joints_${n}`, `weights_${n}`);
    if (!set || set.joints.length !== first.joints.length) break;
    further.push(set);
  }
  return further.length > 0 ? (withFurther({ joints: first.joints, weights }, further) ?? plain) : plain;
}

function setIn(geometry: BufferGeometry, joints: string, weights: string): InfluenceSet | null {
  const [own, theirs] = [joints, weights].map(name => geometry.getAttribute(name) as Attribute | undefined);
  return own && theirs && own.count === theirs.count ? { joints: floats(own, 4), weights: floats(theirs, 4) } : null;
}

/** Scales weights to a sum of 1, if their sum is positive. */
function normalise(weights: Float32Array | number[]): void {
  let sum = 0;
  for (const weight of weights) sum += weight;
  if (sum > 0) for (let k = 0; k < weights.length; k++) weights[k]! /= sum;
}

/**
 * Returns all influences, strongest first, or null if no vertex has more than four. GLTFLoader has
 * scaled the first four weights of each vertex to a sum of 1. All weights of a vertex have a sum of
 * 1 in glTF, so the first four get the rest of the further ones.
 */
function withFurther(first: InfluenceSet, further: readonly InfluenceSet[]): Partial<Mesh> | null {
  const vertices = first.joints.length / 4;
  const influenceOffsets = new Uint32Array(vertices + 1);
  const [allJoints, allWeights]: [number[], number[]] = [[], []];
  const [joints, weights] = [new Uint16Array(4 * vertices), new Float32Array(4 * vertices)];
  let most = 0;
  for (let v = 0; v < vertices; v++) {
    const found: { joint: number; weight: number }[] = [];
    const add = (set: InfluenceSet, share: number): void => {
      for (let k = 4 * v; k < 4 * v + 4; k++)
        if (set.weights[k]! * share > 0) found.push({ joint: set.joints[k]!, weight: set.weights[k]! * share });
    };
    for (const set of further) add(set, 1);
    add(first, Math.max(1 - found.reduce((sum, { weight }) => sum + weight, 0), 0));
    found.sort((a, b) => b.weight - a.weight);
    const own = found.map(({ weight }) => weight);
    normalise(own);
    allJoints.push(...found.map(({ joint }) => joint));
    allWeights.push(...own);
    influenceOffsets[v + 1] = allJoints.length;
    most = Math.max(most, found.length);
    const four = own.slice(0, 4);
    normalise(four);
    joints.set(
      found.slice(0, 4).map(({ joint }) => joint),
      4 * v,
    );
    weights.set(four, 4 * v);
  }
  if (most <= 4) return null;
  return {
    joints,
    weights,
    influenceOffsets,
    influenceJoints: Uint16Array.from(allJoints),
    influenceWeights: Float32Array.from(allWeights),
    maxInfluences: most,
  };
}
