// Files that make loaders of three.js allocate far too much memory are rejected before loading, by
// the counts that they declare. Valid files with similar content are opened.
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { checkMemoryLimit } from '../../../web/src/interop/memoryLimit.ts';
import { pixelsOf } from '../../../web/src/three/materials/imageSize.ts';
import { openGlb } from '../../../web/src/interop/openEncoded.ts';

const text = new TextEncoder();

/** Returns a GLB with a JSON and a buffer. `order`: order of the chunks. */
function glb(json: object, binary: Uint8Array = new Uint8Array(0), order: readonly ('json' | 'bin')[] = ['json', 'bin']): Uint8Array {
  const words = text.encode(JSON.stringify(json));
  const chunk = (kind: number, bytes: Uint8Array, fill: number): Uint8Array => {
    const made = new Uint8Array(8 + 4 * Math.ceil(bytes.length / 4)).fill(fill, 8);
    new DataView(made.buffer).setUint32(0, made.length - 8, true);
    new DataView(made.buffer).setUint32(4, kind, true);
    made.set(bytes, 8);
    return made;
  };
  const chunks = { json: chunk(0x4e_4f_53_4a, words, 0x20), bin: chunk(0x00_4e_49_42, binary, 0) };
  const parts = order.map(kind => chunks[kind]);
  const length = parts.reduce((sum, part) => sum + part.length, 12);
  return new Uint8Array(Buffer.concat([new Uint8Array(Uint32Array.of(0x46_54_6c_67, 2, length).buffer), ...parts]));
}

const float = 5126;
const accessor = (count: unknown, more: object = {}): object => ({ componentType: float, count, type: 'VEC3', ...more });
const range = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** A scene with one node, one mesh and one primitive. */
const scene = (accessors: readonly object[], more: object = {}): object => ({
  asset: { version: '2.0' },
  scene: 0,
  scenes: [{ nodes: [0] }],
  nodes: [{ mesh: 0 }],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
  accessors,
  ...more,
});

const chain = (depth: number): object[] => range(depth, i => (i < depth - 1 ? { children: [i + 1] } : {}));
const zeros = { count: 1, indices: { bufferView: 0, componentType: 5125 }, values: { bufferView: 0 } };
const shared = (meshes: number, count: number): object =>
  scene([accessor(count)], {
    scenes: [{ nodes: range(meshes, i => i) }],
    nodes: range(meshes, mesh => ({ mesh })),
    meshes: range(meshes, () => ({ primitives: [{ attributes: { POSITION: 0 } }] })),
  });

const refused = (format: string, bytes: Uint8Array): Promise<void> => checkMemoryLimit(format, bytes);

