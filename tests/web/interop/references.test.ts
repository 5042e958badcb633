// The files that a glTF or OBJ refers to.
import { expect, test } from 'vitest';
import { fetchReferences } from '../../../web/src/interop/references.ts';

/** Returns the paths that are requested, in order. */
async function requestedBy(name: string, text: string, files: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const requested: string[] = [];
  await fetchReferences(name, new Blob([text]), async path => {
    requested.push(path);
    return path in files ? new Blob([files[path]!]) : null;
  });
  return requested;
}

const gltf = (uris: string[]): string => JSON.stringify({ buffers: [{ uri: 'a%20b.bin' }, {}], images: uris.map(uri => ({ uri })) });

test('are the buffers and images of a glTF, each once, also if an escape is invalid', async () => {
  const uris = ['100%.png', 'skin.png', 'skin.png', 'data:image/png;base64,AA=='];
  expect(await requestedBy('a.gltf', gltf(uris))).toEqual(['a b.bin', '100%.png', 'skin.png']);
  expect(await requestedBy('a.gltf', '{')).toEqual([]);
});

test('are at most a thousand', async () => {
  const uris = Array.from({ length: 1500 }, (_, i) => `${i}.png`);
  expect(await requestedBy('a.gltf', gltf(uris))).toHaveLength(1000);
});

test('are the MTL files of an OBJ and their textures, without the options of these', async () => {
  const mtl = 'newmtl a\nmap_Kd -s 2 4 1 -o 0.5 0 0 maps/my skin.png\r\nbump -bm 0.5 1bump.png\n# map_Kd no.png\n';
  const requested = await requestedBy('a.obj', 'mtllib a.mtl\r\n#mtllib no.mtl\nv 0 0 0\n', { 'a.mtl': mtl });
  expect(requested).toEqual(['a.mtl', 'maps/my skin.png', '1bump.png']);
});

test('are none for other formats', async () => {
  expect(await requestedBy('a.fbx', 'mtllib a.mtl')).toEqual([]);
});
