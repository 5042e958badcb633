// npm run bench [-- --quick] [--readme]: measures what README.md's table "Numbers" says, side by side in one run, and prints that table;
// with --readme it goes into README.md. Needs a finished build (native, wasm) and a machine with nothing else to do. Inputs are generated
// into build/bench/data (2 GB; --quick: 0.3 GB); results go to build/bench/results.{json,md}.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { cpus, loadavg, totalmem } from 'node:os';
import { basename, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright';
import { build } from 'vite';
import { writeCastMesh, writeCastMotions, writeCastProp, writeCastWorld } from './inputs/cast.mjs';
import { writeFbx } from './inputs/fbx.mjs';
import { writeMeshGlb, writeMotionGlb } from './inputs/glb.mjs';
import { motions, tube, tubeShape } from './inputs/content.mjs';
import { writePsa, writePsk } from './inputs/unreal.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));
const out = join(root, 'build', 'bench');
const data = join(out, 'data');
const native = join(root, 'build', 'native', 'rigcast_native');
const quick = process.argv.includes('--quick');

const meshSizes = quick ? { '25k': 25_000, '100k': 100_000 } : { '25k': 25_000, '100k': 100_000, '1M': 1_000_000 };
const largest = Object.keys(meshSizes).at(-1);
const growthMegabytes = quick ? [1, 10, 100] : [1, 10, 100, 1000];
const rounds = quick ? 5 : 15;
const pskBytesPerVertex = 124;
// The Cast issue's three sizes: a mesh of 98 MB, a motion of 10 MB, 200,000 small nodes (20 MB).
const cast = quick ? { vertices: 100_000, frames: 300, poses: 39 } : { vertices: 1_300_000, frames: 2200, poses: 390 };
const castFiles = { 'Cast mesh': 'cast-mesh.cast', 'Cast motion': 'cast-motion.cast', 'Cast of many small nodes': 'cast-nodes.cast' };
const world = { instances: 10_000, models: 50 };
/** What the reference reader took on a machine of this size, in ms, where it is not at hand (CAST_PY names its cast.py). */
const givenPython = { 'Cast mesh': 1600, 'Cast motion': 90, 'Cast of many small nodes': 4500 };

const best = (values) => Math.min(...values);
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const say = (text) => process.stderr.write(`${text}\n`);

// ------------------------------------------------------------------------------------------------ inputs

/** Makes what is not there yet; a change of a generator makes everything again. */
async function makeInputs() {
  const inputs = join(here, 'inputs');
  const hash = createHash('sha256');
  for (const name of readdirSync(inputs).sort()) hash.update(readFileSync(join(inputs, name)));
  const stamp = join(data, 'stamp');
  const wanted = hash.digest('hex');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { recursive: true });
  const make = async (name, write) => {
    const path = join(data, name);
    if (existsSync(path)) return;
    say(`making ${name}`);
    writeFileSync(path, await write());
  };
  for (const [size, vertices] of Object.entries(meshSizes)) {
    const { rings, columns } = tubeShape(vertices);
    let content;
    const mesh = () => (content ??= tube(rings, columns));
    await make(`mesh-${size}.psk`, () => writePsk(mesh()));
    await make(`mesh-${size}.glb`, () => writeMeshGlb(mesh()));
    await make(`mesh-${size}.fbx`, () => writeFbx(mesh()));
  }
  let moves;
  await make('motions.psa', () => writePsa((moves ??= motions(50, 300))));
  await make('motions.glb', () => writeMotionGlb((moves ??= motions(50, 300))));
  const castShape = tubeShape(cast.vertices);
  let castTube;
  await make('cast-mesh.cast', () => writeCastMesh((castTube ??= tube(castShape.rings, castShape.columns))));
  await make('cast-mesh.glb', () => writeMeshGlb((castTube ??= tube(castShape.rings, castShape.columns))));
  for (const [name, clips, frames] of [['cast-motion', 1, cast.frames], ['cast-nodes', cast.poses, 1]]) {
    let content;
    await make(`${name}.cast`, () => writeCastMotions((content ??= motions(clips, frames))));
    await make(`${name}.glb`, () => writeMotionGlb((content ??= motions(clips, frames))));
  }
  await make('world.cast', () => writeCastWorld(world.instances, world.models));
  await make('prop.cast', () => writeCastProp('prop', tube(30, 50)));
  for (const megabytes of growthMegabytes) {
    const { rings, columns } = tubeShape((megabytes * 1e6) / pskBytesPerVertex);
    await make(`grow-${megabytes}.psk`, () => writePsk(tube(rings, columns)));
  }
  writeFileSync(stamp, wanted);
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
  });
  return site;
}

