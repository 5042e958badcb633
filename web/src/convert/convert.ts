// Converts files to another format, and reports which data is lost.
import { invalidArgument } from '../core/error.ts';
import { uniqueNames } from '../core/names.ts';
import { open, type OpenOptions, type RigFile } from '../core/open.ts';
import { checkOptions } from '../core/options.ts';
import type { OpenSource } from '../core/source.ts';
import type { Clip } from '../core/types.ts';
import { yieldingTo } from './common/yielding.ts';
import { type TexturedScene, textured } from './common/texturedScene.ts';
import { captureIn } from './mrtk/capture.ts';
import { type SourceFile, group, type Group, type Grouped } from './group.ts';
import type { GltfPacking } from './gltf/packing.ts';
import type { InstanceSource } from '../three/instances/instanceSources.ts';
import type { ImageSource } from './common/imageSource.ts';
import { ADDITIVE } from '../core/additiveDetection.ts';
import { Budget, sizeOf } from './common/budget.ts';
import { ReportBuilder, type ConversionReport } from './common/report.ts';
import { distinctNames, FileNames, fileStem, ResultNames } from './common/fileNames.ts';
import { withStatedModes } from './common/statedModes.ts';
import { keyOf, type VgoWriting } from './vgo/writing.ts';
import { openInstances, instancedSources, type InstancedFile } from './common/instancedFiles.ts';
import { holdsAnimations, misplaced, type Target, TARGETS, WRITERS } from './targets.ts';
import { ConvertedFile } from './common/written.ts';
import { type ConversionError, refusal, sharedRefusals } from './common/refusals.ts';
import { isRefused, LossError, reportOf, summarized } from './losses.ts';

export interface ConvertOptions {
  /** Target format. docs/convert.md describes all targets. */
  to: Target;
  /**
   * Name of the result, without extension. If there are several models, this option is ignored, and
   * each result is named after its model. The default is the name of the model's file.
   */
  name?: string;
  /**
   * Animations to write, by name or by index in the list of all animations. By default, all
   * animations are written.
   */
  clips?: readonly (string | number)[];
  /**
   * If true, writes the model without animations, and each animation to a separate file NAME_CLIP.
   * The targets se, psk and psa do not have this option, because they always write animations to
   * separate files. The targets for recordings do not have it either.
   */
  split?: boolean;
  /**
   * Largest error of sampled curves in metres, measured at the skin. The default is 0.0001. Curves
   * that the target can store exactly are not sampled.
   */
  tolerance?: number;
  /**
   * Interpretation of absolute keys, as in the option `additive` of `bind`:
   * - `detect` (default): keys are interpreted as the file declares. If the format of the file
   *   cannot declare this (PSA), keys that look additive are added to the rest pose.
   * - `as-stated`: keys are interpreted as the file declares, or as absolute keys if the file
   *   declares nothing.
   * - `rest`: absolute keys are added to the rest pose.
   */
  additive?: 'as-stated' | 'detect' | 'rest';
  /**
   * Limit in bytes for the results and for the data calculated for them. The default is 64 MB plus
   * 24 times the size of the sources. An animation that would exceed the limit is sampled more
   * coarsely or left out, and WORK_LIMIT is reported. A model that would exceed the limit is
   * refused.
   */
  maxOutput?: number;
  /**
   * If true, the conversion rejects with a LossError if something is lost, or if the animation of
   * the result depends on a guess. The default is false.
   */
  strict?: boolean;
  /**
   * Finds images that the files reference, and files that describe the materials of an Unreal
   * model. By default, only embedded images are used.
   */
  images?: ImageSource;
  /** Finds instanced files that are not among the sources. */
  instances?: InstanceSource;
  /** Encoding and encryption of VGO files, used if the target is VGO. */
  vgo?: VgoWriting;
  /**
   * Compression of GLB and glTF. By default, nothing is compressed, because some importers cannot
   * decompress the files.
   */
  gltf?: GltfPacking;
  /**
   * Options for opening sources and instanced files. If the target is GLB or glTF, `tangents` is
   * true by default, because glTF importers would compute different tangents.
   */
  open?: OpenOptions;
  signal?: AbortSignal;
}

export interface Conversion {
  files: ConvertedFile[];
  /**
   * The conversion report, which lists the data that the target cannot store or stores in another
   * form.
   */
  report: ConversionReport;
}

