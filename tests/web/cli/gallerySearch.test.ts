// The search index of galleries, with generated models.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sceneFacts } from '../../../web/src/cli/gallery/facts.ts';
import { html, nameMarkup, pathUrl } from '../../../web/src/cli/gallery/html.ts';
import { embedPage, type ModelPage } from '../../../web/src/cli/gallery/modelPage.ts';
import { slugOf } from '../../../web/src/cli/gallery/parts.ts';
import { ResultList } from '../../../web/src/cli/gallery/resultList.ts';
import { Search } from '../../../web/src/cli/gallery/search.ts';
import { type Indexed, SearchIndex } from '../../../web/src/cli/gallery/searchIndex.ts';
import { termsOf } from '../../../web/src/cli/gallery/terms.ts';
import { inOrder, withoutFolders } from '../../../web/src/cli/gallery/writePages.ts';
import { open as openRig } from '../../../web/src/core/index.ts';

const KINDS = ['dragon', 'knight', 'wolf', 'cart'];
const PARTS = ['Spine', 'LeftHand', 'RightFoot', 'Tail'];

/** Models that share skeletons and words, as in the files of a game. */
const MODELS = Array.from({ length: 2400 }, (_, i): Indexed => {
  const kind = KINDS[Math.floor(i / 40) % KINDS.length]!;
  return {
    entry: {
      slug: `m${i}`,
      name: `${kind}_${i}`,
      folder: '',
      format: i % 3 === 0 ? 'psk' : 'cast',
      triangles: i,
      instances: 0,
      bones: 20,
      animations: 1,
      errors: 0,
      warnings: 0,
      hasPicture: true,
    },
    texts: {
      name: [`${kind}/${kind}_${i}`, ...(i === 4 ? ['needle'] : [])],
      bones: Array.from({ length: 20 }, (_unused, k) => `${kind}_${PARTS[k % PARTS.length]}${k}`),
      materials: [`M_${kind}`],
      animations: [`${kind}_${['run', 'jump', 'idle'][i % 3]}`, ...(i === 3 ? ['needle'] : i === 2399 ? ['zebra'] : [])],
    },
    filters: [`format:${i % 3 === 0 ? 'psk' : 'cast'}`, `skeleton:${Math.floor(i / 40)}`],
  };
});

const TERMS = MODELS.map(({ texts }) => Object.values(texts).flat().flatMap(termsOf));

function indexOf(models: readonly Indexed[]): Map<string, Uint8Array<ArrayBuffer>> {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  const index = new SearchIndex((name, bytes) => files.set(name, new Uint8Array(bytes)));
  for (const model of models) index.add(model);
  index.finish();
  return files;
}

const files = indexOf(MODELS);

async function find(text: string, ...filters: string[]): Promise<{ names: string[]; firstBytes: number }> {
  let bytes = 0;
  const search = new Search(async name => {
    const file = files.get(name)!;
    bytes += file.length;
    return file;
  });
  const names: string[] = [];
  let firstBytes = 0;
  for await (const entries of search.find({ text, filters })) {
    names.push(...entries.map(({ name }) => name));
    if (firstBytes === 0 && names.length > 0) firstBytes = bytes;
  }
  return { names, firstBytes };
}

/** Names of the models that have a term that begins with each word. */
const expected = (text: string, ...filters: string[]): string[] =>
  MODELS.filter(({ filters: own }, i) => {
    const isFound = termsOf(text).every(word => TERMS[i]!.some(term => term.startsWith(word)));
    return isFound && filters.every(filter => own.includes(filter));
  }).map(({ entry }) => entry.name);

describe('a search', () => {
  test.each([
    [['dragon']],
    [['dragon_1123']],
    [['wolf run']],
    [['hand', 'format:psk']],
    [['', 'skeleton:7']],
    [['cart jump', 'format:cast', 'skeleton:3']],
    [['M_kni']],
    [['1']],
    [['absent']],
  ])('for %j finds the models that contain all words, and no others', async words => {
    const [text = '', ...filters] = words;
    const { names } = await find(text, ...filters);
    expect(names.toSorted()).toEqual(expected(text, ...filters).toSorted());
  });

  test('without words and filters lists all models in their order', async () => {
    expect((await find('')).names).toEqual(MODELS.map(({ entry }) => entry.name));
  });

  test('only of punctuation finds nothing', async () => {
    expect((await find(' %#/ ')).names).toEqual([]);
  });

  test('reads a small part of the index before the first result', async () => {
    const total = [...files.values()].reduce((sum, { length }) => sum + length, 0);
    expect([...files.keys()].length).toBeGreaterThan(5);
    for (const text of ['wolf', 'wolf_2399', 'zeb']) expect((await find(text)).firstBytes, text).toBeLessThan(total / 3);
  });

  test('ranks names above animations', async () => {
    expect((await find('needle')).names.map(name => name.split('_')[1])).toEqual(['4', '3']);
  });
});

describe('after a failed request', () => {
  test.each(['index.json', [...files.keys()][0]!])('for %s, the next search requests it again', async name => {
    let failures = 1;
    const search = new Search(async file => {
      if (file === name && failures-- > 0) throw new Error('offline');
      return files.get(file)!;
    });
    const all = async (): Promise<number> => {
      let count = 0;
      for await (const entries of search.find({ text: '', filters: [] })) count += entries.length;
      return count;
    };
    await expect(all()).rejects.toThrow('offline');
    expect(await all()).toBe(MODELS.length);
  });
});

