// Which of several files is the model, and which motions go with it.
import { isMadeFor, match, rank } from '../core/match.ts';
import type { RigFile } from '../core/open.ts';
import type { Clip, RigScene } from '../core/types.ts';

/** A file and where it lies, for ranking; the name where nothing else is known. */
export interface Given {
  file: RigFile;
  path: string;
}

/** A model and the motions that become one file. */
export interface Group {
  model: Given;
  scene: RigScene;
  /** The model's own motions first. */
  clips: Clip[];
  /** Files that the motions come from. */
  motions: Given[];
}

export interface Grouped {
  groups: Group[];
  /** Motions that no model was made for. */
  left: Given[];
}

/** Whether something is to be seen, or a skeleton to be moved. */
export function isModel({ renderers, nodes, lights, cameras, instances }: RigScene): boolean {
  return renderers.length > 0 || instances.length > 0 || lights.length + cameras.length > 0 || nodes.count > 1;
}

/**
 * A file that shows something, or has a skeleton, is a model. With one model all other files are its motions; of several each motion goes to the one it fits
 * best, by the scores of `rigcast match`. A skeleton with motions and without a mesh is a motion where there is a mesh that it fits.
 */
export function group(all: readonly Given[]): Grouped {
  const read = all.flatMap(given => (given.file.scene ? [{ ...given, scene: given.file.scene }] : []));
  const shows = read.filter(({ scene }) => scene.renderers.length > 0 || scene.instances.length > 0);
  const models = shows.length > 0 ? shows : read.filter(({ scene }) => isModel(scene));
  const groups = models.map(({ file, path, scene }): Group => ({ model: { file, path }, scene, clips: [...scene.clips], motions: [] }));
  const left: Given[] = [];
  for (const { file, path, scene } of read) {
    if (groups.some(({ model }) => model.file === file)) continue;
    const [only] = groups;
    const home = groups.length === 1 ? only : bestOf(groups, scene, path);
    if (!home) {
      left.push({ file, path });
      continue;
    }
    home.clips.push(...scene.clips);
    home.motions.push({ file, path });
  }
  return { groups, left };
}

function bestOf(groups: readonly Group[], { clips }: RigScene, path: string): Group | undefined {
  const scores = groups.map(each => {
    const found = match(clips, each.scene);
    return { each, score: isMadeFor(found) ? rank(found, each.model.path, path) : -1 };
  });
  const best = scores.reduce<(typeof scores)[number] | undefined>((most, one) => (one.score > (most?.score ?? -1) ? one : most), undefined);
  return best?.each;
}