/**
 * Converts files. If one file is a model, all other files are animations for it. If there are
 * several models, each is written to a separate file with the animations that match it best. glTF
 * results contain instanced files; Cast results reference them. Animations without a model are
 * converted if they contain a skeleton. Rejects with a TypeError if options are invalid, a
 * ConversionError if nothing can be converted, a LossError if `strict` is set and something is
 * lost, and `signal.reason` if the conversion is aborted.
 */
export async function convert(sources: readonly (OpenSource | RigFile)[], options: ConvertOptions): Promise<Conversion> {
  check(options);
  const { signal } = options;
  const opened: SourceFile[] = [];
  for (const source of sources) {
    signal?.throwIfAborted();
    if (isOpened(source)) opened.push({ file: source, path: source.name });
    else
      opened.push(
        await openSource(source, { tangents: WRITERS[options.to].wantsTangents ?? false, ...options.open, ...(signal && { signal }) }),
      );
  }
  return convertFiles(opened, options);
}

/**
 * Opens a source. IWER recordings are converted to MRTK first. `path`: path of the source. The
 * default is its name.
 */
export async function openSource(source: OpenSource, options: OpenOptions, path?: string): Promise<SourceFile> {
  const capture = await captureIn(source);
  if (!capture) {
    const file = await open(source, options);
    return { file, path: path ?? file.name };
  }
  const name = options.name ?? (source instanceof File ? source.name : 'recording');
  const file = await open(capture.bytes, { ...options, name, format: 'mrtk' });
  const losses = capture.lost > 0 ? [{ code: 'INPUTS_LOST', path: file.name, amount: capture.lost, detail: '' }] : [];
  return { file, path: path ?? file.name, losses };
}

/** Converts files that are already open. `others`: names of other results in the same folder. */
export async function convertFiles(
  sources: readonly SourceFile[],
  options: ConvertOptions,
  others: readonly string[] = [],
): Promise<Conversion> {
  const budget = new Budget(options.maxOutput);
  const report = new ReportBuilder(budget);
  for (const { file, losses = [] } of sources) {
    budget.admit(sizeOf(file));
    reportSource(file, report);
    for (const { code, path, amount, detail } of losses) report.add(code, path, amount, detail);
  }
  const parts = WRITERS[options.to].embedsInstances ? instancedSources(sources) : new Set<SourceFile>();
  const { groups, left } = grouped(
    sources.filter(each => !parts.has(each)),
    options.to,
  );
  if (groups.length === 0) throw nothing(sources);
  for (const { file } of left) {
    const count = file.scene?.clips.length ?? 0;
    if (count > 0) report.add('CLIP_UNMATCHED', file.name, count, 'matches no model');
  }
  const yieldToEventLoop = yieldingTo(options.signal);
  const stems = distinctNames(groups.map(({ model }): [string] => [fileStem(stemOf(model.path)) || 'model']));
  const all = new ResultNames(groups.length === 1 ? others : [...others, ...stems]);
  const files: Conversion['files'] = [];
  for (const [i, one] of groups.entries()) {
    await yieldToEventLoop();
    const names = new FileNames((groups.length === 1 && options.name) || stems[i] || 'model', all);
    const { to, tolerance = 1e-4, images, instances, open: opening, signal, vgo = {}, gltf = {} } = options;
    const { model } = one;
    const { scene, clips } = withStatedModes(one.scene, chosen(one, options.clips), {
      hasNoModes: WRITERS[to].hasNoModes ?? false,
      additive: options.additive,
      report,
    });
    const computed = WRITERS[to].hasNoMeshes ? 0 : scene.meshes.filter(({ normalsComputed }) => normalsComputed).length;
    if (computed > 0) report.add('NORMALS_COMPUTED', '', computed);
    const resolveTextures = (own: ReportBuilder) => (): Promise<TexturedScene> => textured(scene, images, own);
    const loadInstances = (own: ReportBuilder) => async (): Promise<InstancedFile | undefined> =>
      scene.instances.length > 0
        ? openInstances(model, scene, { others: sources, instances, open: opening, report: own, signal })
        : undefined;
    const runs = runsOf(names, clips, options.split ?? false);
    // Each file of a split result can be as large as the source, because it contains the model.
    budget.admit((runs.length - 1) * sizeOf(model.file));
    for (const run of runs) {
      await yieldToEventLoop();
      const own = new ReportBuilder(budget);
      const { file } = model;
      const shared = {
        to,
        file,
        format: file.format ?? '',
        scene,
        tolerance,
        yieldToEventLoop,
        images,
        vgo,
        gltf,
        resolveTextures: resolveTextures(own),
        loadInstances: loadInstances(own),
      };
      const written = await WRITERS[to].write({ ...run, ...shared, report: own });
      if (written.length === 0 && own.isLimited) throw budget.refusal();
      files.push(...written.map(file => new ConvertedFile(file)));
      report.merge(own);
    }
  }
  const result = reportOf(summarized(report.entries));
  if (options.strict && result.items.some(isRefused)) throw new LossError(result);
  return { files, report: result };
}

