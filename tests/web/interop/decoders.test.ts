// Compressed glTF in Node, which has no workers for the decoders of three.js.
import { expect, it } from 'vitest';
import { convert } from '../../../web/src/convert/index.ts';
import { openGlb } from '../../../web/src/interop/openEncoded.ts';
import { contentOf } from '../../support/glbContent.ts';

/** Returns a GLB with a triangle that requires an extension. */
function glb(extension: string, primitive: object, texture: object): Uint8Array {
  const bin = new Uint8Array(48);
  new Float32Array(bin.buffer).set([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  bin.set([0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb], 36); // begins like a KTX2 file
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, material: 0, ...primitive }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
    materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
    textures: [texture],
    images: [{ name: 'skin', bufferView: 1, mimeType: 'image/ktx2' }],
    bufferViews: [
      { buffer: 0, byteLength: 36 },
      { buffer: 0, byteOffset: 36, byteLength: 12 },
    ],
    buffers: [{ byteLength: 48 }],
    extensionsUsed: [extension],
    extensionsRequired: [extension],
  };
  const text = new TextEncoder().encode(JSON.stringify(json).padEnd(2048));
  const head = new Uint32Array([0x46546c67, 2, 28 + text.length + bin.length, text.length, 0x4e4f534a]);
  const parts = [head, text, new Uint32Array([bin.length, 0x004e4942]), bin].map(part => Buffer.from(part.buffer));
  return new Uint8Array(Buffer.concat(parts));
}

it('a mesh of Draco cannot be read, and the report explains why', async () => {
  const draco = { extensions: { KHR_draco_mesh_compression: { bufferView: 1, attributes: { POSITION: 0 } } } };
  const { scene, report } = await openGlb(glb('KHR_draco_mesh_compression', draco, {}), 'draco.glb');
  expect(scene).toBeNull();
  expect(report.items[0]!.detail).toBe('The file is compressed with Draco, and the decoder could not be loaded: it runs in browsers only.');
});

it('a texture of KTX2 is not part of a converted GLB, and the conversion report contains it', async () => {
  const file = await openGlb(glb('KHR_texture_basisu', {}, { extensions: { KHR_texture_basisu: { source: 0 } } }), 'ktx2.glb');
  const { files, report } = await convert([file], { to: 'glb' });
  expect(report.items.map(({ code }) => code)).toContain('TEXTURE_UNSUPPORTED');
  expect(contentOf(files[0]!.bytes).json.images ?? []).toEqual([]);
});
