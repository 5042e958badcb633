// rigcast convert: converts models and their animations into one file, or into one file per model.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allCodes, type ChoiceId, CHOICES, conversionCodes, misplaced, type Target, targetIn, TARGETS } from '../convert/targets.ts';
import { kindOf } from '../convert/losses.ts';
import { amountText } from '../convert/common/units.ts';
import { keyOf, type VgoWriting } from '../convert/vgo/writing.ts';
import type { OpenOptions } from '../core/open.ts';
import type { ConvertTask, MakeAnswer, MakeTask } from './convertChild.ts';
import { namesBeside, plan, type Plan, type PlannedResult } from './convertPlan.ts';
import { isFolder } from './files.ts';
import { version } from './help.ts';
import { type ConvertRow, ReportFile, type ReportRow, readReports } from './reportFile.ts';
import { type PlanHead, readPlan, writePlan } from './planFile.ts';
import { Pool } from './pool.ts';
import { bold, bytes, clean, dim, print, printJson } from './print.ts';
import { seemsUnchanged } from './reading.ts';
import { additiveOf, parseWords, positiveOf, UsageError } from './usage.ts';

/** Command-line flags for the options of output formats, such as --split and --meshopt. */
const targetOptions = Object.fromEntries(CHOICES.map(({ id }) => [id, { type: 'boolean' }])) as Record<ChoiceId, { type: 'boolean' }>;

const options = {
  out: { type: 'string', short: 'o' },
  to: { type: 'string' },
  clip: { type: 'string', multiple: true },
  tolerance: { type: 'string' },
  jobs: { type: 'string' },
  timeout: { type: 'string' },
  'max-memory': { type: 'string' },
  'max-output': { type: 'string' },
  plan: { type: 'string' },
  'dry-run': { type: 'boolean' },
  shard: { type: 'string' },
  resume: { type: 'boolean' },
  ledger: { type: 'string' },
  additive: { type: 'string' },
  strict: { type: 'boolean' },
  merge: { type: 'boolean' },
  'new-key': { type: 'string' },
  ...targetOptions,
} as const;

export async function convert(words: string[]): Promise<number> {
  const { values, files, formatOptions } = parseWords(words, options);
  const out = values.out ?? '';
  if (out === '') throw new UsageError('no output: give -o FILE.glb or -o FOLDER');
  const to = targetOf(values.to, out);
  if (values.merge && !targetIn(out)) throw new UsageError('--merge requires an output file, such as -o NAME.glb');
  const tolerance = positiveOf('--tolerance', values.tolerance);
  const additive = additiveOf(values.additive);
  const maxMemory = positiveOf('--max-memory', values['max-memory'], true);
  const maxOutput = positiveOf('--max-output', values['max-output'], true);
  const shard = shardOf(values.shard);
  const open: OpenOptions = { formatOptions, ...(values.format && { format: values.format }), ...(maxMemory && { maxMemory }) };
  const vgo = vgoOf(values, to);
  const wrong = misplaced(to, values);
  if (wrong) throw new UsageError(`--${wrong.id} requires --to ${wrong.targets.join(' or --to ')}`);
  const how: MakeTask['convert'] = {
    to,
    strict: values.strict ?? false,
    ...(values.merge && { merge: true }),
    ...(additive && { additive }),
    ...(values.split && { split: true }),
    ...(values.loop && { loop: true }),
    ...(values['in-place'] && { inPlace: true }),
    ...(values['lock-heading'] && { lockHeading: true }),
    vgo,
    unreal: { ...(values['root-bone'] && { rootBone: true }) },
    gltf: { ...(values.meshopt && { meshopt: true }), ...(values.webp && { webp: true }) },
    ueformat: { ...(values.v10 && { v10: true }), ...(values.gzip && { gzip: true }) },
    ...(tolerance && { tolerance: tolerance / 1000 }),
    ...(maxOutput && { maxOutput }),
    ...(values.clip && { clips: values.clip.map(clip => (/^\d+$/.test(clip) ? Number(clip) : clip)) }),
  };
  const isResumed = values.resume ?? false;
  const report = openReport(values.ledger, isResumed && !values['dry-run'], out, values.shard);
  const limits = { jobs: positiveOf('--jobs', values.jobs, true) ?? 1, seconds: positiveOf('--timeout', values.timeout), maxMemory };
  const pool = new Pool('convertChild', limits);
  try {
    const planned = await planOf(values.plan, { version: version(), words: files, out, to, open }, () => plan(files, out, to, open, pool));
    const left = planned.left.filter(({ place }) => shard(place));
    const unmade = left.map(({ file, code, detail }): ConvertRow => ({
      out: null,
      files: [file],
      byteLength: null,
      ledger: [],
      error: { code, detail },
    }));
    const results = planned.results.filter(({ place }) => shard(place));
    const beside = namesBeside(planned.results, to);
    const folders = files.filter(isFolder);
    const taskOf = (result: PlannedResult): MakeTask => ({
      kind: 'make',
      paths: result.files,
      out: result.out,
      folders,
      others: beside(result),
      isRecorded: report !== null,
      convert: how,
      open,
    });
    const isQuiet = values.json ?? false;
    const made = values['dry-run']
      ? results.map(({ out, files }): ConvertRow => ({ out, files, byteLength: null, ledger: [] }))
      : await run(results, taskOf, pool, { key: hashOf({ version: version(), how, open, folders }), report, isResumed, isQuiet });
    const all = [...made, ...unmade];
    if (values.json) printJson({ files: all });
    else if (values['dry-run']) printPlan(all);
    else printSummary(all, unmade);
    if (report?.file.trouble) process.stderr.write(`rigcast: ${clean(report.file.trouble)}\n`);
    if (report?.file.trouble || all.some(({ error }) => error?.code === 'IO_ERROR')) return 2;
    return all.some(({ error }) => error) ? 1 : 0;
  } finally {
    pool.end();
  }
}

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/**
 * Reads the plan from the file `path`. If the file does not exist, makes a plan and writes it to
 * the file.
 */
