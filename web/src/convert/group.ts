// Decides which sources are models and which animations belong to them.
import type { ReportEntry } from './common/report.ts';
import { entry } from '../core/entry.ts';
import { animatesNodesOnly, isMadeFor, mayBeMadeFor, type Match, match, type PathWords, parsePath, rankPaths } from '../core/match.ts';
import type { RigFile } from '../core/open.ts';
import type { Clip, RigScene } from '../core/types.ts';

/**
 * A source and its path. Animations are matched with models by their paths and their contents. If
 * the path is unknown, it is the name of the source.
 */
export interface Given<F extends Pick<RigFile, 'scene'> = RigFile> {
  file: F;
  path: string;
  /** Report entries about data that was lost when the source was opened. */
  losses?: readonly ReportEntry[];
}

/** A model and its animations, which are written together. */
export interface Group<F extends Pick<RigFile, 'scene'> = RigFile> {
  model: Given<F>;
  scene: RigScene;
  /** Clips to write: first those of the model's own file, then those of `motions`. */
  clips: Clip[];
  /** Sources of the animations that were added to the model. */
  motions: Given<F>[];
}

export interface Grouped<F extends Pick<RigFile, 'scene'> = RigFile> {
  groups: Group<F>[];
  /** Sources of animations that match no model. */
  left: Given<F>[];
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
 * animation is added to the models that match it best, by the scores of `rigcast match`.
 */
export function group<F extends Pick<RigFile, 'scene'>>(all: readonly Given<F>[]): Grouped<F> {
  const read = all.flatMap(given => (given.file.scene ? [{ ...given, scene: given.file.scene }] : []));
  const shows = read.filter(({ scene }) => scene.renderers.length > 0 || scene.instances.length > 0);
  const models = shows.length > 0 ? shows : withoutMotions(read.filter(({ scene }) => isModel(scene)));
  const groups = models.map(({ file, path, scene }): Group<F> => ({ model: { file, path }, scene, clips: [...scene.clips], motions: [] }));
  const shown = new Set(groups.map(({ model }) => model.file));
  const homes = new Homes(groups);
  const left: Given<F>[] = [];
  for (const { file, path, scene } of read) {
    if (shown.has(file)) continue;
    const own = groups.length === 1 ? groups : homes.of(scene, path);
    if (own.length === 0) left.push({ file, path });
    for (const home of own) {
      home.clips.push(...scene.clips);
      home.motions.push({ file, path });
    }
  }
  return { groups, left };
}

/** Returns the models without those whose clips match a model that has no clips. */
function withoutMotions<M extends { scene: RigScene }>(models: readonly M[]): readonly M[] {
  const still = models.filter(({ scene }) => scene.clips.length === 0);
  return models.filter(({ scene: { clips } }) => clips.length === 0 || !still.some(({ scene }) => isMadeFor(match(clips, scene))));
}

const AS_WELL = 1e-9;

/**
 * Models that have the same scene and the same words in their paths, so that an animation matches
 * all of them equally well.
 */
interface Kind<F extends Pick<RigFile, 'scene'>> {
  place: PathWords;
  groups: Group<F>[];
}

/**
 * Finds the models that match an animation best. Models of the same `Kind` are compared only once,
 * because games have thousands of animations for hundreds of models.
 */
class Homes<F extends Pick<RigFile, 'scene'>> {
  readonly #kinds = new Map<RigScene, Map<string, Kind<F>>>();
  readonly #fits = new Map<RigScene, Map<RigScene, Match>>();
  readonly #found = new Map<RigScene, Map<string, Group<F>[]>>();

  constructor(groups: readonly Group<F>[]) {
    for (const each of groups) {
      const place = parsePath(each.model.path);
      const kinds = entry(this.#kinds, each.scene, () => new Map<string, Kind<F>>());
      entry(kinds, textOf(place), (): Kind<F> => ({ place, groups: [] })).groups.push(each);
    }
  }

  of(motion: RigScene, path: string): readonly Group<F>[] {
    const place = parsePath(path);
    const known = entry(this.#found, motion, () => new Map<string, Group<F>[]>());
    return entry(known, textOf(place), () => this.#best(motion, place));
  }

  #best(motion: RigScene, place: PathWords): Group<F>[] {
    let best: Group<F>[] = [];
    let most = 0;
    for (const [scene, fit] of entry(this.#fits, motion, () => this.#fitting(motion))) {
      for (const kind of this.#kinds.get(scene)!.values()) {
        const score = rankPaths(fit, kind.place, place);
        if (score > most + AS_WELL) best = [];
        if (score >= most - AS_WELL) best.push(...kind.groups);
        most = Math.max(most, score);
      }
    }
    return best;
  }

  /**
   * Returns the scenes of the models that match an animation, and how well they match. If the clips
   * animate only nodes, the match is computed once for all scenes that share a node table.
   */
  #fitting(motion: RigScene): Map<RigScene, Match> {
    const found = new Map<object, Match | null>();
    const isOfNodes = animatesNodesOnly(motion.clips);
    const fitOf = (scene: RigScene): Match | null => (isOfNodes && !mayBeMadeFor(motion.clips, scene) ? null : match(motion.clips, scene));
    const fits = [...this.#kinds.keys()].flatMap(scene => {
      const fit = entry(found, isOfNodes ? scene.nodes : scene, () => fitOf(scene));
      return fit && isMadeFor(fit) ? [[scene, fit] as const] : [];
    });
    return new Map(fits);
  }
}

/** Returns a text that is the same for all paths that consist of the same words. */
const textOf = ({ words, folders }: PathWords): string => [...words, '', ...folders].join('/');
