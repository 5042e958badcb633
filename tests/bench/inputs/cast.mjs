// Writes the content of the benchmark as Cast files with the conventions of the reference writer: Y
// up, metres, and the smallest integer types that hold the values.
import { boneCount, chain, frameRate } from './content.mjs';

const typeCodes = { b: 'b\0', h: 'h\0', i: 'i\0', l: 'l\0', f: 'f\0', s: 's\0', '2v': '2v', '3v': '3v', '4v': '4v' };
const widths = { '2v': 2, '3v': 3, '4v': 4 };

let hash = 0x534e495752545250n;

/**
 * Returns a node as a list of buffers, which is written without being joined. `properties` contains
 * items of the form `[name, type, text | hash | typed array]`.
 */
function node(id, properties, children = [], own = hash++) {
  const parts = [];
  for (const [name, type, value] of properties) {
    const payload =
      typeof value === 'string'
        ? Buffer.from(`${value}\0`)
        : typeof value === 'bigint'
          ? Buffer.from(BigUint64Array.of(value).buffer)
          : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    const head = Buffer.alloc(8 + name.length);
    head.write(typeCodes[type], 0, 'latin1');
    head.writeUInt16LE(name.length, 2);
    head.writeUInt32LE(typeof value === 'object' ? value.length / (widths[type] ?? 1) : 1, 4);
    head.write(name, 8, 'latin1');
    parts.push(head, payload);
  }
  for (const child of children) parts.push(...child.parts);
  const size = 24 + parts.reduce((sum, { length }) => sum + length, 0);
  const header = Buffer.alloc(24);
  header.write(id, 0, 'latin1');
  header.writeUInt32LE(size, 4);
  header.writeBigUInt64LE(own, 8);
  header.writeUInt32LE(properties.length, 16);
  header.writeUInt32LE(children.length, 20);
  return { parts: [header, ...parts], own };
}

function file(children) {
  const header = Buffer.alloc(16);
  header.write('cast', 0, 'latin1');
  header.writeUInt32LE(1, 4);
  header.writeUInt32LE(1, 8);
  return Buffer.concat([header, ...node('root', [], children).parts]);
}

const f32 = (...values) => Float32Array.from(values);
const u8 = (...values) => Uint8Array.from(values);

function skeleton(count = boneCount) {
  const { offsets, names } = chain();
  return node(
    'skel',
    [],
    Array.from({ length: count }, (_, bone) =>
      node('bone', [
        ['n', 's', names[bone] ?? `bone_${bone}`],
        ['p', 'i', Uint32Array.of(bone - 1)],
        ['ssc', 'b', u8(0)],
        ['lp', '3v', bone < boneCount ? offsets.subarray(bone * 3, bone * 3 + 3) : f32(0, 0.02, 0)],
        ['lr', '4v', f32(0, 0, 0, 1)],
      ]),
    ),
  );
}

/** Writes the result of `tube` (content.mjs) as one skinned mesh. */
export function writeCastMesh({ vertices, positions, normals, joints, weights, pointOfVertex, uvs, triangles }) {
  const spread = (values, width) => {
    const out = new values.constructor(vertices * width);
    pointOfVertex.forEach((point, vertex) => {
      for (let k = 0; k < width; k++) out[vertex * width + k] = values[point * width + k];
    });
    return out;
  };
  const isSmall = vertices <= 65536;
  const material = node('matl', [
    ['n', 's', 'tube'],
    ['t', 's', 'pbr'],
  ]);
  const mesh = node('mesh', [
    ['n', 's', 'tube'],
    ['vp', '3v', spread(positions, 3)],
    ['vn', '3v', spread(normals, 3)],
    ['u0', '2v', uvs],
    ['ul', 'b', u8(1)],
    ['cl', 'b', u8(0)],
    ['mi', 'b', u8(4)],
    ['wb', 'b', spread(joints, 4)],
    ['wv', 'f', spread(weights, 4)],
    ['f', isSmall ? 'h' : 'i', isSmall ? Uint16Array.from(triangles) : triangles],
    ['m', 'l', material.own],
  ]);
  return file([node('modl', [['n', 's', 'tube']], [skeleton(), material, mesh])]);
}

const curve = (name, property, frames, type, values) =>
  node('curv', [
    ['nn', 's', name],
    ['kp', 's', property],
    ['kb', frames instanceof Uint8Array ? 'b' : 'h', frames],
    ['kv', type, values],
    ['m', 's', 'absolute'],
  ]);

/** Writes the result of `motions` (content.mjs) with four curves per bone. */
export function writeCastMotions(motions) {
  const { names } = chain();
  return file(
    motions.map(({ name, frames, translations, rotations }) => {
      const numbers = Uint16Array.from({ length: frames }, (_, frame) => frame);
      const curves = names.flatMap((bone, at) => {
        const axis = k => Float32Array.from({ length: frames }, (_, frame) => translations[(frame * boneCount + at) * 3 + k]);
        const turns = new Float32Array(frames * 4);
        for (let frame = 0; frame < frames; frame++)
          turns.set(rotations.subarray((frame * boneCount + at) * 4, (frame * boneCount + at) * 4 + 4), frame * 4);
        return [
          curve(bone, 'rq', numbers, '4v', turns),
          ...[...'xyz'].map((letter, k) => curve(bone, `t${letter}`, numbers, 'f', axis(k))),
        ];
      });
      return node(
        'anim',
        [
          ['n', 's', name],
          ['fr', 'f', f32(frameRate)],
          ['lo', 'b', u8(0)],
        ],
        curves,
      );
    }),
  );
}

/** Writes a mesh without bones, which the instances of a world show. */
export function writeCastProp(name, { vertices, positions, normals, pointOfVertex, triangles }) {
  const spread = values => Float32Array.from({ length: vertices * 3 }, (_, i) => values[pointOfVertex[Math.floor(i / 3)] * 3 + (i % 3)]);
  const material = node('matl', [
    ['n', 's', name],
    ['t', 's', 'pbr'],
  ]);
  const mesh = node('mesh', [
    ['n', 's', name],
    ['vp', '3v', spread(positions)],
    ['vn', '3v', spread(normals)],
    ['f', 'h', Uint16Array.from(triangles)],
    ['m', 'l', material.own],
  ]);
  return file([node('modl', [['n', 's', name]], [material, mesh])]);
}

/**
 * Writes a world with `count` instances of `models` files, arranged in a square. Every seventh
 * instance is mirrored.
 */
export function writeCastWorld(count, models) {
  const side = Math.ceil(Math.sqrt(count));
  return file(
    Array.from({ length: count }, (_, i) => {
      const place = node('file', [['p', 's', `props\\prop_${i % models}.cast`]]);
      const angle = i * 2.4;
      return node(
        'inst',
        [
          ['n', 's', `prop ${i}`],
          ['rf', 'l', place.own],
          ['p', '3v', f32((i % side) * 1.5, 0, Math.floor(i / side) * 1.5)],
          ['r', '4v', f32(0, Math.sin(angle / 2), 0, Math.cos(angle / 2))],
          ['s', '3v', f32(i % 7 ? 1 : -1, 1, 1)],
        ],
        [place],
      );
    }),
  );
}
