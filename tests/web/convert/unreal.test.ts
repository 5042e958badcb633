// Converts files to PSK and PSA and reads the results.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Conversion, convert, type ConvertOptions } from '../../../web/src/convert/index.ts';
import { RestTransforms } from '../../../web/src/convert/common/bodies.ts';
import { rotatorOf } from '../../../web/src/convert/unreal/sockets.ts';
import { open, type RigFile } from '../../../web/src/core/index.ts';
import { multiplied } from '../../../web/src/core/math/matrix.ts';
import type { RigScene } from '../../../web/src/core/types.ts';
import { materialOf } from '../../../web/src/textures/drawnMaterials.ts';
import { Rig } from '../../../web/src/three/index.ts';
import { drawnPositions } from '../../../web/src/three/build/skinning.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';
import { armScene, clip, f32, table, track } from '../../support/armScene.ts';
import { differences, farthestCorner, plain } from '../../support/sameScene.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const data = (path: string): string => join(root, 'tests/data', path);
const demo = (path: string): string => join(root, 'web/src/viewer/demo', path);
const corpus = join(root, '../shared/corpus');

/**
 * Returns every `step`th small file in a folder of the corpus. Testing all files would take
 * minutes.
 */
const real = (folder: string, ending: RegExp, step: number): string[] =>
  existsSync(join(corpus, folder))
    ? readdirSync(join(corpus, folder), { recursive: true, encoding: 'utf8' })
        .filter(name => ending.test(name))
        .map(name => join(corpus, folder, name))
        .filter(path => statSync(path).size < 1e6)
        .sort()
        .filter((_, i) => i % step === 0)
    : [];

/** Opens a result together with its `.config`. */
async function parse(
  name: string,
  bytes: Uint8Array,
  beside: readonly Pick<Conversion['files'][number], 'name' | 'bytes'>[] = [],
): Promise<RigFile> {
  const companions = async ({ name: wanted }: { name: string }): Promise<Uint8Array | null> =>
    beside.find(file => file.name === wanted)?.bytes ?? null;
  return open(bytes, { name, worker: false, companions });
}

function read(path: string): Promise<RigFile> {
  const config = path.replace(/\.psa$/, '.config');
  const beside = config !== path && existsSync(config) ? [{ name: basename(config), bytes: new Uint8Array(readFileSync(config)) }] : [];
  return parse(basename(path), readFileSync(path), beside);
}

async function as(
  to: 'psk' | 'psa',
  files: readonly RigFile[],
  options: Partial<ConvertOptions> = {},
): Promise<{ model: RigFile; motions: RigFile; made: Conversion; codes: string[] }> {
  const made = await convert(files, { to, ...options });
  const read = async (ending: string): Promise<RigFile> => {
    const found = made.files.find(({ name }) => name.endsWith(ending));
    return found ? parse(found.name, found.bytes, made.files) : ({ scene: null } as RigFile);
  };
  const codes = [...new Set(made.report.items.map(({ code }) => code))].sort();
  return { model: await read('.psk'), motions: await read('.psa'), made, codes };
}

const complaints = ({ report }: RigFile): string[] => report.items.filter(({ severity }) => severity !== 'info').map(({ code }) => code);

/**
 * Returns the differences between two models. If points were split, the indices of source points
 * are ignored.
 */
function sameModel(a: RigScene, b: RigScene, codes: readonly string[]): string[] {
  const skip = new Set(['references']);
  if (codes.includes('POINTS_SPLIT')) for (const name of ['sourceVertices', 'sourceVertexCount']) skip.add(name);
  return differences(plain(a), plain(b), skip);
}

const models = ['unreal/arm.psk', 'unreal/arm-plain.psk', 'unreal/arm-static.pskx'].map(data);