describe('a GLB', () => {
  it.each([
    ['of zeros that no byte stands for', glb(scene([accessor(40_000_000)])), 'vertices of meshes'],
    ['of sparse zeros', glb(scene([accessor(100_000_000, { sparse: zeros })])), 'vertices of meshes'],
    ['of 300 meshes that share such zeros', glb(shared(300, 1_000_000)), 'meshes of nodes'],
    [
      'of nodes 20,000 deep in each other',
      glb({ asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes: chain(20_000) }),
      'more than 4,096 levels deep',
    ],
    ['of a node below itself', glb(scene([accessor(3)], { nodes: [{ children: [1] }, { children: [0] }] })), 'contains itself'],
    ['of many empty nodes', glb(scene([accessor(3)], { nodes: range(100_000, () => ({})) })), 'nodes'],
    ['of one mesh on many nodes', glb(scene([accessor(3)], { nodes: range(100_000, () => ({ mesh: 0 })) })), 'nodes'],
    [
      'of packed views that say they are large',
      glb(scene([accessor(3)], { bufferViews: [{ extensions: { EXT_meshopt_compression: { count: 1e9, byteStride: 16 } } }] })),
      'packed views',
    ],
    [
      'of many empty shapes of a mesh',
      glb(
        scene([accessor(10_000), accessor(10_000)], {
          meshes: [{ primitives: [{ attributes: { POSITION: 0 }, targets: [{ POSITION: 1 }, ...range(2000, () => ({}))] }] }],
        }),
      ),
      'morph targets',
    ],
    [
      'of many channels of one list of keys',
      glb(
        scene([accessor(3), accessor(100_000)], {
          animations: [
            {
              samplers: [{ input: 1, output: 1 }],
              channels: range(1000, () => ({ sampler: 0, target: { node: 0, path: 'translation' } })),
            },
          ],
        }),
      ),
      'keys of animations',
    ],
    ['of many skins of many joints', glb(scene([accessor(3)], { skins: range(100, () => ({ joints: range(5000, () => 0) })) })), 'joints'],
    [
      'of copies without data',
      glb(
        scene([accessor(3), accessor(2_000_000)], {
          nodes: [{ mesh: 0, extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 1 } } } }],
        }),
      ),
      'copies',
    ],
    ['whose numbers are texts', glb(scene([accessor('40000000')])), 'not a count'],
    ['whose lists are objects', glb(scene([], { accessors: { 0: accessor(40_000_000) } })), 'not a list'],
    ['whose buffer comes first', glb(scene([accessor(40_000_000)]), new Uint8Array(8), ['bin', 'json']), 'vertices of meshes'],
    ['that is text alone', text.encode(JSON.stringify(scene([accessor(40_000_000)]))), 'vertices of meshes'],
  ])('rejects %s', async (_, bytes, why) => {
    await expect(refused('glb', bytes)).rejects.toThrow(why);
  });

  it('of 232 bytes opens without a scene, and the report contains the reason', async () => {
    const bytes = glb(scene([accessor(40_000_000)]));
    expect(bytes.length).toBeLessThan(280);
    const file = await openGlb(bytes, 'small.glb');
    expect([file.scene, file.report.items.map(({ code }) => code)]).toEqual([null, ['OUT_OF_PROPORTION']]);
    expect(file.report.items[0]!.detail).toMatch(/vertices of meshes: .* bytes would take more than 67 MB/);
  });

  it('with 500 nodes of one mesh of 20,000 vertices is opened', async () => {
    const position = { bufferView: 0, ...accessor(20_000) };
    const forest = scene([position], {
      scenes: [{ nodes: range(500, i => i) }],
      nodes: range(500, i => ({ mesh: 0, translation: [i, 0, 0] })),
      bufferViews: [{ buffer: 0, byteLength: 240_000 }],
      buffers: [{ byteLength: 240_000 }],
    });
    const bytes = glb(forest, new Uint8Array(240_000));
    await expect(refused('glb', bytes)).resolves.toBeUndefined();
    const file = await openGlb(bytes, 'forest.glb');
    expect([file.scene!.renderers.length, file.scene!.meshes.length]).toEqual([500, 1]);
  });

  it('can have a node tree as deep as a skeleton', async () => {
    await expect(refused('glb', glb({ asset: { version: '2.0' }, nodes: chain(4096) }))).resolves.toBeUndefined();
    await expect(refused('glb', glb({ asset: { version: '2.0' }, nodes: chain(4097) }))).rejects.toThrow('deep');
  });

  it('has a higher limit with companion files', async () => {
    const bytes = text.encode(JSON.stringify(scene([accessor(10_000_000)], { buffers: [{ uri: 'a.bin', byteLength: 120_000_000 }] })));
    await expect(checkMemoryLimit('gltf', bytes)).rejects.toThrow('vertices');
    await expect(checkMemoryLimit('gltf', bytes, { sizeOf: uri => (uri === 'a.bin' ? 120_000_000 : 0) })).resolves.toBeUndefined();
  });

  it('is passed to the loader if damaged', async () => {
    for (const bytes of [new Uint8Array(3), text.encode('[['.repeat(100_000)), glb({}).subarray(0, 30)]) await refused('glb', bytes);
    expect((await openGlb(glb({}).subarray(0, 30), 'a.glb')).report.items[0]!.code).toBe('LOADER_FAILED');
  });
});

// ---------------------------------------------------------------- images

const png = (width: number, height: number): Uint8Array => {
  const bytes = new Uint8Array(64);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  new DataView(bytes.buffer).setUint32(16, width);
  new DataView(bytes.buffer).setUint32(20, height);
  return bytes;
};
const padded = (...bytes: number[]): Uint8Array => Uint8Array.from([...bytes, ...range(40, () => 0)]);

describe('pictures', () => {
  it.each([
    ['PNG', png(300, 200)],
    ['JPEG', padded(0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc4, 0, 3, 0, 0xff, 0xc2, 0, 17, 8, 0, 200, 1, 44, 3)],
    ['WebP, lossy', padded(...text.encode('RIFF\0\0\0\0WEBPVP8 \0\0\0\0'), 0, 0, 0, 0x9d, 1, 0x2a, 44, 1, 200, 0)],
    [
      'WebP, without loss',
      padded(...text.encode('RIFF\0\0\0\0WEBPVP8L\0\0\0\0'), 0x2f, ...new Uint8Array(Uint32Array.of(299 | (199 << 14)).buffer)),
    ],
    ['WebP, extended', padded(...text.encode('RIFF\0\0\0\0WEBPVP8X\0\0\0\0'), 0, 0, 0, 0, 43, 1, 0, 199, 0, 0)],
  ])('reads the size of %s', (_, bytes) => {
    expect(pixelsOf(bytes)).toBe(60_000);
  });

  it('returns 0 for other formats and truncated files', () => {
    expect([new Uint8Array(0), new Uint8Array(40), png(3, 3).subarray(0, 20)].map(pixelsOf)).toEqual([0, 0, 0]);
  });

  const pictured = (image: Uint8Array, count: number): Uint8Array =>
    glb(
      scene([accessor(3)], {
        images: range(count, () => ({ bufferView: 0, mimeType: 'image/png' })),
        bufferViews: [{ buffer: 0, byteLength: image.length }],
        buffers: [{ byteLength: image.length }],
      }),
      image,
    );

  it('rejects images far larger than their files, unless they are not decoded', async () => {
    await expect(refused('glb', pictured(png(4096, 4096), 16))).resolves.toBeUndefined();
    await expect(refused('glb', pictured(png(60_000, 60_000), 1))).rejects.toThrow('pictures of 3600 million pixels');
    await expect(checkMemoryLimit('glb', pictured(png(60_000, 60_000), 1), { decodesImages: false })).resolves.toBeUndefined();
    const uri = `data:image/png;base64,${Buffer.from(png(60_000, 60_000)).toString('base64')}`;
    await expect(refused('glb', glb(scene([accessor(3)], { images: [{ uri }] })))).rejects.toThrow('pictures');
  });
});