const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };

/** Serves the built page and build/bench/data, isolated so that the page's clock is precise. */
function serve(site) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://bench').pathname));
    const file = path.startsWith('/data/') ? join(data, basename(path)) : join(site, path === '/' ? 'index.html' : path);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'content-length': statSync(file).size,
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
    });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** Every task gets a page of its own: what one leaves behind is not the next one's garbage. */
async function inPage(browser, address, task, ...values) {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(0);
  page.on('pageerror', (error) => say(`page: ${error.message}`));
  await page.goto(address);
  await page.waitForFunction(() => globalThis.bench !== undefined, undefined, { timeout: 30_000 });
  try {
    return await page.evaluate(([name, given]) => globalThis.bench[name](...given), [task, values]);
  } finally {
    await context.close();
  }
}

/** The loaders must have made the same thing, or their times mean nothing. */
function sameContent(fingerprints) {
  const [[firstName, first], ...others] = Object.entries(fingerprints);
  for (const [name, numbers] of others) {
    const off = numbers.findIndex((number, index) => Math.abs(number - first[index]) > 1e-3);
    if (off >= 0) throw new Error(`${name} and ${firstName} disagree: ${numbers} / ${first}`);
  }
}

async function measurePage() {
  const server = await serve(await buildPage());
  const address = `http://127.0.0.1:${server.address().port}/`;
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--js-flags=--expose-gc'],
  });
  try {
    const result = { chromium: browser.version(), mesh: {} };
    for (const size of Object.keys(meshSizes)) {
      say(`opening ${size} vertices`);
      const { times, fingerprints } = await inPage(browser, address, 'mesh', size, rounds, size === '1M' ? 2 : 5);
      sameContent(fingerprints);
      result.mesh[size] = times;
    }
    say('opening motions');
    result.motions = await inPage(browser, address, 'motions', quick ? 3 : 9, 'motions.glb', 'motions.psa');
    say('opening Cast files');
    const mesh = await inPage(browser, address, 'castMesh', quick ? 5 : 7);
    sameContent(mesh.fingerprints);
    result.cast = { mesh: mesh.times };
    for (const kind of ['motion', 'nodes']) result.cast[kind] = await inPage(browser, address, 'motions', quick ? 3 : 7, `cast-${kind}.glb`, `cast-${kind}.cast`);
    say('opening a world');
    result.world = await inPage(browser, address, 'world', quick ? 2 : 5, world.models);
    say('watching the page while the worker opens');
    result.blocked = await inPage(browser, address, 'blocked', largest, 5);
    return result;
  } finally {
    await browser.close();
    server.close();
  }
}

// ------------------------------------------------------------------------------------------------ native and wasm

const runNative = (mode, file, count) => JSON.parse(execFileSync(native, [mode, join(data, file), String(count)], { encoding: 'utf8' }));
const runWasm = (file, count) =>
  JSON.parse(execFileSync(process.execPath, ['--expose-gc', join(here, 'wasm.mjs'), join(data, file), String(count)], { encoding: 'utf8' }));

/** The reference reader in Python, best of three; what was given in advance where it is not at hand. */
function measurePython(label, file) {
  const reader = process.env.CAST_PY;
  if (!reader) return { given: true, best: givenPython[label] };
  const script = `import importlib.util as u, sys, time
s = u.spec_from_file_location('cast', sys.argv[1]); m = u.module_from_spec(s); s.loader.exec_module(m); b = []
for i in range(3):
    t = time.perf_counter(); m.Cast.load(sys.argv[2]); b.append(time.perf_counter() - t)
print(min(b) * 1000)`;
  return { given: false, best: Number(execFileSync('python3', ['-c', script, reader, join(data, file)], { encoding: 'utf8' })) };
}

