// Measures how well an animation fits a model, from the fraction of its targets that exist in the
// model and the fraction of the model's bones that it moves. Independent of three.js.
import { bind } from './bind.ts';
import { ownExtensions } from './formats.ts';
import { formatTable } from './formatTable.ts';
import { LooseNames } from './names.ts';
import { factsOf } from './sceneFacts.ts';
import type { Clip, RigScene, TrackPath } from './types.ts';

/** How well a clip fits a model. */
export interface Match {
  /** Number of distinct bones, morph targets and meshes that the clip animates. */
  names: number;
  /** Number of these names that exist in the model. */
  found: number;
  /** Number of bones of the model. */
  bones: number;
  /** Number of bones of the model that the clip animates. */
  moved: number;
  /**
   * Quality of the match, 0 to 1: `found / names` times `moved / bones`. Bones do not count here if
   * the clip moves another bone of the same name instead. It is `found / names` if the clip has no bone
   * tracks, or is a pose of differences, which contains only the bones that it changes.
   */
  fit: number;
}

/** Minimum `fit` of a full-body clip that was made for the model's skeleton. */
export const FITS = 2 / 3;

/**
 * True if a clip was probably made for the model: its fit is at least `FITS`, or all of its names
 * exist in the model and it moves at least half of the bones. Matching names alone are weak
 * evidence: in one game, all 29 bones of a knight also exist in a phoenix that has 83.
 */
export function isMadeFor({ names, found, bones, moved, fit }: Match): boolean {
  return fit >= FITS || (names > 0 && found === names && moved >= bones / 2);
}

/** Maximum number of clips that `match` inspects. Clips of one file usually move the same bones. */
const MAX_CLIPS = 8;

/** Selects the clips that `match` inspects, evenly distributed over the list. */
export function sampledClips(clips: readonly Clip[]): Clip[] {
  const step = Math.max(clips.length / MAX_CLIPS, 1);
  return Array.from({ length: Math.min(clips.length, MAX_CLIPS) }, (_, i) => clips[Math.floor(i * step)]!);
}

const OF_NODES: readonly TrackPath[] = ['translation', 'rotation', 'scale', 'property', 'look'];

/**
 * True if the clips animate nodes only. The meshes of a model then do not affect the result of
 * `match`.
 */
export const animatesNodesOnly = (clips: readonly Clip[]): boolean =>
  sampledClips(clips).every(({ tracks }) => [...tracks].every(({ path }) => OF_NODES.includes(path)));

const looseNames = new WeakMap<readonly Clip[], LooseNames[]>();

/**
 * Quick test for clips that animate nodes only. Returns false if `isMadeFor` would certainly be
 * false for every clip, so that `match` need not be called.
 */
export function mayBeMadeFor(clips: readonly Clip[], scene: RigScene): boolean {
  let all = looseNames.get(clips);
  if (!all) looseNames.set(clips, (all = sampledClips(clips).map(targetsOf)));
  const { names } = factsOf(scene);
  const least = names.areUnique ? FITS : 0; // duplicate bones can increase the number of names found
  return all.some(targets => {
    const found = names.maxMatches(targets);
    return found > 0 && found >= least * targets.count;
  });
}

/** Returns the distinct names of the animated nodes. */
function targetsOf({ tracks }: Clip): LooseNames {
  const targets = new Map<string, string>();
  for (const { path, target, occurrence } of tracks) if (path !== 'look') targets.set(`${occurrence} ${target}`, target);
  return new LooseNames([...targets.values()]);
}

/**
 * Measures how well a clip fits a model. If several clips are given, returns the best match.
 *
 * @example
 * ```ts
 * import { isMadeFor, match, open } from 'rigcast';
 *
 * const [model, animation] = await Promise.all([open('hero.psk'), open('run.psa')]);
 * const found = match(animation.scene!.clips, model.scene!);
 * console.log(isMadeFor(found), `${found.found} of ${found.names} bones`);
 * ```
 */
