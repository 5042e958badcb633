// npm run poses -- FOLDER|FILE… [--to LIST] [--clips N] [--json FILE] [--dist FOLDER]: converts
// models with their animations to every target, opens the results, and compares the poses of source
// and result. glTF results are also validated by Khronos' validator. Prints a row for each target,
// and each difference that no entry of the conversion report explains. The exit code is 1 if there
// is one. Needs dist/ (npm run build).
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { validateBytes } from 'gltf-validator';
import { farthest } from '../support/samePose.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    to: { type: 'string' },
    clips: { type: 'string' },
    json: { type: 'string' },
    dist: { type: 'string' },
    only: { type: 'string' },
  },
});
const dist = resolve(values.dist ?? new URL('../../dist', import.meta.url).pathname);
const module = path => import(join(dist, path));
const { convertFiles, openSource } = await module('convert/convert.js');
const { group } = await module('convert/group.js');
const { LossError } = await module('convert/losses.js');
const { ConversionError } = await module('convert/common/refusals.js');
const { TARGETS } = await module('convert/targets.js');
const { open } = await module('core/index.js');
const { openGlb } = await module('interop/openEncoded.js');
const { bindLayers } = await module('three/animation/layering.js');
const { Rig, samplePoses } = await module('three/index.js');

const targets = values.to?.split(',') ?? TARGETS.filter(to => !['mrtk', 'iwer', 'csv', 'json'].includes(to));
const MOST_CLIPS = Number(values.clips ?? 2);
const SHARES = [0, 0.37, 0.81, 1];
const KINDS = /\.(psk|pskx|psa|cast|semodel|seanim|uemodel|ueanim|vgo)$/i;
/**
 * Maximum distance between equal positions: in metres, or as a fraction of the size of a source
 * that has no unit.
 */
const NEARLY = 1e-4;
/** Codes of report entries whose amount is the explained distance in metres. */
const MEASURED = new Set(['CLIP_BAKED', 'CURVES_SAMPLED', 'BONE_SCALE_APPROXIMATED', 'SCALE_INHERITED', 'BONES_SAMPLED']);
/** Codes of report entries that explain a different pose, but whose amount is not a distance. */
const EXPLAINS = new Set([
  'SKINNING_LINEAR',
  'INFLUENCES_REDUCED',
  'BIND_BAKED',
  'TRACKS_AMBIGUOUS',
  'CLIP_LEFT',
  'OVERRIDE_REDUCED',
  'AXES_FILLED',
  'PREROLL_CUT',
  'NOT_SAID',
  'MODES_ASSUMED',
  'SHAPE_SPREAD',
  'TRACKS_UNMATCHED',
  'SOURCE_DAMAGED',
  'CURVES_REDUCED',
  'HIDDEN_SHOWN',
  'EXPRESSIONS_LOST',
  'VISIBILITY_TRACKS_LOST',
  'HAIR_REDUCED',
  'PROPERTY_TRACKS_LOST',
  'MESH_EMPTY',
  'INSTANCES_LOST',
  'NUMBERS_REPAIRED',
  'UNWEIGHTED_VERTICES',
  'FACES_EMPTY',
]);

function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true }).flatMap(entry =>
    entry.isDirectory() || KINDS.test(entry.name) ? filesIn(join(path, entry.name)) : [],
  );
}

const companionsOf =
  path =>
  ({ name }) => {
    const beside = join(dirname(path), basename(name.replaceAll('\\', '/')));
    return existsSync(beside) ? readFileSync(beside) : null;
  };

async function read(path) {
  const given = await openSource(
    readFileSync(path),
    { name: basename(path), worker: false, tangents: true, companions: companionsOf(path) },
    path,
  );
  return { ...given, path };
}

/**
 * Returns the poses for a single clip, or for all clips together if the file starts them
 * automatically.
 */
async function posesOf(model, clips, times, how) {
  const rig = await Rig.make(model);
  const played =
    rig.initialClipIndices.length > 0 && clips === null
      ? rig.initialClipIndices.map(row => model.scene.clips[row])
      : (clips ?? model.scene.clips.slice(0, 1));
  const poses = samplePoses(rig, played.length > 0 && times.length > 0 ? { clips: bindLayers(rig, played, how).clips, times } : {});
  rig.dispose();
  return poses;
}

function glbOf(files) {
  const json = JSON.parse(new TextDecoder().decode(files[0].bytes));
  const numbers = files.find(({ name }) => name.endsWith('.bin'))?.bytes ?? new Uint8Array(0);
  for (const buffer of json.buffers ?? []) delete buffer.uri;
  const padded = (bytes, fill) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, fill)]);
  const chunk = (id, bytes) => Buffer.concat([Buffer.from(Uint32Array.of(bytes.length, id).buffer), bytes]);
  const body = Buffer.concat([
    chunk(0x4e4f534a, padded(Buffer.from(JSON.stringify(json)), 32)),
    chunk(0x004e4942, padded(Buffer.from(numbers), 0)),
  ]);
  return Buffer.concat([Buffer.from(Uint32Array.of(0x46546c67, 2, 12 + body.length).buffer), body]);
}

async function opened(files) {
  const companions = need => files.find(({ name }) => name === basename(need.name))?.bytes ?? null;
  const models = [];
  for (const { name, bytes } of files) {
    if (/\.(glb|vrm)$/.test(name)) models.push(await openGlb(bytes, name));
    else if (KINDS.test(name)) models.push(await open(bytes, { name, worker: false, companions }));
  }
  if (files[0].name.endsWith('.gltf')) models.push(await openGlb(glbOf(files), 'made.glb'));
  return models;
}

