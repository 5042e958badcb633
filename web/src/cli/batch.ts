// Runs a batch: plans the results, makes each one in a child process, and reports them. The commands
// `convert` and `render` share this module.
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { entry } from '../core/entry.ts';
import type { OpenOptions } from '../core/open.ts';
import type { ConvertTask, MakeAnswer } from './convertChild.ts';
import { type Plan, type PlannedResult, plan, type ResultKind } from './convertPlan.ts';
import { isFolder } from './files.ts';
import { type IgnoredFile, NOT_A_RECORDING } from './folderSources.ts';
import { version } from './help.ts';
import { checkPlanFolder, type PlanHead, readPlan, writePlan } from './planFile.ts';
import { type Limits, Pool } from './pool.ts';
import { bold, bytes, clean, dim, print, printJson } from './print.ts';
import { seemsUnchanged } from './reading.ts';
import { ReportFile, type ReportRow, readReports, type ResultRow } from './reportFile.ts';
import { positiveOf, UsageError } from './usage.ts';

/** Command-line options of all batches. */
export const batchOptions = {
  out: { type: 'string', short: 'o' },
  to: { type: 'string' },
  jobs: { type: 'string' },
  timeout: { type: 'string' },
  'max-memory': { type: 'string' },
  plan: { type: 'string' },
  'dry-run': { type: 'boolean' },
  shard: { type: 'string' },
  resume: { type: 'boolean' },
  ledger: { type: 'string' },
} as const;

/** Values of `batchOptions`, and of options of all commands. */
export type BatchValues = {
  [name in keyof typeof batchOptions]?: (typeof batchOptions)[name]['type'] extends 'boolean' ? boolean : string;
} & { json?: boolean; format?: string };

/** A command that makes each result of a plan. */
export interface BatchCommand<T extends object> {
  /** Command-line arguments: files and folders. */
  files: readonly string[];
  values: BatchValues;
  /** Path of the result or of its folder. */
  out: string;
  open: OpenOptions;
  kind: ResultKind;
  /** Past participle for messages, such as `converted`. */
  done: string;
  /** Name of the conversion report in the folder of the results, without its extension. */
  reportName: string;
  /** Everything besides the sources that determines a result. `--resume` compares it. */
  how: object;
  /** Creates the pool whose processes make the results. `planning`: the pool that reads the files. */
  pool(planning: Pool, limits: Limits): Pool;
  /**
   * Checks options with a process that makes the results, before planning and only if results are
   * made. Throws a UsageError if they are wrong.
   */
  check?(pool: Pool): Promise<void>;
  /** Returns the task that makes a result. `all`: all results of the plan. */
  task(result: PlannedResult, all: readonly PlannedResult[], isRecorded: boolean): T;
  /** Prints an entry of the report of a result. */
  printEntry(entry: ResultRow['ledger'][number]): void;
}

/** Runs a batch and returns the exit code of the command. */
export async function runBatch<T extends object>(command: BatchCommand<T>): Promise<number> {
  const { files, values, out, open, kind, done } = command;
  const shard = shardOf(values.shard);
  const limits = limitsOf(values);
  const report = openReport(command);
  const planning = new Pool('convertChild', limits);
  const pool = command.pool(planning, limits);
  try {
    const head: PlanHead = { version: version(), words: files, out, to: kind.name, open };
    if (!values['dry-run']) await command.check?.(pool);
    const planned = await planOf(values.plan, head, () => plan(files, out, kind, open, planning));
    const left = planned.left.filter(({ place }) => shard(place));
    const unmade = left.map(({ file, code, detail }): ResultRow => ({
      out: null,
      files: [file],
      byteLength: null,
      ledger: [],
      error: { code, detail },
    }));
    const results = planned.results.filter(({ place }) => shard(place));
    const made = values['dry-run']
      ? results.map(({ out: path, files: sources }): ResultRow => ({ out: path, files: sources, byteLength: null, ledger: [] }))
      : await run(command, results, planned.results, { planning, pool, report });
    const all = [...made, ...unmade];
    const { ignored } = planned;
    if (values.json) printJson({ files: all, ...(ignored.length > 0 && { ignored }) });
    else if (values['dry-run']) printPlan(all, done);
    else printSummary(all, unmade, done);
    if (!values.json) printIgnored(ignored);
    if (report?.file.trouble) process.stderr.write(`rigcast: ${clean(report.file.trouble)}\n`);
    if (report?.file.trouble || all.some(({ error }) => error?.code === 'IO_ERROR')) return 2;
    const isEmpty = planned.results.length + planned.left.length === 0; // all files are ignored
    return isEmpty || all.some(({ error }) => error) ? 1 : 0;
  } finally {
    for (const each of new Set([planning, pool])) each.end();
  }
}

