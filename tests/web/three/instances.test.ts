// Scenes with instances: files are found, instances are drawn, missing files and limits are
// reported.
import { existsSync, readFileSync } from 'node:fs';
import { Box3, InstancedMesh, type Mesh, type Object3D, Raycaster, SkinnedMesh, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { type Rig, RigcastLoader } from '../../../web/src/three/index.ts';
import { UrlInstances } from '../../../web/src/three/instances/instanceSources.ts';
import { partsOf } from '../../../web/src/core/paths.ts';
import { castFile, instance, metadata, model, node, triangle } from '../../support/castFile.ts';

type Files = Record<string, Uint8Array>;

async function world(files: Files, name = 'world.cast', loader = new RigcastLoader()): Promise<Rig> {
  const key = Object.keys(files).find(path => path.endsWith(name))!;
  return loader.setFiles(new Map(Object.entries(files))).parseAsync(files[key]!, '', name);
}

function all(rig: Rig): Object3D[] {
  const found: Object3D[] = [];
  rig.scene.updateMatrixWorld(true);
  rig.scene.traverse(object => found.push(object));
  return found;
}

const instanced = (rig: Rig) => all(rig).filter(object => object instanceof InstancedMesh);
const codes = (rig: Rig) => rig.report.items.map(({ code, path }) => [code, path]);
const round = (values: Iterable<number>) => Array.from(values, value => Math.round(value * 1e4) / 1e4 + 0);

/** Returns the drawn position of a point of the mesh in instance i. */
function placed(mesh: InstancedMesh, i: number, ...point: [number, number, number]): number[] {
  const matrix = mesh.matrixWorld.clone();
  mesh.getMatrixAt(i, matrix);
  return round(new Vector3(...point).applyMatrix4(matrix.premultiply(mesh.matrixWorld)));
}

const half = Math.SQRT1_2;
const crate = castFile(model('crate', triangle('side'), triangle('lid', 2)));

describe('a scene with instances', () => {
  it('adds all instances, opens each file once and draws each mesh once', async () => {
    const rig = await world({
      'world.cast': castFile(
        instance('crate.cast', { p: [1, 2, 3], n: 'first' }),
        instance('crate.cast', { r: [0, 0, half, half], s: [2, 2, 2] }),
        instance('crate.cast', { p: [5, 0, 0] }),
      ),
      'crate.cast': crate,
    });
    expect(rig.instanceRigs).toHaveLength(1);
    const [side, lid] = instanced(rig);
    expect(instanced(rig)).toHaveLength(2);
    expect([side!.count, lid!.count]).toEqual([3, 3]);
    expect(placed(side!, 0, 1, 0, 0)).toEqual([2, 2, 3]);
    expect(placed(side!, 1, 1, 0, 0)).toEqual([0, 2, 0]);
    expect(placed(lid!, 2, 2, 0, 0)).toEqual([7, 0, 0]);
    expect(side!.geometry).toBe((rig.instanceRigs[0]!.meshes[0] as Mesh).geometry);
    expect(side!.userData['instances']).toEqual(['first', 'crate', 'crate']);
    expect(codes(rig)).toEqual([]);
  });

  it('multiplies transforms of instance and model, and applies the up axis once', async () => {
    const tall = castFile(metadata({ up: 'z' }), node('modl', { n: ['s', 'tall'], p: ['3v', [0, 0, 7]] }, triangle('side')));
    const rig = await world({ 'world.cast': castFile(metadata({ up: 'z' }), instance('tall.cast', { p: [1, 2, 3] })), 'tall.cast': tall });
    expect(placed(instanced(rig)[0]!, 0, 0, 0, 0)).toEqual([1, 10, -2]);
  });

  it('rotates instances whose files state another up axis than the scene', async () => {
    const tree = (up?: string): Uint8Array =>
      castFile(
        ...(up ? [metadata({ up })] : []),
        model('tree', node('mesh', { vp: ['3v', [0, 0, 0, 0, 4, 0, 0, 0, 2]], f: ['i', [0, 1, 2]] })),
      );
    const scene = (up?: string): Uint8Array =>
      castFile(...(up ? [metadata({ up })] : []), instance('tree.cast', { p: [1, 2, 3], s: [1, 2, 3] }));
    const top = async (own: string | undefined, other: string | undefined): Promise<[number[], string]> => {
      const rig = await world({ 'world.cast': scene(own), 'tree.cast': tree(other) });
      return [
        placed(instanced(rig)[0]!, 0, 0, 4, 0),
        rig.report.items.map(({ code, path, detail }) => `${code} ${path}: ${detail}`).join(),
      ];
    };
    // In a scene with Z up, the top of a tree with Y up is above its place, and scaled by the Z of the instance.
    expect(await top('z', 'y')).toEqual([[1, 15, -2], 'INSTANCE_AXIS tree.cast: y instead of z']);
    expect(await top('z', 'z')).toEqual([[1, 3, -10], '']);
    expect(await top('z', undefined)).toEqual([[1, 3, -10], '']);
    expect(await top(undefined, 'y')).toEqual([[1, 10, 3], '']);
    expect(await top('y', 'x')).toEqual([[-3, 2, 3], 'INSTANCE_AXIS tree.cast: x instead of y']);
    const files = { 'world.cast': scene('z'), 'tree.cast': tree('y') };
    const loader = new RigcastLoader().setOptions({ formatOptions: { cast: { upAxis: 'z' } } });
    const stated = await world(files, 'world.cast', loader);
    expect([placed(instanced(stated)[0]!, 0, 0, 4, 0), codes(stated)]).toEqual([[1, 3, -10], []]);
  });

  it('rotates copies with bones, and instances of instances, by the difference to their own scene', async () => {
    const bone = node('bone', { n: ['s', 'b'], p: ['i', [0xffffffff]], lp: ['3v', [0, 4, 0]], lr: ['4v', [0, 0, 0, 1]] });
    const flag = model(
      'flag',
      node('skel', {}, bone),
      triangle('cloth', 1, { mi: ['b', [1]], wb: ['b', [0, 0, 0]], wv: ['f', [1, 1, 1]] }),
    );
    const rig = await world({
      'world.cast': castFile(metadata({ up: 'z' }), instance('group.cast', { p: [0, 0, 10] }), instance('group.cast', { p: [0, 0, 20] })),
      'group.cast': castFile(metadata({ up: 'y' }), instance('flag.cast', { p: [0, 1, 0] })),
      'flag.cast': castFile(metadata({ up: 'z' }), flag),
    });
    const bones = all(rig).filter(({ name }) => name === 'b');
    // Z up again, so the bone is 4 behind the place of the flag, which is 1 above that of the group.
    expect(bones.map(({ matrixWorld: { elements } }) => round(elements.slice(12, 15)))).toEqual([
      [0, 11, -4],
      [0, 21, -4],
    ]);
    expect(codes(rig).map(([code]) => code)).toEqual(['INSTANCE_AXIS', 'INSTANCE_AXIS']);
  });

  it('draws mirrored instances as separate meshes with correct front faces', async () => {
    const rig = await world({
      'world.cast': castFile(
        instance('crate.cast'),
        instance('crate.cast', { p: [10, 0, 0], s: [-1, 1, 1] }),
        instance('crate.cast', { s: [-1, -1, 1] }),
      ),
      'crate.cast': crate,
    });
    const meshes = instanced(rig);
    expect(meshes.map(mesh => [mesh.name, mesh.count, mesh.matrixWorld.determinant()])).toEqual([
      ['side', 2, 1],
      ['side', 1, -1],
      ['lid', 2, 1],
      ['lid', 1, -1],
    ]);
    expect(placed(meshes[1]!, 0, 1, 0, 0)).toEqual([9, 0, 0]);
    const matrix = meshes[1]!.matrixWorld.clone();
    meshes[1]!.getMatrixAt(0, matrix);
    expect(matrix.determinant()).toBeGreaterThan(0);
    const [hit] = new Raycaster(new Vector3(9.8, 0.2, 1), new Vector3(0, 0, -1)).intersectObject(rig.scene, true);
    expect(hit?.object).toBe(meshes[1]);
  });

  it('finds files below the scene root with backslashes, different case and absolute paths', async () => {
    const paths = ['props\\crate.cast', './props/../props/CRATE.cast', 'C:\\game\\assets\\props\\crate.cast'];
    const rig = await world({
      'maps/world.cast': castFile(metadata({ sr: '..\\assets' }), ...paths.map(path => instance(path))),
      'assets/props/Crate.cast': crate,
      'other/crate.cast': castFile(model('wrong', triangle('wrong', 9))),
    });
    expect(codes(rig)).toEqual([]);
    expect(instanced(rig).map(({ name, count }) => [name, count])).toEqual([
      ['side', 3],
      ['lid', 3],
    ]);
    expect(rig.instanceRigs).toHaveLength(1);
  });

  it('reports missing and damaged files, and shows all others', async () => {
    const rig = await world({
      'world.cast': castFile(instance('gone.cast'), instance('gone.cast'), instance('noise.cast'), instance('crate.cast')),
      'crate.cast': crate,
      'noise.cast': Uint8Array.of(1, 2, 3, 4),
    });
    expect(codes(rig)).toEqual([
      ['INSTANCE_MISSING', 'gone.cast'],
      ['INSTANCE_UNREADABLE', 'noise.cast'],
    ]);
    expect(rig.report.items[0]).toMatchObject({ severity: 'warning', detail: '2 instances' });
    expect(instanced(rig)).toHaveLength(2);
    const strict = await world(
      { 'world.cast': castFile(instance('gone.cast')) },
      'world.cast',
      new RigcastLoader().setOptions({ strict: true }),
    );
    expect(strict.report.errors).toBe(1);
  });

  it('can contain scenes with instances', async () => {
    const rig = await world({
      'world.cast': castFile(instance('stacks/stack.cast', { p: [10, 0, 0] }), instance('stacks/stack.cast', { p: [20, 0, 0] })),
      'stacks/stack.cast': castFile(instance('../crate.cast'), instance('../crate.cast', { p: [0, 5, 0], s: [-1, 1, 1] })),
      'crate.cast': crate,
    });
    const meshes = instanced(rig).filter(({ name }) => name === 'side');
    expect(meshes.map(({ count }) => count)).toEqual([2, 2]);
    expect(placed(meshes[0]!, 1, 0, 0, 0)).toEqual([20, 0, 0]);
    expect(placed(meshes[1]!, 1, 1, 0, 0)).toEqual([19, 5, 0]);
    expect(rig.instanceRigs).toHaveLength(2);
  });

  it('rejects files that reference each other in a cycle', async () => {
    const self = await world({ 'world.cast': castFile(instance('world.cast'), instance('crate.cast')), 'crate.cast': crate });
    expect(codes(self)).toEqual([['INSTANCE_CYCLE', 'world.cast']]);
    expect(instanced(self)).toHaveLength(2);
    const ring = await world({
      'world.cast': castFile(instance('a.cast'), instance('b.cast')),
      'a.cast': castFile(instance('b.cast'), instance('crate.cast')),
      'b.cast': castFile(instance('a.cast'), instance('world.cast')),
      'crate.cast': crate,
    });
    expect(new Set(codes(ring).map(([code]) => code))).toEqual(new Set(['INSTANCE_CYCLE']));
    expect(instanced(ring).length).toBeGreaterThan(0);
  });

  it('stops at the limit for instances', async () => {
    const files: Files = { 'crate.cast': castFile(model('dot', triangle('dot'))) };
    for (let level = 0; level < 12; level++) {
      const below = level === 11 ? 'crate.cast' : `level${level + 1}.cast`;
      files[level === 0 ? 'world.cast' : `level${level}.cast`] = castFile(...Array.from({ length: 8 }, () => instance(below)));
    }
    const before = process.cpuUsage();
    const rig = await world(files);
    expect(codes(rig)).toEqual([['INSTANCE_LIMIT', '']]);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(15);
  });

  it('stops at the limit for objects, which counts every bone, and reports it', async () => {
    const bones = Array.from({ length: 64 }, (_, i) =>
      node('bone', { n: ['s', `b${i}`], p: ['i', [i ? i - 1 : 0xffffffff]], lp: ['3v', [0, 1, 0]], lr: ['4v', [0, 0, 0, 1]] }),
    );
    const files: Files = {
      'd.cast': castFile(
        model('m', node('skel', {}, ...bones), triangle('t', 1, { mi: ['b', [1]], wb: ['b', [0, 0, 0]], wv: ['f', [1, 1, 1]] })),
      ),
    };
    for (const [file, below] of ['world b', 'b c', 'c d'].map(pair => pair.split(' ')))
      files[`${file}.cast`] = castFile(...Array.from({ length: 24 }, (_, i) => instance(`${below}.cast`, { p: [i, 0, 0] })));
    const rig = await world(files); // without a limit, 13,824 instances of 68 objects
    const made = all(rig).length;
    expect(made).toBeGreaterThan(60_000);
    expect(made).toBeLessThan(65_536 + 100);
    expect(rig.report.items).toMatchObject([
      { code: 'INSTANCE_LIMIT', detail: 'more than 65,536 objects (maxObjects)', severity: 'warning' },
    ]);
    const few = await world(files, 'world.cast', new RigcastLoader().setOptions({ maxObjects: 1000 }));
    expect(all(few).length).toBeLessThan(1100);
    expect(few.report.items).toMatchObject([{ detail: 'more than 1,000 objects (maxObjects)' }]);
  });

  it('applies limits set by the page, and reports each once', async () => {
    const files: Files = { 'world.cast': castFile(...Array.from({ length: 9 }, (_, i) => instance(`${i % 3}.cast`, { p: [i, 0, 0] }))) };
    for (let i = 0; i < 3; i++) files[`${i}.cast`] = crate;
    const rig = await world(files, 'world.cast', new RigcastLoader().setOptions({ maxFiles: 2, maxPlaced: 7 }));
    expect(rig.instanceRigs).toHaveLength(2);
    expect(instanced(rig).reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(7);
    expect(rig.report.items).toMatchObject([
      { code: 'INSTANCE_LIMIT', detail: 'more than 2 files (maxFiles), more than 7 instances (maxPlaced)' },
    ]);
  });

  it('terminates for empty scenes that reference each other', async () => {
    const names = Array.from({ length: 24 }, (_, i) => `${i}.cast`);
    const files: Files = Object.fromEntries(names.map(name => [name, castFile(...names.map(other => instance(other)))]));
    files['world.cast'] = castFile(instance('0.cast'));
    const rig = await world(files);
    expect(new Set(codes(rig).map(([code]) => code))).toEqual(new Set(['INSTANCE_CYCLE', 'INSTANCE_LIMIT']));
    const chain: Files = { '99.cast': crate };
    for (let i = 0; i < 99; i++) chain[i ? `${i}.cast` : 'world.cast'] = castFile(instance(`${i + 1}.cast`));
    expect((await world(chain)).report.items).toMatchObject([{ code: 'INSTANCE_LIMIT', detail: 'more than 64 nested instance files' }]);
  });

  it('copies objects that have bones or animations', async () => {
    const bone = node('bone', { n: ['s', 'b'], p: ['i', [0xffffffff]], lp: ['3v', [0, 0, 0]], lr: ['4v', [0, 0, 0, 1]] });
    const rigged = castFile(
      model('flag', node('skel', {}, bone), triangle('cloth', 1, { mi: ['b', [1]], wb: ['b', [0, 0, 0]], wv: ['f', [1, 1, 1]] })),
    );
    const rig = await world({
      'world.cast': castFile(instance('flag.cast', { p: [1, 0, 0], n: 'left' }), instance('flag.cast', { p: [3, 0, 0], s: [1, 2, 1] })),
      'flag.cast': rigged,
    });
    expect(instanced(rig)).toEqual([]);
    const meshes = all(rig).filter(object => object instanceof SkinnedMesh);
    expect(meshes).toHaveLength(2);
    expect(new Set(meshes.map(({ skeleton }) => skeleton.bones[0])).size).toBe(2);
    expect(meshes[0]!.geometry).toBe(meshes[1]!.geometry);
    const box = new Box3().setFromObject(rig.scene, true);
    expect([round(box.min), round(box.max)]).toEqual([
      [1, 0, 0],
      [4, 2, 0],
    ]);
    expect(rig.scene.getObjectByName('left')!.userData).toEqual({ name: 'left', instance: 'flag.cast' });
  });

  it('reports progress and can be aborted', async () => {
    const files: Files = { 'world.cast': castFile(...Array.from({ length: 20 }, (_, i) => instance(`${i}.cast`))) };
    for (let i = 0; i < 20; i++) files[`${i}.cast`] = crate;
    const seen: number[][] = [];
    await world(files, 'world.cast', new RigcastLoader().setOptions({ onInstances: (...numbers) => seen.push(numbers) }));
    expect(seen).toEqual(Array.from({ length: 20 }, (_, i) => [i + 1, 20]));
    const loader = new RigcastLoader();
    loader.setOptions({
      onInstances: loaded => {
        if (loaded === 3) loader.abort();
      },
    });
    await expect(world(files, 'world.cast', loader)).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('can be left unopened, and frees all resources on dispose', async () => {
    const files = { 'world.cast': castFile(instance('crate.cast')), 'crate.cast': crate };
    const bare = await world(files, 'world.cast', new RigcastLoader().setOptions({ instances: false }));
    expect(instanced(bare)).toEqual([]);
    const rig = await world(files);
    const gone: string[] = [];
    for (const mesh of instanced(rig)) {
      mesh.addEventListener('dispose', () => gone.push('instances'));
      mesh.geometry.addEventListener('dispose', () => gone.push('geometry'));
    }
    rig.dispose();
    expect(gone.filter(what => what === 'instances')).toHaveLength(2);
    expect(gone).toContain('geometry');
  });

  it('opens 10,000 instances of 50 models within the time limit', async () => {
    const files: Files = {};
    for (let i = 0; i < 50; i++) {
      const vertices = Array.from({ length: 3000 }, (_, k) => Math.sin(k * 12.9898 + i));
      files[`props/${i}.cast`] = castFile(
        model(`m${i}`, node('mesh', { vp: ['3v', vertices], f: ['i', Array.from({ length: 999 }, (_, k) => k)] })),
      );
    }
    files['world.cast'] = castFile(
      ...Array.from({ length: 10_000 }, (_, i) =>
        instance(`props\\${i % 50}.cast`, { p: [i % 100, Math.floor(i / 100), 0], s: [i % 7 ? 1 : -1, 1, 1] }),
      ),
    );
    const begin = performance.now();
    const rig = await world(files);
    const seconds = (performance.now() - begin) / 1000;
    console.log(`10,000 instances of 50 models: ${seconds.toFixed(2)} s`);
    expect(instanced(rig).reduce((total, { count }) => total + count, 0)).toBe(10_000);
    expect(instanced(rig)).toHaveLength(100);
    expect(rig.instanceRigs).toHaveLength(50);
    expect(seconds).toBeLessThan(10);
  });
});

describe('paths', () => {
  it('never leave the folder', () => {
    expect(partsOf('..\\..\\..\\etc/./passwd')).toEqual(['etc', 'passwd']);
    expect(partsOf('https://elsewhere.example/a?b#c')).toEqual(['elsewhere.example', 'a?b#c']);
    expect(partsOf('C:\\x\\..\\y')).toEqual(['y']);
    expect(partsOf('a/../../b')).toEqual(['b']);
  });

  it("are requested below the scene root, in the file's folder and by name, URL-encoded", async () => {
    const asked: string[] = [];
    const file = castFile(metadata({ sr: 'assets' }), instance('props\\a b?.cast'), instance('//elsewhere.example/x.cast'));
    const rig = await new RigcastLoader().setOptions({ instances: false }).parseAsync(file, '', 'world.cast');
    await rig.loadInstances(
      new UrlInstances(
        async address => (asked.push(address), null),
        () => null,
      ),
    );
    expect(asked.toSorted()).toEqual([
      'a%20b%3F.cast',
      'assets/props/a%20b%3F.cast',
      'elsewhere.example/x.cast',
      'props/a%20b%3F.cast',
      'x.cast',
    ]);
    expect(codes(rig).map(([code]) => code)).toEqual(['INSTANCE_MISSING', 'INSTANCE_MISSING']);
  });

  it('skip locations that have never succeeded, with one request per file and four in parallel', async () => {
    const file = castFile(metadata({ sr: 'assets' }), ...Array.from({ length: 1000 }, (_, i) => instance(`props/${i}.cast`)));
    const rig = await new RigcastLoader().setOptions({ instances: false }).parseAsync(file, '', 'world.cast');
    let asked = 0;
    let now = 0;
    let most = 0;
    const fetch = async (): Promise<null> => {
      asked++;
      most = Math.max(most, ++now);
      await new Promise(resolve => setImmediate(resolve));
      now--;
      return null;
    };
    await rig.loadInstances(new UrlInstances(fetch, () => null));
    expect(asked).toBeGreaterThanOrEqual(1000);
    expect(asked).toBeLessThan(1050);
    expect(most).toBe(4);
  });

  it('keep requesting from locations that have succeeded', async () => {
    const file = castFile(metadata({ sr: 'assets' }), ...Array.from({ length: 40 }, (_, i) => instance(`props/${i}.cast`)));
    const rig = await new RigcastLoader().setOptions({ instances: false }).parseAsync(file, '', 'world.cast');
    await rig.loadInstances(
      new UrlInstances(
        async address => (/^(0|30)\.cast$/.test(address) ? crate : null),
        () => null,
      ),
    ); // found only by file name
    expect(rig.instanceRigs).toHaveLength(2);
  });
});

const corpus = new URL('../../../../shared/corpus/cast/generated/valid/world/', import.meta.url);

describe.skipIf(!existsSync(corpus))('the world of the corpus (skipped where the corpus is not there)', () => {
  it('shows all files except the missing one', async () => {
    const read = (name: string) => new Uint8Array(readFileSync(new URL(name, corpus)));
    const names = ['scene.cast', 'props/crate.cast', 'props/lamp.cast', 'props/stack.cast'];
    const rig = await world(Object.fromEntries(names.map(name => [name, read(name)])), 'scene.cast');
    expect(codes(rig).filter(([code]) => code!.startsWith('INSTANCE'))).toEqual([['INSTANCE_MISSING', 'props/does_not_exist.cast']]);
    expect(rig.instanceRigs).toHaveLength(3);
    expect(instanced(rig).some(mesh => mesh.matrixWorld.determinant() < 0)).toBe(true);
  });
});

describe('a map list of Legion', () => {
  /** Returns a .mprt file. `props`: name, position, degrees about x, y and z, and scale. */
  function mprt(...props: [name: string, ...numbers: number[]][]): Uint8Array {
    const header = new Uint32Array([0x7472706d, 3, props.length]);
    const records = props.flatMap(([name, ...numbers]) => [
      new TextEncoder().encode(`${name}\0`),
      new Uint8Array(new Float32Array(numbers).buffer),
    ]);
    return Uint8Array.from([new Uint8Array(header.buffer), ...records].flatMap(bytes => [...bytes]));
  }

  it('shows the Cast files that it places, which are in the folder _models or beside it', async () => {
    const list = mprt(
      ['crate', 1, 2, 3, 0, 0, 90, 2],
      ['rock', 0, 0, 0, 0, 0, 0, 1],
      ['crate', 5, 0, 0, 0, 0, 0, 1],
      ['gone', 0, 0, 0, 0, 0, 0, 1],
    );
    const rig = await world(
      {
        'map/map_LOD0.mprt': list,
        'map/_models/crate/crate_LOD0.cast': crate,
        'map/rock_LOD0.cast': castFile(model('rock', triangle('stone'))),
        'other/crate_LOD0.cast': castFile(model('wrong', triangle('wrong', 9))),
      },
      'map_LOD0.mprt',
    );
    expect(codes(rig)).toEqual([['INSTANCE_MISSING', 'gone/gone_LOD0.cast']]);
    expect(all(rig).map(({ name }) => name)).not.toContain('wrong');
    const [side] = instanced(rig);
    expect(side!.count).toBe(2);
    // Z is up in the list: (1, 2, 3) is drawn at (1, 3, -2). The crate is rotated about Z and scaled.
    expect(placed(side!, 0, 0, 0, 0)).toEqual([1, 3, -2]);
    expect(placed(side!, 0, 1, 0, 0)).toEqual([1, 3, -4]);
  });
});
