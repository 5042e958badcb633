// Compresses glTF buffers with EXT_meshopt_compression. The compression is lossless, but triangles
// can start at another corner.
import { numberAt } from '../../core/math/column.ts';
import { joined } from '../common/written.ts';
import type { JSONDocument } from '../vendor/gltfTransform.ts';
import { MeshoptEncoder } from '../vendor/meshopt.ts';
import { padded, paddedLength } from './glb.ts';

const NAME = 'EXT_meshopt_compression';

type Json = JSONDocument['json'];
type View = NonNullable<Json['bufferViews']>[number];
type Accessor = NonNullable<Json['accessors']>[number];

const SIZES: Readonly<Record<number, number>> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const WIDTHS: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };
const TRIANGLES = 4;
/** Maximum stride that the extension allows, in bytes. */
const WIDEST = 256;

/** A buffer view to write, and its encoding. */
interface Plan {
  view: View;
  bytes: Uint8Array;
  /** Encoding and stride of the view, or null if the view is not compressed. */
  how: { mode: 'ATTRIBUTES' | 'TRIANGLES' | 'INDICES'; stride: number } | null;
}

/** Compresses the buffer of a glTF. Updates the JSON in place and returns the new buffer. */
export async function withMeshopt(json: Json, numbers: Uint8Array): Promise<Uint8Array> {
  await MeshoptEncoder.ready;
  const plans = plansOf(json, numbers);
  const pieces: Uint8Array[] = [];
  let length = 0;
  let fallbackLength = 0;
  let isUsed = false;
  for (const { view, bytes, how } of plans) {
    const count = how ? bytes.length / how.stride : 0;
    const packed = how && count > 0 ? MeshoptEncoder.encodeGltfBuffer(bytes, count, how.stride, how.mode) : bytes;
    const isPacked = how !== null && packed.length < bytes.length;
    const piece = isPacked ? packed : bytes;
    if (isPacked) {
      isUsed = true;
      view.extensions = {
        ...view.extensions,
        [NAME]: { buffer: 0, byteOffset: length, byteLength: packed.length, byteStride: how.stride, mode: how.mode, count },
      };
      Object.assign(view, { buffer: 1, byteOffset: fallbackLength, byteLength: bytes.length });
      fallbackLength += paddedLength(bytes.length);
    } else Object.assign(view, { buffer: 0, byteOffset: length, byteLength: bytes.length });
    pieces.push(padded(piece));
    length += paddedLength(piece.length);
  }
  json.bufferViews = plans.map(({ view }) => view);
  const [buffer] = json.buffers ?? [];
  json.buffers = [{ ...buffer, byteLength: length }];
  if (isUsed) {
    // The extension requires a fallback buffer, which has no bytes in the file.
    json.buffers.push({ byteLength: fallbackLength, extensions: { [NAME]: { fallback: true } } });
    json.extensionsUsed = [...(json.extensionsUsed ?? []), NAME];
    json.extensionsRequired = [...(json.extensionsRequired ?? []), NAME];
  }
  return joined(pieces);
}

/**
 * Decides how each buffer view is encoded. A view with indices is split into one view per accessor,
 * because triangles and lines are encoded differently.
 */
function plansOf({ bufferViews = [], accessors = [], meshes = [], images = [] }: Json, numbers: Uint8Array): Plan[] {
  const faces = new Map<number, boolean>();
  for (const { primitives } of meshes)
    for (const { indices, mode = TRIANGLES } of primitives)
      if (indices !== undefined) faces.set(indices, mode === TRIANGLES && faces.get(indices) !== false);
  const users = bufferViews.map((): { accessor: Accessor; row: number }[] => []);
  for (const [row, accessor] of accessors.entries()) users[accessor.bufferView ?? -1]?.push({ accessor, row });
  const plans: Plan[] = [];
  const places: number[] = []; // new index of each view that is not split
  for (const [i, view] of bufferViews.entries()) {
    const from = view.byteOffset ?? 0;
    const own = users[i] ?? [];
    places.push(plans.length);
    if (own.length === 0 || !own.every(({ row }) => faces.has(row))) {
      for (const { accessor } of own) accessor.bufferView = plans.length;
      const stride = strideOf(
        view,
        own.map(({ accessor }) => accessor),
      );
      plans.push({
        view: { ...view },
        bytes: numbers.subarray(from, from + view.byteLength),
        how: stride > 0 ? { mode: 'ATTRIBUTES', stride } : null,
      });
      continue;
    }
    for (const { accessor, row } of own) {
      const size = SIZES[accessor.componentType] ?? 1;
      const at = from + (accessor.byteOffset ?? 0);
      const mode = faces.get(row) && accessor.count % 3 === 0 ? 'TRIANGLES' : 'INDICES';
      accessor.bufferView = plans.length;
      delete accessor.byteOffset;
      plans.push({
        view: { ...view },
        bytes: numbers.subarray(at, at + size * accessor.count),
        how: size > 1 ? { mode, stride: size } : null,
      });
    }
  }
  const move = (owner: { bufferView?: number } | undefined): void => {
    if (owner?.bufferView !== undefined) owner.bufferView = numberAt(places, owner.bufferView);
  };
  for (const image of images) move(image);
  for (const { sparse } of accessors) for (const part of [sparse?.indices, sparse?.values]) move(part);
  return plans;
}

/**
 * Returns the stride in bytes that all accessors of a view share, or 0 if the view cannot be
 * compressed.
 */
function strideOf({ byteStride, byteLength }: View, users: readonly Accessor[]): number {
  if (users.length === 0) return 0;
  const sizes = new Set(users.map(({ componentType, type }) => (SIZES[componentType] ?? 1) * (WIDTHS[type] ?? 1)));
  const [size = 0] = sizes;
  const stride = byteStride ?? (sizes.size === 1 && size % 4 === 0 && users.length === 1 ? size : 4);
  return stride % 4 === 0 && stride <= WIDEST && byteLength % stride === 0 ? stride : 0;
}
