// Builds Cast files from nested nodes, for tests of readers. Each property has a type that
// determines how its value is encoded.
export type CastProperty = readonly [type: 's' | 'b' | 'i' | 'l' | 'f' | '2v' | '3v' | '4v', value: string | bigint | readonly number[]];

export interface CastNode {
  id: string;
  properties: Readonly<Record<string, CastProperty>>;
  children: CastNode[];
  hash: bigint;
}

let nextHash = 1n;

export function node(id: string, properties: CastNode['properties'] = {}, ...children: CastNode[]): CastNode {
  return { id, properties, children, hash: nextHash++ };
}

export function castFile(...children: CastNode[]): Uint8Array {
  const bytes = encode(node('root', {}, ...children));
  return join([u32(0x74736163, 1, 1, 0), bytes]);
}

function encode({ id, properties, children, hash }: CastNode): Uint8Array {
  const content = join([...Object.entries(properties).map(([name, property]) => encodeProperty(name, property)), ...children.map(encode)]);
  const head = new DataView(new ArrayBuffer(24));
  for (let i = 0; i < 4; i++) head.setUint8(i, id.charCodeAt(i));
  head.setUint32(4, 24 + content.length, true);
  head.setBigUint64(8, hash, true);
  head.setUint32(16, Object.keys(properties).length, true);
  head.setUint32(20, children.length, true);
  return join([new Uint8Array(head.buffer), content]);
}

function encodeProperty(name: string, [type, value]: CastProperty): Uint8Array {
  const width = { s: 1, b: 1, i: 1, l: 1, f: 1, '2v': 2, '3v': 3, '4v': 4 }[type];
  const payload =
    typeof value === 'string'
      ? new TextEncoder().encode(`${value}\0`)
      : typeof value === 'bigint'
        ? new Uint8Array(BigUint64Array.of(value).buffer)
        : type === 'b'
          ? Uint8Array.from(value)
          : type === 'i'
            ? new Uint8Array(Uint32Array.from(value).buffer)
            : new Uint8Array(Float32Array.from(value).buffer);
  const count = typeof value === 'object' ? value.length / width : 1;
  const head = new DataView(new ArrayBuffer(8));
  for (let i = 0; i < type.length; i++) head.setUint8(i, type.charCodeAt(i));
  head.setUint16(2, name.length, true);
  head.setUint32(4, count, true);
  return join([new Uint8Array(head.buffer), new TextEncoder().encode(name), payload]);
}

function u32(...values: number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(values).buffer);
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/**
 * Returns a mesh of one triangle in the XY plane, which faces +Z and has its right angle at the
 * origin. `size`: length of its legs.
 */
export function triangle(name: string, size = 1, more: CastNode['properties'] = {}): CastNode {
  return node('mesh', { n: ['s', name], vp: ['3v', [0, 0, 0, size, 0, 0, 0, size, 0]], f: ['b', [0, 1, 2]], ...more });
}

export function model(name: string, ...children: CastNode[]): CastNode {
  return node('modl', { n: ['s', name] }, ...children);
}

export interface Placing {
  p?: readonly number[];
  r?: readonly number[];
  s?: readonly number[];
  n?: string;
}

export function instance(path: string, { p = [0, 0, 0], r = [0, 0, 0, 1], s = [1, 1, 1], n }: Placing = {}): CastNode {
  const file = node('file', { p: ['s', path] });
  return node(
    'inst',
    { ...(n !== undefined && { n: ['s', n] as CastProperty }), rf: ['l', file.hash], p: ['3v', p], r: ['4v', r], s: ['3v', s] },
    file,
  );
}

export function metadata(properties: Record<string, string>): CastNode {
  return node('meta', Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, ['s', value]])));
}
