// npm run bench -- viewers [--write]: compares rigcast and other viewers that show the same model:
// the size of what a page loads, and the time until the model is visible. The other viewers are
// fetched from the registry into build/bench/viewers (100 MB). The model is a GLB that `rigcast
// convert` creates; rigcast also shows the original files.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCommand } from '../../.ci/lib.mjs';
import { best, kilobytes, load, machineWords, median, milliseconds, putIntoPage, tableOf } from './table.mjs';
import { browse, newVisitor, serve, untilSeen } from './visit.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const out = join(root, 'build/bench/viewers');
const demo = join(root, 'web/src/viewer/demo');
const rounds = process.argv.includes('--quick') ? 2 : 3;

const packages = { '@google/model-viewer': '4.4.0', 'online-3d-viewer': '0.18.0', '@babylonjs/viewer': '9.34.0' };

/** A mobile network with 10 Mbit/s and a round-trip time of 40 ms. */
const slow = { offline: false, latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 5e6 / 8 };

const whole = 'width: 640px; height: 480px; display: block';
const page = (head, body) => `<!doctype html><meta charset="utf-8"><title>fox</title><style>body { margin: 0 }</style>${head}${body}`;
const module = address => `<script type="module" src="${address}"></script>`;

const viewers = {
  'rigcast, `hero.psk` with animation and texture': page(
    module('/rigcast/element.js'),
    `<rigcast-viewer style="${whole}" src="/demo/Pip.psk" files="/demo/Pip.psa /demo/Pip_D.png" autoplay></rigcast-viewer>`,
  ),
  'rigcast, `hero.glb`': page(
    module('/rigcast/element.js'),
    `<rigcast-viewer style="${whole}" src="/made/fox.glb" autoplay></rigcast-viewer>`,
  ),
  [`model-viewer ${packages['@google/model-viewer']}, \`hero.glb\``]: page(
    module('/others/@google/model-viewer/dist/model-viewer.min.js'),
    `<model-viewer style="${whole}" src="/made/fox.glb" autoplay camera-controls></model-viewer>`,
  ),
  [`Online3DViewer ${packages['online-3d-viewer']} (engine), \`hero.glb\``]: page(
    '<script src="/others/online-3d-viewer/build/engine/o3dv.min.js"></script>',
    `<div class="online_3d_viewer" style="${whole}" model="/made/fox.glb"></div><script>addEventListener('load', () => OV.Init3DViewerElements());</script>`,
  ),
  [`Babylon viewer ${packages['@babylonjs/viewer']}, \`hero.glb\``]: page(
    module('/others/@babylonjs/viewer/dist/babylon-viewer.esm.min.js'),
    `<babylon-viewer style="${whole}" source="/made/fox.glb" animation-auto-play></babylon-viewer>`,
  ),
};

/**
 * Minimum values that identify the colours of the model. No viewer shows these colours while it
 * loads.
 */
const fox = { red: 60, overGreen: 1.2, overBlue: 1.5 };

function prepare() {
  mkdirSync(out, { recursive: true });
  const missing = Object.entries(packages).filter(([name, version]) => {
    const file = join(out, 'node_modules', name, 'package.json');
    return !existsSync(file) || JSON.parse(readFileSync(file, 'utf8')).version !== version;
  });
  if (missing.length > 0) {
    writeFileSync(join(out, 'package.json'), '{ "private": true }\n');
    const [npm, ...before] = npmCommand();
    const names = Object.entries(packages).map(each => each.join('@'));
    const flags = ['--ignore-scripts', '--legacy-peer-deps', '--no-save', '--no-audit', '--no-fund'];
    execFileSync(npm, [...before, 'install', ...flags, ...names], { cwd: out, stdio: 'inherit' });
  }
  const files = ['Pip.psk', 'Pip.psa'].map(name => join(demo, name));
  execFileSync(process.execPath, [join(root, 'dist/cli/main.js'), 'convert', ...files, '-o', join(out, 'fox.glb')]);
}

prepare();
const paths = Object.fromEntries(Object.keys(viewers).map((name, i) => [name, `/${i}.html`]));
const pages = Object.fromEntries(Object.entries(viewers).map(([name, html]) => [paths[name], html]));
const folders = { rigcast: join(root, 'dist/browser'), core: join(root, 'dist/core'), made: out, demo, others: join(out, 'node_modules') };
const server = await serve(folders, pages);
const browser = await browse();
const decoder = await (await browser.newContext()).newPage();
const before = load();
const results = Object.fromEntries(Object.keys(viewers).map(name => [name, { here: [], slow: [] }]));

/** Visits a page with an empty cache. */
async function visit(name, network) {
  const visitor = await newVisitor(browser);
  const sent = { files: 0, code: 0, model: 0 };
  server.answers.sent = (path, bytes, isCode) => {
    sent.files++;
    sent[isCode ? 'code' : 'model'] += bytes;
  };
  try {
    if (network) {
      await visitor.session.send('Network.enable');
      await visitor.session.send('Network.emulateNetworkConditions', network);
    }
    const time = await untilSeen(visitor, `${server.address}${paths[name]}`, decoder, fox, 0.01);
    return { time, sent: { ...sent }, refused: visitor.refused };
  } finally {
    await visitor.context.close();
  }
}

try {
  for (let round = 0; round < rounds; round++)
    for (const name of Object.keys(viewers)) {
      const result = results[name];
      const { time, sent, refused } = await visit(name, null);
      result.here.push(time);
      result.sent = sent;
      if (refused.length > 0) result.refused = refused;
      result.slow.push((await visit(name, slow)).time);
      process.stderr.write(`${name}: ${time.toFixed(0)} ms, ${result.slow.at(-1).toFixed(0)} ms\n`);
    }
} finally {
  await browser.close();
  server.close();
}

const both = values => `${milliseconds(best(values))} (${milliseconds(median(values))})`;
const table = tableOf(
  [
    'viewer and model',
    'code until visible, gzipped',
    'model',
    'files',
    'first picture, local server',
    'first picture, 10 Mbit/s and 40 ms latency',
  ],
  Object.entries(results).map(([name, { sent, here, slow: far }]) => [
    name,
    kilobytes(sent.code),
    kilobytes(sent.model),
    String(sent.files),
    both(here),
    both(far),
  ]),
);
for (const [name, { refused }] of Object.entries(results))
  if (refused) process.stderr.write(`${name} asked elsewhere: ${refused.join(', ')}\n`);
const words = machineWords(
  browser.version(),
  before,
  `Times are the best of ${rounds} visits, in which the programs take turns (medians in brackets).`,
);
const text = `${words}\n\n${table}\n`;
process.stdout.write(text);
if (process.argv.includes('--write')) putIntoPage('bench viewers', text);
