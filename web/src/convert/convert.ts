// `convert`: opened files, or what opens, to files of another format, with a ledger of what that costs.
import { uniqueNames } from '../core/names.ts';
import { open, type OpenOptions, type RigFile } from '../core/open.ts';
import { checkOptions } from '../core/options.ts';
import type { OpenSource } from '../core/source.ts';
import type { Clip } from '../core/types.ts';
import { breathing } from './common/breath.ts';
import { type Dressed, dressed } from './common/dress.ts';
import { captureIn } from './mrtk/capture.ts';
import { type Given, group, type Group, type Grouped } from './group.ts';
import type { GltfPacking } from './gltf/packing.ts';
import type { InstanceSource } from '../three/instances/instanceSources.ts';
import type { ImageSource } from './common/imageSource.ts';
import { ADDITIVE } from '../core/additiveDetection.ts';
import { Budget, sizeOf } from './common/budget.ts';
import { Ledger, type LedgerEntry } from './common/report.ts';
import { distinctNames, FileNames, fileStem, ResultNames } from './common/fileNames.ts';
import { stated } from './common/stated.ts';
import { keyOf, type VgoWriting } from './vgo/writing.ts';
import { openWorld, partsOfWorlds, type PlacedFile } from './common/worlds.ts';
import { holdsAnimations, misplaced, type Target, TARGETS, WRITERS } from './targets.ts';
import { ConvertedFile } from './common/written.ts';
import { type ConversionError, refusal, sharedRefusals } from './common/refusals.ts';
import { isRefused, LossError, summed } from './losses.ts';

export interface ConvertOptions {
  /** The target; docs/convert.md describes them. */
  to: Target;
  /** Name of the result, without extension, where there is one model. Default: that of the model's file. */
  name?: string;
  /** Which motions: their names, or places counted from 0 among all of them. Default: all. */
  clips?: readonly (string | number)[];
  /** The model alone as a file, and beside it one with each motion, NAME_MOTION. Not for se, psk and psa, whose motions are files of their own, nor for recordings. */
  split?: boolean;
  /** What sampled curves may be off at the skin, metres. Default 0.0001. Curves that the target says exactly are not sampled. */
  tolerance?: number;
  /**
   * How absolute keys are played, as `bind` has it. detect (default): as the file states them, except that keys which look additive are added to the rest pose if their
   * format cannot declare that (PSA). as-stated, rest: without a guess.
   */
  additive?: 'as-stated' | 'detect' | 'rest';
  /**
   * Bytes that the results, and the numbers that are calculated for them, may take together. Default: 64 MB, and 24 times the sources. An animation that would take more is sampled
   * more coarsely or left out, which the ledger reports (WORK_LIMIT); a model that would is refused.
   */
  maxOutput?: number;
  /** Refuses losses, and guesses that decide how the result moves: rejects with a LossError that carries the ledger. Default false. */
  strict?: boolean;
  /** Finds images that the files name and do not hold, and of Unreal's models what lies beside them about materials. Without it only embedded ones are kept. */
  images?: ImageSource;
  /** Finds files that a world places and that are not among the sources. */
  instances?: InstanceSource;
  /** How a VGO is written. */
  vgo?: VgoWriting;
  /** How GLB and glTF are made smaller. Default: not at all, since not every reader knows it. */
  gltf?: GltfPacking;
  /** How sources that are not open yet, and files that a world places, are opened; for glTF with `tangents` unless it says otherwise, since its readers make their own, differing ones. */
  open?: OpenOptions;
  signal?: AbortSignal;
}

export interface Conversion {
  files: ConvertedFile[];
  /** What the target does not hold, or in another form. */
  ledger: LedgerEntry[];
}

/**
 * Converts files. One of them is the model and all others are motions for it; of several models each becomes a file with the motions that fit it best.
 * What a world places is part of it in glTF; in Cast it stays a file of its own. Motions alone make a file where they bring a skeleton. Rejects with a
 * TypeError on a wrong call, a LossError with `strict`, `signal.reason` when aborted, and a ConversionError where nothing can be made of them.
 */
export async function convert(sources: readonly (OpenSource | RigFile)[], options: ConvertOptions): Promise<Conversion> {
  check(options);
  const { signal } = options;
  const given: Given[] = [];
  for (const source of sources) {
    signal?.throwIfAborted();
    if (isOpened(source)) given.push({ file: source, path: source.name });
    else
      given.push(
        await openGiven(source, { tangents: WRITERS[options.to].wantsTangents ?? false, ...options.open, ...(signal && { signal }) }),
      );
  }
  return convertFiles(given, options);
}

