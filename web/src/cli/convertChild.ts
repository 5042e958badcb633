// The child process of `rigcast convert`: reads files for the plan, converts files, and checks
// whether the results of an earlier run are unchanged.
import { createHash } from 'node:crypto';
import { basename, dirname, extname, join } from 'node:path';
import type { SourceFile } from '../convert/group.ts';
import type { ConvertOptions } from '../convert/options.ts';
import type { ConversionEntry, ReportEntry } from '../convert/common/report.ts';
import { type FactsMessage, FactsSender } from '../convert/matchFacts.ts';
import { LossError, reportOf } from '../convert/losses.ts';
import { allCodes, extensionIn, WRITERS } from '../convert/targets.ts';
import { traitsOf } from '../core/formats.ts';
import type { OpenOptions } from '../core/open.ts';
import { probe, type Role } from '../core/probe.ts';
import type { Report } from '../core/types.ts';
import { importedRole } from '../interop/importedRole.ts';
import { FolderInstances, fromPath, linkedTo } from './files.ts';
import { referencesOf } from './otherFormats.ts';
import { type FileState, HeadOf, isUnchanged, recordReads, UnreadableError } from './reading.ts';
import { isInputOutput, isOneOf, type ResultFile, writeResult } from './results.ts';
import { serve } from './serve.ts';

export type ConvertTask =
  { kind: 'probe' | 'facts'; paths: readonly string[]; open: OpenOptions } | { kind: 'compare'; states: readonly FileState[] } | MakeTask;

export interface MakeTask {
  kind: 'make';
  /** Paths of the model and its animations, starting with the model. */
  paths: readonly string[];
  out: string;
  /** True if the user named the file `out`; false if it was named after its sources. */
  isFile: boolean;
  /**
   * Folders sources on the command line. Images are searched in these folders and their subfolders.
   */
  folders: readonly string[];
  /** Names of other results in the same folder that begin with the name of this result. */
  others: readonly string[];
  /** True if the answer must contain the states of all files that were read and written. */
  isRecorded: boolean;
  convert: Pick<
    ConvertOptions,
    | 'to'
    | 'tolerance'
    | 'maxOutput'
    | 'clips'
    | 'split'
    | 'merge'
    | 'loop'
    | 'inPlace'
    | 'rootMotion'
    | 'lockHeading'
    | 'strict'
    | 'additive'
    | 'vgo'
    | 'gltf'
    | 'unreal'
    | 'ueformat'
  >;
  open: OpenOptions;
}

export interface Problem {
  code: string;
  detail: string;
}

/** Result of probing one file. */
export type ProbeAnswer = { role: Role } | { error: Problem };
/** Facts of one file. `companions`: paths of the files that it refers to, as far as they were read. */
export type FactsAnswer = { format: string | null; facts: FactsMessage; companions: string[] } | { error: Problem };

export interface MakeAnswer {
  /** Number of bytes written; null if nothing was written. */
  byteLength: number | null;
  ledger: ReportEntry[];
  /** States of the files that were read. Only present if `isRecorded` was set. */
  read?: FileState[];
  written?: FileState[];
  /** Reason why nothing was written. */
  error?: Problem;
}

serve(async (task: ConvertTask): Promise<ProbeAnswer[] | FactsAnswer[] | MakeAnswer | boolean> => {
  switch (task.kind) {
    case 'probe':
      return Promise.all(task.paths.map(roleOf));
    case 'facts':
      return readAllFacts(task.paths, task.open);
    case 'compare':
      return task.states.every(isUnchanged);
    default:
      return make(task);
  }
});

async function roleOf(path: string): Promise<ProbeAnswer> {
  try {
    const head = new HeadOf(path);
    try {
      const name = basename(path);
      return { role: (await importedRole(head, name)) ?? (await probe(head, name)).role };
    } finally {
      head.close();
    }
  } catch (error) {
    return { error: { code: 'IO_ERROR', detail: error instanceof UnreadableError ? error.reason : String(error) } };
  }
}

const sender = new FactsSender(value => createHash('sha256').update(JSON.stringify(value)).digest('base64'));

async function readAllFacts(paths: readonly string[], options: OpenOptions): Promise<FactsAnswer[]> {
  const answers: FactsAnswer[] = [];
  for (const path of paths) answers.push(await readFacts(path, options)); // one at a time, to limit memory
  return answers;
}

async function readFacts(path: string, options: OpenOptions): Promise<FactsAnswer> {
  try {
    const companions = new Set<string>();
    const { scene, format, report } = (await openPath(path, options, each => companions.add(each))).file;
    if (!scene) return { error: { code: 'NOT_CONVERTED', detail: whyUnreadable(report) } };
    // The rest of a damaged model is not an animation of another model.
    if (traitsOf(format)?.role === 'model' && report.errors > 0 && scene.renderers.length === 0 && scene.clips.length > 0)
      return { error: { code: 'NOT_CONVERTED', detail: 'its meshes cannot be read; run rigcast validate for details' } };
    return { format, facts: sender.messageOf(scene, path), companions: [...companions] };
  } catch (error) {
    if (error instanceof UnreadableError) return { error: { code: 'IO_ERROR', detail: error.reason } };
    return { error: { code: 'NOT_CONVERTED', detail: error instanceof Error ? error.message : String(error) } };
  }
}