describe('rootBone', () => {
  it('attaches a static mesh to a root bone without moving it', async () => {
    const file = await read(data('unreal/arm-static.pskx'));
    const { model, codes } = await as('psk', [file], { unreal: { rootBone: true } });
    expect(complaints(model)).toEqual([]);
    expect(codes).toContain('ROOT_ADDED');
    const { nodes, skins, meshes } = model.scene!;
    const bones = [...nodes.bones.keys()].filter(row => nodes.bones[row]! >= 0);
    expect(bones.map(row => nodes.names[row])).toEqual(['root']);
    expect(Array.from(skins[0]!.joints)).toEqual(bones);
    expect(Array.from(meshes[0]!.weights!)).toEqual(Array.from({ length: meshes[0]!.vertexCount }, () => [1, 0, 0, 0]).flat());
    const rest = new RestTransforms(model.scene!).inScene(bones[0]!);
    expect(multiplied(rest, skins[0]!.inverseBindMatrices)).toEqual(
      new RestTransforms(file.scene!).inScene(file.scene!.renderers[0]!.node),
    );
    for (const [i, value] of file.scene!.meshes[0]!.positions.entries()) expect(meshes[0]!.positions[i]).toBeCloseTo(value, 6);
  });

  it('is off by default, and changes nothing in a model with bones', async () => {
    const { model } = await as('psk', [await read(data('unreal/arm-static.pskx'))]);
    expect(model.scene!.skins).toEqual([]);
    const arm = await read(data('unreal/arm.psk'));
    const [without, with_] = [await as('psk', [arm]), await as('psk', [arm], { unreal: { rootBone: true } })];
    expect(with_.made.files[0]!.bytes).toEqual(without.made.files[0]!.bytes);
  });

  it('is an option of PSK only', async () => {
    await expect(convert([], { to: 'psa', unreal: { rootBone: true } })).rejects.toThrow('only available for psk');
  });
});

describe('PSK from PSK', () => {
  it.each([...models, demo('Pip.psk'), ...real('psk', /\.pskx?$/i, 23)].map(path => [basename(path), path]))(
    '%s is the same model',
    async (_, path) => {
      const source = await read(path);
      if (!source.scene?.meshes.length) return;
      const { model, codes } = await as('psk', [source]);
      expect(complaints(model)).toEqual(source.scene.meshes[0]!.radius > 0 ? [] : ['MESH_EMPTY']);
      expect(sameModel(source.scene, model.scene!, codes)).toEqual([]);
    },
  );

  it('has the same bytes if it is converted again', async () => {
    const once = await as('psk', [await read(data('unreal/arm.psk'))]);
    const twice = await as('psk', [once.model]);
    expect(twice.made.files[0]!.bytes).toEqual(once.made.files[0]!.bytes);
  });

  it('has wide records if there are many wedges', async () => {
    const source = await parse('wide.psk', makePsk({ side: 260 }));
    const { model, made } = await as('psk', [source]);
    expect(new TextDecoder('latin1').decode(made.files[0]!.bytes)).toContain('FACE3200');
    expect(sameModel(source.scene!, model.scene!, [])).toEqual([]);
  });

  it('keeps the numbers of a file that was opened in another unit', async () => {
    const bytes = readFileSync(data('unreal/arm.psk'));
    const options = { worker: false, name: 'arm.psk', formatOptions: { unreal: { unitScale: 0.02 } } } as const;
    const { made } = await as('psk', [await open(bytes, options)]);
    expect(made.report.items).toContainEqual(expect.objectContaining({ code: 'UNIT_UNSAID', path: '', amount: 0.02, detail: '' }));
    const centimetres = await as('psk', [await read(data('unreal/arm.psk'))]);
    const model = await open(made.files[0]!.bytes, { worker: false, name: 'arm.psk' });
    expect(differences(plain(centimetres.model.scene!), plain(model.scene!))).toEqual([]);
  });
});

