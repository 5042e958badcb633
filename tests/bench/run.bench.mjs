// npm run bench [-- WORD…] [--quick] [--write]: measures the figures on the page "Size and speed"
// in one run and prints the table. --write updates the page. Words select tasks by tag: psk psa
// cast recording (format), page first core memory growth size blocked world loaders (subject), for
// example `npm run bench -- cast core`. PSK_LOADERS is the path of a checkout of Psk-Loaders. Requires a finished build (native, wasm) and an otherwise idle machine.
// Inputs are generated in build/bench/data (2 GB; --quick: 0.3 GB); results are written to
// build/bench/results.{json,md}.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { loadavg } from 'node:os';
import { basename, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { build } from 'vite';
import { chromiumPath } from '../../.ci/chromium.mjs';
import { downloads } from '../../.ci/size.mjs';
import { writeCastMesh, writeCastMotions, writeCastProp, writeCastWorld } from './inputs/cast.mjs';
import { writeFbx } from './inputs/fbx.mjs';
import { writeMeshGlb, writeMotionGlb } from './inputs/glb.mjs';
import { writeRecording } from './inputs/mrtk.mjs';
import { motions, tube, tubeShape } from './inputs/content.mjs';
import { writePsa, writePsk } from './inputs/unreal.mjs';
import {
  best,
  fact,
  kilobytes,
  load,
  machineWords,
  median,
  megabytes,
  milliseconds,
  number,
  putIntoPage,
  row,
  sections,
  times,
} from './table.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));
const out = join(root, 'build', 'bench');
const data = join(out, 'data');
const native = join(root, 'build', 'native', 'rigcast_native');
/** Path of a checkout of Psk-Loaders, another loader of PSK files for three.js, or undefined. */
const pskLoaders = process.env.PSK_LOADERS;
const quick = process.argv.includes('--quick');
const words = process.argv.slice(2).filter(word => !word.startsWith('--'));

const meshSizes = quick ? { '25k': 25_000, '100k': 100_000 } : { '25k': 25_000, '100k': 100_000, '1M': 1_000_000 };
const largest = Object.keys(meshSizes).at(-1);
const growthMegabytes = quick ? [1, 10, 100] : [1, 10, 100, 1000];
const rounds = quick ? 5 : 15;
const pskBytesPerVertex = 124;
// Sizes of the Cast inputs: a mesh of 98 MB, a clip of 10 MB, and 200,000 small nodes (20 MB).
const cast = quick ? { vertices: 100_000, frames: 300, poses: 39 } : { vertices: 1_300_000, frames: 2200, poses: 390 };
const castFiles = { 'Cast mesh': 'cast-mesh.cast', 'Cast motion': 'cast-motion.cast', 'Cast of many small nodes': 'cast-nodes.cast' };
const world = { instances: 10_000, models: 50 };
/**
 * Times of the reference reader on a comparable machine, in milliseconds. They are used if the
 * reader is not available (CAST_PY is the path of its cast.py).
 */
const givenPython = { 'Cast mesh': 1600, 'Cast motion': 90, 'Cast of many small nodes': 4500 };

const say = text => process.stderr.write(`${text}\n`);

// ------------------------------------------------------------------------------------------------ inputs

const once = make => {
  let made;
  return () => (made ??= make());
};

/**
 * Returns the functions that generate the inputs. Content that several files share is generated
 * once, and only if one of these files is missing.
 */
function generators() {
  const files = {};
  for (const [size, vertices] of Object.entries(meshSizes)) {
    const { rings, columns } = tubeShape(vertices);
    const mesh = once(() => tube(rings, columns));
    files[`mesh-${size}.psk`] = () => writePsk(mesh());
    files[`mesh-${size}.glb`] = () => writeMeshGlb(mesh());
    files[`mesh-${size}.fbx`] = () => writeFbx(mesh());
  }
  const moves = once(() => motions(50, 300));
  files['motions.psa'] = () => writePsa(moves());
  files['motions.glb'] = () => writeMotionGlb(moves());
  files['recording.bin'] = () => writeRecording(quick ? 300 : 1200);
  const { rings, columns } = tubeShape(cast.vertices);
  const castTube = once(() => tube(rings, columns));
  files['cast-mesh.cast'] = () => writeCastMesh(castTube());
  files['cast-mesh.glb'] = () => writeMeshGlb(castTube());
  for (const [name, clips, frames] of [
    ['cast-motion', 1, cast.frames],
    ['cast-nodes', cast.poses, 1],
  ]) {
    const content = once(() => motions(clips, frames));
    files[`${name}.cast`] = () => writeCastMotions(content());
    files[`${name}.glb`] = () => writeMotionGlb(content());
  }
  files['world.cast'] = () => writeCastWorld(world.instances, world.models);
  files['prop.cast'] = () => writeCastProp('prop', tube(8, 8));
  for (const megabytes of growthMegabytes)
    files[`grow-${megabytes}.psk`] = () => {
      const { rings, columns } = tubeShape((megabytes * 1e6) / pskBytesPerVertex);
      return writePsk(tube(rings, columns));
    };
  return files;
}
const makers = generators();

/** Deletes all input files if the code that generates them has changed. */
function forgetOldInputs() {
  const inputs = join(here, 'inputs');
  const hash = createHash('sha256').update(String(quick));
  for (const name of readdirSync(inputs).sort()) hash.update(readFileSync(join(inputs, name)));
  const stamp = join(data, 'stamp');
  const wanted = hash.digest('hex');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { recursive: true });
  writeFileSync(stamp, wanted);
}

