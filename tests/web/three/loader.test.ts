// RigcastLoader handles URLs, headers, credentials, the LoadingManager and its URL modifiers, abort
// and the cache like the loaders of three.js.
import { readFileSync } from 'node:fs';
import { Cache, DataTexture, Loader, LoadingManager, type MeshStandardMaterial, type Texture } from 'three';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { RigcastLoader } from '../../../web/src/three/index.ts';
import { makePsa } from '../../support/actorx.ts';
import { castFile, instance, metadata, model, node, triangle } from '../../support/castFile.ts';
import { tga } from '../../support/images.ts';
import { serve, type Served } from '../../support/serve.ts';

const data = new URL('../../data/unreal/', import.meta.url);
const files = new Set(['arm.psk', 'arm-stripped.psa', 'arm-stripped.config']);

let server: Served;
let asked: { path: string; token: string | undefined }[] = [];

beforeAll(async () => {
  server = await serve((path, response, headers) => {
    const name = path.split('/').at(-1)!;
    asked.push({ path, token: headers['x-token'] as string | undefined });
    if (path.startsWith('/slow/')) return true;
    if (!/^\/(models|other)\//.test(path) || !files.has(name)) return false;
    response.writeHead(200).end(readFileSync(new URL(name, data)));
    return true;
  });
});
afterAll(() => server.close());
beforeEach(() => {
  asked = [];
});
afterEach(() => {
  Cache.enabled = false;
  Cache.clear();
  vi.unstubAllGlobals();
});

function watched(): { manager: LoadingManager; calls: string[] } {
  const calls: string[] = [];
  const manager = new LoadingManager(
    () => calls.push('done'),
    undefined,
    url => calls.push(`error ${url}`),
  );
  const { itemStart, itemEnd } = manager;
  manager.itemStart = url => {
    calls.push(`start ${url}`);
    itemStart(url);
  };
  manager.itemEnd = url => {
    calls.push(`end ${url}`);
    itemEnd(url);
  };
  return { manager, calls };
}

const settled = (): Promise<void> => new Promise(resolve => setTimeout(resolve));

test('rejects an address that is not a string', async () => {
  const loader = new RigcastLoader();
  await expect(loader.loadAsync(undefined as never)).rejects.toMatchObject({ name: 'TypeError', code: 'INVALID_ARGUMENT' });
  const failed = await new Promise(resolve => loader.load(null as never, resolve, undefined, resolve));
  expect(failed).toMatchObject({ code: 'INVALID_ARGUMENT' });
});

test('applies path and headers to the file and its companion files', async () => {
  const { manager, calls } = watched();
  const loader = new RigcastLoader(manager).setPath(`${server.origin}/models/`).setRequestHeader({ 'x-token': 'abc' });
  const motion = await loader.loadAsync('arm-stripped.psa');
  expect(motion.report.items.map(({ code }) => code)).toContain('CONFIG_APPLIED');
  expect(asked).toEqual([
    { path: '/models/arm-stripped.psa', token: 'abc' },
    { path: '/models/arm-stripped.config', token: 'abc' },
  ]);
  await settled();
  const config = `${server.origin}/models/./arm-stripped.config`; // joined as in GLTFLoader
  expect(calls).toEqual(['start arm-stripped.psa', `start ${config}`, `end ${config}`, 'end arm-stripped.psa', 'done']);
});

test('loads companion files from resourcePath', async () => {
  const loader = new RigcastLoader().setResourcePath(`${server.origin}/other/`);
  await loader.loadAsync(`${server.origin}/models/arm-stripped.psa`);
  expect(asked.map(({ path }) => path)).toEqual(['/models/arm-stripped.psa', '/other/arm-stripped.config']);
});

test('applies the URL modifier of the manager to every URL', async () => {
  const manager = new LoadingManager();
  manager.setURLModifier(url => url.replace('app://', `${server.origin}/models/`));
  const motion = await new RigcastLoader(manager).loadAsync('app://arm-stripped.psa');
  expect(motion.report.items.map(({ code }) => code)).toContain('CONFIG_APPLIED');
});

test('requests companion files with the option fetch', async () => {
  const urls: string[] = [];
  const config = new Uint8Array(readFileSync(new URL('arm-stripped.config', data)));
  const loader = new RigcastLoader().setOptions({ fetch: async url => (urls.push(url), new Response(config)) });
  const motion = await loader.loadAsync(`${server.origin}/models/arm-stripped.psa`);
  expect(motion.report.items.map(({ code }) => code)).toContain('CONFIG_APPLIED');
  expect(urls.map(url => url.split('/').at(-1))).toEqual(['arm-stripped.config']);
  expect(asked.map(({ path }) => path)).toEqual(['/models/arm-stripped.psa']);
});

test('calls onModel before it requests textures, and requests no material files without materialFiles', async () => {
  const order: string[] = [];
  const fetch = async (url: string): Promise<Response> => (order.push(url.split('/').at(-1)!), new Response(null, { status: 404 }));
  const loader = new RigcastLoader().setOptions({ fetch, onModel: ({ scene }) => order.push(`${scene.children.length} objects`) });
  const rig = await loader.loadAsync(`${server.origin}/models/arm.psk`);
  expect(order[0]).toBe(`${rig.scene.children.length} objects`);
  expect(order.slice(1).map(name => name.replace(/^.*\./, ''))).toEqual(['mat', 'json']);
  order.length = 0;
  await loader.setOptions({ materialFiles: false }).loadAsync(`${server.origin}/models/arm.psk`);
  expect(order).toHaveLength(1);
});

test('reports a failure once to the manager and to onError', async () => {
  for (const address of [`${server.origin}/models/none.psk`, 'http://127.0.0.1:9/a.psk']) {
    const { manager, calls } = watched();
    const error = await new Promise(resolve => new RigcastLoader(manager).load(address, () => resolve(null), undefined, resolve));
    expect(error).toBeInstanceOf(Error);
    await settled();
    expect(calls).toEqual([`start ${address}`, `error ${address}`, `end ${address}`, 'done']);
  }
  await expect(new RigcastLoader().loadAsync(`${server.origin}/models/none.psk`)).rejects.toThrow(/none\.psk failed: 404/);
});

test('reports progress as an event', async () => {
  const seen: ProgressEvent[] = [];
  const rig = await new RigcastLoader().loadAsync(`${server.origin}/models/arm.psk`, event => seen.push(event));
  expect(seen.at(-1)).toMatchObject({ type: 'progress', loaded: rig.file.byteLength });
});

test('aborts pending loads by the loader and by the manager', async () => {
  const manager = new LoadingManager();
  const loader = new RigcastLoader(manager);
  for (const stop of [() => loader.abort(), () => manager.abort()]) {
    const loading = loader.loadAsync(`${server.origin}/slow/a.psk`);
    setTimeout(stop, 30);
    await expect(loading).rejects.toMatchObject({ name: 'AbortError' });
  }
  expect((await loader.loadAsync(`${server.origin}/models/arm.psk`)).file.format).toBe('psk');
});

test('uses the cache of three.js if it is enabled', async () => {
  vi.stubGlobal('ProgressEvent', class {}); // FileLoader needs it, and Node has none
  Cache.enabled = true;
  const loader = new RigcastLoader().setOptions({ textures: false });
  for (let i = 0; i < 3; i++) expect((await loader.loadAsync(`${server.origin}/models/arm.psk`)).file.name).toBe('arm.psk');
  expect(asked).toHaveLength(1);
});

test('applies priority and cache to the file and its companion files', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch');
  await new RigcastLoader().setPriority('low').setCache('no-cache').loadAsync(`${server.origin}/models/arm-stripped.psa`);
  expect(fetched.mock.calls.map(([, init]) => [init?.priority, init?.cache])).toEqual([
    ['low', 'no-cache'],
    ['low', 'no-cache'],
  ]);
  fetched.mockRestore();
});