/**
 * Returns the names and clips for each part of a result. `isSplit`: true to write the model and
 * each clip separately.
 */
function runsOf(names: FileNames, clips: readonly Clip[], isSplit: boolean): { names: FileNames; clips: readonly Clip[] }[] {
  if (!isSplit) return [{ names, clips }];
  const parts = names.parts(clips.map(clip => clip.name));
  return [{ names, clips: [] }, ...parts.map((part, k) => ({ names: part, clips: clips.slice(k, k + 1) }))];
}

/**
 * Groups sources by model. If the target can store animations without a model, each animation that
 * matches no model gets a separate group.
 */
function grouped(sources: readonly SourceFile[], to: Target): Grouped {
  const { groups, left } = group(sources);
  const isEnough = ({ file }: SourceFile): boolean => holdsAnimations(to, file.format);
  const alone = left.flatMap(each => {
    const { file, path } = each;
    return file.scene && isEnough(each) ? [{ model: { file, path }, scene: file.scene, clips: [...file.scene.clips], animations: [] }] : [];
  });
  return { groups: [...groups, ...alone], left: left.filter(each => !isEnough(each)) };
}

function isOpened(source: OpenSource | RigFile): source is RigFile {
  return typeof source === 'object' && 'scene' in source && 'report' in source;
}

function reportSource({ name, report: findings, needs }: RigFile, report: ReportBuilder): void {
  if (findings.errors > 0)
    report.add(
      'SOURCE_DAMAGED',
      name,
      findings.errors,
      [...new Set(findings.items.filter(({ severity }) => severity === 'error').map(({ code }) => code))].join(', '),
    );
  for (const need of needs) if (need.required) report.add('NEED_MISSING', name, 1, need.name);
}

/** Returns the ConversionError for sources that contain nothing to convert. */
function nothing(sources: readonly SourceFile[]): ConversionError {
  const animations = sources.filter(({ file }) => (file.scene?.clips.length ?? 0) > 0);
  const locked = sources.find(({ file }) => file.needs.some(({ kind }) => kind === 'key') || hasWrongKey(file));
  if (locked) return refusal(sharedRefusals, hasWrongKey(locked.file) ? 'KEY_WRONG' : 'KEY_MISSING', { file: locked.file.name });
  if (animations.length > 0) return refusal(sharedRefusals, 'MODEL_MISSING');
  if (sources.length === 0) return refusal(sharedRefusals, 'NOTHING_GIVEN');
  return refusal(sharedRefusals, 'NOTHING_CONVERTIBLE', { files: sources.map(({ file }) => file.name).join(', ') });
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
    throw invalidArgument(`convert: "to" must be one of ${TARGETS.join(', ')}, not ${JSON.stringify(options.to)}`);
  if (options.tolerance !== undefined && !(options.tolerance > 0)) throw invalidArgument('convert: "tolerance" must be a length above 0');
  if (options.additive !== undefined && !ADDITIVE.includes(options.additive))
    throw invalidArgument(`convert: "additive" must be one of ${ADDITIVE.join(', ')}, not ${JSON.stringify(options.additive)}`);
  if (options.maxOutput !== undefined && !(options.maxOutput > 0))
    throw invalidArgument('convert: "maxOutput" must be a number of bytes above 0');
  keyOf(options.vgo ?? {});
  const { split, gltf = {}, vgo = {} } = options;
  const wrong = misplaced(options.to, { split, ...gltf, bson: vgo.encoding === 'bson' });
  if (wrong) throw invalidArgument(`convert: the option "${wrong.id}" is only available for ${wrong.targets.join(', ')}`);
}