/** Returns the path of an input file, which is generated if it is missing. */
async function input(name) {
  const path = join(data, name);
  if (!existsSync(path)) {
    say(`making ${name}`);
    writeFileSync(`${path}.part`, await makers[name]());
    renameSync(`${path}.part`, path);
  }
  return path;
}

// ------------------------------------------------------------------------------------------------ the page

async function buildPage() {
  const site = join(out, 'site');
  await build({
    configFile: false,
    logLevel: 'error',
    root: join(here, 'page'),
    base: './',
    build: { outDir: site, emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0 },
    worker: { format: 'es' },
    resolve: { alias: { 'psk-loaders': pskLoaders ? join(pskLoaders, 'src/PSKLoader.js') : join(here, 'page/noPskLoaders.ts') } },
  });
  return site;
}

const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };

/**
 * Serves the built page and the inputs with cross-origin isolation, which makes the clock of the
 * page precise.
 */
function serve(site) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://bench').pathname));
    if (path.endsWith('.mat')) return response.end(); // Psk-Loaders requests one for each material
    const isInput = path.startsWith('/data/') && basename(path) in makers;
    const file = isInput ? await input(basename(path)) : join(site, path === '/' ? 'index.html' : path);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'content-length': statSync(file).size,
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
    });
    createReadStream(file).pipe(response);
  });
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** Runs a task in a new page, so that garbage of earlier tasks has no effect on it. */
async function inPage(task, ...values) {
  const { browser, address } = await openBrowser();
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(0);
  page.on('pageerror', error => say(`page: ${error.message}`));
  await page.goto(address);
  await page.waitForFunction(() => globalThis.bench !== undefined, undefined, { timeout: 30_000 });
  try {
    return await page.evaluate(([name, given]) => globalThis.bench[name](...given), [task, values]);
  } finally {
    await context.close();
  }
}

/**
 * Throws if the loaders have produced different content, because their times are then not
 * comparable.
 */
function sameContent(fingerprints) {
  const [[firstName, first], ...others] = Object.entries(fingerprints);
  for (const [name, numbers] of others) {
    const off = numbers.findIndex((number, index) => Math.abs(number - first[index]) > 1e-3);
    if (off >= 0) throw new Error(`${name} and ${firstName} disagree: ${numbers} / ${first}`);
  }
}

