// rigcast pose: prints the positions of nodes, meshes and points.
import { open, type OpenOptions, type RigFile } from '../core/open.ts';
import type { Clip, RigScene } from '../core/types.ts';
import { bind, type BindByNameOptions, someOf } from '../core/bind.ts';
import { clipFinder } from '../core/clipFinder.ts';
import { addFinding } from '../core/report.ts';
import { openOther } from '../convert/openOther.ts';
import { bodyOf as bodyIn } from '../rig/humanoid.ts';
import { type BoneMap, resolveBoneMap } from '../rig/boneMap.ts';
import { createRetargeter, pairingOf } from '../rig/retargeter.ts';
import { clipFacts, type ClipFacts } from '../rig/clipFacts.ts';
import { bindLayers } from '../three/animation/layering.ts';
import { type PlacedPose, samplePoses, type RigPose } from '../three/animation/pose.ts';
import { Rig } from '../three/rig.ts';
import { dirname } from 'node:path';
import { FolderInstances, fromPath } from './files.ts';
import { isOtherFormatId } from '../core/otherFormats.ts';
import { referencesOf } from './otherFormats.ts';
import { bold, clean, dim, print, printJson, printReport } from './print.ts';
import { codes } from '../core/codes.ts';
import { additiveOf, boneMapIn, numbersOf, parseWords, UsageError } from './usage.ts';

const options = {
  clip: { type: 'string' },
  time: { type: 'string' },
  frame: { type: 'string' },
  points: { type: 'string' },
  of: { type: 'string' },
  'bone-map': { type: 'string' },
  facts: { type: 'boolean' },
  solve: { type: 'boolean' },
  additive: { type: 'string' },
  strict: { type: 'boolean' },
} as const;

