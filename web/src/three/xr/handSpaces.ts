// Computes the target ray and the grip space of a recorded hand from its joints. Headsets report
// both, but recordings don't contain them.
import { type Matrix4, type Object3D, Vector3 } from 'three';
import type { Hand } from './hands.ts';

/** Offset of a shoulder from the head, in metres: down (`DOWN`) and sideways. */
const DOWN = 0.16;
const ASIDE = 0.17;

/**
 * Writes the target ray of a hand to `result`, in world space: −Z is the direction of the ray, and
 * +Y is up. The ray leads from the shoulder through the knuckle of the index finger, as in MRTK and
 * most headsets, or along the hand if the head is unknown. Returns false if joints are missing.
 */
export function targetRayOf({ joints, handedness }: Hand, head: Object3D | null, result: Matrix4): boolean {
  const knuckle = joints['index-finger-phalanx-proximal'];
  const wrist = joints['wrist'];
  if (!knuckle || !wrist) return false;
  from.setFromMatrixPosition(knuckle.matrixWorld);
  if (head) {
    // Shoulders are level even if the head is tilted.
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
 * Writes the WebXR grip space of a hand to `result`, with its origin at the middle of the palm. −Z
 * points along a held rod towards the thumb. +X points out of the back of the right hand, and into
 * the back of the left hand. Returns false if joints are missing.
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