test('decodes images with handlers of the manager if there are any', async () => {
  const manager = new LoadingManager();
  const asked: string[] = [];
  class Ktx2 extends Loader<Texture> {
    override load(url: string, onLoad: (texture: Texture) => void): void {
      void fetch(url).then(async response => {
        asked.push(await response.text());
        onLoad(new DataTexture(new Uint8Array(4), 1, 1));
      });
    }
  }
  manager.addHandler(/\.ktx2$/i, new Ktx2(manager));
  const made = node('matl', { n: ['s', 'a'], t: ['s', 'pbr'] });
  const image = node('file', { p: ['s', 'a.ktx2'] });
  made.properties = { ...made.properties, albedo: ['l', image.hash] };
  made.children.push(image);
  const bytes = castFile(model('m', made, triangle('t', 1, { u0: ['2v', [0, 0, 1, 0, 0, 1]], ul: ['b', [1]], m: ['l', made.hash] })));
  const loader = new RigcastLoader(manager).setFiles(new Map([['A.KTX2', new TextEncoder().encode('pixels')]]));
  const rig = await loader.parseAsync(bytes, '', 'm.cast');
  expect(asked).toEqual(['pixels']);
  const { map } = rig.materialsOf(0)[0] as MeshStandardMaterial;
  expect(map).toMatchObject({ name: 'a.ktx2', flipY: false, colorSpace: 'srgb' });
  const other = await new RigcastLoader().setFiles(new Map([['A.KTX2', new Uint8Array(9)]])).parseAsync(bytes, '', 'm.cast');
  expect(other.report.items.map(({ code }) => code)).toContain('TEXTURE_UNSUPPORTED');
});