/** Starts the browser and the server for the first task that needs them. */
const openBrowser = once(async () => {
  const server = await serve(await buildPage());
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--js-flags=--expose-gc'],
  });
  chromiumVersion = browser.version();
  closing.push(
    () => browser.close(),
    () => server.close(),
  );
  return { browser, address: `http://127.0.0.1:${server.address().port}/` };
});
const closing = [];
let chromiumVersion = '';

// ------------------------------------------------------------------------------------------------ native and wasm

const runNative = async (mode, file, count) =>
  JSON.parse(execFileSync(native, [mode, await input(file), String(count)], { encoding: 'utf8' }));
/** Measures the wasm build in the browser, because calls within wasm are slower in Node. */
const runWasm = (file, count) => inPage('core', file, count);

/**
 * Returns the minimum of three times of the Python reference reader, or the given time if the
 * reader is not available.
 */
async function measurePython(label, file) {
  const reader = process.env.CAST_PY;
  if (!reader) return { given: true, best: givenPython[label] };
  const script = `import importlib.util as u, sys, time
s = u.spec_from_file_location('cast', sys.argv[1]); m = u.module_from_spec(s); s.loader.exec_module(m); b = []
for i in range(3):
    t = time.perf_counter(); m.Cast.load(sys.argv[2]); b.append(time.perf_counter() - t)
print(min(b) * 1000)`;
  return { given: false, best: Number(execFileSync('python3', ['-c', script, reader, await input(file)], { encoding: 'utf8' })) };
}

/**
 * Runs the native build and the wasm build in turn, and returns the minimum time of each. Both
 * start every round with new memory.
 */
async function compareCores(file, passes, count) {
  const reads = { native: [], wasm: [] };
  let wasm;
  for (let pass = 0; pass < passes; pass++) {
    reads.native.push(...(await runNative('time', file, count)).read);
    wasm = await runWasm(file, count);
    if (wasm.failed) break;
    reads.wasm.push(...wasm.read);
  }
  return { ...reads, wasmFailed: wasm.failed };
}

/**
 * Measures in a page the heap of the wasm instance (including a copy of the input) and the blocks
 * that are copied out of it.
 */
async function measureMemory(file) {
  const { inputBytes, outputBytes, peakBytes } = await runNative('memory', file, 1);
  const wasm = await runWasm(file, 1);
  return { inputBytes, outputBytes, native: peakBytes, wasm: wasm.peakBytes + wasm.outputBytes };
}

/** Returns the exponent p that fits time ~ bytes^p best (least squares of the logarithms). */
function exponent(points) {
  const logs = points.map(([bytes, time]) => [Math.log(bytes), Math.log(time)]);
  const mean = index => logs.reduce((sum, point) => sum + point[index], 0) / logs.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const covariance = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

// ------------------------------------------------------------------------------------------------ size

/** Returns the download size of a bundled entry point, including the worker and the wasm module. */
async function bundleSize(entry, external) {
  const folder = join(out, 'size');
  const result = await build({
    configFile: false,
    logLevel: 'error',
    root,
    base: './',
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: join(root, entry), preserveEntrySignatures: 'strict', external },
    },
    worker: { format: 'es' },
  });
  return downloads(result.output.map(file => ({ name: file.fileName, bytes: file.code ?? file.source })));
}

async function measureSizes() {
  say('sizes');
  const three = /^three($|\/)/;
  return {
    core: await bundleSize('tests/bench/page/open.ts', []),
    loader: await bundleSize('web/src/three/index.ts', three),
    withThree: await bundleSize('web/src/three/index.ts', []),
  };
}

// ------------------------------------------------------------------------------------------------ the table

/** The ratio of the medians counts; the ratio of the best times is in brackets. */
function against(what, ours, theirs, bar, stretch, format = times) {
  const ratio = median(ours) / median(theirs);
  const least = format(best(ours) / best(theirs));
  const measured = `${milliseconds(median(ours))} / ${milliseconds(median(theirs))} = ${format(ratio)} (best ${least})`;
  return bar === undefined ? fact(what, measured, ratio) : row(what, measured, ratio, bar, stretch, format);
}

