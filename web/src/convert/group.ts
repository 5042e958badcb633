// Decides which sources are models and which animations belong to them.
import type { ReportEntry } from './common/report.ts';
import { entry } from '../core/entry.ts';
import type { BoneMap } from '../rig/boneMap.ts';
import type { ClipEdits } from '../rig/clipEdits.ts';
import { animatesNodesOnly, isMadeFor, mayBeMadeFor, type Match, match, type PathWords, parsePath, rankPaths } from '../core/match.ts';
import type { RigFile } from '../core/open.ts';
import type { Clip, RigScene } from '../core/types.ts';

/**
 * A source and its path. Animations are matched with models by their paths and their contents. If
 * the path is unknown, it is the name of the source.
 */
export interface SourceFile<F extends Pick<RigFile, 'scene' | 'format'> = RigFile> {
  file: F;
  path: string;
  /** Report entries about data that was lost when the source was opened. */
  losses?: readonly ReportEntry[];
  /** Pairs of bones for retargeting the animations of this source. They replace the option `boneMap`. */
  boneMap?: BoneMap;
  /** Edits of clips, by index in the scene of the file. They replace the options that edit all clips. */
  edits?: ReadonlyMap<number, ClipEdits>;
  /** Set if the animations are already retargeted to the model: describes how bones were paired. */
  retargetedBy?: string;
}

/** A model and its animations, which are written together. */
export interface Group<F extends Pick<RigFile, 'scene' | 'format'> = RigFile> {
  model: SourceFile<F>;
  scene: RigScene;
  /** Clips to write: first those of the model's own file, then those of `animations`. */
  clips: Clip[];
  /** Sources of the animations that were added to the model. */
  animations: SourceFile<F>[];
}

export interface Grouped<F extends Pick<RigFile, 'scene' | 'format'> = RigFile> {
  groups: Group<F>[];
  /** Sources of animations that match no model. */
  left: SourceFile<F>[];
}

/** True if the scene has meshes, instances, lights, cameras, or any node besides the root. */
export function isModel({ renderers, nodes, lights, cameras, instances }: RigScene): boolean {
  return renderers.length > 0 || instances.length > 0 || lights.length + cameras.length > 0 || nodes.length > 1;
}

/**
 * Groups sources by model. If a source has meshes or instances, the sources with meshes or
 * instances are the models. Otherwise the models are the sources with a skeleton, lights or
 * cameras, except skeletons whose clips match a skeleton without clips. All other sources are
 * animations. If there is one model, it gets all animations. If there are several models, each
 * animation is added to the models that match it best, by the scores of `rigcast match`. A recording
 * of hands is added only to models that match it; if none does, it is a model itself.
 */
export function group<F extends Pick<RigFile, 'scene' | 'format'>>(all: readonly SourceFile<F>[]): Grouped<F> {
  const read = all.flatMap(source => (source.file.scene ? [{ ...source, scene: source.file.scene }] : []));
  const withMeshes = read.filter(({ scene }) => scene.renderers.length > 0 || scene.instances.length > 0);
  const models = withMeshes.length > 0 ? withMeshes : withoutAnimations(read.filter(({ scene }) => isModel(scene)));
  const groups = models.map(({ file, path, scene }): Group<F> => ({
    model: { file, path },
    scene,
    clips: [...scene.clips],
    animations: [],
  }));
  const modelFiles = new Set(groups.map(({ model }) => model.file));
  const matcher = new ModelMatcher(groups);
  const left: SourceFile<F>[] = [];
  const alone: Group<F>[] = [];
  for (const { scene, ...source } of read) {
    const { file, path } = source;
    if (modelFiles.has(file)) continue;
    const isRecording = file.format === 'mrtk';
    const matching = groups.length === 1 && !isRecording ? groups : matcher.bestFor(scene, path);
    if (matching.length === 0 && isRecording) alone.push({ model: { file, path }, scene, clips: [...scene.clips], animations: [] });
    else if (matching.length === 0) left.push({ file, path });
    for (const { clips, animations } of matching) {
      clips.push(...scene.clips);
      animations.push(source);
    }
  }
  return { groups: [...groups, ...alone], left };
}

