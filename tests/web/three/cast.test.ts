// Features that only Cast has, from the file to three.js: material slots of both workflows, hair,
// scene features, layered animations.
import { readFileSync } from 'node:fs';
import {
  DoubleSide,
  FrontSide,
  type LineBasicMaterial,
  LineSegments,
  type Mesh,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  type Object3D,
  ShaderLib,
  SRGBColorSpace,
} from 'three';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { describe, expect, it } from 'vitest';
import type { MaterialValues } from '../../../web/src/textures/materialValues.ts';
import { type Rig, RigcastLoader, samplePoses, UrlTextures } from '../../../web/src/three/index.ts';
import { seek } from '../../support/seek.ts';
import { castFile, type CastNode, type CastProperty, model, node, triangle } from '../../support/castFile.ts';

/** Returns an uncompressed true-colour TGA with one pixel. */
const tga = (r: number, g: number, b: number): Uint8Array =>
  Uint8Array.from([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 32, 0x28, b, g, r, 255]);

type Slot = string | readonly [number, number, number, number];

/** Returns a material. `slots` contains the path of a file or a linear color, by slot. */
function material(slots: Record<string, Slot>): CastNode {
  const targets = Object.entries(slots).map(
    ([slot, value]) =>
      [
        slot,
        typeof value === 'string' ? node('file', { p: ['s', value] }) : node('colr', { cs: ['s', 'linear'], rgba: ['4v', value] }),
      ] as const,
  );
  return node(
    'matl',
    { n: ['s', 'cloth'], t: ['s', 'pbr'], ...Object.fromEntries(targets.map(([slot, { hash }]) => [slot, ['l', hash] as const])) },
    ...targets.map(([, target]) => target),
  );
}

const uvs = { ul: ['b', [1]], u0: ['2v', [0, 0, 1, 0, 0, 1]] } as const;

async function dressed(slots: Record<string, Slot>, files: Record<string, Uint8Array> = {}): Promise<Rig> {
  const made = material(slots);
  const bytes = castFile(model('m', made, triangle('t', 1, { ...uvs, m: ['l', made.hash] })));
  return new RigcastLoader().setFiles(new Map(Object.entries(files))).parseAsync(bytes, '', 'm.cast');
}

const only = (rig: Rig) => rig.materialsOf(0)[0] as MeshPhysicalMaterial;
const findings = (rig: Rig) => rig.report.items.map(({ code, path, detail }) => [code, path, detail]);