const share = value => (value >= 1 ? times(value) : `1/${number(1 / value)}`);

// ------------------------------------------------------------------------------------------------ the tasks

/**
 * Time limits relative to GLTFLoader, by mesh size: the required and the desired ratio of rigcast's
 * time to GLTFLoader's time.
 */
const meshBars = {
  '25k': { page: [1.8, 1], worker: [1.8, 1], blob: [1.3, 1] },
  '100k': { page: [1.4, 1], worker: [1.4, 1], blob: [1.3, 1] },
  '1M': { page: [1.25, 1], worker: [1.25, 1], blob: [1.3, 1] },
};

/** The required and the desired ratio of rigcast's time to FBXLoader's time, by mesh size. */
const fbxBars = { '25k': [1 / 15, 1 / 30], '100k': [1 / 25, 1 / 40], '1M': [1 / 50, 1 / 80] };

/**
 * Measures the first file that a page opens, each time in a new page, for all contestants in turn.
 */
async function firstFiles(size) {
  const contestants = { GLTFLoader: ['GLTFLoader', false], page: ['page', false], worker: ['worker', false], prepared: ['worker', true] };
  const found = Object.fromEntries(Object.keys(contestants).map(name => [name, []]));
  for (let round = 0; round < (quick ? 2 : 5); round++)
    for (const [name, how] of Object.entries(contestants)) found[name].push(await inPage('firstFile', size, ...how));
  return found;
}

/** The sections of the page, in their order. Each answers a question. */
const QUESTIONS = {
  meshes: [
    'How long does a mesh take to open?',
    'From the bytes to objects of three.js. The other loader is GLTFLoader with the same content, if no other one is named.',
  ],
  animations: [
    'How long do animations take to open?',
    'From the bytes until the animations are bound to a model of three.js. The other loader is GLTFLoader with the same content in a buffer.',
  ],
  first: ['How long does the first file of a page take?', 'Each time in a new page. The other loader is GLTFLoader with the same content.'],
  worlds: ['How long does a scene with many instances take?', 'From the drop of the files to the first picture.'],
  pauses: ['Does the page stay responsive?', 'The longest time between two messages that the page sends to itself while a file is opened.'],
  readers: ['How fast are the readers themselves?', 'Without three.js.'],
  memory: ['How much memory do they need?', 'Peak of the heap and the output blocks, without the buffer of the caller.'],
  size: ['How much code is loaded?', 'Bundled by Vite, minified and gzipped.'],
};

/**
 * Tasks in the order of the rows. Each has `tags` by which it is selected, a function `measure`, and
 * a function that returns its rows: an object with lists of rows by question.
 */
const tasks = [];
const task = (tags, measure, rows) => tasks.push({ tags: tags.split(' '), measure, rows });