async function planOf(path: string | undefined, head: PlanHead, make: () => Promise<Plan>): Promise<Plan> {
  if (path === undefined) return make();
  return readPlan(path, head) ?? writePlan(path, head, await make(), randomBytes(6).toString('hex'));
}

interface BatchReport {
  file: ReportFile;
  known: ReadonlyMap<string, ReportRow>;
}

const DEFAULT_REPORT = 'rigcast-ledger';

/**
 * Opens the conversion report of the batch if `--ledger` or `--resume` is given; otherwise returns
 * null. If only `--resume` is given, each shard writes its report into the folder of the results
 * and reads the reports of all shards.
 */
function openReport(ledger: string | undefined, isResumed: boolean, out: string, shard: string | undefined): BatchReport | null {
  if (ledger !== undefined) {
    const known = readReports(isResumed ? [ledger] : []);
    return { file: new ReportFile(ledger, isResumed), known };
  }
  if (!isResumed) return null;
  if (targetIn(out)) return { file: new ReportFile(`${out}.ledger.jsonl`, true), known: readReports([`${out}.ledger.jsonl`]) };
  mkdirSync(out, { recursive: true });
  const isReport = (name: string): boolean => name.startsWith(DEFAULT_REPORT) && name.endsWith('.jsonl');
  const known = readReports(
    readdirSync(out)
      .filter(isReport)
      .sort()
      .map(name => join(out, name)),
  );
  return { file: new ReportFile(join(out, `${DEFAULT_REPORT}${shard ? `.${shard.replace('/', '-of-')}` : ''}.jsonl`), true), known };
}

function targetOf(to: string | undefined, out: string): Target {
  const own = targetIn(out);
  const target = TARGETS.find(each => each === (to ?? own ?? 'glb'));
  if (!target) throw new UsageError(`--to ${to}: expected one of ${TARGETS.join(', ')}`);
  if (own && own !== target) throw new UsageError(`--to ${target} does not match the extension of -o ${out}`);
  return target;
}

/**
 * Returns the options for writing VGO. The value of `--new-key` is a key or the path of a file that
 * contains a key.
 */
function vgoOf({ bson, 'new-key': newKey }: { bson?: boolean; 'new-key'?: string }, to: Target): VgoWriting {
  if (to !== 'vgo' && newKey !== undefined) throw new UsageError('--new-key requires --to vgo');
  const key = newKey !== undefined && existsSync(newKey) ? readFileSync(newKey).toString('hex') : newKey;
  const writing: VgoWriting = { ...(bson && { encoding: 'bson' }), ...(key !== undefined && { key }) };
  try {
    keyOf(writing);
  } catch (error) {
    throw new UsageError(`--new-key: ${(error as Error).message.replace('convert: vgo.key', 'it')}`);
  }
  return writing;
}

/**
 * Returns a function that tests whether a file belongs to a shard, such as `2/8` for the second of
 * eight. The shard is determined by a hash of the path, so that it does not change when files are
 * added.
 */
function shardOf(text: string | undefined): (place: string) => boolean {
  if (text === undefined) return () => true;
  const [, i, n] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (!i || !n || i > n) throw new UsageError(`--shard ${text}: expected I/N with 1 ≤ I ≤ N, such as 2/8`);
  return place => createHash('sha256').update(place).digest().readUInt32LE(0) % n === i - 1;
}

interface RunOptions {
  key: string;
  report: BatchReport | null;
  isResumed: boolean;
  isQuiet: boolean;
}

/**
 * Converts the files of each result, and prints a row for the result as soon as it is written.
 * Returns all rows in the order of the plan.
 */
