// Features that WebGPURenderer doesn't draw are reported: by the loader if `detectSupport` was
// called, otherwise at the first draw.
import type { MeshPhysicalMaterial, Object3D } from 'three';
import { describe, expect, it } from 'vitest';
import { type Rig, RigcastLoader } from '../../../web/src/three/index.ts';
import { castFile, model, node, triangle } from '../../support/castFile.ts';

const gpu = { isWebGPURenderer: true };
const gl = { extensions: { has: () => true } };

/** An uncompressed true-colour TGA with one grey pixel. */
const tga = Uint8Array.from([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 32, 0x28, 9, 9, 9, 255]);

const uvs = { ul: ['b', [1]], u0: ['2v', [0, 0, 1, 0, 0, 1]] } as const;

/** Returns a Cast file with a triangle whose material has a texture in each of `slots`. */
function cloth(...slots: string[]): Uint8Array {
  const files = slots.map(slot => [slot, node('file', { p: ['s', `${slot}.tga`] })] as const);
  const hashes = Object.fromEntries(files.map(([slot, { hash }]) => [slot, ['l', hash] as const]));
  const made = node('matl', { n: ['s', 'cloth'], t: ['s', 'pbr'], ...hashes }, ...files.map(([, file]) => file));
  return castFile(model('m', made, triangle('t', 1, { ...uvs, m: ['l', made.hash] })));
}

const files = (...slots: string[]) => new Map(slots.map(slot => [`${slot}.tga`, tga]));
const reduced = ({ report }: Rig) =>
  report.items.filter(({ code }) => code === 'MATERIAL_REDUCED').map(({ severity, path, detail }) => `${severity} ${path}: ${detail}`);
const drawnBy = (rig: Rig, renderer: object) =>
  rig.scene.traverse(object => object.onBeforeRender(...([renderer] as unknown as Parameters<Object3D['onBeforeRender']>)));

const WORDS = 'warning cloth: no mask over the emission, roughness, metalness and occlusion as three reads their textures';

describe('A WebGPURenderer', () => {
  it('gets unpatched shaders by detectSupport, and the report lists the differences', async () => {
    const loader = new RigcastLoader().detectSupport(gpu).setFiles(files('albedo', 'emask', 'gloss'));
    const rig = await loader.parseAsync(cloth('albedo', 'emask', 'gloss'), '', 'm.cast');
    expect(reduced(rig)).toEqual([WORDS]);
    const [made] = rig.materialsOf(0) as MeshPhysicalMaterial[];
    expect(Object.hasOwn(made!, 'onBeforeCompile')).toBe(false);
    expect(made!.emissiveMap?.name).toBe('emask.tga'); // a white texture would make the whole surface emissive
    expect(made!.roughnessMap?.name).toBe('gloss.tga');
  });

  it('is detected at the first draw, once, also for textures that load later', async () => {
    const rig = await new RigcastLoader().setFiles(files('emask')).parseAsync(cloth('albedo', 'emask', 'gloss'), '', 'm.cast');
    expect(reduced(rig)).toEqual([]);
    for (let i = 0; i < 2; i++) drawnBy(rig, gpu);
    expect(reduced(rig)).toEqual(['warning cloth: no mask over the emission']);
    await rig.loadTextures(files('gloss'));
    expect(reduced(rig)).toEqual([WORDS]);
  });

  it('draws hair as lines', async () => {
    const hair = node('hair', { se: ['i', [1]], pt: ['3v', [0, 0, 0, 0, 1, 0]] });
    const loader = new RigcastLoader().detectSupport(gpu).setOptions({ strandWidth: 2 });
    const rig = await loader.parseAsync(castFile(model('m', hair)), '', 'm.cast');
    expect(reduced(rig)).toEqual(['warning hair: lines without a width']);
    expect(rig.scene.getObjectByProperty('isLineSegments2', true)).toBeUndefined();
  });

  it('reports nothing for built-in features, and WebGLRenderer reports nothing', async () => {
    const plain = new RigcastLoader().detectSupport(gpu).setFiles(files('albedo', 'roughness'));
    expect(reduced(await plain.parseAsync(cloth('albedo', 'roughness'), '', 'm.cast'))).toEqual([]);
    const full = new RigcastLoader().detectSupport(gl as never).setFiles(files('gloss'));
    const rig = await full.parseAsync(cloth('gloss'), '', 'm.cast');
    drawnBy(rig, gl);
    expect(reduced(rig)).toEqual([]);
    expect(Object.hasOwn(rig.materialsOf(0)[0]!, 'onBeforeCompile')).toBe(true);
  });
});