// ---------------------------------------------------------------- FBX, OBJ, BVH

/** Returns a binary FBX with records [name, type of array, count, compressed bytes]. */
function fbx(...records: readonly [name: string, kind: string, count: number, packed: Uint8Array][]): Uint8Array {
  let at = 27;
  const parts = records.map(([name, kind, count, packed]) => {
    const head = new DataView(new ArrayBuffer(13));
    const property = new DataView(new ArrayBuffer(13));
    property.setUint8(0, kind.charCodeAt(0));
    [count, 1, packed.length].forEach((word, i) => property.setUint32(1 + 4 * i, word, true));
    const length = 13 + name.length + 13 + packed.length;
    head.setUint32(0, (at += length), true);
    head.setUint32(4, 1, true);
    head.setUint32(8, 13 + packed.length, true);
    head.setUint8(12, name.length);
    return Buffer.concat([new Uint8Array(head.buffer), text.encode(name), new Uint8Array(property.buffer), packed]);
  });
  const head = Buffer.alloc(27);
  head.write('Kaydara FBX Binary  \0\x1a\0', 'latin1');
  head.writeUInt32LE(7400, 23);
  return new Uint8Array(Buffer.concat([head, ...parts, Buffer.alloc(13 + 176)]));
}

describe('an FBX', () => {
  it.each([
    ['that says its arrays are long', fbx(['Vertices', 'd', 100_000_000, deflateSync(new Uint8Array(8))]), 'numbers of Vertices'],
    [
      'of arrays that inflate to more than they say',
      fbx(['Vertices', 'd', 1, deflateSync(new Uint8Array(100_000_000))]),
      'numbers of Vertices',
    ],
    [
      'of many corners',
      fbx(['PolygonVertexIndex', 'i', 3_000_000, deflateSync(new Uint8Array(12_000_000))]),
      'numbers of PolygonVertexIndex',
    ],
  ])('rejects %s', async (_, bytes, why) => {
    expect(bytes.length).toBeLessThan(200_000);
    await expect(refused('fbx', bytes)).rejects.toThrow(why);
  });

  it('with correct array lengths is opened, and damaged ones are passed to the loader', async () => {
    await expect(refused('fbx', fbx(['Vertices', 'd', 30_000, deflateSync(new Uint8Array(240_000))]))).resolves.toBeUndefined();
    await expect(refused('fbx', fbx(['Vertices', 'd', 3, Uint8Array.of(1, 2, 3)]).subarray(0, 50))).resolves.toBeUndefined();
  });
});

const lines = (head: string, line: string, count: number): Uint8Array => text.encode(head + line.repeat(count));

describe('an OBJ', () => {
  it.each([
    ['of a face of many corners', lines('v 0 0 0\nf', ' 1', 500_000)],
    ['of such a face on many lines', lines('v 0 0 0\nf', ' 1\\\n', 500_000)],
    ['of many objects', lines('v 0 0 0\n', 'o x\nf 1 1 1\n', 100_000)],
    ['of many materials', lines('v 0 0 0\n', 'usemtl a\n', 100_000)],
  ])('rejects %s', async (_, bytes) => {
    await expect(refused('obj', bytes)).rejects.toThrow('would take more than');
  });

  it('of triangles is opened', async () => {
    const vertices = range(20_000, i => `v ${i / 7} ${i / 3} 0.5`).join('\n');
    const faces = range(20_000, i => `f ${i + 1}/1/1 ${((i + 1) % 20_000) + 1}/1/1 ${((i + 2) % 20_000) + 1}/1/1`).join('\n');
    await expect(refused('obj', text.encode(`o a\n${vertices}\nusemtl m\n${faces}`))).resolves.toBeUndefined();
  });
});

const bvh = (joints: number, frames: number, line: string): Uint8Array =>
  text.encode(
    `HIERARCHY\nROOT a\n${'{\nOFFSET 0 0 0\nCHANNELS 0\nJOINT b\n'.repeat(joints)}MOTION\nFrames: ${frames}\nFrame Time: 0.03\n${line.repeat(frames)}`,
  );

describe('a BVH', () => {
  it('with many joints and frames without channels is rejected', async () => {
    await expect(refused('bvh', bvh(5000, 10_000, '0\n'))).rejects.toThrow('keys of joints');
  });

  it('of a body is opened', async () => {
    await expect(refused('bvh', bvh(50, 1000, `${'0.123456 '.repeat(150)}\n`))).resolves.toBeUndefined();
  });
});