async function run(
  results: readonly PlannedResult[],
  taskOf: (result: PlannedResult) => MakeTask,
  pool: Pool,
  { key, report, isResumed, isQuiet }: RunOptions,
): Promise<ConvertRow[]> {
  const rows: (ReportRow | undefined)[] = isResumed && report ? await kept(results, report.known, key, pool) : [];
  const open = [...results.keys()].filter(place => !rows[place]);
  await pool.run<ConvertTask, MakeAnswer>(
    open.map(place => taskOf(results[place]!)),
    why => ({ byteLength: null, ledger: [], error: why }),
    ({ read, written, ...answer }, index) => {
      const place = open[index]!;
      const { out, files } = results[place]!;
      const row: ConvertRow = { out, files, ...answer };
      rows[place] = { ...row, ...(written && { key, read: read ?? [], written }) };
      report?.file.add(rows[place]);
      if (!isQuiet) printRow(row);
    },
  );
  const all = rows.filter(row => row !== undefined);
  report?.file.finish(all);
  return all.map(withoutState);
}

/** Returns a copy of a row without the members that only `--resume` needs. */
const withoutState = ({ out, files, isKept, byteLength, ledger, error }: ReportRow): ConvertRow => ({
  out,
  files,
  ...(isKept && { isKept }),
  byteLength,
  ledger,
  ...(error && { error }),
});

/**
 * Returns the rows of results that are unchanged since an earlier run, and undefined for all
 * others. A result is unchanged if its sources, its bytes, the options and the version of rigcast
 * are the same.
 */
async function kept(
  results: readonly PlannedResult[],
  known: ReadonlyMap<string, ReportRow>,
  key: string,
  pool: Pool,
): Promise<(ReportRow | undefined)[]> {
  const rows: (ReportRow | undefined)[] = [];
  const uncertain: { place: number; row: ReportRow }[] = [];
  for (const [place, { out, files }] of results.entries()) {
    const row = known.get(out);
    if (!row?.written?.length || !row.read || row.key !== key || row.files.join('\0') !== files.join('\0')) continue;
    const states = [...row.read, ...row.written].map(seemsUnchanged);
    if (states.every(state => state === true)) rows[place] = { ...row, isKept: true };
    else if (!states.includes(false)) uncertain.push({ place, row });
  }
  await pool.run<ConvertTask, boolean>(
    uncertain.map(({ row }) => ({ kind: 'compare', states: [...(row.read ?? []), ...(row.written ?? [])] })),
    () => false,
    (isSame, index) => {
      const { place, row } = uncertain[index]!;
      if (isSame) rows[place] = { ...row, isKept: true };
    },
  );
  return rows;
}

const sentences = new Map(conversionCodes.map(({ code, sentence }) => [code, sentence]));

function printRow({ out, files, byteLength, ledger, error }: ConvertRow): void {
  const others = files.length - 1;
  const from = `${clean(files[0] ?? '')}${others > 0 ? ` and ${others} more` : ''}`;
  if (error) print(`${bold(clean(out ?? from))}  not written: ${clean(error.detail)}`);
  else print(`${bold(clean(out ?? ''))}  ${bytes(byteLength ?? 0)}${dim(`  from ${from}`)}`);
  for (const entry of ledger) {
    const { code, path, amount, detail } = entry;
    print(
      `  ${kindOf(entry, allCodes).padEnd(13)}  ${bold(code)}${dim(`  ${[path && `in ${clean(path)}`, amountOf(code, amount)].filter(Boolean).join(', ')}`)}`,
    );
    print(`                 ${sentences.get(code) ?? ''}`);
    if (detail) print(dim(`                 ${clean(detail)}`));
  }
}

const amountOf = (code: string, amount: number): string => amountText(amount, conversionCodes.find(each => each.code === code)?.unit ?? '');

function printPlan(all: readonly ConvertRow[]): void {
  for (const { out, files, error } of all) {
    const [first = '', ...others] = files.map(clean);
    print(
      out === null
        ? `${bold(first)}  not converted: ${clean(error?.detail ?? '')}`
        : `${bold(clean(out))}${dim(`  from ${[first, ...others].join(', ')}`)}`,
    );
  }
}

function printSummary(all: readonly ConvertRow[], unmade: readonly ConvertRow[]): void {
  for (const { files, error } of unmade) print(`${bold(clean(files[0] ?? ''))}  not converted: ${clean(error?.detail ?? '')}`);
  const kept = all.filter(({ isKept }) => isKept).length;
  if (all.length > 1 || kept > 0) {
    const bad = all.filter(({ error }) => error).length;
    print(`${all.length - bad} written${kept > 0 ? ` (${kept} by an earlier run)` : ''}, ${bad} not written`);
  }
}
