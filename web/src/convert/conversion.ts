// Converts open files to one target. The target is passed as an argument, so that a page that needs
// a single target loads no other writer.
import { someOf } from '../core/bind.ts';
import { clipFinder } from '../core/clipFinder.ts';
import type { RigFile } from '../core/open.ts';
import type { Clip } from '../core/types.ts';
import type { ClipEdits } from '../rig/clipEdits.ts';
import { encodedFile } from '../interop/encodedFile.ts';
import { FileTextures } from '../textures/sources.ts';
import { Budget, sizeOf } from './common/budget.ts';
import { distinctNames, FileNames, fileStem, ResultNames } from './common/fileNames.ts';
import { editedClips } from './common/editedClips.ts';
import { type FurtherFiles, type InstancedFile, instancedSources, openInstances } from './common/instancedFiles.ts';
import { type ConversionError, refusal, sharedRefusals } from './common/refusals.ts';
import { type ConversionReport, ReportBuilder } from './common/report.ts';
import { retargetedClips } from './common/retargetedClips.ts';
import { withStatedModes } from './common/statedModes.ts';
import { type ConversionTarget, holdsAnimations, type TargetRow } from './common/target.ts';
import { type TexturedScene, textured } from './common/texturedScene.ts';
import { ConvertedFile } from './common/written.ts';
import { yieldingTo } from './common/yielding.ts';
import { group, type Group, type Grouped, isModel, type SourceFile } from './group.ts';
import { canMerge, mergedGroup } from './merge.ts';
import { isRefused, LossError, reportOf, summarized } from './losses.ts';
import type { ConvertOptions } from './options.ts';

/** Targets that copy the materials of a source in the same format, by format. */
const COPIED: Readonly<Record<string, string>> = { cast: 'cast', vgo: 'vgo', uemodel: 'uemodel', semodel: 'se' };

export interface Conversion {
  files: ConvertedFile[];
  /**
   * The conversion report, which lists the data that the target cannot store or stores in another
   * form.
   */
  report: ConversionReport;
}

/** Surroundings of a conversion. */
export interface ConversionContext {
  /** Names of other results in the same folder. */
  others?: readonly string[] | undefined;
  /** Finds and opens instanced files that are not among the sources. */
  further?: FurtherFiles | undefined;
}

