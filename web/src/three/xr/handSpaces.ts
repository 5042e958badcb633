// Where a recorded hand points, and how it holds things: spaces that headsets tell and recordings do not have, made of joints.
import { type Matrix4, type Object3D, Vector3 } from 'three';
import type { Hand } from './hands.ts';

/** From the head to a shoulder, metres: down and aside. */
const DOWN = 0.16;
const ASIDE = 0.17;

/**
 * The ray that a hand points with, away from the shoulder through the knuckle of the index finger, as MRTK's own and most headsets' do; without a head along the
 * hand. −Z points, +Y is up. `result` is in the space that world matrices are in. False where the joints for it are missing.
 */
export function targetRayOf({ joints, handedness }: Hand, head: Object3D | null, result: Matrix4): boolean {
  const knuckle = joints['index-finger-phalanx-proximal'];
  const wrist = joints['wrist'];
  if (!knuckle || !wrist) return false;
  from.setFromMatrixPosition(knuckle.matrixWorld);
  if (head) {
    // The head may be tilted, shoulders are level.
    x.setFromMatrixColumn(head.matrixWorld, 0).setY(0);
    if (x.lengthSq() < 1e-6) x.set(1, 0, 0);
    start.setFromMatrixPosition(head.matrixWorld).addScaledVector(x.normalize(), handedness === 'left' ? -ASIDE : ASIDE);
    start.y -= DOWN;
  } else start.setFromMatrixPosition(wrist.matrixWorld);
  z.subVectors(start, from);
  if (z.lengthSq() < 1e-8) return false;
  z.normalize();
  x.crossVectors(Math.abs(z.y) > 0.99 ? forward : up, z).normalize();
  y.crossVectors(z, x);
  result.makeBasis(x, y, z).setPosition(from);
  return true;
}

/**
 * How a hand holds a rod, by the rules of WebXR's grip space: −Z along it to the thumb, X out of the back of the right hand and into that of the left, from the middle of the
 * palm. False where the joints for it are missing.
 */
export function gripOf({ joints, handedness }: Hand, result: Matrix4): boolean {
  const [wrist, knuckle] = [joints['wrist'], joints['middle-finger-phalanx-proximal']];
  const palm = joints['palm'] ?? joints['middle-finger-metacarpal'];
  if (!wrist || !knuckle || !palm) return false;
  from.setFromMatrixPosition(wrist.matrixWorld).lerp(start.setFromMatrixPosition(knuckle.matrixWorld), 0.5);
  if (joints['palm']) from.setFromMatrixPosition(palm.matrixWorld);
  const side = handedness === 'left' ? -1 : 1;
  z.setFromMatrixColumn(palm.matrixWorld, 0).normalize().multiplyScalar(side);
  x.setFromMatrixColumn(palm.matrixWorld, 1).normalize().multiplyScalar(side);
  y.crossVectors(z, x);
  result.makeBasis(x, y, z).setPosition(from);
  return true;
}

const up = /*@__PURE__*/ new Vector3(0, 1, 0);
const forward = /*@__PURE__*/ new Vector3(0, 0, -1);
const from = /*@__PURE__*/ new Vector3();
const start = /*@__PURE__*/ new Vector3();
const x = /*@__PURE__*/ new Vector3();
const y = /*@__PURE__*/ new Vector3();
const z = /*@__PURE__*/ new Vector3();
