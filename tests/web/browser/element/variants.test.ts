// Material variants of glTF files (KHR_materials_variants).
import { afterEach, expect, it, vi } from 'vitest';
import type { MeshStandardMaterial } from 'three';
import { add, frame, inside, once } from './support.ts';

afterEach(() => {
  document.querySelectorAll('rigcast-viewer').forEach(element => element.remove());
  vi.restoreAllMocks();
});

type Viewer = ReturnType<typeof add>;

const MAPPINGS: unknown = [
  { material: 1, variants: [0] },
  { material: 2, variants: [1, 2] },
];

/** Returns a .gltf with two triangles side by side. Only the left one has variants. */
function gltf(mappings = MAPPINGS): File {
  const positions = new Float32Array([-1, 0, 0, 0, 0, 0, -0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0.5, 1, 0]);
  const uri = `data:application/octet-stream;base64,${btoa(String.fromCharCode(...new Uint8Array(positions.buffer)))}`;
  const color = (name: string, ...rgb: number[]): object => ({
    name,
    doubleSided: true,
    pbrMetallicRoughness: { baseColorFactor: [...rgb, 1] },
  });
  const json = {
    asset: { version: '2.0' },
    extensionsUsed: ['KHR_materials_variants'],
    extensions: { KHR_materials_variants: { variants: [{ name: 'Green' }, { name: 'Blue' }, { name: 'Also blue' }] } },
    scenes: [{ nodes: [0, 1] }],
    nodes: [{ mesh: 0 }, { mesh: 1 }],
    meshes: [
      { primitives: [{ attributes: { POSITION: 0 }, material: 0, extensions: { KHR_materials_variants: { mappings } } }] },
      { primitives: [{ attributes: { POSITION: 1 }, material: 0 }] },
    ],
    materials: [color('red', 1, 0, 0), color('green', 0, 1, 0), color('blue', 0, 0, 1)],
    accessors: [0, 36].map(byteOffset => {
      const at = positions.subarray(byteOffset / 4, byteOffset / 4 + 9);
      const axis = (c: number): number[] => [at[c]!, at[c + 3]!, at[c + 6]!];
      const of = (pick: (...values: number[]) => number): number[] => [0, 1, 2].map(c => pick(...axis(c)));
      return { bufferView: 0, byteOffset, componentType: 5126, count: 3, type: 'VEC3', min: of(Math.min), max: of(Math.max) };
    }),
    bufferViews: [{ buffer: 0, byteLength: 72 }],
    buffers: [{ byteLength: 72, uri }],
  };
  return new File([JSON.stringify(json)], 'shoe.gltf');
}

async function colors(element: Viewer): Promise<string[]> {
  const { rig } = await element.ready;
  return rig.meshes.map(mesh => (mesh!.material as MeshStandardMaterial).color.getHexString());
}

const [RED, GREEN, BLUE] = ['ff0000', '00ff00', '0000ff'];

it('variant-name replaces materials, and availableVariants lists the variants', async () => {
  const element = add();
  expect(element.availableVariants).toEqual([]);
  element.files = [gltf()];
  const { view } = await element.ready;
  expect(element.availableVariants).toEqual(['Green', 'Blue', 'Also blue']);
  expect(await colors(element)).toEqual([RED, RED]);
  const expected = { Green: GREEN, 'Also blue': BLUE, Blue: BLUE };
  for (const [name, color] of Object.entries(expected)) {
    element.variantName = name;
    await frame();
    expect(await colors(element)).toEqual([color, RED]);
  }
  await expect.poll(async () => (await frame(), view.isDirty)).toBe(false);
  const canvas = inside<HTMLCanvasElement>(element, 'canvas');
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
  let [red, blue] = [0, 0];
  for (let i = 0; i < data.length; i += 4) {
    if (data[i]! > data[i + 2]! + 60) red++;
    if (data[i + 2]! > data[i]! + 60) blue++;
  }
  expect([red > 100, blue > 100]).toEqual([true, true]);
  element.variantName = null;
  await frame();
  expect(await colors(element)).toEqual([RED, RED]);
});

it('variant-name applies before the model is shown, and reports unknown names', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const element = add({ 'variant-name': 'Green' });
  element.files = [gltf()];
  await element.ready;
  expect(await colors(element)).toEqual([GREEN, RED]);
  const failed = once<{ message: string }>(element, 'error');
  element.variantName = 'Purple';
  expect((await failed).message).toBe('There is no variant “Purple”.');
  expect(await colors(element)).toEqual([RED, RED]);
  expect(warned).toHaveBeenCalled();
});

it('disposes the materials of all variants with the model', async () => {
  const element = add({ 'variant-name': 'Green' });
  element.files = [gltf()];
  const { rig } = await element.ready;
  const onDispose = vi.fn();
  (rig.meshes[0]!.material as MeshStandardMaterial).addEventListener('dispose', onDispose);
  element.remove();
  await expect.poll(() => onDispose.mock.calls.length).toBe(1);
});

it('damaged variants are left out and reported', async () => {
  for (const damaged of [
    'none',
    [null, { material: 99, variants: [0] }, { material: 1, variants: [0, 7] }, { material: 2, variants: 'all' }],
  ]) {
    const element = add({ 'variant-name': 'Green' });
    element.files = [gltf(damaged)];
    const { rig } = await element.ready;
    const isDamaged = typeof damaged !== 'string';
    expect(await colors(element)).toEqual([isDamaged ? GREEN : RED, RED]);
    const found = rig.file.report!.items.filter(({ code }) => code === 'INDEX_RANGE');
    expect(found.map(({ path, count }) => [path, count])).toEqual(isDamaged ? [['KHR_materials_variants', 3]] : []);
    element.remove();
  }
});

it('draws the values of a file NAME.materials.json among the files', async () => {
  const element = add();
  const values = '{"materialValues":1,"materials":[{"material":"red","color":"#102030"}]}';
  element.files = [gltf(), new File([values], 'Shoe.materials.json')];
  expect(await colors(element)).toEqual(['102030', '102030']);
});