export async function pose(words: string[]): Promise<number> {
  const { values, files, formatOptions } = parseWords(words, options);
  if (values.time !== undefined && values.frame !== undefined) throw new UsageError('use --time or --frame, not both');
  const [model = '', ...animations] = files;
  const [file, ...others] = await Promise.all(
    [model, ...animations].map(path => opened(path, { formatOptions, ...(values.format && path === model && { format: values.format }) })),
  );
  const reports = [file!, ...others].map(({ name, report }) => ({ name, report }));
  if (!file?.scene) {
    if (values.json) printJson({ poses: [], files: reports });
    else for (const { report } of reports) printReport(report, await codes());
    return 1;
  }
  const hasTime = values.time !== undefined || values.frame !== undefined;
  const sources =
    animations.length > 0
      ? others.map((other, i) => ({ path: animations[i]!, clips: other.scene?.clips ?? [] }))
      : [{ path: model, clips: file.scene.clips }];
  const clips =
    hasTime || values.facts || values.clip !== undefined ? sources.flatMap(source => chooseClip(source, values.clip, sources.length)) : [];
  if (values.clip !== undefined && !hasTime && !values.facts)
    throw new UsageError('--clip selects an animation for --time, --frame or --facts: add one of them');
  if (hasTime && clips.length === 0 && values.clip === undefined)
    throw new UsageError(`${values.time === undefined ? '--frame' : '--time'}: no file contains an animation`);
  if (values.clip !== undefined && clips.length === 0) throw new UsageError(`--clip ${values.clip}: no file contains this animation`);
  // Keys are played as stored by default. If they look additive, the report contains
  // LOOKS_ADDITIVE.
  const reading = { additive: additiveOf(values.additive) ?? 'as-stated' } as const;
  const { scene } = file;
  const boneMap = boneMapIn(values['bone-map']);
  const given =
    values.of === undefined
      ? null
      : retargetingFrom(values.of, (await opened(values.of, { formatOptions })).scene, scene, reading, boneMap);
  const used = new Set<string>();
  const unknown = new Set<string>();
  const played = clips.map(clip => {
    const index = others.findIndex(other => other.scene?.clips.includes(clip));
    const own = others[index]?.scene;
    const isOther = [file, others[index]].some(each => isOtherFormatId(each?.format ?? ''));
    const retargeting =
      given ??
      (own && (isOther || boneMap) && own.nodes.length > 1 ? retargetingFrom(animations[index]!, own, scene, reading, boneMap) : null);
    if (retargeting) used.add(retargeting.words);
    for (const name of retargeting?.unknown ?? []) unknown.add(name);
    if (boneMap && !retargeting)
      throw new UsageError('--bone-map: an animation has no skeleton; add the model that it was made for with --of FILE');
    return retargeting ? retargeting.retarget(clip) : clip;
  });
  const facts = values.facts ? played.map(clip => ({ clip: clip.name, ...clipFacts(bind(clip, scene, reading), scene) })) : undefined;
  const rig = await Rig.make(file);
  if (model !== '-') await rig.loadInstances(new FolderInstances(dirname(model)), { open: { worker: false, formatOptions } });
  const bound = bindLayers(rig, hasTime ? played : [], reading);
  for (const finding of bound.findings()) if (finding.code === 'LOOKS_ADDITIVE') addFinding(rig.report, finding);
  const listed = rig.report.items.filter(({ code }) => code.startsWith('INSTANCE_') || code === 'LOOKS_ADDITIVE');
  const isRefused = values.strict === true && bound.isGuessed();
  const points = values.points?.split(',').map(point => point.trim()) ?? [];
  const poses = isRefused
    ? []
    : samplePoses(rig, { ...(hasTime && { clips: bound.clips, times: timesOf(values, clips) }), points, solve: values.solve === true });
  const missing = isRefused ? undefined : points.find(point => poses.every(pose => !Object.hasOwn(pose.points, point)));
  if (missing !== undefined) throw new UsageError(`--points ${missing}: the model has no such vertex`);
  if (values.json)
    printJson({
      poses,
      ...(boneMap && { boneMap: { unknown: [...unknown] } }),
      ...(facts && { facts }),
      ...(listed.length > 0 && { report: rig.report }),
    });
  else {
    for (const text of used) print(dim(text));
    for (const name of unknown) print(`${bold('BONE_MAP_UNKNOWN')} ${clean(name)}${dim('  no bone has this name; its pair was ignored')}`);
    for (const each of facts ?? []) printFacts(each);
    for (const [i, one] of poses.entries()) printPose(one, i > 0);
    for (const { path, detail, code } of listed) print(`${bold(code)} ${clean(path)}${detail ? dim(`  ${clean(detail)}`) : ''}`);
    if (isRefused) print('not posed: with --strict a guess may not change the pose; use --additive as-stated or --additive rest');
  }
  if (isRefused) return 1;
  return reports.some(({ report }) => report.errors > 0) ? 1 : 0;
}

/** Opens a file, with a loader of three.js if rigcast does not read its format. */
async function opened(path: string, options: OpenOptions): Promise<RigFile> {
  const [bytes, how] = fromPath(path, options);
  return (await openOther(bytes, how, referencesOf(path))) ?? open(bytes, how);
}

/**
 * Prepares retargeting to the scene `to`. `path`, `scene`: file and scene of the model that the
 * animations were made for. Throws a UsageError if the two have nothing in common.
 */
function retargetingFrom(
  path: string,
  scene: RigScene | null,
  to: RigScene,
  reading: BindByNameOptions,
  boneMap: BoneMap = [],
): { retarget: (clip: Clip) => Clip; words: string; unknown: readonly string[] } {
  const retargeter = scene && createRetargeter(scene, to, boneMap);
  if (!scene || !retargeter) {
    const [source, target] = [scene && bodyIn(scene), bodyIn(to)];
    const bodies =
      source && target
        ? source.kind === target.kind
          ? `feet are missing below the legs of a ${source.kind}`
          : `${path} is a ${source.kind} and the model is a ${target.kind}`
        : `no humanoid or quadruped was found in ${source ? 'the model' : path} (hips and four limbs, by name or topology)`;
    throw new UsageError(`${path}: too few bones have the same names, ${bodies}, and there are no recorded hands for its fingers`);
  }
  const words = `retargeted from ${clean(path)}: ${pairingOf(retargeter)}`;
  const { unknown } = resolveBoneMap(boneMap, scene, to);
  return { retarget: clip => retargeter.retarget(bind(clip, scene, reading)), words, unknown };
}