test('ignores HTML pages returned for companion files', async () => {
  const spoiled = await serve((path, response) => {
    if (path === '/arm-stripped.psa') response.writeHead(200).end(readFileSync(new URL('arm-stripped.psa', data)));
    else
      response
        .writeHead(200, { 'content-type': 'text/plain' })
        .end('\n <!DOCTYPE html><html><body>[AnimSet]\nbAnimRotationOnly=1\n</body></html>');
    return true;
  });
  const motion = await new RigcastLoader().loadAsync(`${spoiled.origin}/arm-stripped.psa`);
  expect(motion.file.needs!.map(({ kind }) => kind)).toEqual(['config', 'props']);
  expect(motion.report.items.map(({ code }) => code)).not.toContain('CONFIG_APPLIED');
  await spoiled.close();
});

test('requests only listed files, and finds textures by name among them', async () => {
  const there = new Map<string, Uint8Array>([
    ['/m/arm.psk', readFileSync(new URL('arm.psk', data))],
    ['/m/arm-stripped.psa', readFileSync(new URL('arm-stripped.psa', data))],
    ['/m/skins/T_tube_D.tga', tga(2, 2, () => [1, 2, 3, 255])],
  ]);
  const paths: string[] = [];
  const listed = await serve((path, response) => {
    paths.push(path);
    const bytes = there.get(path);
    if (bytes) response.writeHead(200).end(bytes);
    return bytes !== undefined;
  });
  const loader = new RigcastLoader().setFiles(['arm.psk', 'skins/T_tube_D.tga']);
  const rig = await loader.loadAsync(`${listed.origin}/m/arm.psk`);
  await loader.loadAsync(`${listed.origin}/m/arm-stripped.psa`);
  expect(paths).toEqual(['/m/arm.psk', '/m/skins/T_tube_D.tga', '/m/arm-stripped.psa']);
  expect((rig.materialsOf(0)[0] as MeshStandardMaterial).map?.name).toBe('T_tube_D.tga');
  paths.length = 0;
  await loader.setFiles(['ARM-stripped.config']).loadAsync(`${listed.origin}/m/arm-stripped.psa`);
  expect(paths).toEqual(['/m/arm-stripped.psa', '/m/ARM-stripped.config']);
  paths.length = 0;
  await loader.setFiles(null).loadAsync(`${listed.origin}/m/arm.psk`);
  expect(paths).toEqual(['/m/arm.psk', '/m/Tube.mat', '/m/Tube.json']); // the content of the folder is unknown, so material files are tried once, and names are not inferred
  await listed.close();
});

