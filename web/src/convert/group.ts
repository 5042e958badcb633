// Which of several files is the model, and which motions go with it.
import type { LedgerEntry } from './ledger.ts';
import { isMadeFor, type Match, match, rank } from '../core/match.ts';
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
 * best, by the scores of `rigcast match`, and to all that it fits as well as that. A skeleton with motions and without a mesh is a motion where there is a mesh.
 */
export function group<F extends Pick<RigFile, 'scene'>>(all: readonly Given<F>[]): Grouped<F> {
  const read = all.flatMap(given => (given.file.scene ? [{ ...given, scene: given.file.scene }] : []));
  const shows = read.filter(({ scene }) => scene.renderers.length > 0 || scene.instances.length > 0);
  const models = shows.length > 0 ? shows : read.filter(({ scene }) => isModel(scene));
  const groups = models.map(({ file, path, scene }): Group<F> => ({ model: { file, path }, scene, clips: [...scene.clips], motions: [] }));
  const left: Given<F>[] = [];
  const known: Known = new Map();
  for (const { file, path, scene } of read) {
    if (groups.some(({ model }) => model.file === file)) continue;
    const homes = groups.length === 1 ? groups : bestOf(groups, scene, path, known);
    if (homes.length === 0) left.push({ file, path });
    for (const home of homes) {
      home.clips.push(...scene.clips);
      home.motions.push({ file, path });
    }
  }
  return { groups, left };
}

const AS_WELL = 1e-9;

/** Files that say the same may share a scene: those are compared once. */
type Known = Map<RigScene, Map<RigScene, Match>>;

function bestOf<F extends Pick<RigFile, 'scene'>>(groups: readonly Group<F>[], motion: RigScene, path: string, known: Known): Group<F>[] {
  let matches = known.get(motion);
  if (!matches) known.set(motion, (matches = new Map()));
  const scores = groups.map(({ scene, model }) => {
    let found = matches.get(scene);
    if (!found) matches.set(scene, (found = match(motion.clips, scene)));
    return isMadeFor(found) ? rank(found, model.path, path) : -1;
  });
  const best = scores.reduce((most, score) => Math.max(most, score), -1);
  return best < 0 ? [] : groups.filter((_, i) => (scores[i] ?? -1) >= best - AS_WELL);
}