describe('a list of results', () => {
  const entries = MODELS.slice(0, 10).map(({ entry }) => entry);
  const names = (some: readonly { name: string }[]): string[] => some.map(({ name }) => name);
  async function* find(): AsyncGenerator<Indexed['entry'][]> {
    for (let i = 0; i < entries.length; i += 4) {
      await Promise.resolve();
      yield entries.slice(i, i + 4);
    }
  }
  const taken = async (list: ResultList, amount: number): Promise<string[]> => {
    const found: string[] = [];
    for await (const some of list.next(amount)) found.push(...names(some));
    return found;
  };

  test('shows each result once, also if more are requested while some are loading', async () => {
    const list = new ResultList(find);
    const [first, second] = await Promise.all([taken(list, 3), taken(list, 3)]);
    expect([first, second]).toEqual([names(entries.slice(0, 3)), []]);
    expect([await taken(list, 5), list.isComplete]).toEqual([names(entries.slice(3, 8)), false]);
    expect([await taken(list, 5), list.shown, list.isComplete]).toEqual([names(entries.slice(8)), 10, true]);
  });

  test('leaves out the results that the page shows already', async () => {
    expect(await taken(new ResultList(find, 5), 4)).toEqual(names(entries.slice(5, 9)));
  });

  test('continues after a failure', async () => {
    let failures = 1;
    const list = new ResultList(async function* () {
      for await (const some of find()) {
        if (some.includes(entries[4]!) && failures-- > 0) throw new Error('offline');
        yield some;
      }
    });
    const found: string[] = [];
    const load = async (): Promise<void> => {
      for await (const some of list.next(9)) found.push(...names(some));
    };
    await expect(load()).rejects.toThrow('offline');
    await load();
    expect(found).toEqual(names(entries));
  });
});

describe('the index', () => {
  test('has equal bytes for equal models', () => {
    expect(indexOf(MODELS)).toEqual(files);
  });

  test('changes few shards if a model is added', () => {
    const changed = indexOf([MODELS[20]!, ...MODELS]);
    const shards = [...changed.keys()].filter(name => !files.has(name));
    expect(shards.length).toBeLessThan(changed.size / 2);
  });
});

test.each([
  ['LeftHand_01', ['lefthand', 'left', 'hand', '01']],
  ['Bip01 L-Finger0', ['bip01', 'bip', '01', 'l', 'finger0', 'finger']],
  ['skharryMesh', ['skharrymesh', 'harrymesh', 'harry', 'mesh']],
  ['SK_Hero', ['sk', 'hero']],
  ['skin', ['skin']],
  ['FBXModel', ['fbxmodel', 'fbx', 'model']],
  ['東京タワー', ['東京', '京タ', 'タワ', 'ワー']],
  ['%#/..', []],
])('the terms of %s', (text, terms) => {
  expect(termsOf(text)).toEqual(terms);
});

test('models are ordered like files: without regard to case, and by the values of numbers', () => {
  const places = ['Props/Vase10.psk', 'props/vase2.psk', 'Heroes/b.psk', 'Heroes/A.psk', 'props/Vase2b.psk'];
  expect(inOrder(places.map(place => ({ place }))).map(({ place }) => place)).toEqual([
    'Heroes/A.psk',
    'Heroes/b.psk',
    'props/vase2.psk',
    'props/Vase2b.psk',
    'Props/Vase10.psk',
  ]);
});

test('a long name can break between its words', () => {
  expect(nameMarkup('skHarryFoot_01.<b>').text).toBe('<bdi>sk<wbr />Harry<wbr />Foot_<wbr />01.<wbr />&lt;b&gt;</bdi>');
});

test('a model without other files lists itself, so that the page requests no side files', () => {
  const made = { name: null, byteLength: 0, reason: '', losses: [] };
  const model = {
    title: 'run',
    facts: { format: 'psa' },
    files: [{ path: 'a b.psa', byteLength: 1 }],
    picture: made,
  } as unknown as ModelPage;
  expect(embedPage(model)).toMatch(/src="..\/..\/files\/a%20b.psa"\s+files="..\/..\/files\/a%20b.psa"/);
});

test('only models with meshes are bodies, which can be downloaded as VRM', async () => {
  const lotl = readFileSync(new URL('../../../web/src/viewer/demo/Lotl.vgo', import.meta.url));
  const scene = (await openRig(lotl, { name: 'Lotl.vgo', worker: false })).scene!;
  expect(sceneFacts(scene).isBody).toBe(true);
  expect(sceneFacts({ ...scene, renderers: [] })).toMatchObject({ isBody: false, notBody: null });
});

test('markup escapes texts, and URLs escape paths', () => {
  expect(html`<p title="${`"'`}">${'<b>&\u202e'}</p>`.text).toBe('<p title="&quot;&#39;">&lt;b&gt;&amp;\\u202e</p>');
  expect(html`${[html`<b>&</b>`, '<b>']}${null}${false}`.text).toBe('<b>&</b>&lt;b&gt;');
  expect(pathUrl('a b/#1?/100%/日.psk')).toBe('a%20b/%231%3F/100%25/%E6%97%A5.psk');
});

test('folders of pages are named by letters, digits and a hash', () => {
  expect(slugOf('a/Héro B.psk')).toMatch(/^hero-b-[0-9a-f]{12}$/);
  expect(slugOf('日本.psk')).toMatch(/^model-[0-9a-f]{12}$/);
  expect(slugOf('a/x.psk')).not.toBe(slugOf('b/x.psk'));
});

test('messages contain no paths of the computer', () => {
  expect(withoutFolders('/home/me/models/a/x.psk: no such file', ['/home/me/models', '/home/me/site/'])).toBe('a/x.psk: no such file');
  expect(withoutFolders('/home/me/site/models/x.glb', ['/home/me/models', '/home/me/site/'])).toBe('models/x.glb');
});