async function complaintsOf(files, to) {
  if (!['glb', 'vrm', 'gltf'].includes(to)) return [];
  const bytes = to === 'gltf' ? glbOf(files) : files[0].bytes;
  const { issues } = await validateBytes(new Uint8Array(bytes), { maxIssues: 20 });
  return issues.messages.filter(({ severity }) => severity < 2).map(({ code, pointer }) => `${code} ${pointer ?? ''}`);
}

const sizeOf = poses => {
  const all = poses.flatMap(({ nodes, meshes }) => [
    ...nodes.map(({ position }) => position),
    ...meshes.flatMap(({ min, max }) => (min ? [min, max] : [])),
  ]);
  return Math.max(1e-3, ...[0, 1, 2].map(c => all.reduce((most, p) => Math.max(most, Math.abs(p[c])), 0)));
};

const rows = [];

async function compare(one, clip, to, given) {
  const row = { model: one.model.path, clip: clip?.name ?? null, to };
  rows.push(row);
  try {
    const index = clip ? one.clips.indexOf(clip) : -1;
    const { files, report } = await convertFiles(given, { to, name: 'made', clips: clip ? [index] : [] });
    const models = await opened(files);
    row.codes = [...new Set(report.items.map(({ code }) => code))];
    row.invalid = await complaintsOf(files, to);
    row.errors = models.flatMap(({ report }) => report.items.filter(({ severity }) => severity === 'error').map(({ code }) => code));
    const times = clip ? SHARES.map(share => share * clip.duration) : [];
    const [model] = models;
    if (!model?.scene) throw new Error('the result does not open');
    const motion = models.find(other => other !== model && other.scene?.clips.length > 0);
    const how = { additive: row.codes.includes('MODES_UNDECLARED') ? 'as-stated' : 'detect' };
    const [source, result] = [
      await posesOf(one.model.file, clip ? [clip] : [], times, {}),
      await posesOf(model, clip && motion ? motion.scene.clips.slice(0, 1) : clip ? null : [], times, how),
    ];
    const turn = report.items.find(({ code }) => code === 'FACING_TURNED')?.amount ?? 0;
    const far = source.map((pose, k) => farthest(pose, result[Math.min(k, result.length - 1)], turn));
    const most = key => far.reduce((sum, each) => Math.max(sum, Number.isNaN(each[key]) ? Infinity : each[key]), 0);
    row.bones = most('bones');
    row.box = to === 'psa' ? 0 : most('box');
    row.who = far.find(({ bones }) => bones === row.bones)?.who;
    row.missing = far[0].missing;
    const size = sizeOf(source);
    const told = report.items.filter(({ code }) => MEASURED.has(code)).reduce((sum, { amount }) => sum + amount, 0);
    row.gap = Math.max(row.bones, row.box);
    const tolerance = Math.max(NEARLY, 4e-6 * size);
    row.isEqual = row.gap <= tolerance && row.missing.length === 0;
    row.isExplained = row.gap <= tolerance + told || row.codes.some(code => EXPLAINS.has(code));
  } catch (error) {
    if (error instanceof ConversionError || error instanceof LossError) row.refused = error.message;
    else row.failed = error.stack;
  }
}

const paths = positionals.flatMap(filesIn).filter(path => !values.only || path.includes(values.only));
const all = [];
for (const path of paths) {
  try {
    all.push(await read(path));
  } catch (error) {
    console.log(`${path}: ${error.message}`);
  }
}
const { groups } = group(all);
for (const [i, one] of groups.entries()) {
  const given = [one.model, ...one.animations].map(({ file, path }) => ({ file, path }));
  process.stderr.write(`\r${i + 1} of ${groups.length}   `);
  const clips = [null, ...one.clips.slice(0, MOST_CLIPS)];
  for (const clip of clips) for (const to of targets) if (clip || to !== 'psa') await compare(one, clip, to, given);
}

const figure = value => (value === undefined ? '' : value.toPrecision(2));
console.log(`\n${groups.length} models`);
console.log('| target | cases | equal | explained | refused | unexplained | worst where equal | invalid glTF | errors |');
console.log('|---|---|---|---|---|---|---|---|---|');
for (const to of targets) {
  const own = rows.filter(row => row.to === to);
  const made = own.filter(row => row.gap !== undefined);
  const equal = made.filter(row => row.isEqual);
  const explained = made.filter(row => !row.isEqual && row.isExplained);
  const wrong = made.filter(row => !row.isEqual && !row.isExplained).length + own.filter(row => row.failed).length;
  const worst = equal.reduce((most, { gap }) => Math.max(most, gap), 0);
  console.log(
    `| ${[to, own.length, equal.length, explained.length, own.filter(row => row.refused).length, wrong, figure(worst), made.filter(row => row.invalid.length > 0).length, made.filter(row => row.errors.length > 0).length].join(' | ')} |`,
  );
}
const bad = rows.filter(
  row => row.failed || (row.gap !== undefined && ((!row.isEqual && !row.isExplained) || row.invalid.length > 0 || row.errors.length > 0)),
);
for (const row of bad)
  console.log(
    `${row.to} ${row.model} ${row.clip ?? 'at rest'}: ${row.failed ?? `${figure(row.bones)} ${row.who}, box ${figure(row.box)}${row.missing.length ? `, missing ${row.missing.slice(0, 3).join(', ')}` : ''} ${[...row.invalid, ...row.errors].join('; ')} [${row.codes.join(' ')}]`}`,
  );
if (values.json) writeFileSync(values.json, JSON.stringify(rows));
process.exitCode = bad.length > 0 ? 1 : 0;