describe('Cast materials', () => {
  it('assigns textures of the metallic workflow with their color space, also with another extension', async () => {
    const names = ['albedo', 'normal', 'metal', 'roughness', 'ao', 'emissive', 'specular'];
    const rig = await dressed(
      Object.fromEntries(names.map(name => [name, `images\\${name}.dds`])),
      Object.fromEntries(names.map(name => [`x/${name}.tga`, tga(9, 9, 9)])),
    );
    const made = only(rig);
    expect(made).toBeInstanceOf(MeshPhysicalMaterial);
    const maps = [made.map, made.normalMap, made.metalnessMap, made.roughnessMap, made.aoMap, made.emissiveMap, made.specularIntensityMap];
    expect(maps.map(map => map?.name)).toEqual(names.map(name => `${name}.dds`));
    expect(maps.map(map => map?.colorSpace === SRGBColorSpace)).toEqual([true, false, false, false, false, true, false]);
    expect([made.metalness, made.roughness, made.emissive.getHex(), made.ior]).toEqual([1, 1, 0xffffff, 1.5]);
    expect(findings(rig)).toEqual([]);
    expect((made.userData['slots'] as { source: string }[]).map(({ source }) => source)).toEqual(names);
  });

  it('converts the specular workflow: specular to reflectance, gloss to roughness', async () => {
    const rig = await dressed(
      { albedo: 'a.tga', specular: 's.tga', gloss: 'g.tga' },
      { 'a.tga': tga(1, 1, 1), 's.tga': tga(1, 1, 1), 'g.tga': tga(1, 1, 1) },
    );
    const made = only(rig);
    expect(made.specularColorMap?.colorSpace).toBe(SRGBColorSpace);
    expect([made.ior, made.metalness, made.roughness]).toEqual([1000, 0, 1]);
    expect(made.roughnessMap?.name).toBe('g.tga');
    const shader = { fragmentShader: ShaderLib.physical.fragmentShader, vertexShader: '', uniforms: {} };
    made.onBeforeCompile(shader as never, null as never);
    expect(shader.fragmentShader).toContain('( 1.0 - texelRoughness.g )');
  });

  it('draws no emission, mirror or black metal in place of missing textures', async () => {
    const rig = await dressed({ albedo: 'a.tga', specular: 's.tga', emissive: 'e.tga', emask: 'k.tga' });
    expect([only(rig).emissive.getHex(), only(rig).ior]).toEqual([0, 1.5]);
    expect(only(await dressed({ metal: 'm.tga' })).metalness).toBe(0);
    expect(findings(rig)).toEqual([['TEXTURE_MISSING', 'cloth', expect.stringContaining('a.tga')]]);
  });

  it('uses colors as factors', async () => {
    const made = only(
      await dressed({
        albedo: [0.1, 0.2, 0.3, 1],
        emissive: [0.4, 0.5, 0.6, 1],
        estrength: [3, 0, 0, 0],
        metal: [0.7, 0, 0, 1],
        roughness: [0.25, 0, 0, 1],
      }),
    );
    for (const [i, value] of made.color.toArray().entries()) expect(value).toBeCloseTo([0.1, 0.2, 0.3][i]!, 6);
    expect(made.emissive.b).toBeCloseTo(0.6, 6);
    expect(made.emissiveIntensity).toBe(3);
    expect([made.metalness, made.roughness].map(value => value.toFixed(4))).toEqual(['0.7000', '0.2500']);
    const glossy = only(await dressed({ specular: [0.5, 0.5, 0.5, 1], gloss: [0.75, 0, 0, 1] }));
    expect([glossy.roughness, glossy.ior, glossy.specularColor.r]).toEqual([0.25, 1000, 0.5]);
  });

  it('multiplies emission by the red channel of the mask, in any loading order; without emission it is white', async () => {
    const files = { 'k.tga': tga(128, 0, 0), 'e.tga': tga(0, 255, 0) };
    for (const slots of [
      { emissive: 'e.tga', emask: 'k.tga' },
      { emask: 'k.tga', emissive: 'e.tga' },
    ]) {
      const made = only(await dressed(slots, files));
      expect(made.emissiveMap?.name).toBe('e.tga');
      const shader = {
        fragmentShader: '#include <emissivemap_pars_fragment>\n#include <emissivemap_fragment>',
        vertexShader: '',
        uniforms: {} as Record<string, { value: { name: string } }>,
      };
      made.onBeforeCompile(shader as never, null as never);
      expect(shader.uniforms['emissiveMask']!.value.name).toBe('k.tga');
      expect(shader.fragmentShader).toContain('texture2D( emissiveMask');
    }
    const alone = only(await dressed({ emask: 'k.tga' }, files));
    expect(alone.emissive.getHex()).toBe(0xffffff);
    expect(alone.emissiveMap?.image).toMatchObject({ width: 1, height: 1 });
  });

  it('keeps slots that three.js lacks, and reports them', async () => {
    const rig = await dressed({ albedo: [1, 1, 1, 1], cavity: 'c.tga', extra0: 'x.tga' }, { 'c.tga': tga(1, 1, 1) });
    expect(only(rig)).toBeInstanceOf(MeshStandardMaterial);
    expect(only(rig)).not.toBeInstanceOf(MeshPhysicalMaterial);
    expect(findings(rig)).toEqual([['TEXTURE_UNUSED', 'cloth', 'cavity, extra0']]);
    expect(only(rig).userData['slots']).toHaveLength(3);
  });

  it('draws anisotropy along U with a strength from texture or color', async () => {
    const made = only(await dressed({ aniso: 'n.tga' }, { 'n.tga': tga(128, 0, 0) }));
    expect([made.anisotropyMap?.name, made.anisotropy]).toEqual(['n.tga', 1]);
    const shader = { fragmentShader: '#include <lights_physical_fragment>', vertexShader: '', uniforms: {} };
    made.onBeforeCompile(shader as never, null as never);
    expect(shader.fragmentShader).toContain('vec3( 1.0, 0.5, texture2D( anisotropyMap, vAnisotropyMapUv ).r )');
    expect(only(await dressed({ aniso: [0.25, 0, 0, 1] })).anisotropy).toBe(0.25);
  });

  it('uses the red component of colors for occlusion and emission mask', async () => {
    const rig = await dressed({ ao: [0.5, 1, 1, 1], emissive: [1, 0.5, 0, 1], emask: [0.25, 1, 1, 1] });
    expect((only(rig).aoMap!.image as { data: Uint8Array }).data[0]).toBe(128);
    expect([only(rig).emissiveIntensity, only(rig).emissive.r]).toEqual([0.25, 1]);
    expect(only(await dressed({ emask: [0.5, 0, 0, 1] })).emissive.getHex()).toBe(0xffffff);
    expect(findings(rig)).toEqual([]);
  });

  it('reads texture paths in Material nodes (Greyhound, 2022), and reports them once', async () => {
    const paths = ['albedo', 'normal', 'specular'].map(slot => [slot, node('matl', { p: ['s', `${slot}.tga`] })] as const);
    const made = node(
      'matl',
      { n: ['s', 'cloth'], t: ['s', 'pbr'], ...Object.fromEntries(paths.map(([slot, { hash }]) => [slot, ['l', hash] as const])) },
      ...paths.map(([, path]) => path),
    );
    const bytes = castFile(model('m', made, triangle('t', 1, { ...uvs, m: ['l', made.hash] })));
    const rig = await new RigcastLoader()
      .setFiles(new Map(paths.map(([slot]) => [`${slot}.tga`, tga(1, 2, 3)])))
      .parseAsync(bytes, '', 'm.cast');
    expect([only(rig).map?.name, only(rig).normalMap?.name, only(rig).specularColorMap?.name]).toEqual([
      'albedo.tga',
      'normal.tga',
      'specular.tga',
    ]);
    expect(rig.report.items.map(({ code, severity, detail }) => [code, severity, detail])).toEqual([
      ['LEGACY_FORM', 'info', '3 textures are Material nodes'],
    ]);
  });

  it('are double-sided by default, as in Maya and Blender, also without a material', async () => {
    const made = material({ albedo: [1, 1, 1, 1] });
    const bytes = castFile(model('m', made, triangle('t', 1, { ...uvs, m: ['l', made.hash] }), triangle('bare')));
    const sides = async (sides?: 'file' | 'front' | 'both') => {
      const rig = await new RigcastLoader().setOptions(sides ? { sides } : {}).parseAsync(bytes, '', 'm.cast');
      return rig.meshes.map(mesh => (mesh!.material as MeshStandardMaterial).side);
    };
    expect(await sides()).toEqual([DoubleSide, DoubleSide]);
    expect(await sides('file')).toEqual([DoubleSide, DoubleSide]);
    expect(await sides('front')).toEqual([FrontSide, FrontSide]);
  });

  it('adds every UV layer as an attribute, including those that three.js ignores', async () => {
    const layers = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`u${i}`, ['2v', [0, 0, 1, 0, 0, i]] as const]));
    const rig = await new RigcastLoader().parseAsync(castFile(model('m', triangle('t', 1, { ...layers, ul: ['b', [6]] }))), '', 'm.cast');
    const { geometry } = rig.scene.getObjectByProperty('isMesh', true) as Mesh;
    expect(['uv', 'uv1', 'uv2', 'uv3', 'uv4', 'uv5'].map(name => geometry.getAttribute(name).array[5])).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('requests textures by path below the model, then in its folder, then with other extensions, and nowhere else', async () => {
    const made = material({ albedo: '..\\..\\tex\\a.dds', normal: 'C:\\secret\\n.png' });
    const rig = await new RigcastLoader().parseAsync(
      castFile(model('m', made, triangle('t', 1, { ...uvs, m: ['l', made.hash] }))),
      '',
      'm.cast',
    );
    const asked: string[] = [];
    await rig.loadTextures(new UrlTextures(async name => (asked.push(name), name === 'a.tga' ? tga(1, 2, 3) : null)));
    expect(asked.filter(name => /a\./.test(name))).toEqual(['tex/a.dds', 'a.dds', 'a.png', 'a.tga']);
    expect(asked.filter(name => /n\./.test(name))).toEqual(['n.png', 'n.tga', 'n.dds', 'n.jpg']);
    expect(only(rig).map?.name).toBe('a.dds');
  });
});