describe('PSA from PSA', () => {
  const motions = readdirSync(data('unreal')).filter(name => name.endsWith('.psa'));
  it.each(
    [...motions.map(name => data(`unreal/${name}`)), demo('Pip.psa'), ...real('psa', /\.psa$/i, 29)].map(path => [basename(path), path]),
  )('%s is the same motions', async (_, path) => {
    const source = await read(path);
    if (!source.scene?.clips.length) return;
    const { motions, codes } = await as('psa', [source]);
    expect(codes.filter(code => code !== 'SOURCE_DAMAGED')).toEqual([]);
    expect(complaints(motions)).toEqual(complaints(source).filter(code => code.startsWith('LOOKS_')));
    expect(differences(plain(source.scene), plain(motions.scene!), new Set(['references']))).toEqual([]);
  });

  it('gives animations of several files different names, as they are stored and without case', async () => {
    const model = await parse('arm.psk', makePsk());
    const long = 'a'.repeat(63);
    const [first, second] = [
      await parse('first.psa', makePsa({ sequences: ['Run', 'run_2', long] })),
      await parse('second.psa', makePsa({ sequences: ['run'] })),
    ];
    const other = {
      ...second,
      scene: { ...second.scene!, clips: [...second.scene!.clips, { ...second.scene!.clips[0]!, name: `${long}2` }] },
    };
    const { made, motions } = await as('psa', [model, first, other]);
    expect(motions.scene!.clips.map(({ name }) => name)).toEqual(['Run', 'run_2', long, 'run_3', `${'a'.repeat(61)}_2`]);
    expect(made.report.items.filter(({ code }) => code === 'CLIP_RENAMED').map(({ detail }) => detail)).toEqual([
      'run_3',
      `${'a'.repeat(61)}_2`,
    ]);
  });

  it('keeps the curves of an animation if one of another file has the same name and fewer', async () => {
    const model = await parse('arm.psk', makePsk({ bones: ['root', 'arm', 'hand'] }));
    const full = await parse('full.psa', makePsa({ bones: ['root', 'arm', 'hand'], sequences: ['Run'] }));
    const bare = await parse('bare.psa', makePsa({ bones: ['root'], sequences: ['Run'] }));
    const { motions } = await as('psa', [model, full, bare]);
    expect(motions.scene!.clips.map(({ tracks }) => new Set([...tracks].map(({ target }) => target)).size)).toEqual([3, 1]);
  });

  it('lists the bones that its animations do not move in a .config', async () => {
    const [model, motion] = [
      await parse('arm.psk', makePsk({ bones: ['root', 'arm', 'hand'] })),
      await read(data('unreal/arm-motions.psa')),
    ];
    const { made, motions } = await as('psk', [model, motion]);
    expect(made.files.map(({ name }) => name)).toEqual(['arm.psk', 'arm.psa', 'arm.config']);
    const moved = (file: RigFile): string[] => {
      const tracks = [...file.scene!.clips[0]!.tracks].filter(({ path }) => path !== 'weight');
      return [...new Set(tracks.map(({ target }) => target.toLowerCase()))].sort();
    };
    const known = model.scene!.nodes.names.map(name => name.toLowerCase());
    expect(moved(motions)).toEqual(moved(motion).filter(name => known.includes(name)));
  });
});

/** Returns a file that contains the scene of a PSK and the clips of its PSA. */
const together = (model: RigFile, motions: RigFile): RigFile => ({
  ...model,
  scene: { ...model.scene!, clips: motions.scene?.clips ?? [] },
});

/** Returns the file without data that PSK and PSA cannot store, such as the names of meshes. */
function bare(file: RigFile): RigFile {
  const scene = file.scene!;
  const shown = scene.renderers.filter(({ mesh }) => scene.meshes[mesh]!.topology === 'triangles');
  const meshes = scene.meshes.map(mesh => ({
    ...mesh,
    morphs: [],
    uvs: mesh.uvs.length > 0 ? mesh.uvs : [new Float32Array(2 * mesh.vertexCount)],
  }));
  const clips = scene.clips.map(each => {
    const tracks = [...each.tracks].filter(({ path }) => path === 'translation' || path === 'rotation' || path === 'scale');
    return { ...each, tracks: table(...tracks) };
  });
  return { ...file, scene: { ...scene, renderers: shown.map(each => ({ ...each, name: 'mesh' })), meshes, clips } };
}