/** Native and wasm in turn, best of all rounds; both on memory fresh from the system. */
function compareCores(file, passes, count) {
  const reads = { native: [], wasm: [] };
  let wasm;
  for (let pass = 0; pass < passes; pass++) {
    reads.native.push(...runNative('time', file, count).read);
    wasm = runWasm(file, count);
    if (wasm.failed) break;
    reads.wasm.push(...wasm.read);
  }
  return { ...reads, wasmFailed: wasm.failed };
}

function measureCores() {
  const passes = quick ? 2 : 4;
  const files = { PSK: `mesh-${largest}.psk`, PSA: 'motions.psa', ...castFiles };
  const result = { cores: {}, memcpy: {}, growth: {}, memory: {}, python: {} };
  for (const [label, file] of Object.entries(files)) {
    say(`native and wasm, ${label}`);
    result.cores[label] = compareCores(file, passes, 5);
    result.memcpy[label] = runNative('warm', file, quick ? 10 : 30);
    if (label in castFiles) result.python[label] = measurePython(label, file);
    const { inputBytes, outputBytes, peakBytes } = runNative('memory', file, 1);
    const wasm = runWasm(file, 1);
    // in a page: the instance's heap (the input's copy is in it) and the blocks copied out of it
    result.memory[label] = { inputBytes, outputBytes, native: peakBytes, wasm: wasm.peakBytes + wasm.outputBytes };
  }
  for (const megabytes of growthMegabytes) {
    say(`growth, ${megabytes} MB`);
    const { native: nativeReads, wasm, wasmFailed } = compareCores(`grow-${megabytes}.psk`, megabytes >= 1000 ? 2 : 3, megabytes >= 100 ? 2 : 10);
    const bytes = statSync(join(data, `grow-${megabytes}.psk`)).size;
    result.growth[megabytes] = { bytes, native: nativeReads, wasm, wasmFailed };
  }
  return result;
}

/** Exponent p of time ~ bytes^p by least squares over the logarithms. */
function exponent(points) {
  const logs = points.map(([bytes, time]) => [Math.log(bytes), Math.log(time)]);
  const mean = (index) => logs.reduce((sum, point) => sum + point[index], 0) / logs.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const covariance = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

// ------------------------------------------------------------------------------------------------ size

/** Gzipped bytes of everything a bundler makes of an entry, the worker and the wasm included. */
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
  const gzipped = (keep) =>
    result.output.filter(({ fileName }) => keep(fileName)).reduce((sum, file) => sum + gzipSync(file.code ?? file.source, { level: 9 }).length, 0);
  const isWasm = (name) => name.endsWith('.wasm');
  return { wasm: gzipped(isWasm), js: gzipped((name) => !isWasm(name)) };
}

async function measureSizes() {
  say('sizes');
  const three = /^three($|\/)/;
  return {
    core: await bundleSize('web/src/core/index.ts', []),
    loader: await bundleSize('web/src/three/index.ts', three),
    withThree: await bundleSize('web/src/three/index.ts', []),
  };
}

// ------------------------------------------------------------------------------------------------ the table

const number = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toPrecision(2));
const milliseconds = (value) => `${number(value)} ms`;
const times = (value) => `${number(value)}×`;
const kilobytes = (value) => `${(value / 1000).toFixed(1)} KB`;
const megabytes = (value) => `${number(value / 1e6)} MB`;

/** A row; `value` is compared with `bar` and `stretch`, smaller is better. */
function row(what, measured, value, bar, stretch, format) {
  const verdict = value <= stretch ? 'stretch met' : value <= bar ? 'bar met' : `missed: ${(value / bar).toFixed(2)} of the bar`;
  return { what, measured, value, bar: `≤ ${format(bar)}`, stretch: `≤ ${format(stretch)}`, verdict };
}

