// rigcast convert: models with their motions as GLB, glTF or tables, one file or a folder of them.
import { appendFileSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { type ChoiceId, misplaced } from '../convert/choices.ts';
import { type Target, TARGETS } from '../convert/targets.ts';
import { kindOf, type LedgerEntry } from '../convert/ledger.ts';
import { ledgerCodes } from '../convert/ledgerCodes.ts';
import { amountText } from '../convert/units.ts';
import { keyOf, type VgoWriting } from '../convert/vgo/writing.ts';
import type { OpenOptions } from '../core/open.ts';
import { runAll } from './batch.ts';
import type { ConvertAnswer, ConvertTask } from './convertChild.ts';
import { plan, type Plan, targetIn } from './convertPlan.ts';
import { isFolder } from './files.ts';
import { bold, bytes, clean, dim, print, printJson } from './print.ts';
import { additiveOf, parseWords, positiveOf, UsageError } from './usage.ts';

const options = {
  out: { type: 'string', short: 'o' },
  to: { type: 'string' },
  clip: { type: 'string', multiple: true },
  tolerance: { type: 'string' },
  jobs: { type: 'string' },
  timeout: { type: 'string' },
  'max-memory': { type: 'string' },
  shard: { type: 'string' },
  resume: { type: 'boolean' },
  ledger: { type: 'string' },
  additive: { type: 'string' },
  strict: { type: 'boolean' },
  split: { type: 'boolean' },
  bson: { type: 'boolean' },
  meshopt: { type: 'boolean' },
  webp: { type: 'boolean' },
  'new-key': { type: 'string' },
} as const satisfies Record<ChoiceId, object> & Record<string, object>;

/** What became of one result, or of a file that became none. A line of the ledger's file. */
export interface ConvertRow {
  /** Null where nothing was to be made of the files. */
  out: string | null;
  files: string[];
  /** With --resume, made by an earlier run. */
  isKept?: true;
  byteLength: number | null;
  ledger: LedgerEntry[];
  error?: { code: string; detail: string };
}

export async function convert(words: string[]): Promise<number> {
  const { values, files, formatOptions } = parseWords(words, options);
  const out = values.out ?? '';
  if (out === '') throw new UsageError('where to? give -o FILE.glb, or -o FOLDER');
  const to = targetOf(values.to, out);
  const tolerance = positiveOf('--tolerance', values.tolerance);
  const additive = additiveOf(values.additive);
  const maxMemory = positiveOf('--max-memory', values['max-memory'], true);
  const isMine = shardOf(values.shard);
  const open: OpenOptions = { formatOptions, ...(values.format && { format: values.format }), ...(maxMemory && { maxMemory }) };
  const vgo = vgoOf(values, to);
  const wrong = misplaced(to, values);
  if (wrong) throw new UsageError(`--${wrong.id} is for --to ${wrong.targets.join(', ')}`);
  const { jobs, left } = await plan(files, out, to, open);
  const task: Omit<ConvertTask, 'paths' | 'out'> = {
    convert: {
      to,
      strict: values.strict ?? false,
      ...(additive && { additive }),
      ...(values.split && { split: true }),
      vgo,
      gltf: { ...(values.meshopt && { meshopt: true }), ...(values.webp && { webp: true }) },
      ...(tolerance && { tolerance: tolerance / 1000 }),
      ...(values.clip && { clips: values.clip.map(clip => (/^\d+$/.test(clip) ? Number(clip) : clip)) }),
    },
    folders: files.filter(isFolder),
    open,
  };
  const limits = { jobs: positiveOf('--jobs', values.jobs, true) ?? 1, seconds: positiveOf('--timeout', values.timeout), maxMemory };
  const rows = await run(
    jobs.filter((_, i) => isMine(i)),
    task,
    limits,
    { isResumed: values.resume ?? false, ledger: values.ledger, isQuiet: values.json ?? false },
  );
  const unmade = left.map(({ file, code, detail }): ConvertRow => ({
    out: null,
    files: [file],
    byteLength: null,
    ledger: [],
    error: { code, detail },
  }));
  const all = [...rows, ...unmade];
  if (values.json) printJson({ files: all });
  else printRest(all, unmade);
  if (all.some(({ error }) => error?.code === 'IO_ERROR')) return 2;
  return all.some(({ error }) => error) ? 1 : 0;
}

function targetOf(to: string | undefined, out: string): Target {
  const own = targetIn(out);
  const target = TARGETS.find(each => each === (to ?? own ?? 'glb'));
  if (!target) throw new UsageError(`--to ${to}: not one of ${TARGETS.join(', ')}`);
  if (own && own !== target) throw new UsageError(`--to ${target} and -o ${out} contradict each other`);
  return target;
}

/** `--new-key`: the key itself, or a file of it. */
function vgoOf({ bson, 'new-key': given }: { bson?: boolean; 'new-key'?: string }, to: Target): VgoWriting {
  if (to !== 'vgo' && given !== undefined) throw new UsageError('--new-key is for --to vgo');
  const key = given !== undefined && existsSync(given) ? readFileSync(given).toString('hex') : given;
  const writing: VgoWriting = { ...(bson && { encoding: 'bson' }), ...(key !== undefined && { key }) };
  try {
    keyOf(writing);
  } catch (error) {
    throw new UsageError(`--new-key: ${(error as Error).message.replace('convert: vgo.key', 'it')}`);
  }
  return writing;
}

/** `2/8`: the second of eight parts of the results; every part is as large, and the same files give the same parts. */
function shardOf(text: string | undefined): (index: number) => boolean {
  if (text === undefined) return () => true;
  const [, i, n] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (!i || !n || i > n) throw new UsageError(`--shard ${text}: not as 1/8 to 8/8`);
  return index => index % n === i - 1;
}

interface Manner {
  isResumed: boolean;
  ledger: string | undefined;
  isQuiet: boolean;
}

async function run(
  jobs: Plan['jobs'],
  shared: Omit<ConvertTask, 'paths' | 'out'>,
  limits: Parameters<typeof runAll>[2],
  manner: Manner,
): Promise<ConvertRow[]> {
  const { isResumed, ledger, isQuiet } = manner;
  const known = isResumed && ledger && existsSync(ledger) ? readLedger(ledger) : new Map<string, ConvertRow>();
  if (ledger && !isResumed) writeFileSync(ledger, '');
  const rows: (ConvertRow | undefined)[] = jobs.map(({ paths, out }) => {
    const there = isResumed ? statSync(out, { throwIfNoEntry: false }) : undefined;
    if (!there?.isFile()) return undefined;
    const row = known.get(out);
    if (ledger && !row) return undefined; // the run was ended before it could tell: once more
    return { ...(row ?? { out, files: paths, byteLength: there.size, ledger: [] }), isKept: true };
  });
  const open = jobs.flatMap((job, place) => (rows[place] ? [] : [{ ...job, place }]));
  const tasks = open.map(({ paths, out }): ConvertTask => ({ paths, out, ...shared }));
  const lost = (code: string, detail: string): ConvertAnswer => ({
    byteLength: null,
    ledger: [],
    error: { code: code as 'TIME_LIMIT', detail },
  });
  await runAll<ConvertTask, ConvertAnswer>('convertChild', tasks, limits, lost, (answer, index) => {
    const job = open[index];
    if (!job) return;
    const row = { out: job.out, files: job.paths, ...answer };
    rows[job.place] = row;
    if (ledger) appendFileSync(ledger, `${JSON.stringify(row)}\n`);
    if (!isQuiet) printRow(row);
  });
  const all = rows.filter(row => row !== undefined);
  if (ledger) writeLedger(ledger, all);
  return all;
}

/** Rows by what they made; a line that an ended process has cut off is left out. */
function readLedger(path: string): Map<string, ConvertRow> {
  const rows = new Map<string, ConvertRow>();
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    try {
      const row = JSON.parse(line) as ConvertRow;
      if (row.out !== null) rows.set(row.out, row);
    } catch {
      // cut off
    }
  }
  return rows;
}