task(
  'psk psa page',
  async () => {
    const result = { mesh: {} };
    for (const size of Object.keys(meshSizes)) {
      say(`opening ${size} vertices`);
      const { times, fingerprints } = await inPage('mesh', size, rounds, size === '1M' ? 2 : 5);
      sameContent(fingerprints);
      result.mesh[size] = times;
    }
    say('opening motions');
    result.motions = await inPage('motions', quick ? 3 : 9, 'motions.glb', 'motions.psa');
    return result;
  },
  ({ mesh, motions: moves }) => ({
    meshes: [
      ...Object.entries(mesh).flatMap(([size, race]) => {
        const what = `${size} vertices`;
        const { page, worker, blob } = meshBars[size];
        return [
          against(what, race.rigcast, race.GLTFLoader, ...page),
          against(`${what}, with a new heap`, race['rigcast, first file'], race.GLTFLoader, ...page),
          against(`${what}, in a worker, transferred buffer`, race['rigcast in a worker, handed over'], race.GLTFLoader, ...worker),
          against(`${what}, in a worker, copied buffer`, race['rigcast in a worker'], race.GLTFLoader),
          against(`${what}, in a worker, both from a Blob`, race['rigcast in a worker, a Blob'], race['GLTFLoader, a Blob'], ...blob),
          against(`${what}, against FBXLoader`, race.rigcast, race.FBXLoader, ...fbxBars[size], share),
        ];
      }),
      against(
        '100k vertices and 50 animations',
        [median(mesh['100k'].rigcast) + median(moves.rigcast)],
        [median(mesh['100k'].GLTFLoader) + median(moves.GLTFLoader)],
        1,
        0.5,
      ),
    ],
    animations: [
      ['on the page, transferred buffer', 'rigcast, handed over', 0.2, 0.1],
      ['on the page, copied buffer', 'rigcast', 0.2, 0.1],
      ['in a worker, transferred buffer', 'rigcast in a worker, handed over'],
      ['in a worker, copied buffer', 'rigcast in a worker'],
      ['in a worker, from a Blob', 'rigcast in a worker, a Blob'],
    ].flatMap(([how, ours, ...bars]) => [
      against(`50 clips × 128 bones × 300 keys, ${how}`, moves[ours], moves.GLTFLoader, ...bars),
      against(`the same, ${how}, until the first clip moves the model`, moves[`${ours}, first plays`], moves['GLTFLoader, first plays']),
      ...(moves[`${ours}, all built`]
        ? [against(`the same, ${how}, with every track of every clip built`, moves[`${ours}, all built`], moves.GLTFLoader)]
        : []),
    ]),
  }),
);

task(
  'psk loaders page',
  async () => {
    if (!pskLoaders) return null;
    say('opening meshes with Psk-Loaders');
    return inPage('againstPskLoaders', '25k', rounds);
  },
  race =>
    race && {
      meshes: [against('25k vertices, from an address, against Psk-Loaders (three.js, GitHub)', race.rigcast, race['Psk-Loaders'])],
    },
);

task(
  'psk first page',
  async () => {
    say('opening first files');
    const result = {};
    for (const size of ['25k', largest]) result[size] = await firstFiles(size);
    return result;
  },
  first => ({
    first: ['25k', largest].flatMap(size => [
      against(
        `${size} vertices in a worker, after \`prepare()\``,
        first[size].prepared,
        first[size].GLTFLoader,
        1.5,
        size === '25k' ? 1 : 1.2,
      ),
      against(`${size} vertices in a worker, without \`prepare()\``, first[size].worker, first[size].GLTFLoader),
      against(`${size} vertices on the page, without \`prepare()\``, first[size].page, first[size].GLTFLoader),
    ]),
  }),
);

task(
  'cast page',
  async () => {
    say('opening Cast files');
    const { times, fingerprints } = await inPage('castMesh', quick ? 5 : 7);
    sameContent(fingerprints);
    const result = { mesh: times };
    for (const kind of ['motion', 'nodes']) result[kind] = await inPage('motions', quick ? 3 : 7, `cast-${kind}.glb`, `cast-${kind}.cast`);
    return result;
  },
  ({ mesh, motion, nodes }) => {
    const size = name => megabytes(statSync(join(data, name)).size);
    const moves = (what, { 'rigcast, handed over': opened, GLTFLoader, 'rigcast, handed over, all built': built }, ...bars) => [
      against(what, opened, GLTFLoader, ...bars),
      against(`${what}, with every track of every clip built`, built, GLTFLoader),
    ];
    const what = `${size('cast-mesh.cast')} Cast mesh`;
    return {
      meshes: [
        against(what, mesh.rigcast, mesh.GLTFLoader, 0.8, 0.6),
        against(`${what}, in a worker, transferred buffer`, mesh['rigcast in a worker, handed over'], mesh.GLTFLoader),
        against(`${what}, in a worker, copied buffer`, mesh['rigcast in a worker'], mesh.GLTFLoader),
        against(`${what}, in a worker, both from a Blob`, mesh['rigcast in a worker, a Blob'], mesh['GLTFLoader, a Blob']),
      ],
      animations: [
        ...moves(`${size('cast-motion.cast')} Cast animation`, motion, 0.6, 0.3),
        ...moves(`${size('cast-nodes.cast')} Cast of ${(cast.poses * 512).toLocaleString('en-US')} curves`, nodes, 0.15, 0.05),
      ],
    };
  },
);