/** Opens a source, or bytes that are a recording of IWER. `path`: where it lies, the file's own name where that is not known. */
export async function openGiven(source: OpenSource, options: OpenOptions, path?: string): Promise<Given> {
  const capture = await captureIn(source);
  if (!capture) {
    const file = await open(source, options);
    return { file, path: path ?? file.name };
  }
  const name = options.name ?? (source instanceof File ? source.name : 'recording');
  const file = await open(capture.bytes, { ...options, name, format: 'mrtk' });
  const told = capture.lost > 0 ? [{ code: 'INPUTS_LOST', path: file.name, amount: capture.lost, detail: '' }] : [];
  return { file, path: path ?? file.name, told };
}

/** The same for files that are open, and whose paths are known. `others`: names of results that are made elsewhere for the same folder. */
export async function convertFiles(given: readonly Given[], options: ConvertOptions, others: readonly string[] = []): Promise<Conversion> {
  const budget = new Budget(options.maxOutput);
  const ledger = new Ledger(budget);
  for (const { file, told = [] } of given) {
    budget.admit(sizeOf(file));
    tellSource(file, ledger);
    for (const { code, path, amount, detail } of told) ledger.add(code, path, amount, detail);
  }
  const parts = WRITERS[options.to].holdsWorlds ? partsOfWorlds(given) : new Set<Given>();
  const { groups, left } = grouped(
    given.filter(each => !parts.has(each)),
    options.to,
  );
  if (groups.length === 0) throw nothing(given);
  for (const { file } of left) {
    const count = file.scene?.clips.length ?? 0;
    if (count > 0) ledger.add('CLIP_UNMATCHED', file.name, count, 'no model is made for it');
  }
  const breathe = breathing(options.signal);
  const stems = distinctNames(groups.map(({ model }): [string] => [fileStem(stemOf(model.path)) || 'model']));
  const all = new ResultNames(groups.length === 1 ? others : [...others, ...stems]);
  const files: Conversion['files'] = [];
  for (const [i, one] of groups.entries()) {
    await breathe();
    const names = new FileNames((groups.length === 1 && options.name) || stems[i] || 'model', all);
    const { to, tolerance = 1e-4, images, instances, open: opening, signal, vgo = {}, gltf = {} } = options;
    const { model } = one;
    const { scene, clips } = stated(one.scene, chosen(one, options.clips), {
      hasNoModes: WRITERS[to].hasNoModes ?? false,
      additive: options.additive,
      ledger,
    });
    const computed = WRITERS[to].hasNoMeshes ? 0 : scene.meshes.filter(({ normalsComputed }) => normalsComputed).length;
    if (computed > 0) ledger.add('NORMALS_COMPUTED', '', computed);
    const dress = (told: Ledger) => (): Promise<Dressed> => dressed(scene, images, told);
    const world = (told: Ledger) => async (): Promise<PlacedFile | undefined> =>
      scene.instances.length > 0 ? openWorld(model, scene, { others: given, instances, open: opening, ledger: told, signal }) : undefined;
    const runs = runsOf(names, clips, options.split ?? false);
    // The model is in each of the files that it is split into.
    budget.admit((runs.length - 1) * sizeOf(model.file));
    for (const run of runs) {
      await breathe();
      const told = new Ledger(budget);
      const { file } = model;
      const shared = {
        to,
        file,
        format: file.format ?? '',
        scene,
        tolerance,
        breathe,
        images,
        vgo,
        gltf,
        dress: dress(told),
        world: world(told),
      };
      const written = await WRITERS[to].write({ ...run, ...shared, ledger: told });
      if (written.length === 0 && told.isLimited) throw budget.refusal();
      files.push(...written.map(file => new ConvertedFile(file)));
      ledger.merge(told);
    }
  }
  const entries = summed(ledger.entries);
  if (options.strict && entries.some(isRefused)) throw new LossError(entries);
  return { files, ledger: entries };
}