/** Converts open files to one target. Rejects as `convert` does. */
export async function runConversion(
  target: ConversionTarget,
  given: readonly SourceFile[],
  options: Omit<ConvertOptions, 'to' | 'instances' | 'open'>,
  { others = [], further }: ConversionContext = {},
): Promise<Conversion> {
  const sources = await Promise.all(given.map(async each => ({ ...each, file: await encodedFile(each.file) })));
  const { name: to, row } = target;
  const budget = new Budget(options.maxOutput);
  const report = new ReportBuilder(budget);
  for (const { file, losses = [] } of sources) {
    budget.admit(sizeOf(file));
    reportSource(file, report);
    for (const { code, path, amount, detail } of losses) report.add(code, path, amount, detail);
  }
  const clipEdits = new Map(sources.flatMap(editsOf));
  const parts = row.embedsInstances ? instancedSources(sources) : new Set<SourceFile>();
  const wanted = sources.filter(each => !parts.has(each));
  const { groups, left } = options.merge ? merged(wanted, row, report) : grouped(wanted, row);
  if (groups.length === 0) throw nothing(sources);
  for (const { file } of left) {
    const count = file.scene?.clips.length ?? 0;
    if (count > 0) report.add('CLIP_UNMATCHED', file.name, count, 'matches no model');
  }
  if (!options.merge) reportUnused(skeletonsBeside(groups, wanted), report);
  const yieldToEventLoop = yieldingTo(options.signal);
  const images = options.images && ('image' in options.images ? options.images : new FileTextures(options.images));
  const stems = distinctNames(groups.map(({ model }): [string] => [fileStem(stemOf(model.path)) || 'model']));
  const all = new ResultNames(groups.length === 1 ? others : [...others, ...stems]);
  const files: Conversion['files'] = [];
  for (const [i, one] of groups.entries()) {
    await yieldToEventLoop();
    const names = new FileNames((groups.length === 1 && options.name) || stems[i] || 'model', all);
    const { tolerance = 1e-4, signal, vgo = {}, gltf = {}, unreal = {}, ueformat = {}, vrm = {} } = options;
    const { model } = one;
    // The keys of a file that is read in parts are read one clip after the other.
    for (const { tracks } of chosen(one.clips, options.clips)) await tracks.load?.(signal);
    const missing = missingClips(one.clips, options.clips);
    if (missing.length > 0) report.add('CLIP_NOT_FOUND', one.model.file.name, missing.length, missingText(missing, one.clips));
    const originals = chosen(one.clips, options.clips);
    const stated = withStatedModes(one.scene, retargetedClips({ ...one, clips: originals }, report, options.boneMap), {
      hasNoModes: row.hasNoModes ?? false,
      additive: options.additive,
      report,
    });
    const own = new Map(
      stated.clips.flatMap((clip, k) => {
        const edits = clipEdits.get(originals[k]!);
        return edits ? [[clip, edits] as const] : [];
      }),
    );
    const { scene, clips } = editedClips(stated.scene, stated.clips, { options, own }, report);
    const computed = row.hasNoMeshes ? 0 : scene.meshes.filter(({ normalsComputed }) => normalsComputed).length;
    if (computed > 0) report.add('NORMALS_COMPUTED', '', computed);
    const isCopied = COPIED[model.file.format ?? ''] === to;
    const resolveTextures = (own: ReportBuilder) => async (): Promise<TexturedScene> => {
      const made = await textured(scene, images, own);
      for (const [row, values] of (isCopied && made.values) || [])
        own.add('MATERIAL_VALUES_LOST', scene.materials[row]!.name, 1, Object.keys(values).join(', '));
      return made;
    };
    const loadInstances = (own: ReportBuilder) => async (): Promise<InstancedFile | undefined> =>
      scene.instances.length > 0 ? openInstances(model, scene, { others: sources, further, report: own, signal }) : undefined;
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
        unreal,
        ueformat,
        vrm,
        resolveTextures: resolveTextures(own),
        loadInstances: loadInstances(own),
      };
      const written = await row.write({ ...run, ...shared, report: own });
      if (written.length === 0 && own.isLimited) throw budget.refusal();
      files.push(...written.map(file => new ConvertedFile(file)));
      report.merge(own);
    }
  }
  const result = reportOf(summarized(report.entries, target.codes), target.codes);
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
function grouped(sources: readonly SourceFile[], row: TargetRow): Grouped {
  const { groups, left } = group(sources);
  const isEnough = ({ file }: SourceFile): boolean => holdsAnimations(row, file.format);
  const alone = left.flatMap(each => {
    const { file, path } = each;
    return file.scene && isEnough(each) ? [{ model: { file, path }, scene: file.scene, clips: [...file.scene.clips], animations: [] }] : [];
  });
  return { groups: [...groups, ...alone], left: left.filter(each => !isEnough(each)) };
}

/**
 * Groups sources as `grouped` does, but merges all models into one group with all animations.
 * Skeletons without meshes are merged, too, if their format allows it.
 */
function merged(sources: readonly SourceFile[], row: TargetRow, report: ReportBuilder): Grouped {
  const { groups } = group(sources);
  const isMergeable = ({ file }: SourceFile): boolean => canMerge([file, ...groups.map(({ model }) => model.file)]);
  const skeletons = skeletonsBeside(groups, sources);
  reportUnused(
    skeletons.filter(each => !isMergeable(each)),
    report,
  );
  const models = [
    ...groups,
    ...skeletons.filter(isMergeable).map(model => ({ model, scene: model.file.scene!, clips: [], animations: [] })),
  ];
  if (models.length < 2) return grouped(sources, row);
  const files = new Set(models.map(({ model }) => model.file));
  const animations = sources.filter(({ file }) => file.scene && !files.has(file));
  return { groups: [mergedGroup(models, animations, report)], left: [] };
}

