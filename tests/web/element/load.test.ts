// Loading of listed files from a real server: which files are fetched, how many, and how many at a
// time.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { load, type LoadResult, type LoadOptions } from '../../../web/src/element/load.ts';
import type { DownloadProgress } from '../../../web/src/element/downloads.ts';
import { decodePath, locateFiles, type FetchContext } from '../../../web/src/element/urls.ts';
import type { Rig } from '../../../web/src/three/rig.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';
import { castFile, instance, model as castModel, node, triangle } from '../../support/castFile.ts';
import { serve, type Served } from '../../support/serve.ts';

const bones = ['root', 'arm'];
const model = makePsk({ bones });
const motion = makePsa({ bones });

let server: Served;
let site: string;
/** Manifests of the server by path. */
const lists = new Map<string, unknown>();
const moved = new Map<string, string>();
const bodies = new Map<string, Uint8Array>();
/** Number of animations that are requested at the moment, and its maximum. */
let open = 0;
let most = 0;
let requested: string[] = [];
let progress: DownloadProgress[] = [];
/** Announced models, each with the order of requests at this time. */
let models: { rig: Rig; order: string[] }[] = [];
/** Paths of requests that the client has ended. */
const aborted: string[] = [];
/** Delays of answers in milliseconds, by path. */
const delays = new Map<string, number>();
/** Paths of requests and answers, in order. */
let order: string[] = [];

beforeAll(async () => {
  server = await serve((path, response) => {
    requested.push(path);
    order.push(`start ${path}`);
    response.on('close', () => response.writableFinished || aborted.push(path));
    if (moved.has(path)) {
      response.writeHead(302, { location: moved.get(path)! }).end();
      return true;
    }
    const body = bodies.has(path)
      ? bodies.get(path)!
      : lists.has(path)
        ? JSON.stringify(lists.get(path))
        : path.endsWith('.psk')
          ? model
          : path.endsWith('.psa')
            ? motion
            : null;
    const isMotion = path.endsWith('.psa');
    if (isMotion) most = Math.max(most, ++open);
    // A delay, so that parallel requests overlap.
    setTimeout(
      () => {
        if (isMotion) open--;
        response.writeHead(body === null ? 404 : 200).end(body);
        order.push(`end ${path}`);
      },
      delays.get(path) ?? 15,
    );
    return true;
  });
  site = `${server.origin}/`;
});
afterAll(() => server.close());

async function loaded(wanted: Partial<LoadOptions>): Promise<LoadResult> {
  open = most = 0;
  requested = [];
  progress = [];
  models = [];
  const whole: LoadOptions = {
    src: null,
    files: [],
    localFiles: null,
    fileResolver: null,
    base: site,
    credentials: 'same-origin',
    origins: new Set(),
    maxFiles: 300,
    formatOptions: {},
    draws: () => false,
    isWebGPU: false,
    ...wanted,
  };
  return load(whole, new AbortController().signal, {
    onProgress: each => progress.push(each),
    onModel: rig => models.push({ rig, order: [...order] }),
  });
}

const requestedAnimations = (): string[] => requested.filter(path => path.endsWith('.psa'));
const reported = ({ failed }: LoadResult): string[] => failed.map(({ error }) => (error as Error).message);

it('fetches six animations of a list at a time', async () => {
  lists.set('/many/manifest.json', ['hero.psk', ...Array.from({ length: 40 }, (_, i) => `m${i}.psa`)]);
  const { sources, failed } = await loaded({ files: ['many/'] });
  expect([sources.length, failed, requestedAnimations().length]).toEqual([40, [], 40]);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(6);
});