function table({ page, cores, sizes }) {
  const rows = [];
  const against = (what, ours, theirs, rival, bar, stretch, format = times) =>
    rows.push(row(what, `${milliseconds(best(ours))} / ${milliseconds(best(theirs))} = ${format(best(ours) / best(theirs))}`,
      best(ours) / best(theirs), bar, stretch, format));
  const share = (value) => (value >= 1 ? times(value) : `1/${number(1 / value)}`);

  for (const [size, race] of Object.entries(page.mesh)) {
    against(`${size} vertices, bytes → objects, on the page, against GLTFLoader`, race.rigcast, race.GLTFLoader, 'GLTFLoader', 1, 0.5);
    against(`the same through the worker`, race['rigcast in a worker'], race.GLTFLoader, 'GLTFLoader', 1, 0.5);
    against(`${size} vertices against FBXLoader`, race.rigcast, race.FBXLoader, 'FBXLoader', 1 / 20, 1 / 50, share);
  }
  const sum = (first, second) => [best(first) + best(second)];
  const middle = page.mesh['100k'];
  const { motions: moves } = page;
  against('100k vertices and 50 motions against GLTFLoader', sum(middle.rigcast, moves.rigcast), sum(middle.GLTFLoader, moves.GLTFLoader),
    'GLTFLoader', 1, 0.5);
  against('50 clips × 128 bones × 300 keys, opened and bound, against GLTFLoader', moves.rigcast, moves.GLTFLoader, 'GLTFLoader', 0.5, 0.1);
  against('… until the first clip has moved the model', moves['rigcast, first plays'], moves['GLTFLoader, first plays'], 'GLTFLoader', 0.5, 0.1);
  against('… with every track of every clip built', moves['rigcast, all built'], moves.GLTFLoader, 'GLTFLoader', 0.5, 0.1);
  against('… opened and bound through the worker', moves['rigcast in a worker'], moves.GLTFLoader, 'GLTFLoader', 0.5, 0.1);
  const mega = (file) => megabytes(statSync(join(data, file)).size);
  against(`${mega('cast-mesh.cast')} Cast mesh, bytes → objects, against GLTFLoader`, page.cast.mesh.rigcast, page.cast.mesh.GLTFLoader, 'GLTFLoader', 1, 0.5);
  against('the same through the worker', page.cast.mesh['rigcast in a worker'], page.cast.mesh.GLTFLoader, 'GLTFLoader', 1, 0.5);
  for (const [kind, what] of [['motion', `${mega('cast-motion.cast')} Cast motion`], ['nodes', `${mega('cast-nodes.cast')} Cast of ${(cast.poses * 512).toLocaleString('en-US')} curves`]]) {
    against(`${what}, opened and bound, against GLTFLoader`, page.cast[kind].rigcast, page.cast[kind].GLTFLoader, 'GLTFLoader', 1, 0.5);
    against('… with every track of every clip built', page.cast[kind]['rigcast, all built'], page.cast[kind].GLTFLoader, 'GLTFLoader', 1, 0.5);
  }
  for (const [label, { given, best: python }] of Object.entries(cores.python)) {
    const ours = best(cores.cores[label].native);
    rows.push({ what: `native ${label} read against the reference reader (Python${given ? ', as given for the full size' : ''})`,
      measured: `${milliseconds(ours)} / ${milliseconds(python)} = ${share(ours / python)}`, value: ours / python, bar: '', stretch: '', verdict: '' });
  }
  const shown = best(page.world.shown);
  rows.push(row(`a world of ${world.instances.toLocaleString('en-US')} instances of ${world.models} models, dropped files → first picture`,
    `${milliseconds(shown)}, ${page.world.steps} steps of progress, cancelled in ${milliseconds(best(page.world.cancelled))}`, shown, 3000, 1000, milliseconds));
  for (const [source, pauses] of Object.entries(page.blocked)) {
    const value = median(pauses);
    const what = `page blocked, ${largest} vertices, ${source}`;
    if (source === 'nothing' || source === 'GLTFLoader')
      rows.push({ what: `(for comparison) page blocked, ${source}`, measured: milliseconds(value), value, bar: '', stretch: '', verdict: '' });
    else rows.push(row(what, milliseconds(value), value, 30, 8, milliseconds));
  }
  for (const [label, { native: nativeReads, wasm }] of Object.entries(cores.cores))
    against(`wasm against native, ${label} read`, wasm, nativeReads, 'native', 1.5, 1.2);
  for (const [label, { read, copy }] of Object.entries(cores.memcpy)) {
    const [bar, stretch] = label in castFiles ? [4, 2] : [10, 5];
    against(`native ${label} read against memcpy of the file, pages warm`, read, copy, 'memcpy', bar, stretch);
  }
  for (const kind of ['native', 'wasm']) {
    const points = Object.values(cores.growth).filter((size) => size[kind].length > 0).map((size) => [size.bytes, best(size[kind])]);
    const perMegabyte = points.map(([bytes, time]) => number(time / (bytes / 1e6))).join(', ');
    const value = exponent(points);
    const to = number(points.at(-1)[0] / 1e6);
    const failed = Object.values(cores.growth).find((size) => kind === 'wasm' && size.wasmFailed)?.wasmFailed;
    rows.push({
      what: `cost as a PSK grows 1 → ${growthMegabytes.at(-1)} MB, ${kind}`,
      measured: `${perMegabyte} ms/MB at ${growthMegabytes.slice(0, points.length).join(', ')} MB: size^${value.toFixed(2)}${failed ? `; above ${to} MB: ${failed}` : ''}`,
      value,
      bar: 'linear',
      stretch: 'linear',
      verdict: value <= 1.1 && !failed ? 'linear' : 'missed',
    });
  }
  for (const [label, { inputBytes, outputBytes, native: nativePeak, wasm }] of Object.entries(cores.memory)) {
    const bar = 1.2 * (inputBytes + 2 * outputBytes);
    const stretch = 1.1 * (inputBytes + outputBytes);
    rows.push(row(`peak memory of a ${megabytes(inputBytes)} ${label} above the caller's buffer, wasm and blocks`, megabytes(wasm), wasm, bar, stretch, megabytes));
    rows.push(row(`the same, native`, megabytes(nativePeak), nativePeak, bar, stretch, megabytes));
  }
  for (const [what, { wasm, js }] of [['rigcast.wasm + the JS of `open`', sizes.core], ['rigcast.wasm + the JS of `RigcastLoader`', sizes.loader]])
    rows.push(row(`${what}, gzipped`, `${kilobytes(wasm)} + ${kilobytes(js)} = ${kilobytes(wasm + js)}`, wasm + js, 150_000, 80_000, kilobytes));
  const three = sizes.withThree.js - sizes.loader.js;
  rows.push({ what: '(for comparison) the parts of three.js the loader uses, gzipped', measured: kilobytes(three), value: three, bar: '', stretch: '', verdict: '' });
  return rows;
}

