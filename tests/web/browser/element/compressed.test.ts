// glTF files that are compressed with Draco, or that have KTX2 textures.
import { Box3, type Mesh, type MeshStandardMaterial, Vector3 } from 'three';
import { afterEach, expect, it, vi } from 'vitest';
import { configure } from '../../../../web/src/core/index.ts';
import { settings } from '../../../../web/src/core/settings.ts';
import { add, once } from './support.ts';

/** A square of 1 m with UVs, encoded by draco3d 1.5.7. Its attributes have the ids 0 and 1. */
const DRACO =
  'RFJBQ08CAgEBAAAABAIBAgAAAR//ARH/AREC/wAAAAAAAQAJAwAAAAEDCQIAAQAAAAAAAACAPwAAAAAAAIA/AAAAAAAAAAAAAIA/AACAPwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgD8AAIA/AACAPwAAAAAAAAAAAACAPw==';
/** A red image of 4 × 4 pixels, encoded by Basis Universal as ETC1S. */
const KTX2 =
  'q0tUWCAyMLsNChoKAAAAAAEAAAAEAAAABAAAAAAAAAAAAAAAAQAAAAEAAAABAAAAaAAAACwAAACUAAAAJAAAALgAAAAAAAAAggAAAAAAAAA6AQAAAAAAAAEAAAAAAAAAAAAAAAAAAAAsAAAAAAAAAAIAKACjAQIAAwMAAAgAAAAAAAAAAAA/AAAAAAAAAAAA/////x8AAABLVFh3cml0ZXIAQmFzaXMgVW5pdmVyc2FsIDIuNTAAAAEAAQAqAAAABQAAACsAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAABwAQAAAAAAACiApgSAAAAAACCJhgkAJgAAAAAAABACAATAAIAAAAAiDSsqqqqAgDBRAAAAAAAAPJfLQCYAAAAAAAAQAgAEwACAAAAAIgBwAQAAAAAAAACCAAA';

afterEach(() => {
  document.querySelectorAll('rigcast-viewer').forEach(element => element.remove());
  configure({ decoders: undefined });
  vi.restoreAllMocks();
});

/** Returns the URL of a GLB with a square whose mesh is compressed with Draco, and whose texture is a KTX2 image. */
function glb(draco = DRACO, ktx2 = KTX2): string {
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
  return `${URL.createObjectURL(new Blob([head, text, new Uint32Array([bin.length, 0x004e4942]), bin]))}#square.glb`;
}

async function fileOf(url: string): Promise<File> {
  return new File([await (await fetch(url)).blob()], 'square.glb');
}

async function opened(url: string): Promise<ReturnType<typeof add>> {
  const element = add({ src: 'square.glb' });
  element.files = new Map([['square.glb', await fileOf(url)]]);
  return element;
}

it('a mesh of Draco and a texture of KTX2 are decoded', async () => {
  const element = await opened(glb());
  const { rig } = await element.ready;
  const size = new Box3().setFromObject(rig.scene).getSize(new Vector3());
  expect(size.toArray().map(value => Math.round(value * 100) / 100)).toEqual([1, 1, 0]);
  let map: MeshStandardMaterial['map'] = null;
  rig.scene.traverse(object => (map ??= ((object as Mesh).material as MeshStandardMaterial | undefined)?.map ?? null));
  const { mipmaps, image } = map as unknown as { mipmaps: { data: Uint8Array }[]; image: { width: number } };
  expect(image.width).toBe(4);
  const [red, green] = mipmaps[0]!.data;
  expect([red! > 200, green! < 80]).toEqual([true, true]);
});

it('the decoders are fetched from `decoders`, and only if a file needs them', async () => {
  const asked: string[] = [];
  const fetched = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    if (/draco|basis/.test(url)) asked.push(new URL(url).pathname);
    return fetched(input, init);
  });
  vi.spyOn(console, 'error').mockImplementation(() => {});
  configure({ decoders: '/nowhere' });
  const element = await opened(glb());
  const { message } = await once<{ message: string }>(element, 'error');
  expect(message).toMatch(/compressed with Draco, and the decoder could not be loaded: /);
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.every(path => path.startsWith('/nowhere/draco/gltf/'))).toBe(true);
  expect(settings.decoders).toBe('/nowhere');
});

it('a page that forbids workers from Blobs gets an error that names the policy', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const Original = globalThis.Worker;
  vi.spyOn(globalThis, 'Worker').mockImplementation(function (url: string | URL, options?: WorkerOptions) {
    if (!String(url).startsWith('blob:')) return new Original(url, options);
    const worker = new EventTarget() as Worker;
    worker.terminate = () => {};
    setTimeout(() => worker.onerror?.(new ErrorEvent('error')));
    return worker;
  } as never);
  const element = await opened(glb());
  const { message } = await once<{ message: string }>(element, 'error');
  expect(message).toContain('does not allow workers from blob: URLs');
});

it('damaged Draco data is reported', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const damaged = DRACO.slice(0, 40) + DRACO.slice(40).replaceAll('A', 'z');
  const element = await opened(glb(damaged));
  const { message } = await once<{ message: string }>(element, 'error');
  expect(message).toContain('square.glb');
});
