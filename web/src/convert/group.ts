// Which of several files is the model, and which motions go with it.
import type { LedgerEntry } from './common/report.ts';
import { entry } from '../core/entry.ts';
import { animatesNodesOnly, isMadeFor, mayBeMadeFor, type Match, match, type PathWords, placeOf, rankPaths } from '../core/match.ts';
import type { RigFile } from '../core/open.ts';
import type { Clip, RigScene } from '../core/types.ts';

/** A file and where it lies, for ranking; the name where nothing else is known. */
export interface Given<F extends Pick<RigFile, 'scene'> = RigFile> {
  file: F;
  path: string;
  /** What opening it has left out. */
  told?: readonly LedgerEntry[];
}

/** A model and the motions that become one file. */
export interface Group<F extends Pick<RigFile, 'scene'> = RigFile> {
  model: Given<F>;
  scene: RigScene;
  /** The model's own motions first. */
  clips: Clip[];
  /** Files that the motions come from. */
  motions: Given<F>[];
}

export interface Grouped<F extends Pick<RigFile, 'scene'> = RigFile> {
  groups: Group<F>[];
  /** Motions that no model was made for. */
  left: Given<F>[];
}

/** Whether something is to be seen, or a skeleton to be moved. */
export function isModel({ renderers, nodes, lights, cameras, instances }: RigScene): boolean {
  return renderers.length > 0 || instances.length > 0 || lights.length + cameras.length > 0 || nodes.count > 1;
}

/**
 * A file that shows something, or has a skeleton, is a model. With one model all other files are its motions; of several each motion goes to the one it fits
 * best, by the scores of `rigcast match`, and to all that it fits as well as that. A skeleton with motions and without a mesh is a motion where there is a mesh, or a
 * skeleton without motions that they are made for.
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

/** Without those whose motions are made for another skeleton, which brings none. */
function withoutMotions<M extends { scene: RigScene }>(models: readonly M[]): readonly M[] {
  const still = models.filter(({ scene }) => scene.clips.length === 0);
  return models.filter(({ scene: { clips } }) => clips.length === 0 || !still.some(({ scene }) => isMadeFor(match(clips, scene))));
}

const AS_WELL = 1e-9;

/** Models that no motion tells apart: they share a scene, and their paths say the same. */
interface Kind<F extends Pick<RigFile, 'scene'>> {
  place: PathWords;
  groups: Group<F>[];
}

/**
 * The models that motions go to. Games have thousands of motions for hundreds of models, and files that say the same may share a scene: scenes are compared once, and
 * so are paths that say the same.
 */
class Homes<F extends Pick<RigFile, 'scene'>> {
  readonly #kinds = new Map<RigScene, Map<string, Kind<F>>>();
  readonly #fits = new Map<RigScene, Map<RigScene, Match>>();
  readonly #found = new Map<RigScene, Map<string, Group<F>[]>>();

  constructor(groups: readonly Group<F>[]) {
    for (const each of groups) {
      const place = placeOf(each.model.path);
      const kinds = entry(this.#kinds, each.scene, () => new Map<string, Kind<F>>());
      entry(kinds, textOf(place), (): Kind<F> => ({ place, groups: [] })).groups.push(each);
    }
  }

  of(motion: RigScene, path: string): readonly Group<F>[] {
    const place = placeOf(path);
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

  /** Scenes of models that a motion is made for. A motion of nodes alone fits all models of one skeleton alike, which may share its table. */
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

/** The same for places that are. */
const textOf = ({ words, folders }: PathWords): string => [...words, '', ...folders].join('/');