describe('Cast hair', () => {
  const hair = (slots: Record<string, Slot>): Uint8Array => {
    const made = material(slots);
    return castFile(
      model(
        'm',
        made,
        node('hair', {
          n: ['s', 'fringe'],
          se: ['b', [2, 1, 0]],
          pt: ['3v', [0, 0, 0, 0, 1, 0, 0, 2, 0, 1, 0, 0, 1, 1, 0, 5, 5, 5]],
          m: ['l', made.hash],
        }),
      ),
    );
  };

  it('is drawn as lines between consecutive points of a strand in the material color', async () => {
    const rig = await new RigcastLoader().parseAsync(hair({ albedo: [0.5, 0.25, 0.125, 1] }), '', 'hair.cast');
    const [lines] = rig.meshes as LineSegments[];
    expect(lines).toBeInstanceOf(LineSegments);
    expect([...lines!.geometry.index!.array]).toEqual([0, 1, 1, 2, 3, 4]);
    expect((lines!.material as LineBasicMaterial).color.toArray()).toEqual([0.5, 0.25, 0.125]);
  });

  it('draws all strands with any number of segments', async () => {
    const strand = (x: number): number[] => [0, 1, 2, 3, 4, 5].flatMap(y => [x, y, 0]);
    const bytes = castFile(model('m', node('hair', { n: ['s', 'fringe'], se: ['b', [5, 5]], pt: ['3v', [...strand(0), ...strand(1)]] })));
    const { geometry } = (await new RigcastLoader().parseAsync(bytes, '', 'hair.cast')).meshes[0] as LineSegments;
    expect(geometry.index!.count).toBe(20);
    expect(geometry.groups).toEqual([]);
  });

  it('has the average color of its texture', async () => {
    const rig = await new RigcastLoader()
      .setFiles(new Map([['h.tga', tga(255, 0, 128)]]))
      .parseAsync(hair({ albedo: 'h.png' }), '', 'hair.cast');
    const { color } = rig.meshes[0]!.material as LineBasicMaterial;
    expect(color.getHex(SRGBColorSpace)).toBe(0xff0080);
  });

  it('is grey if the texture is missing or no material has a color', async () => {
    const bare = castFile(model('m', node('hair', { se: ['b', [1]], pt: ['3v', [0, 0, 0, 0, 1, 0]] })));
    for (const bytes of [hair({ albedo: 'gone.tga' }), bare]) {
      const rig = await new RigcastLoader().setFiles(new Map()).parseAsync(bytes, '', 'hair.cast');
      const { r, g, b } = (rig.meshes[0]!.material as LineBasicMaterial).color;
      expect(Math.max(r, g, b)).toBeLessThan(0.7);
      expect(Math.min(r, g, b)).toBeGreaterThan(0.3);
    }
  });

  it('can be drawn as ribbons with a width', async () => {
    const rig = await new RigcastLoader()
      .setOptions({ strandWidth: 3 })
      .setFiles(new Map([['h.tga', tga(255, 0, 128)]]))
      .parseAsync(hair({ albedo: 'h.tga' }), '', 'hair.cast');
    const wide = rig.meshes[0] as unknown as LineSegments2;
    expect(wide).toBeInstanceOf(LineSegments2);
    expect(wide.parent?.children).toEqual([wide]);
    expect([wide.name, wide.material.linewidth, wide.material.color.getHex(SRGBColorSpace)]).toEqual(['fringe', 3, 0xff0080]);
    expect(wide.geometry.attributes['instanceStart']!.count).toBe(3);
    await rig.setStrandWidth(5);
    expect([rig.meshes[0], wide.material.linewidth]).toEqual([wide, 5]);
    expect(wide.material.worldUnits).toBe(false);
    await rig.setStrandWidth(0.01, 'metres');
    expect([rig.meshes[0], wide.material.linewidth, wide.material.worldUnits]).toEqual([wide, 0.01, true]);
    await rig.setStrandWidth(0);
    expect(rig.meshes[0]).toBeInstanceOf(LineSegments);
    expect(rig.meshes[0]!.parent!.children).toEqual([rig.meshes[0]]);
    await rig.setStrandWidth(2);
    expect(rig.meshes[0]!.parent!.children).toEqual([rig.meshes[0]]);
    expect((rig.meshes[0] as unknown as LineSegments2).material.color.getHex(SRGBColorSpace)).toBe(0xff0080);
    expect(samplePoses(rig)[0]!.meshes).toMatchObject([{ name: 'fringe', vertexCount: 6, max: [5, 5, 5] }]);
    rig.dispose();
  });

  it('has the opacity and alpha mode of its material as ribbons', async () => {
    const rig = await new RigcastLoader()
      .setOptions({ strandWidth: 3, textures: false })
      .parseAsync(hair({ albedo: [1, 1, 1, 1] }), '', 'hair.cast');
    const { material: drawn } = rig.meshes[0] as unknown as LineSegments2;
    const state = (values: MaterialValues | null): unknown[] => {
      rig.materialValues = values && [{ material: rig.file.scene!.materials[0]!.name, ...values }];
      return [drawn.opacity, drawn.transparent, drawn.depthWrite, drawn.visible];
    };
    const opaque = [1, false, true, true];
    expect(state(null)).toEqual(opaque);
    const { version } = drawn;
    expect(state({ opacity: 0.4, alphaMode: 'blend' })).toEqual([0.4, true, false, true]);
    expect(drawn.version).toBeGreaterThan(version);
    expect(drawn.uniforms['opacity']!.value).toBe(0.4);
    expect(state({ opacity: 0.4, alphaMode: 'opaque' })).toEqual(opaque); // ignores the opacity
    expect(state({ opacity: 0.4, alphaMode: 'mask', alphaCutoff: 0.5 })).toEqual([1, false, true, false]);
    expect(state({ opacity: 0.6, alphaMode: 'mask', alphaCutoff: 0.5 })).toEqual(opaque);
    expect(state(null)).toEqual(opaque);
    rig.dispose();
  });
});