/** What goes into which file. */
function runsOf(names: FileNames, clips: readonly Clip[], isSplit: boolean): { names: FileNames; clips: readonly Clip[] }[] {
  if (!isSplit) return [{ names, clips }];
  const parts = names.parts(clips.map(clip => clip.name));
  return [{ names, clips: [] }, ...parts.map((part, k) => ({ names: part, clips: clips.slice(k, k + 1) }))];
}

/** Models with their motions; where the target holds those alone, each that no model was made for by itself. */
function grouped(given: readonly Given[], to: Target): Grouped {
  const { groups, left } = group(given);
  const isEnough = ({ file }: Given): boolean => holdsAnimations(to, file.format);
  const alone = left.flatMap(each => {
    const { file, path } = each;
    return file.scene && isEnough(each) ? [{ model: { file, path }, scene: file.scene, clips: [...file.scene.clips], motions: [] }] : [];
  });
  return { groups: [...groups, ...alone], left: left.filter(each => !isEnough(each)) };
}

function isOpened(source: OpenSource | RigFile): source is RigFile {
  return typeof source === 'object' && 'scene' in source && 'report' in source;
}

function tellSource({ name, report, needs }: RigFile, ledger: Ledger): void {
  if (report.errors > 0)
    ledger.add(
      'SOURCE_DAMAGED',
      name,
      report.errors,
      [...new Set(report.items.filter(({ severity }) => severity === 'error').map(({ code }) => code))].join(', '),
    );
  for (const need of needs) if (need.required) ledger.add('NEED_MISSING', name, 1, need.name);
}

/** Why nothing comes of the files. */
function nothing(given: readonly Given[]): ConversionError {
  const motions = given.filter(({ file }) => (file.scene?.clips.length ?? 0) > 0);
  const locked = given.find(({ file }) => file.needs.some(({ kind }) => kind === 'key') || hasWrongKey(file));
  if (locked) return refusal(sharedRefusals, hasWrongKey(locked.file) ? 'KEY_WRONG' : 'KEY_MISSING', { file: locked.file.name });
  if (motions.length > 0) return refusal(sharedRefusals, 'MODEL_MISSING');
  if (given.length === 0) return refusal(sharedRefusals, 'NOTHING_GIVEN');
  return refusal(sharedRefusals, 'NOTHING_CONVERTIBLE', { files: given.map(({ file }) => file.name).join(', ') });
}

const hasWrongKey = ({ report }: RigFile): boolean => report.items.some(({ code }) => code === 'DECRYPT_FAILED' || code === 'BAD_KEY');

function chosen({ clips }: Group, wanted: ConvertOptions['clips']): Clip[] {
  if (!wanted) return clips;
  const names = uniqueNames(clips.map(({ name }) => name));
  return wanted.flatMap(which => clips[typeof which === 'number' ? which : names.indexOf(which)] ?? []);
}

function stemOf(path: string): string {
  return (path.split(/[/\\]/).at(-1) ?? '').replace(/\.[^.]+$/, '');
}

function check(options: ConvertOptions): void {
  checkOptions('convert', options, {
    to: 'string',
    name: 'string',
    clips: 'object',
    tolerance: 'number',
    additive: 'string',
    maxOutput: 'number',
    strict: 'boolean',
    split: 'boolean',
    images: 'object',
    instances: 'object',
    vgo: 'object',
    gltf: 'object',
    open: 'object',
    signal: 'object',
  } satisfies Record<keyof ConvertOptions, string>);
  if (!TARGETS.includes(options.to))
    throw new TypeError(`convert: "to" is one of ${TARGETS.join(', ')}, not ${JSON.stringify(options.to)}`);
  if (options.tolerance !== undefined && !(options.tolerance > 0))
    throw new TypeError('convert: the option "tolerance" is a length above 0');
  if (options.additive !== undefined && !ADDITIVE.includes(options.additive))
    throw new TypeError(`convert: "additive" is one of ${ADDITIVE.join(', ')}, not ${JSON.stringify(options.additive)}`);
  if (options.maxOutput !== undefined && !(options.maxOutput > 0))
    throw new TypeError('convert: the option "maxOutput" is a number of bytes above 0');
  keyOf(options.vgo ?? {});
  const { split, gltf = {}, vgo = {} } = options;
  const wrong = misplaced(options.to, { split, ...gltf, bson: vgo.encoding === 'bson' });
  if (wrong) throw new TypeError(`convert: ${wrong.id} is for ${wrong.targets.join(', ')}`);
}
