// A GLB whose mesh is compressed with Draco, and whose texture is a KTX2 image.
import { join } from './actorx.ts';

/** A square of 1 m with UVs, encoded by draco3d 1.5.7. Its attributes have the ids 0 and 1. */
export const DRACO =
  'RFJBQ08CAgEBAAAABAIBAgAAAR//ARH/AREC/wAAAAAAAQAJAwAAAAEDCQIAAQAAAAAAAACAPwAAAAAAAIA/AAAAAAAAAAAAAIA/AACAPwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgD8AAIA/AACAPwAAAAAAAAAAAACAPw==';
/** A red image of 4 × 4 pixels, encoded by Basis Universal as ETC1S. */
const KTX2 =
  'q0tUWCAyMLsNChoKAAAAAAEAAAAEAAAABAAAAAAAAAAAAAAAAQAAAAEAAAABAAAAaAAAACwAAACUAAAAJAAAALgAAAAAAAAAggAAAAAAAAA6AQAAAAAAAAEAAAAAAAAAAAAAAAAAAAAsAAAAAAAAAAIAKACjAQIAAwMAAAgAAAAAAAAAAAA/AAAAAAAAAAAA/////x8AAABLVFh3cml0ZXIAQmFzaXMgVW5pdmVyc2FsIDIuNTAAAAEAAQAqAAAABQAAACsAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAABwAQAAAAAAACiApgSAAAAAACCJhgkAJgAAAAAAABACAATAAIAAAAAiDSsqqqqAgDBRAAAAAAAAPJfLQCYAAAAAAAAQAgAEwACAAAAAIgBwAQAAAAAAAACCAAA';

/** Returns the bytes of a GLB with a square whose mesh is compressed with Draco, and whose texture is a KTX2 image. */
export function compressedGlb(draco = DRACO, ktx2 = KTX2): Uint8Array<ArrayBuffer> {
  const [mesh, image] = [draco, ktx2].map(text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0)));
  const start = Math.ceil(mesh!.length / 4) * 4;
  const bin = new Uint8Array(Math.ceil((start + image!.length) / 4) * 4);
  bin.set(mesh!);
  bin.set(image!, start);
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [
      {
        primitives: [
          {
            attributes: { POSITION: 0, TEXCOORD_0: 2 },
            indices: 1,
            material: 0,
            extensions: { KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0, TEXCOORD_0: 1 } } },
          },
        ],
      },
    ],
    accessors: [
      { componentType: 5126, count: 4, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] },
      { componentType: 5123, count: 6, type: 'SCALAR' },
      { componentType: 5126, count: 4, type: 'VEC2' },
    ],
    materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
    textures: [{ extensions: { KHR_texture_basisu: { source: 0 } } }],
    images: [{ bufferView: 1, mimeType: 'image/ktx2' }],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: mesh!.length },
      { buffer: 0, byteOffset: start, byteLength: image!.length },
    ],
    buffers: [{ byteLength: bin.length }],
    extensionsUsed: ['KHR_draco_mesh_compression', 'KHR_texture_basisu'],
    extensionsRequired: ['KHR_draco_mesh_compression', 'KHR_texture_basisu'],
  };
  const text = new TextEncoder().encode(JSON.stringify(json).padEnd(4096));
  const head = new Uint32Array([0x46546c67, 2, 12 + 8 + text.length + 8 + bin.length, text.length, 0x4e4f534a]);
  const bytesOf = ({ buffer }: Uint32Array<ArrayBuffer>): Uint8Array => new Uint8Array(buffer);
  return join(bytesOf(head), text, bytesOf(Uint32Array.of(bin.length, 0x004e4942)), bin);
}
