// Which motion is made for which model: how much of it finds a partner, and how much of the model it moves. No three.js.
import { bind } from './bind.ts';
import { ownExtensions } from './formats.ts';
import { formatTable } from './formatTable.ts';
import { LooseNames } from './names.ts';
import { factsOf } from './sceneFacts.ts';
import type { Clip, RigScene, TrackPath } from './types.ts';

/** How well motions fit a model. */
export interface Match {
  /** Different names of bones, morphs and meshes that the motion moves, and how many of them the model has. */
  names: number;
  found: number;
  /** The model's bones, and how many of them the motion moves. */
  bones: number;
  moved: number;
  /** From 0 to 1: the share of names that are found times the share of bones that move. Without curves of bones the latter is left out. */
  fit: number;
}

/** A motion of a whole body that fits less was made for another skeleton. */
export const FITS = 2 / 3;

/**
 * Whether a motion may start unasked: one that fits, or one of a part of the body that names nothing the model lacks and moves half of it. Less proves
 * little: the 29 bones of a knight are all in the phoenix of the same game, which has 83.
 */
export function isMadeFor({ names, found, bones, moved, fit }: Match): boolean {
  return fit >= FITS || (names > 0 && found === names && moved >= bones / 2);
}

/** Of a set of motions that many are looked at, spread over all: those of one set mostly move the same bones. */
const MOST_CLIPS = 8;

/** Those that `match` looks at. */
export function lookedAt(clips: readonly Clip[]): Clip[] {
  const step = Math.max(clips.length / MOST_CLIPS, 1);
  return Array.from({ length: Math.min(clips.length, MOST_CLIPS) }, (_, i) => clips[Math.floor(i * step)]!);
}

const OF_NODES: readonly TrackPath[] = ['translation', 'rotation', 'scale', 'property', 'look'];

/** True if the clips animate nodes only, so that the meshes of a model do not matter for `match`. */
export const asksNodesAlone = (clips: readonly Clip[]): boolean =>
  lookedAt(clips).every(({ tracks }) => [...tracks].every(({ path }) => OF_NODES.includes(path)));

const looseNames = new WeakMap<readonly Clip[], LooseNames[]>();

/**
 * A quick test before `match`, for clips that animate nodes only: false if the clips are certainly not made for the scene (`isMadeFor`). Most pairs of animation and model of a game have
 * hardly any name in common.
 */
export function mayBeMadeFor(clips: readonly Clip[], scene: RigScene): boolean {
  let all = looseNames.get(clips);
  if (!all) looseNames.set(clips, (all = lookedAt(clips).map(targetsOf)));
  const { names } = factsOf(scene);
  const least = names.areUnique ? FITS : 0; // twins of bones may add names that are found
  return all.some(targets => {
    const found = names.mostFound(targets);
    return found > 0 && found >= least * targets.count;
  });
}

/** The distinct names of the animated nodes. */
function targetsOf({ tracks }: Clip): LooseNames {
  const targets = new Map<string, string>();
  for (const { path, target, occurrence } of tracks) if (path !== 'look') targets.set(`${occurrence} ${target}`, target);
  return new LooseNames([...targets.values()]);
}

/** Of several clips the one that fits best. */
export function match(clips: Clip | readonly Clip[], scene: RigScene): Match {
  const some = lookedAt('tracks' in clips ? [clips] : clips);
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
  const ofBones = hasBones && bones > 0 ? moved / bones : 1;
  return { names, found, bones, moved, fit: names > 0 ? (found / names) * ofBones : 0 };
}

/** What a file's path says of whom it belongs to. Slashes of either kind part folders. */
export interface Place {
  /** Of its name, lower case. */
  readonly words: ReadonlySet<string>;
  readonly folders: readonly string[];
}

export const placeOf = (path: string): Place => ({ words: wordsOf(path), folders: foldersOf(path) });

/**
 * From 0 to 1, for ranking: how well motions fit, then whether the two files are called alike, then whether they lie together. Paths use
 * slashes of either kind.
 */
export function rank(match: Match, modelPath: string, motionPath: string): number {
  return rankPlaces(match, placeOf(modelPath), placeOf(motionPath));
}

/** As `rank`, where paths are compared with many others. */
export function rankPlaces({ fit }: Match, model: Place, motion: Place): number {
  return fit * (0.6 + 0.4 * likeness(model, motion));
}

/** From 0 to 1: whether two files are called alike, then whether they lie together. */
export const likeness = (a: Place, b: Place): number => 0.75 * alike(a.words, b.words) + 0.25 * nearness(a.folders, b.folders);

/** Words that say that a file is a mesh or an animation, and not of whom. */
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

/** The words of a file's name, as separators and capitals part them: `skPigMesh.psk` says "pig". */
function wordsOf(path: string): Set<string> {
  const name = path
    .split(/[/\\]/)
    .at(-1)!
    .replace(/\.[^.]*$/, '')
    .replace(/^SK(?=[A-Za-z])/i, 'sk ');
  const words = name.match(/\p{Lu}*\p{Ll}+|\p{Lu}+|\p{Lo}+/gu) ?? [];
  return new Set(words.map(word => word.toLowerCase()).filter(word => !GENERIC.has(word)));
}

/** The share of words in common. */
function alike(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  return common / Math.max(a.size + b.size - common, 1);
}

const foldersOf = (path: string): string[] => path.split(/[/\\]/).slice(0, -1);

/** 1 in the same folder, less the further apart. */
function nearness(a: readonly string[], b: readonly string[]): number {
  let common = 0;
  while (common < Math.min(a.length, b.length) && a[common] === b[common]) common++;
  return 1 / (1 + a.length + b.length - 2 * common);
}
