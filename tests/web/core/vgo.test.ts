// One puppet in the manners of the field, as the native writer spells it (tests/data/vgo): `open`
// gives the same scene of all of them.
import { createCipheriv } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { open } from '../../../web/src/core/index.ts';
import type { RigFile } from '../../../web/src/core/open.ts';
// @ts-expect-error a plain script
import { cubeVgo as makeCube, encryptVgo as makeEncrypted } from '../../support/vgoFile.mjs';

const encryptVgo = makeEncrypted as (bytes: Uint8Array, encrypt: (bytes: Uint8Array) => Uint8Array, crypt: object) => Uint8Array;
const fixture = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(`../../data/vgo/${name}`, import.meta.url)));
const read = (bytes: Uint8Array, name: string, companions = new Map<string, Uint8Array>()): Promise<RigFile> =>
  open(bytes, { name, companions, worker: false });
/** A zero may have either sign. */
const numbers = (values: ArrayLike<number> | undefined): number[] => Array.from(values ?? [], value => value + 0);

/** Returns the facts of a file that are compared. */
function facts({ scene, report, needs }: RigFile): unknown {
  expect(report.items.filter(({ severity }) => severity !== 'info')).toEqual([]);
  expect(needs).toEqual([]);
  const { nodes, meshes, skins, renderers, materials, textures, images, clips, lights, expressions, features } = scene!;
  return {
    nodes: [
      nodes.names,
      numbers(nodes.parents),
      numbers(nodes.translations),
      numbers(nodes.rotations),
      numbers(nodes.scales),
      numbers(nodes.visible),
    ],
    meshes: meshes.map(mesh => ({
      name: mesh.name,
      positions: numbers(mesh.positions),
      normals: numbers(mesh.normals),
      uvs: mesh.uvs.map(numbers),
      joints: numbers(mesh.joints),
      weights: numbers(mesh.weights),
      morphs: mesh.morphs.map(({ name, positions, normals }) => [name, numbers(positions), numbers(normals)]),
    })),
    skins: skins.map(({ joints, inverseBindMatrices }) => [numbers(joints), numbers(inverseBindMatrices)]),
    renderers: renderers.map(({ node, mesh, skin, materials: rows }) => [node, mesh, skin, rows]),
    images: images.map(({ mimeType, bytes }) => [mimeType, bytes!.length]),
    clips: clips.map(({ name, duration, loop, tracks }) => [
      name,
      duration,
      loop,
      Array.from(tracks, ({ target, path, times, values }) => [target, path, numbers(times), numbers(values)]),
    ]),
    materials,
    textures,
    lights,
    expressions,
    features: features.map(({ kind, node, name, properties }) => [kind, node, name, { ...properties, index: 0 }]), // colliders have no number before 2.4
  };
}

const puppet = await read(fixture('puppet.vgo'), 'puppet.vgo');

describe('a puppet', () => {
  it('is read completely', () => {
    const { scene } = puppet;
    expect(scene!.meshes[0]!.morphs.map(({ name }) => name)).toEqual(['Smile', 'Wink']);
    expect(scene!.expressions.map(({ preset }) => preset)).toEqual(expect.arrayContaining(['happy', 'blinkLeft', 'aa']));
    expect(scene!.features.find(({ kind }) => kind === 'humanoid')!.properties!['bones']).toMatchObject({
      hips: 2,
      chest: 3,
      leftThumbMetacarpal: 6,
    });
  });

  it.each(['puppet-rh-tl-bson.vgo', 'puppet-lh-tl-2.4-bson.vgo', 'puppet-rh-bl-2.1.vgo', 'puppet-base64.vgo'])(
    'is the same in %s',
    async name => {
      expect(facts(await read(fixture(name), name))).toEqual(facts(puppet));
    },
  );

  it('keeps slashes in names, which the original importer removes', async () => {
    const { bytes } = (makeCube as (over: object) => { bytes: Uint8Array })({
      nodes: [
        { name: 'root', isRoot: true, children: [1] },
        { name: 'arm/left', meshRenderer: { name: 'a/b', mesh: 0, materials: [0] } },
      ],
    });
    const { scene } = await read(bytes, 'cube.vgo');
    expect([...scene!.nodes.names].slice(1)).toEqual(['root', 'arm/left']);
  });

  it('is the same with its data in another file, which is a need with a name', async () => {
    const alone = await read(fixture('puppet-elsewhere.vgo'), 'puppet-elsewhere.vgo');
    expect(alone.scene).toBeNull();
    expect(alone.needs).toMatchObject([{ kind: 'resource', name: 'data/puppet-elsewhere.bin', required: true }]);
    expect(facts(await alone.supply(new Map([['puppet-elsewhere.bin', fixture('puppet-elsewhere.bin')]])))).toEqual(facts(puppet));
  });

  const iv = Buffer.alloc(16, 0x21);
  const encrypt =
    (key: Uint8Array) =>
    (bytes: Uint8Array): Uint8Array => {
      const cipher = createCipheriv(`aes-${key.length * 8}-cbc`, key, iv);
      return new Uint8Array(Buffer.concat([cipher.update(bytes), cipher.final()]));
    };

  it.each([
    [128, 'puppet.vgo'],
    [192, 'puppet.vgo'],
    [256, 'puppet.vgo'],
    [128, 'puppet-rh-tl-bson.vgo'],
    [192, 'puppet-rh-tl-bson.vgo'],
    [256, 'puppet-rh-tl-bson.vgo'],
  ])('is the same behind AES-%i with its key inside, in %s', async (bits, name) => {
    const key = new Uint8Array(bits / 8).fill(0x5a);
    const locked = encryptVgo(fixture(name), encrypt(key), { iv: iv.toString('base64'), key: Buffer.from(key).toString('base64') });
    expect(facts(await read(locked, name))).toEqual(facts(puppet));
  });

  it.each(['puppet.vgo', 'puppet-rh-tl-bson.vgo', 'puppet-elsewhere.vgo'])(
    'is the same behind AES-256 with a key file, in %s',
    async name => {
      const key = new Uint8Array(32).map((_, i) => i * 7);
      const locked = encryptVgo(fixture(name), encrypt(key), { iv: iv.toString('base64') });
      const companions = new Map([
        ['LOCKED.vgk', key],
        ['puppet-elsewhere.bin', fixture('puppet-elsewhere.bin')],
      ]);
      expect(facts(await read(locked, 'locked.vgo', companions))).toEqual(facts(puppet));
    },
  );
});

describe('a file that contains URLs', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([
    'https://example.com/stolen.bin',
    '//example.com/stolen.bin',
    '/stolen.bin',
    '../stolen.bin',
    'stolen.bin',
    'data:,stolen',
    'file:///stolen.bin',
  ])('has nothing fetched: %s', async uri => {
    // Workers run the same code, but requests of a worker cannot be observed here.
    const fetched = vi.spyOn(globalThis, 'fetch');
    const cube = (makeCube as (over: object, options: object) => { bytes: Uint8Array })(
      { textures: [{ name: uri, source: 0, uri }] },
      { external: uri },
    );
    const file = await read(cube.bytes, 'cube.vgo');
    expect(file.needs).toMatchObject([{ kind: 'resource', name: uri }]);
    await file.outline();
    expect(fetched).not.toHaveBeenCalled();
  });
});