/** Returns the sources that contain only a skeleton, and are not one of the models. */
function skeletonsBeside(groups: readonly Group[], sources: readonly SourceFile[]): SourceFile[] {
  const models = new Set(groups.map(({ model }) => model.file));
  return sources.filter(({ file }) => file.scene && isModel(file.scene) && file.scene.clips.length === 0 && !models.has(file));
}

function reportUnused(skeletons: readonly SourceFile[], report: ReportBuilder): void {
  for (const { file } of skeletons) report.add('SKELETON_UNUSED', file.name, 1);
}

function reportSource({ name, report: findings, needs }: RigFile, report: ReportBuilder): void {
  if (findings.errors > 0)
    report.add(
      'SOURCE_DAMAGED',
      name,
      findings.errors,
      [...new Set(findings.items.filter(({ severity }) => severity === 'error').map(({ code }) => code))].join(', '),
    );
  for (const { code, path, count, detail } of findings.items) if (code === 'INFLUENCES_NOT_READ') report.add(code, path, count, detail);
  for (const need of needs) if (need.required) report.add('NEED_MISSING', name, 1, need.name);
}

/** Returns the ConversionError for sources that contain nothing to convert. */
function nothing(sources: readonly SourceFile[]): ConversionError {
  const animations = sources.filter(({ file }) => (file.scene?.clips.length ?? 0) > 0);
  const locked = sources.find(({ file }) => file.needs.some(({ kind }) => kind === 'key') || hasWrongKey(file));
  if (locked) return refusal(sharedRefusals, hasWrongKey(locked.file) ? 'KEY_WRONG' : 'KEY_MISSING', { file: locked.file.name });
  if (animations.length > 0) return refusal(sharedRefusals, 'MODEL_MISSING');
  if (sources.length === 0) return refusal(sharedRefusals, 'NOTHING_GIVEN');
  const files = sources.map(({ file }) => file.name).join(', ');
  const errors = sources.flatMap(({ file }) => file.report.items.find(({ severity }) => severity === 'error') ?? []);
  const findings = [...new Set(errors.map(({ code, detail }) => [code, detail].filter(Boolean).join(': ')))].join(', ');
  return sources.every(({ file }) => file.scene === null) && findings !== ''
    ? refusal(sharedRefusals, 'SOURCES_UNREADABLE', { files, findings })
    : refusal(sharedRefusals, 'NOTHING_CONVERTIBLE', { files });
}

const hasWrongKey = ({ report }: RigFile): boolean => report.items.some(({ code }) => code === 'DECRYPT_FAILED' || code === 'BAD_KEY');

/** Returns the edited clips of a source, and their edits. */
const editsOf = ({ file, edits }: SourceFile): [Clip, ClipEdits][] =>
  [...(edits ?? [])].flatMap(([index, each]) => {
    const clip = file.scene?.clips[index];
    return clip ? [[clip, each]] : [];
  });

function chosen(clips: readonly Clip[], wanted: ConvertOptions['clips']): Clip[] {
  const find = clipFinder(clips);
  return wanted ? wanted.flatMap(which => find(which) ?? []) : [...clips];
}

/** Returns the elements of `wanted` for which there is no clip. */
function missingClips(clips: readonly Clip[], wanted: ConvertOptions['clips'] = []): (string | number)[] {
  const find = clipFinder(clips);
  return wanted.filter(which => !find(which));
}

const missingText = (missing: readonly (string | number)[], clips: readonly Clip[]): string =>
  `${missing.join(', ')} (found: ${someOf(clips.map(({ name }) => name)) || 'none'})`;

function stemOf(path: string): string {
  return (path.split(/[/\\]/).at(-1) ?? '').replace(/\.[^.]+$/, '');
}