/**
 * Selects an animation of one of several files. `name`: name or index, counted from 0; if
 * undefined, or if the file does not contain the animation, the first animation is selected. If a
 * name occurs twice, the second animation is `name_2`. `files`: number of files. If it is 1, throws
 * a UsageError if the file does not contain the animation.
 */
function chooseClip({ path, clips }: { path: string; clips: readonly Clip[] }, name: string | undefined, files: number): Clip[] {
  const named = name === undefined ? undefined : clipFinder(clips)(name);
  const isMissing = name !== undefined && !named && files === 1;
  if (isMissing) throw new UsageError(`${path} has no animation "${name}" (found: ${someOf(clips.map(clip => clip.name)) || 'none'})`);
  return named ? [named] : clips.slice(0, 1);
}

/**
 * Parses the option `--time` or `--frame`. Returns times in seconds. Frames are converted with the
 * frame rate of the first animation, or with 30 frames per second if it has none.
 */
function timesOf({ time, frame }: { time?: string; frame?: string }, clips: readonly Clip[]): number[] {
  if (time !== undefined) return numbersOf('--time', time);
  const rate = clips[0]?.frameRate || 30;
  return numbersOf('--frame', frame ?? '').map(value => value / rate);
}

function printFacts({ clip, travel, moved, contacts, cycle, seam }: { clip: string } & Partial<ClipFacts>): void {
  print(bold(clean(clip)));
  if (!travel || !moved || !contacts) return print('  no facts: the model is not a humanoid');
  const length = ([x, , z]: readonly number[]): string => `${Math.hypot(x!, z!).toFixed(3)} m`;
  print(`  travels ${length(travel)} on the ground, ${length(moved)} of it by the animation itself`);
  print(
    `  ${cycle == null ? 'does not return to its first pose' : `returns to its first pose after ${cycle.toFixed(3)} s`}; limbs jump by ${seam?.toFixed(1)}° from end to start`,
  );
  for (const { foot, from, to, slide } of contacts)
    print(`  ${foot} foot on the ground from ${from.toFixed(3)} to ${to.toFixed(3)} s, slides ${slide.toFixed(3)} m`);
}

const number = (value: number): string => value.toFixed(4).padStart(9);

function printPose(one: RigPose, isNext: boolean): void {
  if (isNext) print();
  print(bold(one.clip === null ? 'Rest pose' : `${clean(one.clip)} at ${one.time?.toFixed(4)} s`) + dim('  metres, world space'));
  for (const { name, position, bone, visible } of one.nodes)
    print(
      `${position.map(number).join(' ')}  ${clean(name) || dim('(no name)')}${bone === false ? dim('  not a bone') : ''}${visible ? '' : dim('  hidden')}`,
    );
  for (const { name, vertexCount, triangleCount, min, max } of one.meshes) {
    const box = min && max ? `from ${min.map(number).join(' ')} to ${max.map(number).join(' ')}` : 'empty';
    print(
      `mesh ${bold(clean(name))}: ${vertexCount.toLocaleString('en-US')} vertices, ${triangleCount.toLocaleString('en-US')} triangles, ${box}`,
    );
  }
  printPlaced(one.placed ?? []);
  for (const [index, position] of Object.entries(one.points)) print(`point ${clean(index)}: ${position.map(number).join(' ')}`);
  for (const [name, value] of Object.entries(one.values)) print(`${clean(name)} = ${value.toFixed(4)}`);
}

const MAX_PLACED = 50;

function printPlaced(placed: readonly PlacedPose[]): void {
  for (const { name, mesh, min, max } of placed.slice(0, MAX_PLACED)) {
    print(
      `placed ${bold(clean(name))}, mesh ${clean(mesh)}: ${min && max ? `from ${min.map(number).join(' ')} to ${max.map(number).join(' ')}` : 'empty'}`,
    );
  }
  if (placed.length > MAX_PLACED) print(dim(`${(placed.length - MAX_PLACED).toLocaleString('en-US')} more instances (--json lists all)`));
}