describe('files that are named', () => {
  const sizes = { '/slow/hero.psk': model.length, '/slow/skin.png': 5, '/slow/run.psa': motion.length, '/slow/manifest.json': 11 };
  beforeAll(() => {
    bodies.set('/slow/skin.png', new Uint8Array(5));
    lists.set('/slow/manifest.json', ['run.psa']);
    delays.set('/slow/hero.psk', 300).set('/slow/skin.png', 400).set('/slow/run.psa', 350).set('/slow/manifest.json', 50);
  });

  it('are all requested before the first one arrives, and their bytes are counted', async () => {
    for (const wanted of [
      { src: 'slow/hero.psk', files: ['slow/skin.png', 'slow/run.psa'] },
      { files: ['slow/hero.psk', 'slow/skin.png', 'slow/run.psa'] },
    ]) {
      order = [];
      const { sources } = await loaded(wanted);
      expect(order.map(each => each.split(' ')[0])).toEqual(['start', 'start', 'start', 'end', 'end', 'end']);
      expect(sources).toHaveLength(1);
      const total = sizes['/slow/hero.psk'] + sizes['/slow/skin.png'] + sizes['/slow/run.psa'];
      expect(progress.at(-1)).toEqual({ fraction: 1, loaded: total, total });
      const fractions = progress.map(({ fraction }) => fraction);
      expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
    }
  });

  it('do not wait for a manifest, nor its animations for the model', async () => {
    order = [];
    await loaded({ src: 'slow/hero.psk', files: ['slow/', 'slow/skin.png'] });
    expect(order.slice(0, 3).toSorted()).toEqual(['end /slow/manifest.json', 'start /slow/hero.psk', 'start /slow/manifest.json']);
    expect(order.indexOf('start /slow/run.psa')).toBeLessThan(order.indexOf('end /slow/hero.psk'));
  });

  it('are each requested once', async () => {
    await loaded({ src: 'slow/hero.psk', files: ['slow/hero.psk', 'slow/skin.png', 'slow/run.psa'] });
    expect(requested.toSorted()).toEqual(['/slow/hero.psk', '/slow/run.psa', '/slow/skin.png']);
  });
});

it('announces a model before its animations arrive', async () => {
  delays.set('/late/run.psa', 1000);
  order = [];
  const { rig } = await loaded({ src: 'late/hero.psk', files: ['late/run.psa'] });
  expect(models[0]!.order).not.toContain('end /late/run.psa');
  expect(new Set(models.map(each => each.rig))).toEqual(new Set([rig]));
});

it('requests only the model if no other files are named', async () => {
  await loaded({ src: 'alone/hero.psk' });
  expect(requested).toEqual(['/alone/hero.psk']);
});

it('ends all requests if the model cannot be read', async () => {
  bodies.set('/bad/hero.psk', Uint8Array.of(1, 2, 3));
  delays.set('/bad/run.psa', 60_000);
  await expect(loaded({ src: 'bad/hero.psk', files: ['bad/run.psa'] })).rejects.toThrow('cannot be read');
  await expect.poll(() => aborted).toContain('/bad/run.psa');
});

it('fetches at most max-files files, those with names similar to the model, and reports the others', async () => {
  lists.set('/game/manifest.json', ['pig.psk', 'cow_walk.psa', 'pig_run.psa', 'hen_walk.psa', 'pig_walk.psa']);
  const all = await loaded({ src: 'game/pig.psk', files: ['game/'], maxFiles: 2 });
  expect(requestedAnimations().sort()).toEqual(['/game/pig_run.psa', '/game/pig_walk.psa']);
  expect(reported(all)).toEqual(['2 of 4 companion files are opened because of max-files.']);
});

it('sends cookies as the attribute credentials declares', async () => {
  // Node has no cookies, so the test checks the mode of each request.
  const modes = new Set<unknown>();
  const { fetch } = globalThis;
  globalThis.fetch = (address, init) => {
    modes.add(init?.credentials);
    return fetch(address, init);
  };
  try {
    lists.set('/few/manifest.json', ['hero.psk', 'run.psa']);
    for (const credentials of ['omit', 'include', 'same-origin'] as const) {
      modes.clear();
      await loaded({ files: ['few/'], credentials });
      expect([...modes]).toEqual([credentials]);
    }
  } finally {
    globalThis.fetch = fetch;
  }
});

const fetching = (...origins: string[]): FetchContext => ({ request: {}, origins: new Set(origins), signal: new AbortController().signal });

it('a manifest may list files below its folder and from allowed origins', async () => {
  const outside = ['https://other.invalid/a.psa', '//other.invalid/b.psa', '/api/user', '\\\\share\\c.psa', 'javascript:alert(1)'];
  lists.set('/m/manifest.json', ['a.psk', 'deep/b.psa', '../../up.psa', 'https://allowed.invalid/d.psa', 7, '', ...outside]);
  const { locations: places, problems } = await locateFiles(['m/'], site, fetching('https://allowed.invalid'));
  expect(places.map(({ url }) => url.replace(site, '/'))).toEqual([
    '/m/a.psk',
    '/m/deep/b.psa',
    '/m/up.psa',
    'https://allowed.invalid/d.psa',
  ]);
  expect(problems.map(({ error: { message } }) => message)).toEqual([
    `${site}m/manifest.json lists 5 files outside its folder that allow-origins does not permit: https://other.invalid/a.psa`,
  ]);
});

