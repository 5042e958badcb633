// Builds small PSK and PSA files byte by byte (little-endian).

export type Write = (view: DataView, at: number) => void;

export function chunk(id: string, size: number, records: Write[]): Uint8Array {
  const bytes = new Uint8Array(32 + size * records.length);
  const view = new DataView(bytes.buffer);
  text(view, 0, id);
  view.setInt32(20, 1999801, true);
  view.setInt32(24, size, true);
  view.setInt32(28, records.length, true);
  for (const [i, write] of records.entries()) write(view, 32 + i * size);
  return bytes;
}

export function text(view: DataView, at: number, value: string): void {
  for (const [i, byte] of new TextEncoder().encode(value).entries()) view.setUint8(at + i, byte);
}

export function floats(view: DataView, at: number, values: readonly number[]): void {
  for (const [i, value] of values.entries()) view.setFloat32(at + 4 * i, value, true);
}

export function join(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * Builds the records of a chain of bones with a distance of 10 units between them. `names`: names
 * of the bones from root to tip. `turn`: rotation of the root, a quaternion.
 */
function boneRecords(names: readonly string[], turn: readonly number[] = [0, 0, 0, 1]): Write[] {
  return names.map((name, i) => (view, at) => {
    text(view, at, name);
    view.setInt32(at + 68, i === names.length - 1 ? 0 : 1, true);
    view.setInt32(at + 72, Math.max(i - 1, 0), true);
    floats(view, at + 76, [...(i === 0 ? turn : [0, 0, 0, 1]), 0, 0, i === 0 ? 0 : 10]);
  });
}

export interface PskParts {
  bones?: readonly string[];
  /** Number of quads along each side of the grid, which has (side + 1)² points. */
  side?: number;
  material?: string;
  /**
   * Names of the materials (default: only `material`). The triangles are divided equally among the
   * materials.
   */
  materials?: readonly string[];
  /** Polygon flags of all materials, such as 2 for additive. */
  flags?: number;
  /** Rotation of the root bone, a quaternion. */
  turn?: readonly number[];
  hasNormals?: boolean;
}

/** Builds a PSK with a flat grid on a chain of bones. Every point follows one bone. */
export function makePsk({
  bones = ['root', 'arm'],
  side = 2,
  material = 'Skin',
  materials = [material],
  flags = 0,
  turn,
  hasNormals = false,
}: PskParts = {}): Uint8Array<ArrayBuffer> {
  const row = side + 1;
  const points = Array.from({ length: row * row }, (_, i) => i);
  const quads = Array.from({ length: side * side }, (_, i) => Math.floor(i / side) * row + (i % side));
  const triangles = quads.flatMap(a => [
    [a, a + 1, a + row + 1],
    [a, a + row + 1, a + row],
  ]);
  const wide = points.length > 65536;
  return join(
    chunk('ACTRHEAD', 0, []),
    chunk(
      'PNTS0000',
      12,
      points.map(i => (view, at) => floats(view, at, [i % row, 0, Math.floor(i / row)])),
    ),
    chunk(
      'VTXW0000',
      16,
      points.map(i => (view, at) => {
        view.setUint32(at, i, true);
        floats(view, at + 4, [(i % row) / side, Math.floor(i / row) / side]);
      }),
    ),
    chunk(
      wide ? 'FACE3200' : 'FACE0000',
      wide ? 18 : 12,
      triangles.map((corners, i) => (view, at) => {
        for (const [j, corner] of corners.entries()) {
          if (wide) view.setUint32(at + 4 * j, corner, true);
          else view.setUint16(at + 2 * j, corner, true);
        }
        view.setUint8(at + (wide ? 12 : 6), Math.floor((i * materials.length) / triangles.length));
        view.setUint32(at + (wide ? 14 : 8), 1, true);
      }),
    ),
    chunk(
      'MATT0000',
      88,
      materials.map(name => (view, at) => {
        text(view, at, name);
        view.setUint32(at + 68, flags, true);
      }),
    ),
    chunk('REFSKELT', 120, boneRecords(bones, turn)),
    chunk(
      'RAWWEIGHTS',
      12,
      points.map(i => (view, at) => {
        view.setFloat32(at, 1, true);
        view.setInt32(at + 4, i, true);
        view.setInt32(at + 8, i % bones.length, true);
      }),
    ),
    ...(hasNormals
      ? [
          chunk(
            'VTXNORMS',
            12,
            points.map(() => (view, at) => floats(view, at, [0, 1, 0])),
          ),
        ]
      : []),
  );
}

export interface PsaParts {
  bones?: readonly string[];
  sequences?: readonly string[];
  frames?: number;
  /**
   * Returns the position of a bone in a frame. By default, bones have the same positions as in
   * `makePsk`, except that the first bone moves along x.
   */
  position?: (bone: number, frame: number) => readonly [number, number, number];
}

export function makePsa({ bones = ['root', 'arm'], sequences = ['Run'], frames = 3, position }: PsaParts = {}): Uint8Array<ArrayBuffer> {
  const place: NonNullable<PsaParts['position']> = position ?? ((bone, frame) => (bone === 0 ? [frame, 0, 0] : [0, 0, 10]));
  const keys = sequences.length * frames * bones.length;
  return join(
    chunk('ANIMHEAD', 0, []),
    chunk('BONENAMES', 120, boneRecords(bones)),
    chunk(
      'ANIMINFO',
      168,
      sequences.map((name, i) => (view, at) => {
        text(view, at, name);
        text(view, at + 64, 'None');
        view.setInt32(at + 128, bones.length, true);
        view.setInt32(at + 140, bones.length * frames, true);
        floats(view, at + 144, [1, frames, 30]);
        view.setInt32(at + 160, i * frames, true);
        view.setInt32(at + 164, frames, true);
      }),
    ),
    chunk(
      'ANIMKEYS',
      32,
      Array.from({ length: keys }, (_, i) => (view, at) => {
        const frame = Math.floor(i / bones.length) % frames;
        floats(view, at, [...place(i % bones.length, frame), 0, 0, 0, 1, 1]);
      }),
    ),
  );
}

/** Returns a copy of `bytes` in which `values` replace the bytes from `offset` on. */
export function patched(bytes: Uint8Array, offset: number, ...values: number[]): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(bytes);
  copy.set(values, offset);
  return copy;
}