export const limitsOf = (values: BatchValues): Limits => ({
  jobs: positiveOf('--jobs', values.jobs, true) ?? 1,
  seconds: positiveOf('--timeout', values.timeout),
  maxMemory: positiveOf('--max-memory', values['max-memory'], true),
});

export const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/**
 * Reads the plan from the file `path`. If the file does not exist, makes a plan and writes it to
 * the file.
 */
export async function planOf(path: string | undefined, head: PlanHead, make: () => Promise<Plan>): Promise<Plan> {
  if (path === undefined) return make();
  const known = readPlan(path, head);
  if (known) return known;
  checkPlanFolder(path); // before planning, which can take minutes
  return writePlan(path, head, await make(), randomBytes(6).toString('hex'));
}

interface BatchReport {
  file: ReportFile;
  known: ReadonlyMap<string, ReportRow>;
}

/**
 * Opens the conversion report of the batch if `--ledger` or `--resume` is given; otherwise returns
 * null. If only `--resume` is given, each shard writes its report into the folder of the results
 * and reads the reports of all shards.
 */
function openReport({
  values: { ledger, resume, shard, 'dry-run': isDry },
  out,
  kind,
  reportName,
}: BatchCommand<object>): BatchReport | null {
  const isResumed = (resume ?? false) && !isDry;
  if (ledger !== undefined) {
    const known = readReports(isResumed ? [ledger] : []);
    return { file: new ReportFile(ledger, isResumed), known };
  }
  if (!isResumed) return null;
  if (kind.isFile) return { file: new ReportFile(`${out}.ledger.jsonl`, true), known: readReports([`${out}.ledger.jsonl`]) };
  mkdirSync(out, { recursive: true });
  const isReport = (name: string): boolean => name.startsWith(reportName) && name.endsWith('.jsonl');
  const known = readReports(
    readdirSync(out)
      .filter(isReport)
      .sort()
      .map(name => join(out, name)),
  );
  return { file: new ReportFile(join(out, `${reportName}${shard ? `.${shard.replace('/', '-of-')}` : ''}.jsonl`), true), known };
}

/**
 * Returns a function that tests whether a file belongs to a shard, such as `2/8` for the second of
 * eight. The shard is determined by a hash of the path, so that it does not change when files are
 * added.
 */
export function shardOf(text: string | undefined): (place: string) => boolean {
  if (text === undefined) return () => true;
  const [, i, n] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (!i || !n || i > n) throw new UsageError(`--shard ${text}: expected I/N with 1 ≤ I ≤ N, such as 2/8`);
  return place => createHash('sha256').update(place).digest().readUInt32LE(0) % n === i - 1;
}

interface RunContext {
  planning: Pool;
  pool: Pool;
  report: BatchReport | null;
}

/**
 * Makes each result, and prints a row for the result as soon as it is written. Returns all rows in
 * the order of the plan.
 */
async function run<T extends object>(
  { task, how, open, files, values, printEntry }: BatchCommand<T>,
  results: readonly PlannedResult[],
  all: readonly PlannedResult[],
  { planning, pool, report }: RunContext,
): Promise<ResultRow[]> {
  const rows = await makeResults<T, PlannedResult>(results, {
    key: hashOf({ version: version(), how, open, folders: files.filter(isFolder) }),
    known: values.resume && report ? report.known : new Map(),
    file: report?.file ?? null,
    planning,
    pool,
    task: result => task(result, all, report !== null),
    onRow: row => {
      if (!values.json) printRow(row, printEntry);
    },
  });
  return rows.map(withoutState);
}

