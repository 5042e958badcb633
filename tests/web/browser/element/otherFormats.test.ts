// Files of other three.js loaders in a browser, which decodes their images.
import { type Mesh, MeshBasicMaterial, type MeshPhongMaterial, OrthographicCamera, WebGLRenderer } from 'three';
import { expect, test, vi } from 'vitest';
import { convert } from '../../../../web/src/convert/index.ts';
import { openImportedRig } from '../../../../web/src/interop/open.ts';
import { CompanionFiles } from '../../../../web/src/session/companionFiles.ts';
import { Rig } from '../../../../web/src/three/rig.ts';
import { fbxTriangle } from '../../../support/fbx.ts';

async function demo(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(new URL(`../../../../web/src/viewer/demo/${name}`, import.meta.url));
  return new Uint8Array(await response.arrayBuffer());
}

test('a GLB shows its embedded texture', async () => {
  const png = await demo('Pip_D.png');
  const images = { image: async (name: string) => ({ name, bytes: png }), text: async () => null, names: ['Pip_D.png'] };
  const { files } = await convert([new File([await demo('Pip.psk')], 'Pip.psk')], { to: 'glb', images });
  const file = new File([files[0]!.bytes as Uint8Array<ArrayBuffer>], 'Pip.glb');
  const rig = await openImportedRig({ path: file.name, file }, new CompanionFiles(), new AbortController().signal, Rig.make);
  const materials = rig.meshes.flatMap(mesh => mesh?.material ?? []) as { map?: { image?: { width: number } } }[];
  expect(materials.map(({ map }) => map?.image?.width)).toContain(1024);
  expect(rig.report.items).toEqual([]);
  rig.dispose();
});

test('images that the browser cannot decode are reported, by the file that contains them', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {}); // GLTFLoader logs them too
  const json = {
    asset: { version: '2.0' },
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [0, 1].map(material => ({ attributes: { POSITION: 0 }, material })) }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
    materials: [0, 1].map(index => ({ pbrMetallicRoughness: { baseColorTexture: { index } } })),
    textures: [{ source: 0 }, { source: 1 }],
    images: [{ bufferView: 1, mimeType: 'image/png' }, { uri: 'skin%20a.png' }],
    bufferViews: [
      { buffer: 0, byteLength: 36 },
      { buffer: 0, byteLength: 8, byteOffset: 28 },
    ], // eight bytes that are not a PNG
    buffers: [{ byteLength: 36, uri: 'data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA' }],
  };
  const file = new File([JSON.stringify(json)], 'leaf.gltf');
  const beside = new CompanionFiles().with([{ path: 'skin a.png', file: new File(['no image'], 'skin a.png') }]);
  const rig = await openImportedRig({ path: file.name, file }, beside, new AbortController().signal, Rig.make);
  const damaged = { code: 'TEXTURE_DAMAGED', severity: 'warning', count: 1 };
  expect(rig.report.items.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toMatchObject([
    { ...damaged, path: 'leaf.gltf' },
    { ...damaged, path: 'skin a.png' },
  ]);
  logged.mockRestore();
  rig.dispose();
});

test('an FBX shows its texture the right way up', async () => {
  const canvas = new OffscreenCanvas(2, 16);
  const context = canvas.getContext('2d')!;
  for (const [y, color] of ['#f00', '#00f'].entries()) {
    context.fillStyle = color;
    context.fillRect(0, 8 * y, 2, 8);
  }
  const png = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
  const file = new File([fbxTriangle(btoa(String.fromCharCode(...png)))], 'leaf.fbx');
  const rig = await openImportedRig({ path: file.name, file }, new CompanionFiles(), new AbortController().signal, Rig.make);
  const mesh = rig.meshes[0] as Mesh;
  mesh.material = new MeshBasicMaterial({ map: (mesh.material as MeshPhongMaterial).map });
  // The triangle is 1 m wide and 2 m high. The file maps its lower edge to the lower edge of the image.
  const camera = new OrthographicCamera(0, 1, 2, 0, -1, 1);
  const renderer = new WebGLRenderer({ preserveDrawingBuffer: true });
  renderer.setSize(20, 40, false);
  renderer.render(rig.scene, camera);
  const gl = renderer.getContext();
  const at = (x: number, y: number): number[] => {
    const pixel = new Uint8Array(4);
    gl.readPixels(x, y, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    return [...pixel];
  };
  expect([at(5, 8), at(1, 35)]).toEqual([
    [0, 0, 255, 255],
    [255, 0, 0, 255],
  ]);
  renderer.dispose();
  rig.dispose();
});
