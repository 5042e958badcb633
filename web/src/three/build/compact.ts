// Packs vertex attributes as normalized 16-bit integers, as in KHR_mesh_quantization. three.js and
// its shaders convert them back to the original range.
import { BufferAttribute, InterleavedBuffer, InterleavedBufferAttribute } from 'three';

const MAX_INT16 = 32767;

/**
 * Packs normals as 16-bit integers with an error of 1/65534. Normals longer than 1 are normalized,
 * as in the shader. GPUs require that each vertex takes a multiple of four bytes, so each normal
 * has an unused fourth component.
 */
export function compactNormals(normals: Float32Array): InterleavedBufferAttribute {
  const values = new Int16Array((normals.length / 3) * 4);
  for (let from = 0, to = 0; from < normals.length; from += 3, to += 4) {
    const [x, y, z] = [normals[from]!, normals[from + 1]!, normals[from + 2]!];
    const scale = MAX_INT16 / Math.max(1, Math.sqrt(x * x + y * y + z * z));
    values[to] = Math.round(x * scale);
    values[to + 1] = Math.round(y * scale);
    values[to + 2] = Math.round(z * scale);
  }
  return new InterleavedBufferAttribute(new InterleavedBuffer(values, 4), 3, 0, true);
}

export function compactTangents(tangents: Float32Array): BufferAttribute {
  return new BufferAttribute(
    Int16Array.from(tangents, value => Math.round(value * MAX_INT16)),
    4,
    true,
  );
}

/**
 * Packs weights, four per vertex, as 16-bit integers. The first weight, which is the largest,
 * absorbs the rounding error, because a sum other than 1 would scale the model.
 */
export function compactWeights(weights: Float32Array): BufferAttribute {
  const values = Uint16Array.from(weights, value => Math.round(value * 65535));
  for (let at = 0; at < values.length; at += 4) {
    const sum = values[at]! + values[at + 1]! + values[at + 2]! + values[at + 3]!;
    if (sum > 0) values[at]! += 65535 - sum;
  }
  return new BufferAttribute(values, 4, true);
}