describe('a file with every feature', () => {
  it('lists IK handles and constraints with their bones, and solves those that are complete', async () => {
    const bytes = new Uint8Array(readFileSync(new URL('../../data/cast/everything.cast', import.meta.url)));
    const rig = await new RigcastLoader().setOptions({ textures: false, instances: false }).parseAsync(bytes, '', 'everything.cast');
    const features = rig.nodes.flatMap(({ userData }) => (userData['features'] ?? []) as { kind: string }[]);
    expect(features.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['ik', 'constraint']));
    const told = rig.report.items.filter(({ code }) => code === 'NOT_SOLVED').reduce((sum, { count }) => sum + count, 0);
    const all = rig.file.scene!.features.filter(({ kind }) => kind === 'ik' || kind === 'constraint').length;
    expect(rig.rigging!.parts.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['ik', 'constraint']));
    expect(rig.rigging!.parts.length + told).toBe(all);
  });
});

describe('Cast animations', () => {
  const bone = (name: string): CastNode =>
    node('bone', { n: ['s', name], p: ['i', [0xffffffff]], lp: ['3v', [0, 1, 0]], lr: ['4v', [0, 0, 0, 1]], s: ['3v', [1, 2, 1]] });
  const curve = (kp: string, values: number[], mode: string, more: CastNode['properties'] = {}): CastNode =>
    node('curv', { nn: ['s', 'b'], kp: ['s', kp], kb: ['b', values.map((_, i) => 10 * i)], kv: ['f', values], m: ['s', mode], ...more });
  const motion = (...curves: CastNode[]): Uint8Array => castFile(node('anim', { n: ['s', 'm'], fr: ['f', [10]] }, ...curves));

  it('blends an additive clip by weight: adds positions and multiplies scales', async () => {
    const loader = new RigcastLoader();
    const rig = await loader.parseAsync(castFile(model('m', node('skel', {}, bone('b')))), '', 'm.cast');
    const base = await loader.parseAsync(motion(curve('tx', [0, 4], 'absolute'), curve('sy', [2, 4], 'absolute')), '', 'base.cast');
    const layer = await loader.parseAsync(
      motion(curve('tx', [0, 2], 'additive', { ab: ['f', [0.5]] }), curve('sy', [1, 3], 'additive', { ab: ['f', [0.5]] })),
      '',
      'layer.cast',
    );
    const clips = [base, layer].flatMap(source => rig.bind(source).clips);
    const [half, end] = samplePoses(rig, { clips, times: [0.5, 1] }).map(({ nodes }) => nodes.find(({ name }) => name === 'b')!);
    expect(half!.position.map(value => Number(value.toFixed(5)))).toEqual([2.5, 1, 0]);
    expect(end!.position.map(value => Number(value.toFixed(5)))).toEqual([5, 1, 0]);
    expect(half!.scale[1]).toBeCloseTo(3 * 1.5, 5);
    expect(end!.scale[1]).toBeCloseTo(4 * 2, 5);
  });
});