/** Explains why a file contains nothing. `rigcast validate` does not check the files that loaders of three.js read. */
function whyUnreadable({ items }: Report): string {
  const failed = items.find(({ code }) => code === 'LOADER_FAILED');
  if (!failed) return 'cannot be read; run rigcast validate for details';
  return `the loader of three.js could not read it${failed.detail && `: ${failed.detail}`}`;
}

/** Opens a file, with a loader of three.js if rigcast does not read its format. `onRead`: see `referencesOf`. */
async function openPath(path: string, options: OpenOptions, onRead?: (path: string) => void): Promise<SourceFile> {
  const { openSource } = await import('../convert/convert.ts');
  const [bytes, how] = fromPath(path, options);
  return openSource(bytes, how, path, referencesOf(path, onRead));
}

/**
 * True for .mat files. Several models can refer to the same .mat file, because it is named after
 * its material.
 */
const isShared = (name: string): boolean => name.endsWith('.mat');

async function make({ paths, out, isFile, folders, others, isRecorded, convert, open: options }: MakeTask): Promise<MakeAnswer> {
  const folder = dirname(out);
  try {
    const { convertFiles } = await import('../convert/convert.ts');
    const { FolderImages } = await import('./images.ts');
    const reads = isRecorded ? recordReads() : null;
    const sources = [];
    for (const path of paths) sources.push(await openPath(path, { tangents: WRITERS[convert.to].wantsTangents ?? false, ...options }));
    const real = paths.filter(path => path !== '-');
    const name = basename(out).slice(0, -1 - extensionIn(out, convert.to).length);
    const [model = '-'] = paths;
    const instances = model === '-' ? undefined : new FolderInstances(dirname(model));
    const images = new FolderImages(folders, real, folder);
    const how = { ...convert, name, images, ...(instances && { instances }), open: { ...options, worker: false } };
    const { files, report } = await convertFiles(sources, how, others);
    const ledger = report.items.map(withoutKind);
    for (const path of real) {
      const link = linkedTo(path);
      if (link !== null) ledger.push({ code: 'LINK_FOLLOWED', path, amount: 1, detail: link });
    }
    const made = convert.split ? files : only(files, out, isFile);
    if (!made) return failed('NOT_CONVERTED', 'the result has several models or animations: give a folder (-o FOLDER)', ledger);
    const own = made.find(file => isOneOf(join(folder, file.name), real));
    if (own) return failed('NOT_CONVERTED', `${own.name} would overwrite its own source: choose another folder or name`, ledger);
    const { byteLength, states, replaced, left } = writeResult(folder, made, { isShared, isStrict: convert.strict ?? false });
    for (const file of replaced) ledger.push({ code: 'FILE_REPLACED', path: file, amount: 1, detail: '' });
    for (const file of left) ledger.push({ code: 'MATERIAL_FILE_THERE', path: file, amount: 1, detail: '' });
    if (convert.strict && left.length > 0) throw new LossError(reportOf(ledger, allCodes));
    return { byteLength, ledger, ...(reads && { read: [...reads.values()], written: states }) };
  } catch (error) {
    if (error instanceof LossError) return failed('LOSSES_REFUSED', error.message, error.items.map(withoutKind));
    if (error instanceof Error && isInputOutput(error)) return failed('IO_ERROR', error.message);
    return failed('NOT_CONVERTED', error instanceof Error ? error.message : String(error));
  }
}

/**
 * Selects the files that are written. If the user named the output file (`isFile`): one model and the
 * files that belong to it, or one animation; null if `files` contain several models or animations. A
 * result named after its sources can have several. Returns null if a required animation is missing.
 */
function only(files: readonly ResultFile[], out: string, isFile: boolean): ResultFile[] | null {
  const ending = extname(out).toLowerCase();
  const main = files.filter(({ name }) => name.toLowerCase().endsWith(ending));
  const [animation] = main;
  const renamed = (file: ResultFile): ResultFile => ({ name: basename(out), pieces: () => file.pieces() });
  if (ending === '.seanim' || ending === '.ueanim') {
    if (!isFile && main.length > 1) return main;
    return animation && main.length === 1 ? [renamed(animation)] : null;
  }
  if (ending === '.pskx')
    return only(files, out.replace(/x$/i, ''), isFile)?.map(file => (/\.psk$/i.test(file.name) ? renamed(file) : file)) ?? null;
  return main.length > 1 && isFile ? null : [...files];
}

function failed(code: string, detail: string, ledger: ReportEntry[] = []): MakeAnswer {
  return { byteLength: null, ledger, error: { code, detail } };
}

/** Returns an entry as the command line prints it: the code determines the kind. */
const withoutKind = ({ code, path, amount, detail }: ConversionEntry): ReportEntry => ({ code, path, amount, detail });