describe('PSK and PSA from other formats', () => {
  it.each([
    ['a PSK with the motions of a PSA', [data('unreal/arm.psk'), data('unreal/arm-motions.psa')]],
    ['an SEModel with a motion', [data('se/arm.semodel'), data('se/absolute.seanim')]],
    ['an SEModel with a relative animation', [data('se/arm.semodel'), data('se/relative.seanim')]],
    ['a Cast model without bones', [demo('Sheep.cast')]],
    ['a VGO', [data('vgo/puppet.vgo')]],
    ['a left-handed VGO', [data('vgo/puppet-lh-tl-2.4-bson.vgo')]],
    ['a VGO avatar', [demo('Lotl.vgo')]],
  ])('%s has the same shape and animations', async (_, paths) => {
    const [file, ...others] = await Promise.all(paths.map(read));
    const { model, motions } = await as('psk', [file!, ...others]);
    expect(complaints(model)).toEqual([]);
    const clips = [file!, ...others].flatMap(({ scene }) => scene?.clips ?? []);
    const source = { ...file!, scene: { ...file!.scene!, clips } };
    expect(farthestCorner(bare(source), bare(together(model, motions)))).toBeLessThan(1e-4);
  });

  /**
   * Returns the positions of all face corners, at rest and during each animation. They are grouped
   * by material, because PSK merges meshes.
   */
  function cornersByMaterial(file: RigFile): Map<string, number[]> {
    const found = new Map<string, number[]>();
    const rig = new Rig(file);
    const { meshes, renderers, materials } = file.scene!;
    const look = (): void => {
      rig.scene.updateMatrixWorld(true);
      for (const [row, renderer] of renderers.entries()) {
        const mesh = meshes[renderer.mesh]!;
        const positions = drawnPositions(rig.meshes[row]!, mesh);
        for (const [g, { start, count }] of mesh.groups.entries()) {
          const name = materials[materialOf(mesh, renderer, g)]!.name;
          const list = found.get(name) ?? [];
          for (const corner of mesh.indices!.subarray(start, start + count)) list.push(...positions.subarray(3 * corner, 3 * corner + 3));
          found.set(name, list);
        }
      }
    };
    look();
    for (const motion of rig.clips) {
      const animator = rig.createAnimator();
      const layer = animator.layer(motion);
      layer.time = 0.4 * motion.duration;
      animator.layers.push(layer);
      animator.apply();
      look();
      animator.stop();
    }
    return found;
  }

  it('merges several meshes of a Cast model without changing its shape and animations', async () => {
    const source = await read(demo('Tock.cast'));
    const { model, motions, codes } = await as('psk', [source]);
    const [before, after] = [cornersByMaterial(bare(source)), cornersByMaterial(bare(together(model, motions)))];
    expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
    for (const [name, corners] of before) {
      expect(after.get(name)).toHaveLength(corners.length);
      // The tolerance is larger because the model has non-uniform scale, which bones in Unreal
      // inherit per axis.
      expect(Math.max(...corners.map((value, i) => Math.abs(value - after.get(name)![i]!)))).toBeLessThan(1e-3);
    }
    expect([model.scene!.meshes.length, codes]).toEqual([1, expect.arrayContaining(['MESHES_MERGED', 'SCALE_INHERITED'])]);
  });

  const armFile = (scene: Partial<RigScene>): RigFile =>
    ({
      name: 'arm',
      format: 'vgo',
      scene: armScene(scene),
      report: { errors: 0, warnings: 0, infos: 0, truncated: false, items: [] },
      needs: [],
    }) as never;

  it('has morph targets with normals and their curves', async () => {
    const arm = armScene();
    const [mesh] = arm.meshes;
    const morphs = [
      { name: 'bulge', vertices: Uint32Array.of(0, 3), positions: f32(0, 0, 0.1, 0.2, 0, 0), normals: f32(0, 1, 0, 0, 0, 1), maximum: 1 },
    ];
    const smile = clip('smile', 1, track({ target: '', path: 'weight', property: 'bulge', times: f32(0, 1), values: f32(0, 1) }));
    const { model, motions } = await as('psk', [armFile({ meshes: [{ ...mesh!, morphs }], clips: [smile] })]);
    const [shape] = model.scene!.meshes[0]!.morphs;
    const at = (column: Float32Array, i: number): number[] =>
      Array.from(column.subarray(3 * i, 3 * i + 3), value => Number(value.toFixed(5)));
    const rows = [...shape!.vertices].map((vertex, i) => [
      at(model.scene!.meshes[0]!.positions, vertex),
      at(shape!.positions, i),
      at(shape!.normals!, i),
    ]);
    const lower = [[-0.1, 0, 0], [0, 0, 0.1], [0, 1, 0]]; // prettier-ignore
    const upper = [[0.1, 1, 0], [0.2, 0, 0], [0, 0, 1]]; // prettier-ignore
    expect(rows).toEqual([lower, upper, upper]); // two materials share the upper vertex
    const [curve] = [...motions.scene!.clips[0]!.tracks].filter(({ path }) => path === 'weight');
    expect([curve!.property, curve!.times.length, curve!.values[15]]).toEqual(['bulge', 31, expect.closeTo(0.5, 5)]);
  });

  it('has scale keys for the animations that scale bones', async () => {
    const grow = clip('grow', 1, track({ target: 'up/per', path: 'scale', times: f32(0, 1), values: f32(1, 1, 1, 1, 3, 2) }));
    const still = clip('still', 1, track({ target: 'low.er', path: 'translation', times: f32(0), values: f32(0, 1, 0) }));
    const source = armFile({ clips: [still, grow], scaleInheritance: 'axes' });
    const { motions } = await as('psk', [source]);
    const scales = motions.scene!.clips.map(({ tracks }) => [...tracks].filter(({ path }) => path === 'scale'));
    expect(scales[0]).toEqual([]);
    expect(scales[1]!.find(({ target }) => target === 'up/per')!.values.slice(-3)).toEqual(f32(1, 3, 2));
  });

  it('samples and reports curves that are not linear between whole frames', async () => {
    const sway = track({ target: 'low.er', path: 'rotation', times: f32(0, 0.51), values: f32(0, 0, 0, 1, 0, 1, 0, 0) });
    const { motions, made } = await as('psk', [armFile({ clips: [clip('sway', 0.51, sway)] })]);
    expect(made.report.items).toContainEqual({
      code: 'CURVES_SAMPLED',
      kind: 'approximation',
      path: 'sway',
      amount: expect.any(Number),
      detail: '1 curve, 120 frames per second',
    });
    expect(motions.scene!.clips[0]).toMatchObject({ frameRate: 120, frameCount: 63 });
  });

  it('adds a root above several roots, and for meshes without bones', async () => {
    const { model, codes } = await as('psk', [await read(demo('Sheep.cast'))]);
    const { names, parents } = model.scene!.nodes;
    expect([codes.includes('ROOT_ADDED'), names.slice(1).includes('root')]).toEqual([names.length > 1, names.length > 1]);
    expect(parents.slice(2).every(parent => parent > 0)).toBe(true);
  });

  it('reports data that PSK and PSA cannot store', async () => {
    const { made } = await as('psk', [await read(data('cast/everything.cast'))]);
    const said = made.report.items.map(({ code, path }) => `${code} ${path}`);
    expect(said).toEqual(expect.arrayContaining(['NOT_SAID hair', 'NOT_SAID ik', 'NOT_SAID constraint', 'NOT_SAID further colour layers']));
    expect(made.report.items.some(({ code }) => code === 'MATERIAL_WORDS_LOST')).toBe(true);
    await expect(convert([await read(data('cast/everything.cast'))], { to: 'psk', strict: true })).rejects.toThrow(/NOT_SAID/);
  });

  it('rejects sources without a mesh or animations', async () => {
    await expect(convert([await read(demo('Pip.psk'))], { to: 'psa' })).rejects.toMatchObject({ code: 'MOTIONS_MISSING' });
    await expect(convert([await read(data('se/absolute.seanim'))], { to: 'psa' })).rejects.toMatchObject({ code: 'MODEL_MISSING' });
  });
});

