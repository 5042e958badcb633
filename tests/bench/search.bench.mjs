// npm run bench -- search [MODELS]: writes the search index of a gallery of generated models (100,000
// by default), and searches it like a page that has fetched nothing yet. Prints the size of the
// index, and the bytes and the time until the first result. Every search reads its files again. The
// time is that of Node, without the network.
import { Search } from '../../dist/cli/gallery/search.js';
import { SearchIndex } from '../../dist/cli/gallery/searchIndex.js';
import { rangeOf } from '../../dist/cli/gallery/terms.js';
import { load, median, number, tableOf } from './table.mjs';

const models = Number(process.argv.slice(2).find(word => /^\d+$/.test(word)) ?? 100_000);
/** Number of consecutive models with the same skeleton. */
const perSkeleton = 25;
const BODY = 'Root Pelvis Spine Spine1 Neck Head LeftArm LeftHand RightArm RightHand LeftLeg LeftFoot RightLeg RightFoot'.split(' ');
const ACTIONS = 'Idle Walk Run Jump Attack Hit Die Turn Talk Wave Sit Fall'.split(' ');
const RUNS = 3;

let seed = 1;
const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
const pick = list => list[Math.floor(random() * list.length)];
const syllables = 'ba ko ri men tar shi lon dex fu wa gra mi pol ze nu hal'.split(' ');
/** Invented words, of which the first are used more often. */
const words = [...new Set(Array.from({ length: 4000 }, () => pick(syllables) + pick(syllables) + pick(syllables)))];
const word = () => words[Math.floor(words.length * random() ** 3)];
const titled = text => text[0].toUpperCase() + text.slice(1);

/** Facts of a skeleton that its models share. */
function skeletonOf(id) {
  const owner = word();
  const own = Array.from({ length: 20 }, (_, i) => `${owner}_${word()}${i % 4}`);
  const animations = Array.from({ length: 8 }, () => `${titled(owner)}_${pick(ACTIONS)}${Math.floor(random() * 3)}`);
  return { id, owner, folder: `${word()}/${owner}`, bones: [...BODY, ...own], animations };
}

let skeleton = skeletonOf(0);

function modelOf(i) {
  if (i > 0 && i % perSkeleton === 0) skeleton = skeletonOf(i / perSkeleton);
  const { id, owner, folder, bones, animations } = skeleton;
  const name = `SK_${titled(owner)}${titled(word())}${String(i % perSkeleton).padStart(2, '0')}`;
  const triangles = Math.floor(10 ** (2 + 3.5 * random()));
  const warnings = random() < 0.1 ? 1 : 0;
  const format = pick(['psk', 'psk', 'psk', 'cast', 'uemodel']);
  const facts = { triangles, instances: 0, bones: bones.length, animations: animations.length, errors: 0, warnings, hasPicture: true };
  return {
    entry: { slug: `${name.toLowerCase()}-${i.toString(16).padStart(12, '0')}`, name, folder, format, ...facts },
    texts: { name: [`${folder}/${name}`], bones, materials: [`M_${titled(owner)}_Body`, `M_${word()}`], animations },
    filters: [`format:${format}`, `triangles:${rangeOf(triangles)}`, `findings:${warnings ? 'warnings' : 'none'}`, `skeleton:${id}`],
  };
}

const files = new Map();
const index = new SearchIndex((name, bytes) => files.set(name, new Uint8Array(bytes)));
const start = performance.now();
for (let i = 0; i < models; i++) index.add(modelOf(i));
index.finish();
const seconds = (performance.now() - start) / 1000;
const size = [...files.values()].reduce((sum, { length }) => sum + length, 0);
const peak = process.resourceUsage().maxRSS / 1024;

/** Returns the bytes that are fetched before the first result, and the time in milliseconds. */
async function firstResult(text, filters) {
  let bytes = 0;
  const search = new Search(async name => {
    bytes += files.get(name).length;
    return files.get(name);
  });
  const from = performance.now();
  for await (const entries of search.find({ text, filters })) if (entries.length > 0) break;
  return { bytes, time: performance.now() - from };
}

const [common, rare, last] = [words[0], words.at(-1), skeleton.owner];
const texts = [
  '',
  common,
  rare,
  last,
  `${common} idle`,
  `${rare} walk`,
  'head',
  'attack',
  'left hand',
  common.slice(0, 2),
  'sk',
  `${last} body`,
  'absent',
];
const rows = [];
for (const [what, filters] of [
  ['without filters', []],
  ['with one filter', ['format:cast']],
  ['with two filters', ['triangles:3', 'findings:warnings']],
]) {
  const results = [];
  for (const text of texts) {
    const runs = [];
    for (let run = 0; run < RUNS; run++) runs.push(await firstResult(text, filters));
    results.push({ bytes: runs[0].bytes, time: median(runs.map(({ time }) => time)) });
  }
  const range = (values, format) => `${format(median(values))}, at most ${format(Math.max(...values))}`;
  rows.push([
    `${texts.length} searches ${what}`,
    range(
      results.map(({ bytes }) => bytes),
      bytes => `${number(bytes / 1000)} kB`,
    ),
    range(
      results.map(({ time }) => time),
      time => `${number(time)} ms`,
    ),
  ]);
}
console.log(`Machine load: ${load()}\n`);
console.log(
  `Index of ${models} models: ${number(size / 1e6)} MB in ${files.size} files, written in ${number(seconds)} s with ${number(peak)} MB\n`,
);
console.log(tableOf(['first result', 'fetched (median)', 'time (median)'], rows));