it('resolves a redirected manifest from its final URL', async () => {
  moved.set('/old/manifest.json', '/new/manifest.json');
  lists.set('/new/manifest.json', ['a.psk']);
  const { locations: places } = await locateFiles(['old/'], site, fetching());
  expect(places).toEqual([{ path: 'new/a.psk', url: `${site}new/a.psk` }]);
});

it('decodes paths and keeps percent signs that are not escapes', () => {
  expect(['/a%20b/c.psk', '/100%/a.psk', '//a///b.psk', '/gr%C3%B6%C3%9Fe.psk'].map(decodePath)).toEqual([
    'a b/c.psk',
    '100%/a.psk',
    'a/b.psk',
    'größe.psk',
  ]);
});

it('fetches only models and animations of a list', async () => {
  lists.set('/mixed/manifest.json', ['hero.psk', 'run.psa', 'take.bin', 'notes.xyz', 'rock.png', 'tree.png', 'other.psk', 'readme.txt']);
  await loaded({ files: ['mixed/'] });
  expect([...new Set(requested)].sort()).toEqual(['/mixed/hero.psk', '/mixed/manifest.json', '/mixed/run.psa', '/mixed/take.bin']);
});

describe('files to which a model of another format refers', () => {
  const triangle = new Uint8Array(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer);
  const gltf = (uri: string): Uint8Array =>
    new TextEncoder().encode(
      JSON.stringify({
        asset: { version: '2.0' },
        scenes: [{ nodes: [0] }],
        nodes: [{ mesh: 0 }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
        accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
        bufferViews: [{ buffer: 0, byteLength: 36 }],
        buffers: [{ uri, byteLength: 36 }],
      }),
    );
  beforeAll(() => {
    vi.stubGlobal('ProgressEvent', Event); // Node has none
    for (const path of ['/gltf/data/leaf a.bin', '/secret.bin', '/gltf/secret.bin', '/other/leaf.bin']) bodies.set(path, triangle);
  });
  afterAll(() => vi.unstubAllGlobals());

  const corner = ({ rig }: LoadResult): number | undefined => rig.file.scene!.meshes[0]!.positions[3];

  it('are fetched from its folder', async () => {
    bodies.set('/gltf/body.gltf', gltf('data/leaf%20a.bin'));
    const result = await loaded({ src: 'gltf/body.gltf' });
    expect([corner(result), requested]).toEqual([1, ['/gltf/body.gltf', '/gltf/data/leaf a.bin']]);
    expect(progress.at(-1)!.loaded).toBe(bodies.get('/gltf/body.gltf')!.length + 36);
  });

  it('are fetched from another address if the page lists them', async () => {
    bodies.set('/gltf/body.gltf', gltf('data/leaf.bin'));
    const result = await loaded({ src: 'gltf/body.gltf', files: ['other/leaf.bin'] });
    expect([corner(result), requested.toSorted()]).toEqual([1, ['/gltf/body.gltf', '/other/leaf.bin']]);
  });

  it.each(['../secret.bin', '/secret.bin', 'SITE/secret.bin', '%2e%2e/secret.bin', '..%5csecret.bin', '//SITE/secret.bin'])(
    'are not fetched from outside of it: %s',
    async uri => {
      bodies.set('/gltf/body.gltf', gltf(uri.replace('SITE', uri.startsWith('//') ? new URL(site).host : server.origin)));
      await loaded({ src: 'gltf/body.gltf' }).catch(() => {});
      expect(requested).not.toContain('/secret.bin');
    },
  );

  it('are the materials of an OBJ and their textures', async () => {
    const text = (words: string): Uint8Array => new TextEncoder().encode(words);
    bodies.set('/obj/leaf.obj', text('mtllib parts/leaf a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl green\nf 1 2 3\n'));
    bodies.set('/obj/parts/leaf a.mtl', text('newmtl green\nmap_Kd -s 2 4 1 maps\\leaf.png\r\nbump -bm 0.5 bump.png\n'));
    await loaded({ src: 'obj/leaf.obj' }).catch(() => {}); // Node decodes no images
    expect(requested.toSorted()).toEqual(['/obj/bump.png', '/obj/leaf.obj', '/obj/maps/leaf.png', '/obj/parts/leaf a.mtl']);
  });
});

describe('local files', () => {
  const hand = (files: Record<string, Uint8Array>): Map<string, Blob> =>
    new Map(Object.entries(files).map(([name, bytes]) => [name, new Blob([bytes as Uint8Array<ArrayBuffer>])]));
  const turn = node('curv', { nn: ['s', 'b'], kp: ['s', 'tx'], kb: ['b', [0, 9]], kv: ['f', [0, 1]], m: ['s', 'absolute'] });
  const go = node('anim', { n: ['s', 'go'], fr: ['f', [30]] }, turn);

  it('shows a scene with instances before a model, and does not use its files as animations', async () => {
    const files = { 'crate.cast': castFile(castModel('crate', triangle('t')), go), 'w.cast': castFile(instance('crate.cast')) };
    const { rig, sources } = await loaded({ localFiles: hand({ 'a.psk': model, ...files, 'go.cast': castFile(go) }) });
    expect([rig.file.name, sources.map(({ file }) => file.name)]).toEqual(['w.cast', ['go.cast']]);
  });

  it('rejects files that contain only animations, with a message', async () => {
    const alone = castFile(go);
    await expect(loaded({ localFiles: hand({ 'go.cast': alone }) })).rejects.toThrow('go.cast contains animations but no model.');
  });

  it('rejects entries that are not a name with a Blob', async () => {
    const given = new Map([['hero.psk', model]]) as unknown as Map<string, Blob>;
    await expect(loaded({ localFiles: given })).rejects.toThrow('files must be a list of File objects');
  });
});

it('uses the first file with a mesh as the model if names do not indicate it', async () => {
  const turn = node('curv', { nn: ['s', 'b'], kp: ['s', 'tx'], kb: ['b', [0, 9]], kv: ['f', [0, 1]], m: ['s', 'absolute'] });
  bodies.set('/casts/a.cast', castFile(node('anim', { n: ['s', 'go'], fr: ['f', [30]] }, turn)));
  bodies.set('/casts/b.cast', castFile(castModel('b', triangle('t'))));
  lists.set('/casts/manifest.json', ['a.cast', 'b.cast']);
  const { rig, sources } = await loaded({ files: ['casts/'] });
  expect([rig.file.name!.split('/').at(-1), sources.length]).toEqual(['b.cast', 1]);
});

it('reports an HTML page that a server returns instead of a model', async () => {
  bodies.set('/lost/hero.obj', new TextEncoder().encode('\n<!doctype html><title>Not found</title>'));
  await expect(loaded({ src: 'lost/hero.obj' })).rejects.toThrow('lost/hero.obj is an HTML page, not a model file.');
});

it('prefers local files to URLs', async () => {
  const given = new Map([
    ['mine.psk', new Blob([model])],
    ['walk.psa', new Blob([motion])],
  ]);
  const { rig, sources, failed } = await loaded({ files: ['many/'], localFiles: given });
  expect([rig.file.name, sources.length, failed, requested]).toEqual(['mine.psk', 1, [], []]);
});

it('recognises manifests by their URL, a folder, or an object with a list', async () => {
  lists.set('/o/manifest.json', { files: ['a.psk'] });
  lists.set('/o/my-manifest.json', ['b.psk']);
  const urls = async (...words: string[]): Promise<string[]> =>
    (await locateFiles(words, site, fetching())).locations.map(({ url }) => url.replace(site, '/'));
  expect(await urls('o/', 'o/manifest.json', 'o/my-manifest.json', 'o/data.json')).toEqual([
    '/o/a.psk',
    '/o/a.psk',
    '/o/b.psk',
    '/o/data.json',
  ]);
  lists.set('/wrong/manifest.json', { files: 'a.psk' });
  await expect(urls('wrong/')).rejects.toThrow('contains no list of files');
  await expect(urls('http://')).rejects.toThrow('is not a valid URL');
});

it('uses ten thousand files of a manifest and reports the others', async () => {
  lists.set(
    '/huge/manifest.json',
    Array.from({ length: 10_001 }, (_, i) => `${i}.psa`),
  );
  const { locations: places, problems } = await locateFiles(['huge/'], site, fetching());
  expect([places.length, problems.map(({ error: { message } }) => message)]).toEqual([
    10_000,
    [`${site}huge/manifest.json lists 10001 files; only the first 10000 are used.`],
  ]);
});