/** In the order of the files, whichever was ready first: resumed or not, the same. */
function writeLedger(path: string, rows: readonly ConvertRow[]): void {
  const temporary = `${path}.${process.pid}.part`;
  const line = (row: ConvertRow): string => JSON.stringify(row, (key, value: unknown) => (key === 'isKept' ? undefined : value));
  writeFileSync(temporary, rows.map(row => `${line(row)}\n`).join(''));
  renameSync(temporary, path);
}

const sentences = new Map(ledgerCodes.map(({ code, sentence }) => [code, sentence]));

function printRow({ out, files, byteLength, ledger, error }: ConvertRow): void {
  const motions = files.length - 1;
  const from = `${clean(files[0] ?? '')}${motions > 0 ? ` and ${motions} more` : ''}`;
  if (error) print(`${bold(clean(out ?? from))}  not written: ${clean(error.detail)}`);
  else print(`${bold(clean(out ?? ''))}  ${bytes(byteLength ?? 0)}${dim(`  from ${from}`)}`);
  for (const entry of ledger) {
    const { code, path, amount, detail } = entry;
    print(
      `  ${kindOf(entry).padEnd(13)}  ${bold(code)}${dim(`  ${[path && `in ${clean(path)}`, amountOf(code, amount)].filter(Boolean).join(', ')}`)}`,
    );
    print(`                 ${sentences.get(code) ?? ''}`);
    if (detail) print(dim(`                 ${clean(detail)}`));
  }
}

const amountOf = (code: string, amount: number): string => amountText(amount, ledgerCodes.find(each => each.code === code)?.unit ?? '');

function printRest(all: readonly ConvertRow[], unmade: readonly ConvertRow[]): void {
  for (const { files, error } of unmade) print(`${bold(clean(files[0] ?? ''))}  not converted: ${clean(error?.detail ?? '')}`);
  const kept = all.filter(({ isKept }) => isKept).length;
  if (all.length > 1 || kept > 0) {
    const bad = all.filter(({ error }) => error).length;
    print(`${all.length - bad} written${kept > 0 ? ` (${kept} by an earlier run)` : ''}, ${bad === 0 ? 'none refused' : `${bad} not`}`);
  }
}
