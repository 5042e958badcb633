// Types for binding: sources of animations, and the result of binding them to a rig.
import type { AnimationClip } from 'three';
import type { BindByNameOptions, BindReport, BoundClip } from '../core/bind.ts';
import { withFindings } from '../core/bindReport.ts';
import { invalidArgument } from '../core/error.ts';
import { uniqueNames } from '../core/names.ts';
import type { RigFile } from '../core/open.ts';
import type { Clip, Finding, RigScene } from '../core/types.ts';
import type { Built } from './build/build.ts';
import { curvesNotPlayed, type RigClip, rigClipOf } from './animation/rigClip.ts';

/** A RigFile, or an object with those members of a RigFile that building a rig requires. */
export type RigSource = Pick<RigFile, 'scene'> & Partial<RigFile>;

export interface BindResult {
  /**
   * The animations as AnimationClips, for `mixer.clipAction`. Their tracks are created on first
   * access.
   */
  animations: AnimationClip[];
  /**
   * The animations as RigClips, for animators. They have the loop mode and frame rate that the file
   * declares.
   */
  clips: RigClip[];
  /** Report on binding all clips, created on first access. */
  readonly report: BindReport;
}

/** Source of animations: a rig, a file, or clips of a scene. */
export type BindSource = { file: RigSource } | RigSource | Clip | readonly Clip[];

export function bindResult(bounds: readonly BoundClip[], scene: RigScene, built: Built): BindResult {
  const names = uniqueNames(bounds.map(({ name }) => name));
  const clips = bounds.map((bound, i) => rigClipOf(bound, names[i] ?? bound.name, scene, built));
  let animations: AnimationClip[] | undefined;
  let report: BindReport | undefined;
  return {
    get animations() {
      return (animations ??= clips.map(({ animationClip }) => animationClip));
    },
    clips,
    get report() {
      return (report ??= mergeBindReports(
        bounds.map(bound => bound.report),
        () => bounds.flatMap(bound => [...bound.report.findings, ...curvesNotPlayed(bound, built)]),
      ));
    },
  };
}

interface KeptResult {
  clips: readonly Clip[];
  options: BindByNameOptions;
  result: BindResult;
}

/** Results of `bind` by source and options. A result is kept as long as its source. */
export class BindResults {
  readonly #kept = new WeakMap<BindSource, KeptResult[]>();

  /**
   * Returns the result for a source, its clips and options. Calls `make` if there is none, or if
   * the source had other clips. Results of clips whose keys are unread are not kept.
   */
  of(source: BindSource, clips: readonly Clip[], options: BindByNameOptions, make: () => BindResult): BindResult {
    if (clips.some(({ keysUnread }) => keysUnread)) return make();
    const others = this.#kept.get(source)?.filter(each => !isSame(each.options, options)) ?? [];
    const kept = this.#kept.get(source)?.find(each => isSame(each.options, options) && isSame(each.clips, clips));
    if (kept) return kept.result;
    const result = make();
    this.#kept.set(source, [...others, { clips: [...clips], options: { ...options }, result }]);
    return result;
  }
}

/** Returns true if two objects or arrays have the same values. Members that are undefined count as missing. */
function isSame<T extends object>(a: T, b: T): boolean {
  return (Object.keys({ ...a, ...b }) as (keyof T)[]).every(key => a[key] === b[key]);
}

/**
 * Returns the clips of a source. The type of the source is recognized by its members, because it
 * may come from another copy of rigcast.
 */
export function clipsOf(source: BindSource): readonly Clip[] {
  const isClip = (each: unknown): boolean => typeof (each as Partial<Clip> | null)?.tracks?.get === 'function';
  if (isClip(source)) return [source as Clip];
  const scene = 'file' in Object(source) ? (source as { file: RigSource }).file.scene : (source as RigSource | null)?.scene;
  const clips = Array.isArray(source) ? (source as readonly Clip[]) : scene === null ? [] : scene?.clips;
  if (clips?.every(isClip)) return clips;
  throw invalidArgument(
    'bind: the source contains no animations. Pass a rig, a file, or clips of its scene; AnimationClips of three.js play on a mixer without binding',
  );
}

/**
 * Merges the reports of several clips into one. `findings` is called with the merged report and
 * returns its findings.
 */
export function mergeBindReports(
  reports: readonly BindReport[],
  findings: () => Finding[] = () => reports.flatMap(report => report.findings),
): BindReport {
  const union = (pick: (report: BindReport) => readonly string[]) => [...new Set(reports.flatMap(pick))];
  const matched = union(({ matched }) => matched);
  const moved = new Set(matched);
  const models = new Map<number, BindReport['models'][number]>();
  for (const model of reports.flatMap(report => report.models))
    if (!((models.get(model.node)?.bones ?? -1) >= model.bones)) models.set(model.node, model);
  const report = {
    models: [...models.values()],
    matched,
    face: union(({ face }) => face),
    unmatched: union(({ unmatched }) => unmatched),
    untouched: union(({ untouched }) => untouched).filter(name => !moved.has(name)),
  };
  return withFindings(report, findings);
}