/** Returns the models without those whose clips match a model that has no clips. */
function withoutAnimations<M extends { scene: RigScene }>(models: readonly M[]): readonly M[] {
  const withoutClips = models.filter(({ scene }) => scene.clips.length === 0);
  return models.filter(({ scene: { clips } }) => clips.length === 0 || !withoutClips.some(({ scene }) => isMadeFor(match(clips, scene))));
}

/** Models whose scores differ by less than this match an animation equally well. */
const SCORE_TOLERANCE = 1e-9;

/** Models whose paths consist of the same words, so that an animation matches all of them equally well. */
interface Kind<F extends Pick<RigFile, 'scene' | 'format'>> {
  path: PathWords;
  groups: Group<F>[];
}

/** Models that fit an animation equally well, by the words of their paths. `scene`: scene of one of them. */
interface Fitting<F extends Pick<RigFile, 'scene' | 'format'>> {
  scene: RigScene;
  kinds: Map<string, Kind<F>>;
}

/**
 * Finds the models that match an animation best. Models of the same `Kind` are compared only once,
 * because games have thousands of animations for hundreds of models.
 */
class ModelMatcher<F extends Pick<RigFile, 'scene' | 'format'>> {
  /** Models by their scene, for animations of meshes. */
  readonly #byScene = new Map<object, Fitting<F>>();
  /** Models by their node table, for animations that animate only nodes. */
  readonly #byNodes = new Map<object, Fitting<F>>();
  readonly #matches = new Map<RigScene, (readonly [Fitting<F>, Match])[]>();
  readonly #best = new Map<RigScene, Map<string, Group<F>[]>>();

  constructor(groups: readonly Group<F>[]) {
    for (const each of groups) {
      const { scene } = each;
      const path = parsePath(each.model.path);
      const text = textOf(path);
      for (const [fitting, key] of [[this.#byScene, scene] as const, [this.#byNodes, scene.nodes] as const]) {
        const { kinds } = entry(fitting, key, (): Fitting<F> => ({ scene, kinds: new Map() }));
        entry(kinds, text, (): Kind<F> => ({ path, groups: [] })).groups.push(each);
      }
    }
  }

  /** Returns the models that match best. `animation` and `path`: scene and path of the animation. */
  bestFor(animation: RigScene, path: string): readonly Group<F>[] {
    const words = parsePath(path);
    const known = entry(this.#best, animation, () => new Map<string, Group<F>[]>());
    return entry(known, textOf(words), () => this.#findBest(animation, words));
  }

  #findBest(animation: RigScene, path: PathWords): Group<F>[] {
    let best: Kind<F>[] = [];
    let bestScore = 0;
    for (const [{ kinds }, found] of entry(this.#matches, animation, () => this.#matchesFor(animation))) {
      for (const kind of kinds.values()) {
        const score = rankPaths(found, kind.path, path);
        if (score > bestScore + SCORE_TOLERANCE) best = [];
        if (score >= bestScore - SCORE_TOLERANCE) best.push(kind);
        bestScore = Math.max(bestScore, score);
      }
    }
    return best.flatMap(({ groups }) => groups);
  }

  /** Returns the models that an animation fits, and how well it fits them. */
  #matchesFor({ clips }: RigScene): (readonly [Fitting<F>, Match])[] {
    const isOfNodes = animatesNodesOnly(clips);
    return [...(isOfNodes ? this.#byNodes : this.#byScene).values()].flatMap(fitting => {
      const found = isOfNodes && !mayBeMadeFor(clips, fitting.scene) ? null : match(clips, fitting.scene);
      return found && isMadeFor(found) ? [[fitting, found] as const] : [];
    });
  }
}

/** Returns a text that is the same for all paths that consist of the same words. */
const textOf = ({ words, folders }: PathWords): string => [...words, '', ...folders].join('/');