describe('a rotator', () => {
  /** Converts pitch, yaw and roll of a socket to a quaternion (psk-psa.md section 6.4). */
  function turnOf([pitch, yaw, roll]: readonly number[]): number[] {
    const [p, y, r] = [pitch!, yaw!, roll!].map(angle => (angle * Math.PI) / 360) as [number, number, number];
    const [sp, cp, sy, cy, sr, cr] = [Math.sin(p), Math.cos(p), Math.sin(y), Math.cos(y), Math.sin(r), Math.cos(r)];
    return [-(cr * sp * sy - sr * cp * cy), -cr * sp * cy - sr * cp * sy, -(cr * cp * sy - sr * sp * cy), cr * cp * cy + sr * sp * sy];
  }

  it.each([
    [10, 20, 30],
    [-70, 170, -100],
    [90, 40, 0],
    [-90, -30, 0],
    [0, 0, 0],
  ])('of %d %d %d is restored', (...angles) => {
    const turn = turnOf(angles);
    const again = turnOf(rotatorOf(turn));
    const cosine = turn.reduce((sum, value, i) => sum + value * again[i]!, 0);
    expect(Math.abs(cosine)).toBeCloseTo(1, 9);
  });
});

describe('textures beside a PSK', () => {
  const image = (path: string): Promise<{ name: string; bytes: Uint8Array } | null> => {
    const name = basename(path);
    const found = readdirSync(demo('')).find(
      each => each.replace(/\.\w+$/, '') === name.replace(/\.\w+$/, '') && /\.(png|jpg)$/.test(each),
    );
    return Promise.resolve(found ? { name: found, bytes: new Uint8Array(readFileSync(demo(found))) } : null);
  };
  const textOf = ({ files }: Conversion, name: string): string => new TextDecoder().decode(files.find(each => each.name === name)?.bytes);

  it('are written to .mat files and read from them again', async () => {
    const source = await read(demo('Tock.cast'));
    const { model, made } = await as('psk', [source]);
    expect(textOf(made, 'Tin.mat')).toBe(
      'Diffuse=Tock_albedo\r\nMask=Tock_metal\r\nMask=Tock_roughness\r\nNormal=Tock_normal\r\nEmissive=Tock_emissive\r\n',
    );
    expect(made.report.items.find(({ code, path }) => code === 'MATERIAL_WORDS_LOST' && path === 'Tin')?.detail).toMatch(
      /green channel of normals/,
    );
    const asked: string[] = [];
    const images = {
      names: null,
      image: async (path: string) => {
        asked.push(path);
        return image(path);
      },
      text: (name: string) => Promise.resolve(textOf(made, name) || null),
    };
    const { report, files } = await convert([model], { to: 'cast', images });
    expect(asked).toEqual(expect.arrayContaining(['Tock_albedo', 'Tock_normal', 'Tock_emissive', 'Tock_metal', 'Tock_roughness']));
    expect(report.items.map(({ code }) => code)).not.toContain('TEXTURE_GUESSED');
    const again = await open(files[0]!.bytes, { name: 'Tock.cast', worker: false });
    const tin = again.scene!.materials.find(({ name }) => name === 'Tin')!;
    const slots = tin.slots.filter(({ texture }) => texture !== undefined).map(({ slot }) => slot);
    expect(slots.sort()).toEqual(['baseColor', 'emissive', 'metallic', 'normal', 'roughness']);
  });

  it('become files if they were embedded, except names that are not valid file names', async () => {
    const source = await read(data('vgo/puppet.vgo'));
    const { made } = await as('psk', [source]);
    const names = made.files.map(({ name }) => name);
    expect(names.some(name => name.endsWith('.png') || name.endsWith('.jpg'))).toBe(true);
    const materials = source.scene!.materials.map(material => ({ ...material, name: `../${material.name}` }));
    const odd = await as('psk', [{ ...source, scene: { ...source.scene!, materials } }]);
    expect(odd.made.files.filter(({ name }) => name.endsWith('.mat'))).toEqual([]);
    for (const name of names.filter(each => each.endsWith('.mat')))
      for (const line of textOf(made, name).trim().split('\r\n'))
        expect(
          names.some(each => each.startsWith(`${line.split('=')[1]}.`)),
          line,
        ).toBe(true);
  });

  it('are those of the first of two materials with the same name', async () => {
    const source = await read(demo('Tock.cast'));
    const scene = source.scene!;
    const other = scene.materials.findIndex(({ name }) => name === 'Earth');
    const tin = scene.materials.find(({ name }) => name === 'Tin')!;
    const { made } = await as('psk', [
      { ...source, scene: { ...scene, materials: scene.materials.with(other, { ...tin, slots: tin.slots.slice(0, 1) }) } },
    ]);
    expect(made.files.filter(({ name }) => name === 'Tin.mat')).toHaveLength(1);
    expect(made.report.items.filter(({ code }) => code === 'MATERIAL_FILE_THERE')).toHaveLength(1);
  });
});