export function match(clips: Clip | readonly Clip[], scene: RigScene): Match {
  const some = sampledClips('tracks' in clips ? [clips] : clips);
  const bones = scene.nodes.bones.reduce((count, bone) => count + (bone >= 0 ? 1 : 0), 0);
  const [first = { names: 0, found: 0, bones, moved: 0, fit: 0 }, ...others] = some.map(clip => matchOne(clip, scene, bones));
  return others.reduce((best, one) => (one.fit > best.fit ? one : best), first);
}

function matchOne(clip: Clip, scene: RigScene, bones: number): Match {
  const morphs = new Set<string>();
  let hasBones = false;
  for (const { path, property } of clip.tracks) {
    if (path === 'weight' || path === 'material' || path === 'expression') morphs.add(property);
    else if (path !== 'look') hasBones = true;
  }
  const { matched, unmatched, untouched } = bind(clip, scene).report;
  const lost = new Set(unmatched);
  let found = matched.length;
  for (const morph of morphs) if (!lost.has(morph)) found++;
  const names = found + unmatched.length;
  const moved = bones - untouched.length;
  const movedNames = new Set(matched);
  const reachable = moved + untouched.filter(name => !movedNames.has(name)).length;
  const ofBones = hasBones && bones > 0 && !clip.addsToRest ? moved / Math.max(reachable, 1) : 1;
  return { names, found, bones, moved, fit: names > 0 ? (found / names) * ofBones : 0 };
}

/** Words and folders of a path, for comparing files. */
export interface PathWords {
  /** Words of the file name, in lower case. */
  readonly words: ReadonlySet<string>;
  readonly folders: readonly string[];
}

export const parsePath = (path: string): PathWords => ({ words: wordsOf(path), folders: foldersOf(path) });

/**
 * Returns a score from 0 to 1 that combines the fit with the similarity of file names and folders.
 * Paths may contain slashes or backslashes.
 */
export function rank(match: Match, modelPath: string, animationPath: string): number {
  return rankPaths(match, parsePath(modelPath), parsePath(animationPath));
}

/** Variant of `rank` that takes parsed paths, so that many files can be compared faster. */
export function rankPaths({ fit }: Match, model: PathWords, animation: PathWords): number {
  return fit * (0.6 + 0.4 * pathSimilarity(model, animation));
}

/** Returns the similarity of two paths, 0 to 1. File names count for 75 %, folders for 25 %. */
export const pathSimilarity = (a: PathWords, b: PathWords): number =>
  0.75 * alike(a.words, b.words) + 0.25 * nearness(a.folders, b.folders);

/** Returns the similarity of two names, 0 to 1. It is 0 if they have no word in common. */
export const nameSimilarity = (a: string, b: string): number => alike(wordsOf(a), wordsOf(b));

/** Words that describe the type of a file, not the character that it belongs to. */
const GENERIC = new Set([
  'sk',
  'skm',
  'skel',
  'skeletal',
  'mesh',
  'model',
  'anim',
  'anims',
  'animation',
  'animations',
  'motion',
  'motions',
  'set',
  'lod',
  ...formatTable.flatMap(ownExtensions),
]);

/**
 * Splits a file name into lower-case words at separators and capitals, without generic words:
 * `skPigMesh.psk` results in "pig".
 */
function wordsOf(path: string): Set<string> {
  const name = path
    .split(/[/\\]/)
    .at(-1)!
    .replace(/\.[^.]*$/, '')
    .replace(/^SK(?=[A-Za-z])/i, 'sk ');
  const words = name.match(/\p{Lu}*\p{Ll}+|\p{Lu}+|\p{Lo}+/gu) ?? [];
  return new Set(words.map(word => word.toLowerCase()).filter(word => !GENERIC.has(word)));
}

/**
 * Returns the similarity of two sets of words, 0 to 1: the number of words in both sets divided by
 * the number of distinct words in either.
 */
function alike(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  return common / Math.max(a.size + b.size - common, 1);
}

const foldersOf = (path: string): string[] => path.split(/[/\\]/).slice(0, -1);

/**
 * Returns how near two folders are to each other: 1 for the same folder, and smaller values the
 * farther apart they are.
 */
function nearness(a: readonly string[], b: readonly string[]): number {
  let common = 0;
  while (common < Math.min(a.length, b.length) && a[common] === b[common]) common++;
  return 1 / (1 + a.length + b.length - 2 * common);
}