/** The path of a result, and the files from which it is made. */
export type Target = Pick<PlannedResult, 'out' | 'files'>;

/** How to make the results of a plan. */
export interface Making<T extends object, R extends Target> {
  /** Hash of everything besides the sources that determines a result. */
  key: string;
  /** Rows of earlier runs, by path. Results that are unchanged are not made again. */
  known: ReadonlyMap<string, ReportRow>;
  /** Receives a row as soon as its result is made; null if no report is written. */
  file: ReportFile | null;
  /** The pool that compares the bytes of files whose times have changed. */
  planning: Pool;
  /** The pool that makes the results. */
  pool: Pool;
  task(result: R): T;
  /** Called with each result that is not kept. */
  onRow(row: ResultRow): void;
}

/**
 * Makes each result in a child process, unless it is unchanged since an earlier run. Returns all rows
 * in the order of `results`.
 */
export async function makeResults<T extends object, R extends Target = Target>(
  results: readonly R[],
  { key, known, file, planning, pool, task, onRow }: Making<T, R>,
): Promise<ReportRow[]> {
  const rows = await kept(results, known, key, planning);
  const missing = [...results.keys()].filter(place => !rows[place]);
  await pool.run<T, MakeAnswer>(
    missing.map(place => task(results[place]!)),
    why => ({ byteLength: null, ledger: [], error: why }),
    ({ read, written, ...answer }, index) => {
      const place = missing[index]!;
      const { out, files: sources } = results[place]!;
      const row: ResultRow = { out, files: [...sources], ...answer };
      rows[place] = { ...row, ...(written && { key, read: read ?? [], written }) };
      file?.add(rows[place]);
      onRow(row);
    },
  );
  const made = rows.filter(row => row !== undefined);
  file?.finish(made);
  return made;
}

/** Returns a copy of a row without the members that only `--resume` needs. */
const withoutState = ({ out, files, isKept, byteLength, ledger, error }: ReportRow): ResultRow => ({
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
  results: readonly Target[],
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

function printRow({ out, files, byteLength, ledger, error }: ResultRow, printEntry: BatchCommand<object>['printEntry']): void {
  const others = files.length - 1;
  const from = `${clean(files[0] ?? '')}${others > 0 ? ` and ${others} more` : ''}`;
  if (error) print(`${bold(clean(out ?? from))}  not written: ${clean(error.detail)}`);
  else print(`${bold(clean(out ?? ''))}  ${bytes(byteLength ?? 0)}${dim(`  from ${from}`)}`);
  for (const each of ledger) printEntry(each);
}

function printPlan(all: readonly ResultRow[], done: string): void {
  for (const { out, files, error } of all) {
    const [first = '', ...others] = files.map(clean);
    print(
      out === null
        ? `${bold(first)}  not ${done}: ${clean(error?.detail ?? '')}`
        : `${bold(clean(out))}${dim(`  from ${[first, ...others].join(', ')}`)}`,
    );
  }
}

/** Prints one line per reason. A folder can have thousands of ignored files. */
export function printIgnored(ignored: readonly IgnoredFile[]): void {
  const byReason = new Map<string, string[]>();
  for (const { file, reason } of ignored) entry(byReason, reason, () => []).push(file);
  for (const [reason, [first = '', ...others]] of byReason) {
    const advice = reason === NOT_A_RECORDING ? '' : '. To convert a file anyway, give its own path.';
    print(`${bold(clean(first))}${others.length > 0 ? ` and ${others.length} more` : ''}  ignored: ${reason}${advice}`);
  }
}

function printSummary(all: readonly ResultRow[], unmade: readonly ResultRow[], done: string): void {
  for (const { files, error } of unmade) print(`${bold(clean(files[0] ?? ''))}  not ${done}: ${clean(error?.detail ?? '')}`);
  const earlier = all.filter(({ isKept }) => isKept).length;
  if (all.length > 1 || earlier > 0) {
    const bad = all.filter(({ error }) => error).length;
    print(`${all.length - bad} written${earlier > 0 ? ` (${earlier} by an earlier run)` : ''}, ${bad} not written`);
  }
}