function markdown(rows, machine) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [
    `Measured on ${machine.cpu}, ${machine.cores} cores, ${machine.memory}; Node ${machine.node}, Chromium ${machine.chromium}. Times are the best of all`,
    'rounds, contestants in turn; pauses of the page are the median of five.',
    `Load of the machine: ${machine.load.before} before, ${machine.load.after} after (above ${machine.cores - 1}, times are too long and noisy).`,
    '',
    line(['what', 'measured (ours / theirs)', 'bar', 'stretch', 'verdict']),
    line(['---', '---', '---', '---', '---']),
    ...rows.map(({ what, measured, bar, stretch, verdict }) => line([what, measured, bar, stretch, verdict])),
    '',
  ].join('\n');
}

/** Between its two marks. */
function putIntoReadme(text) {
  const path = join(root, 'README.md');
  const readme = readFileSync(path, 'utf8');
  const marked = /(<!-- bench -->\n)[^]*?(<!-- \/bench -->)/;
  if (!marked.test(readme)) throw new Error('README.md has no <!-- bench --> … <!-- /bench -->');
  writeFileSync(path, readme.replace(marked, (_, begin, end) => `${begin}${text}${end}`));
}

const load = () => loadavg()[0].toFixed(1);
await makeInputs();
const before = load();
const page = await measurePage();
const cores = measureCores();
const sizes = await measureSizes();
const machine = {
  cpu: cpus()[0].model.trim(), cores: cpus().length, memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
  node: process.versions.node, chromium: page.chromium, load: { before, after: load() },
};
const rows = table({ page, cores, sizes });
const text = markdown(rows, machine);
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'results.json'), JSON.stringify({ date: new Date().toISOString(), quick, machine, rows, page, cores, sizes }, null, 1));
writeFileSync(join(out, 'results.md'), text);
process.stdout.write(text);
if (process.argv.includes('--readme')) putIntoReadme(text);