describe('visibility', () => {
  const curve = (target: string, kind: string, values: CastProperty): CastNode =>
    node('curv', { nn: ['s', target], kp: ['s', kind], kb: ['b', [0, 10]], kv: values, m: ['s', 'absolute'] });
  /**
   * Plays an animation that makes `target` visible at its end. Returns the names of the visible
   * meshes at the start and after the end, and the report about the animated targets.
   */
  async function seen(name: string, meshes: string[], target: string, ...more: CastNode[]): Promise<unknown[]> {
    const motion = node('anim', { n: ['s', 'm'], fr: ['f', [10]] }, curve(target, 'vb', ['b', [0, 1]]), ...more);
    const rig = await new RigcastLoader().parseAsync(castFile(model(name, ...meshes.map(mesh => triangle(mesh))), motion), '', 'v.cast');
    const action = rig.clips[0]!.clipAction(rig.mixer).play();
    const at = (time: number): string[] => {
      seek(action, time);
      return rig.meshes.filter(mesh => isSeen(mesh!)).map(mesh => mesh!.userData['name'] as string);
    };
    const { matched, unmatched } = rig.bind(rig.file.scene!.clips).report;
    const result = [at(0.9), at(1), matched, unmatched];
    rig.mixer.stopAllAction();
    expect(rig.meshes.every(mesh => isSeen(mesh!))).toBe(true);
    return result;
  }
  const isSeen = (object: Object3D): boolean => object.visible && (object.parent === null || isSeen(object.parent));

  it('animates all meshes of a model, even if one has the name of the model', async () => {
    expect(await seen('a', ['a', 'b'], 'a')).toEqual([[], ['a', 'b'], ['a'], []]);
  });

  it('animates a mesh and all other meshes of the same name', async () => {
    expect(await seen('m', ['a', 'b'], 'a')).toEqual([['b'], ['a', 'b'], ['a'], []]);
    expect(await seen('m', ['a', 'a', 'b'], 'A')).toEqual([['b'], ['a', 'a', 'b'], ['A'], []]);
  });

  it('reports curves for missing meshes, and for meshes animated as nodes', async () => {
    expect(await seen('m', ['a'], 'gone')).toEqual([['a'], ['a'], [], ['gone']]);
    expect(await seen('m', ['a', 'b'], 'a', curve('a', 'tx', ['f', [0, 1]]))).toEqual([['b'], ['a', 'b'], ['a'], ['a']]);
  });
});