test('requests only listed files for instances and their textures', async () => {
  const image = node('file', { p: ['s', 'bark.tga'] });
  const bark = node('matl', { n: ['s', 'bark'], t: ['s', 'pbr'], albedo: ['l', image.hash] }, image);
  const tree = castFile(model('tree', bark, triangle('t', 1, { u0: ['2v', [0, 0, 1, 0, 0, 1]], ul: ['b', [1]], m: ['l', bark.hash] })));
  const there = new Map<string, Uint8Array>([
    ['/w/world.cast', castFile(metadata({ sr: 'assets' }), instance('trees/tree.cast'), instance('trees/none.cast'))],
    ['/w/all/tree.cast', tree],
    ['/w/all/images/bark.tga', tga(2, 2, () => [1, 2, 3, 255])],
  ]);
  const paths: string[] = [];
  const listed = await serve((path, response) => {
    paths.push(path);
    const bytes = there.get(path);
    if (bytes) response.writeHead(200).end(bytes);
    return bytes !== undefined;
  });
  const loader = new RigcastLoader().setFiles(['world.cast', 'all/tree.cast', 'all/images/bark.tga']);
  const rig = await loader.loadAsync(`${listed.origin}/w/world.cast`);
  expect(paths).toEqual([...there.keys()]);
  expect((rig.instanceRigs[0]!.materialsOf(0)[0] as MeshStandardMaterial).map?.name).toBe('bark.tga');
  expect(rig.report.items.map(({ code, path }) => [code, path])).toContainEqual(['INSTANCE_MISSING', 'trees/none.cast']);
  await listed.close();
});

test('ignores a material file with truncated UTF-8', async () => {
  const broken = await serve((path, response) => {
    if (path === '/arm.psk') response.writeHead(200).end(readFileSync(new URL('arm.psk', data)));
    else if (path === '/Tube.json') response.writeHead(200).end('{"Textures":{"Diffuse":"T_\\ud800_D"},"Parameters":{}}');
    else return false;
    return true;
  });
  const rig = await new RigcastLoader().loadAsync(`${broken.origin}/arm.psk`);
  expect(rig.report.items.find(({ path }) => path === 'Tube')).toMatchObject({
    code: 'TEXTURE_MISSING',
    detail: expect.stringContaining('T_'),
  });
  await broken.close();
});

test('reports an HTML page returned instead of the model', async () => {
  const spoiled = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><html><body>Welcome</body></html>');
    return true;
  });
  const loading = new RigcastLoader().loadAsync(`${spoiled.origin}/hero.psk`);
  await expect(loading).rejects.toThrow(/hero\.psk cannot be read: HTML_PAGE: .*a page instead of the file/);
  await spoiled.close();
});

test('throws for unknown options, like `open`', () => {
  const loader = new RigcastLoader().setOptions({ textures: false, strict: true });
  expect(() => loader.setOptions({ texture: false } as never)).toThrow(
    /RigcastLoader\.setOptions: unknown option "texture" \(expected one of: format, .*textures/,
  );
  expect(() => loader.setOptions({ strict: 'yes' } as never)).toThrow(/the option "strict" must be a boolean/);
  expect(loader.options).toEqual({ textures: false, strict: true });
  for (const files of [7, undefined, 'hero_D.png', {}, [new File([], 'hero_D.png')]])
    expect(() => loader.setFiles(files as never)).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        message: 'RigcastLoader.setFiles: the files must be a list of paths, or a Map of names to Blobs or bytes',
      }),
    );
});

test('works with managers of older releases of three.js, which cannot abort', async () => {
  const manager = new LoadingManager();
  Object.defineProperty(manager, 'abortController', { value: undefined });
  expect((await new RigcastLoader(manager).loadAsync(`${server.origin}/models/arm.psk`)).file.format).toBe('psk');
});

test('reads animations lazily from the buffer without copying it', async () => {
  const bones = Array.from({ length: 100 }, (_, i) => `bone${i}`);
  const bytes = makePsa({ bones, sequences: ['Run'], frames: 1000, position: (bone, frame) => [frame, bone, 1] });
  const firstKey = bytes.length - 32 * 1000 * bones.length;
  const heightOf = async (transfer: boolean): Promise<number> => {
    const given = bytes.slice().buffer;
    const rig = await new RigcastLoader().setOptions({ worker: false, transfer }).parseAsync(given, '', 'a.psa');
    new DataView(given).setFloat32(firstKey + 8, 300, true);
    return rig.animations[0]!.tracks[0]!.values[1]!;
  };
  expect(await heightOf(false)).toBe(3);
  expect(await heightOf(true)).toBe(3);
});