task(
  'cast world page',
  () => {
    say('opening a world');
    return inPage('world', quick ? 2 : 5, world.models);
  },
  ({ shown, cancelled, steps, frames, draws }) => ({
    worlds: [
      row(
        `${world.instances.toLocaleString('en-US')} instances of ${world.models} models`,
        `${milliseconds(median(shown))}, ${steps} steps of progress, cancelled in ${milliseconds(median(cancelled))}`,
        median(shown),
        3000,
        1000,
        milliseconds,
      ),
      fact('time to draw them', `${milliseconds(median(frames))} per frame in ${draws} draw calls (software rasteriser)`, median(frames)),
    ],
  }),
);

task(
  'psk blocked',
  () => {
    say('watching the page while the worker opens');
    return inPage('blocked', largest, 5);
  },
  blocked => ({
    pauses: Object.entries(blocked).map(([source, pauses]) => {
      const [middle, what] = [median(pauses), `${largest} vertices from ${source}`];
      if (source === 'nothing') return fact('for comparison: no file', milliseconds(middle), middle);
      if (source === 'GLTFLoader') return fact('for comparison: GLTFLoader', milliseconds(middle), middle);
      return row(what, milliseconds(middle), middle, 30, 8, milliseconds);
    }),
  }),
);

const coreFiles = { PSK: `mesh-${largest}.psk`, PSA: 'motions.psa', ...castFiles, recording: 'recording.bin' };
const tagOf = label => label.split(' ')[0].toLowerCase();

for (const [label, file] of Object.entries(castFiles))
  task(
    'cast python',
    async () => {
      say(`the reference reader, ${label}`);
      return { ours: (await runNative('time', file, 5)).read, ...(await measurePython(label, file)) };
    },
    ({ ours, given, best: python }) => ({
      readers: [
        fact(
          `${label}: native code against the reference reader (Python${given ? ', published time' : ''})`,
          `${milliseconds(median(ours))} / ${milliseconds(python)} = ${share(median(ours) / python)}`,
          median(ours) / python,
        ),
      ],
    }),
  );

for (const [label, file] of Object.entries(coreFiles))
  task(
    `${tagOf(label)} core`,
    async () => {
      say(`native and wasm, ${label}`);
      return { ...(await compareCores(file, quick ? 2 : 4, 5)), warm: await runNative('warm', file, quick ? 10 : 30) };
    },
    ({ native: nativeReads, wasm, warm }) => {
      // Reading small records takes time for each record, not for each byte, so their time has no limit.
      const bars = { PSK: [10, 5], PSA: [10, 5], recording: [], 'Cast of many small nodes': [] };
      return {
        readers: [
          against(`${label}: WebAssembly against native code`, wasm, nativeReads, 1.3, 1.1),
          against(
            `${label}: native code against memcpy of the file, with warm memory pages`,
            warm.read,
            warm.copy,
            ...(bars[label] ?? [4, 2]),
          ),
        ],
      };
    },
  );

