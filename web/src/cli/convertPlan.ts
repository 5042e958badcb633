// Plans a batch: groups files into results and names the results. The files are read by child
// processes with the same limits as for making the results.
import { existsSync, realpathSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { type BatchSource, fileSetsOf, stemsBeside, stemsOf, type UnusedFile } from '../convert/batchPlan.ts';
import { nameKey } from '../convert/common/fileNames.ts';
import { MatchScenes } from '../convert/matchFacts.ts';
import { extensionIn, type Target } from '../convert/targets.ts';
import { entry } from '../core/entry.ts';
import { isSharedExtension } from '../core/formats.ts';
import type { OpenOptions, RigFile } from '../core/open.ts';
import { extensionOf } from '../core/paths.ts';
import type { Role } from '../core/probe.ts';
import type { ConvertTask, FactsAnswer, ProbeAnswer, Problem } from './convertChild.ts';
import { findFiles, type FoundFile } from './files.ts';
import { type IgnoredFile, NOT_A_RECORDING, sourcesIn } from './folderSources.ts';
import type { Pool } from './pool.ts';
import { UsageError } from './usage.ts';

export interface PlannedResult {
  out: string;
  /** Paths of the model and its animations, starting with the model. */
  files: string[];
  /**
   * Path of the model, relative to the folder given on the command line. The shard of the result is
   * derived from this path.
   */
  place: string;
}

export interface LeftFile {
  file: string;
  place: string;
  /**
   * Code of the reason: IO_ERROR, CLIP_UNMATCHED, NOT_CONVERTED, or the code of the `Loss` if the
   * process that read the file was ended.
   */
  code: string;
  detail: string;
}

export interface Plan {
  results: PlannedResult[];
  /** Files that are not part of any result, each with the reason. */
  left: LeftFile[];
  /** Files in folders that are not sources. */
  ignored: IgnoredFile[];
}

/** Properties of all results of a plan. */
export interface ResultKind {
  /** Name of the kind, which a plan file contains. */
  name: string;
  /** True if all files become one result with the path that the command line gives. */
  isFile: boolean;
  /** Returns the extension of a result with its dot, or '' if the result is a folder. */
  extension(hasOnlyAnimations: boolean): string;
  /** True if animations that match no model become a result. */
  canBeAlone(file: Pick<RigFile, 'scene' | 'format'>): boolean;
  /** Code of the reason why a file with readable bytes is not part of any result. */
  refusal: string;
  /** File extensions of the results, without dots; empty if results are not models. See `sourcesIn`. */
  extensions: readonly string[];
}

/**
 * Plans a batch. If `kind.isFile` is true, all files become the result `out`; otherwise each model
 * becomes a result in the folder `out`.
 */
export async function plan(words: readonly string[], out: string, kind: ResultKind, options: OpenOptions, pool: Pool): Promise<Plan> {
  const { sources: found, ignored } = sourcesIn(await findFiles(words, { mayBeEmpty: true, hasOtherFormats: true }), out, kind);
  const left = found.flatMap(({ path, place, reason }) =>
    reason === undefined ? [] : [{ file: path, place, code: reason.startsWith('a link to') ? kind.refusal : 'IO_ERROR', detail: reason }],
  );
  const files = found.filter(({ reason }) => reason === undefined);
  if (kind.isFile) {
    const results = files.length > 0 ? [{ out, files: files.map(({ path }) => path), place: files[0]?.place ?? '' }] : [];
    return { results, left, ignored };
  }
  if (words.includes('-')) throw new UsageError('standard input requires an output file, such as -o OUT.glb');
  const sets = await setsOf(files, options, kind, pool, { left, ignored });
  const unusable = left.map(each => (each.code === UNUSABLE ? { ...each, code: kind.refusal } : each));
  return { results: named(sets, out, kind), left: unusable, ignored };
}

interface FileSet {
  files: [FoundFile, ...FoundFile[]];
  /** True if the result contains only animations. */
  hasOnlyAnimations: boolean;
}

/** Number of files that are probed in one task. A task per file would take longer than probing. */
const PROBE_BATCH = 64;
/** Number of files whose facts are read in one task. */
const FACTS_BATCH = 8;

interface Question {
  kind: 'probe' | 'facts';
  open: OpenOptions;
  /** Number of files per task. */
  size: number;
}

/**
 * Reads the files in child processes and returns one answer per file. If the process of a task is
 * ended, the files of this task are read again one by one. `take`: converts each answer as soon as it
 * arrives. An answer may refer to earlier answers of its process.
 */
async function answersOf<A, B = A>(
  files: readonly FoundFile[],
  { kind, open, size }: Question,
  pool: Pool,
  take: (answer: A | { error: Problem }) => B,
): Promise<B[]> {
  const answers: B[] = [];
  const rows = [...files.keys()];
  const ask = async (groups: readonly (readonly number[])[]): Promise<number[]> => {
    const lost: number[] = [];
    await pool.run<ConvertTask, (A | { error: Problem })[]>(
      groups.map(group => ({ kind, paths: group.map(row => files[row]!.path), open })),
      why => [{ error: why }],
      (found, index) => {
        const group = groups[index]!;
        if (found.length < group.length) lost.push(...group);
        else for (const [i, row] of group.entries()) answers[row] = take(found[i]!);
      },
    );
    return lost;
  };
  const lost = await ask(Array.from({ length: Math.ceil(files.length / size) }, (_, i) => rows.slice(i * size, (i + 1) * size)));
  await ask(lost.map(row => [row]));
  return answers;
}

const leftOf = ({ path, place }: FoundFile, problem: Problem): LeftFile => ({ file: path, place, ...problem });

/**
 * Probes the files. Adds files that cannot be read to `left`. `areModels` in the result: true if no
 * file contains animations.
 */
async function probed(
  files: readonly FoundFile[],
  open: OpenOptions,
  pool: Pool,
  left: LeftFile[],
): Promise<{ readable: readonly FoundFile[]; areModels: boolean }> {
  const probe = (some: readonly FoundFile[]): Promise<ProbeAnswer[]> =>
    answersOf<ProbeAnswer>(some, { kind: 'probe', open, size: PROBE_BATCH }, pool, answer => answer);
  // Probe one file per extension first, which usually shows whether there are animations. If there
  // are, the other files need not be probed, because all files are read later.
  const samples = new Map(files.map(file => [extname(file.path).toLowerCase(), file]));
  if ((await probe([...samples.values()])).some(answer => !('error' in answer) && !isModel(answer.role)))
    return { readable: files, areModels: false };
  const readable: FoundFile[] = [];
  let areModels = true;
  for (const [i, answer] of (await probe(files)).entries()) {
    const file = files[i]!;
    if ('error' in answer) left.push(leftOf(file, answer.error));
    else {
      areModels &&= isModel(answer.role);
      readable.push(file);
    }
  }
  return { readable, areModels };
}

const isModel = (role: Role): boolean => role === 'model' || role === 'scene';

/** Code with which the child process reports a file without readable content. */
const UNUSABLE = 'NOT_CONVERTED';

const WHY_UNUSED: Record<UnusedFile['reason'], Problem> = {
  unmatched: { code: 'CLIP_UNMATCHED', detail: 'no model matches this animation' },
  'without-skeleton': { code: 'CLIP_UNMATCHED', detail: 'animations without a skeleton: add the model that they were made for' },
  empty: { code: UNUSABLE, detail: 'contains no model and no animation that can be read; run rigcast validate for details' },
};

/**
 * Groups each model with its animations. Animations without a model become separate results if the
 * kind of result allows this.
 */
async function setsOf(
  files: readonly FoundFile[],
  options: OpenOptions,
  kind: ResultKind,
  pool: Pool,
  { left, ignored }: Pick<Plan, 'left' | 'ignored'>,
): Promise<FileSet[]> {
  const { readable, areModels } = await probed(files, options, pool, left);
  if (areModels) return readable.map(file => ({ files: [file], hasOnlyAnimations: false }));
  const sources = await readFacts(readable, options, pool, { left, ignored });
  const byPath = new Map(readable.map(file => [file.path, file]));
  const fileOf = (path: string): FoundFile => byPath.get(path) ?? { path, place: path };
  const { sets, unused } = fileSetsOf(sources, file => kind.canBeAlone(file));
  for (const { path, reason } of unused) left.push({ file: path, place: fileOf(path).place, ...WHY_UNUSED[reason] });
  return sets.map(({ files: [model, ...animations], hasOnlyAnimations }) => ({
    files: [fileOf(model), ...animations.map(fileOf)],
    hasOnlyAnimations,
  }));
}

/**
 * Reads the facts that are needed for matching, in the order of the files. Adds files that cannot
 * be read to `left`, or to `ignored` if only their extension suggests that they can. Leaves out
 * the buffers of glTF files.
 */
async function readFacts(
  files: readonly FoundFile[],
  open: OpenOptions,
  pool: Pool,
  { left, ignored }: Pick<Plan, 'left' | 'ignored'>,
): Promise<BatchSource[]> {
  const scenes = new MatchScenes();
  const sources: BatchSource[] = [];
  const answers = await answersOf(files, { kind: 'facts', open, size: FACTS_BATCH }, pool, (answer: FactsAnswer) =>
    'error' in answer ? answer : { format: answer.format, scene: scenes.take(answer.facts), companions: answer.companions },
  );
  const companions = new Set(answers.flatMap(answer => ('error' in answer ? [] : answer.companions)).map(path => resolve(path)));
  for (const [i, answer] of answers.entries()) {
    const file = files[i]!;
    if ('error' in answer && companions.has(resolve(file.path))) continue;
    if ('error' in answer && answer.error.code === UNUSABLE && file.folder !== undefined && isSharedExtension(extensionOf(file.path)))
      ignored.push({ file: file.path, reason: NOT_A_RECORDING });
    else if ('error' in answer) left.push(leftOf(file, answer.error));
    else sources.push({ path: file.path, file: answer });
  }
  return sources;
}

/** Names the results, each in the folder of its model below `folder`. */
function named(sets: readonly FileSet[], folder: string, kind: ResultKind): PlannedResult[] {
  const folderOf = realFolders();
  const places = sets.map(({ files }) => files[0].place);
  const stems = stemsOf(places, place => folderOf(join(folder, dirname(place))));
  return sets.map(({ files, hasOnlyAnimations }, row) => ({
    out: join(folder, dirname(files[0].place), `${stems[row]}${kind.extension(hasOnlyAnimations)}`),
    files: files.map(({ path }) => path),
    place: files[0].place,
  }));
}

/**
 * Returns a function that resolves links in the path of a folder. The folder need not exist yet.
 * Used to detect that two result folders are the same folder.
 */
function realFolders(): (folder: string) => string {
  const known = new Map<string, string>();
  const real = (folder: string): string =>
    entry(known, folder, () => {
      if (existsSync(folder)) return realpathSync(folder);
      const above = dirname(folder);
      return above === folder ? folder : join(real(above), nameKey(folder.slice(above.length)));
    });
  return real;
}

/**
 * Returns a function that lists the names that the files of a result must not have (see
 * `stemsBeside`).
 */
export function namesBeside(results: readonly PlannedResult[], to: Target): (result: PlannedResult) => string[] {
  const folderOf = realFolders();
  const partsOf = ({ out }: PlannedResult): { folder: string; stem: string } => ({ folder: folderOf(dirname(out)), stem: stemIn(out, to) });
  const beside = stemsBeside(results.map(partsOf));
  return result => beside(partsOf(result));
}

/** Returns the file name of a result without the extension of the target. */
export const stemIn = (out: string, to: Target): string => {
  const name = out.replace(/^.*[/\\]/, '');
  return name.slice(0, name.length - 1 - extensionIn(out, to).length);
};
