// glTF files that are compressed with Draco, or that have KTX2 textures.
import { Box3, type Mesh, type MeshStandardMaterial, Vector3 } from 'three';
import { afterEach, expect, it, vi } from 'vitest';
import { configure } from '../../../../web/src/core/index.ts';
import { settings } from '../../../../web/src/core/settings.ts';
import { compressedGlb, DRACO } from '../../../support/compressedGlb.ts';
import { add, once } from './support.ts';

afterEach(() => {
  document.querySelectorAll('rigcast-viewer').forEach(element => element.remove());
  configure({ decoders: undefined });
  vi.restoreAllMocks();
});

function opened(draco = DRACO): ReturnType<typeof add> {
  const element = add({ src: 'square.glb' });
  element.files = new Map([['square.glb', new File([compressedGlb(draco)], 'square.glb')]]);
  return element;
}

it('a mesh of Draco and a texture of KTX2 are decoded', async () => {
  const element = opened();
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
  const element = opened();
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
  const element = opened();
  const { message } = await once<{ message: string }>(element, 'error');
  expect(message).toContain('does not allow workers from blob: URLs');
});

it('damaged Draco data is reported', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const damaged = DRACO.slice(0, 40) + DRACO.slice(40).replaceAll('A', 'z');
  const element = opened(damaged);
  const { message } = await once<{ message: string }>(element, 'error');
  expect(message).toContain('square.glb');
});