task(
  'psk growth',
  async () => {
    const result = {};
    for (const size of growthMegabytes) {
      say(`growth, ${size} MB`);
      const file = `grow-${size}.psk`;
      result[size] = { ...(await compareCores(file, size >= 1000 ? 2 : 3, size >= 100 ? 2 : 10)), bytes: statSync(await input(file)).size };
    }
    return result;
  },
  growth => ({
    readers: ['native', 'wasm'].map(kind => {
      const points = Object.values(growth)
        .filter(size => size[kind].length > 0)
        .map(size => [size.bytes, best(size[kind])]);
      const perMegabyte = points.map(([bytes, time]) => number(time / (bytes / 1e6))).join(', ');
      const value = exponent(points);
      const failed = Object.values(growth).find(size => kind === 'wasm' && size.wasmFailed)?.wasmFailed;
      const limit = failed ? `; above ${number(points.at(-1)[0] / 1e6)} MB: ${failed}` : '';
      return {
        what: `PSK files of 1 to ${growthMegabytes.at(-1)} MB, ${kind === 'wasm' ? 'WebAssembly' : 'native code'}`,
        measured: `${perMegabyte} ms/MB at ${growthMegabytes.slice(0, points.length).join(', ')} MB: size^${value.toFixed(2)}${limit}`,
        value,
        bar: 'linear',
        stretch: 'linear',
        verdict: value <= 1.1 && !failed ? 'linear' : 'missed',
      };
    }),
  }),
);

for (const [label, file] of Object.entries(coreFiles))
  task(
    `${tagOf(label)} memory`,
    () => measureMemory(file),
    ({ inputBytes, outputBytes, native: nativePeak, wasm }) => {
      const [bar, stretch] =
        label === 'PSK' && !quick ? [130e6, 100e6] : [1.2 * (inputBytes + 2 * outputBytes), 1.1 * (inputBytes + outputBytes)];
      const what = `${megabytes(inputBytes)} ${label}`;
      return {
        memory: [
          row(`${what}, WebAssembly`, megabytes(wasm), wasm, bar, stretch, megabytes),
          row(`${what}, native code`, megabytes(nativePeak), nativePeak, bar, stretch, megabytes),
        ],
      };
    },
  );

task('size', measureSizes, ({ core: { wasm, js }, loader, withThree }) => ({
  size: [
    row(
      'the largest module of a family and the JavaScript of `open`',
      `${kilobytes(wasm)} + ${kilobytes(js)} = ${kilobytes(wasm + js)}`,
      wasm + js,
      130_000,
      100_000,
      kilobytes,
    ),
    fact('the JavaScript that `RigcastLoader` adds, with all chunks', kilobytes(loader.js - js), loader.js - js),
    fact('for comparison: the parts of three.js that it uses', kilobytes(withThree.js - loader.js), withThree.js - loader.js),
  ],
}));

/** Maximum load average at which the machine is considered idle. */
const quiet = 0.5;
const chosen = tasks.filter(({ tags }) => words.every(word => tags.includes(word)));
if (chosen.length === 0) {
  say(`no task has all of: ${words.join(' ')}. There are: ${tasks.map(({ tags }) => tags.join(' ')).join(', ')}`);
  process.exit(2);
}
const writesPage = process.argv.includes('--write');
if (writesPage && loadavg()[0] > quiet) {
  say(`the load of this machine is ${load()}: figures for the page are taken below ${quiet}`);
  process.exit(1);
}
forgetOldInputs();
const before = load();
const results = [];
const rows = {};
try {
  for (const { tags, measure, rows: rowsOf } of chosen) {
    const result = await measure();
    results.push({ tags, result });
    for (const [question, own] of Object.entries(rowsOf(result) ?? {})) (rows[question] ??= []).push(...own);
  }
} finally {
  for (const close of closing) await close();
}
const manner = 'Times are medians of rounds in which the programs take turns. Best ratios are in brackets.';
const machine = machineWords(chromiumVersion, before, manner);
const groups = Object.entries(QUESTIONS).map(([key, [question, how]]) => ({ question, how, rows: rows[key] ?? [] }));
const text = `${machine}\n\n${sections(groups)}\n`;
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'results.json'), JSON.stringify({ date: new Date().toISOString(), quick, words, machine, rows, results }, null, 1));
writeFileSync(join(out, 'results.md'), text);
process.stdout.write(text);
if (writesPage) putIntoPage('bench', text);
