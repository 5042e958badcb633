// Retargets animations that were made for another skeleton to the shown model. This requires a
// model with that skeleton.
import { bind } from '../core/bind.ts';
import { FITS, match } from '../core/match.ts';
import type { Clip, RigScene } from '../core/types.ts';
import type * as retargeters from '../rig/retargeter.ts';
import { makeClip } from '../rig/table.ts';
import { type LibraryEntry, modelsIn } from './library.ts';
import { readFile } from './readFile.ts';
import type { OpeningContext } from './openResult.ts';
import { compatibilityIn } from './animationRows.ts';
import { boneMapFor, hasBoneMap } from './boneMaps.ts';
import type { Session } from './session.ts';
import type { OpenedFile, Retargeting } from './openedFile.ts';

/**
 * Returns true if the animations must be retargeted: they were made for another skeleton, or there is
 * a bone map for their skeleton. They must be in their original form, and retargeting must be on for
 * this file.
 */
export function shouldRetarget(session: Session, source: OpenedFile): boolean {
  if (source.isBoundByName || source.retargeted) return false;
  return compatibilityIn(session, source)?.fits === false || isMapped(session, source);
}

/** Returns true if there is a bone map for the skeleton in the animation file. */
export function isMapped({ shown, boneMaps }: Session, { input, file: { scene } }: OpenedFile): boolean {
  if (!shown?.file.scene || !scene || input === shown.input) return false;
  return hasBoneMap(boneMaps, shown.input.path, scene, shown.file.scene) && hasOwnSkeleton(scene);
}

/**
 * Returns true if the shown model and an animation file without a mesh both declare the bones of a human
 * body, as VRM files and VRM animations do.
 */
export function areHumanoids({ shown }: Session, { file: { scene } }: OpenedFile): boolean {
  const isHumanoid = (one: RigScene | null | undefined): boolean => one?.features.some(({ kind }) => kind === 'humanoid') ?? false;
  return scene?.renderers.length === 0 && isHumanoid(scene) && isHumanoid(shown?.file.scene);
}

/**
 * Returns the animations, retargeted to the shown model with its bone map. Resolves with null if the
 * model that they were made for is not available, or if the skeletons have too little in common.
 * `isForced`: true to return animations that move nothing in the latter case, so that the visitor can
 * pair bones.
 */
export async function retargetAnimations(
  session: Session,
  source: OpenedFile,
  opening: OpeningContext,
  isForced = false,
): Promise<OpenedFile | null> {
  const { shown } = session;
  if (!shown?.file.scene || !source.file.scene) return null;
  const owner = await sourceModelOf(session, source, opening);
  if (!owner) return null;
  const rig = await import('../rig/retargeter.ts');
  opening.signal.throwIfAborted();
  return retargetedFrom(session, source, owner, rig, isForced);
}

/** Retargets animations that are already retargeted again, after the bone map has changed. */
export async function retargetAgain(session: Session, { original, madeFor, from }: Retargeting): Promise<OpenedFile> {
  const rig = await import('../rig/retargeter.ts');
  return retargetedFrom(session, original, { name: madeFor, scene: from }, rig, true)!;
}

function retargetedFrom(
  { shown, boneMaps }: Session,
  source: OpenedFile,
  owner: SourceModel,
  rig: typeof retargeters,
  isForced: boolean,
): OpenedFile | null {
  const to = shown!.file.scene!;
  const retargeter = rig.createRetargeter(owner.scene, to, boneMapFor(boneMaps, shown!.input.path, owner.scene));
  if (!retargeter && !isForced) return null;
  const scene = source.file.scene!;
  const still = (clip: Clip): Clip => makeClip(clip, []);
  const retarget = (clip: Clip): Clip => (retargeter ? retargeter.retarget(bind(clip, owner.scene)) : still(clip));
  const clips = scene.clips.map(clip => deferredClip(clip, () => retarget(clip)));
  const retargeted: Retargeting = {
    original: source,
    madeFor: owner.name,
    from: owner.scene,
    method: retargeter?.method ?? 'none',
    pairing: retargeter ? rig.pairingOf(retargeter) : '',
    bones: match(clips.filter(({ keysUnread }) => !keysUnread).slice(0, 1), to).moved,
    pairs: retargeter?.pairs() ?? [],
  };
  return { input: source.input, file: { ...source.file, scene: { ...scene, clips } }, retargeted };
}

interface SourceModel {
  name: string;
  scene: RigScene;
}

/**
 * Returns the model that the animations of a file were made for: the file itself if it has a
 * skeleton or hands that its clips animate; otherwise the model of the library that matches best.
 */
async function sourceModelOf({ library }: Session, { input, file }: OpenedFile, opening: OpeningContext): Promise<SourceModel | null> {
  const scene = file.scene!;
  if (hasOwnSkeleton(scene)) return { name: input.file.name, scene };
  const best = sourceModelIn(library, scene.clips);
  if (!best) return null;
  const opened = await readFile(best.input, { ...opening, companionFiles: best.companionFiles });
  opening.signal.throwIfAborted();
  return opened.scene && { name: best.input.file.name, scene: opened.scene };
}

/** Returns true if a file has a skeleton or hands that its clips animate. */
function hasOwnSkeleton(scene: RigScene): boolean {
  const hasBones = scene.nodes.bones.some(bone => bone >= 0) || scene.features.some(({ kind }) => kind === 'hand');
  return hasBones && match(scene.clips, scene).fit >= FITS;
}

/**
 * Returns the model of the library whose bone names match the clips best; null if no model reaches
 * the threshold `FITS`.
 */
export function sourceModelIn(library: readonly LibraryEntry[], clips: readonly Clip[]): LibraryEntry | null {
  const names = namesIn(clips);
  const share = ({ facts }: LibraryEntry): number =>
    facts?.model ? [...names].filter(name => facts.model!.bones.has(name)).length / Math.max(names.size, 1) : 0;
  const best = modelsIn(library).reduce<LibraryEntry | null>(
    (most, entry) => (share(entry) > (most ? share(most) : 0) ? entry : most),
    null,
  );
  return best && share(best) >= FITS ? best : null;
}

/** Returns the names of the bones that the first four clips animate, in lower case. */
function namesIn(clips: readonly Clip[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { tracks } of clips.slice(0, 4))
    for (const { path, target } of tracks) if (path === 'translation' || path === 'rotation') names.add(target.toLowerCase());
  return names;
}

/**
 * Returns a clip whose tracks are created by `make` on first access. This saves time, because most
 * clips of a large file are never played.
 */
function deferredClip(clip: Clip, make: () => Clip): Clip {
  let made: Clip | undefined;
  const tracks = () => (made ??= make()).tracks;
  const { load } = clip.tracks;
  return {
    ...clip,
    get keysUnread() {
      return clip.keysUnread ?? false;
    },
    // Retargeted keys are absolute: additive keys were added to the rest pose of the source model.
    undeclaredModes: false,
    addsToRest: false,
    scaledTranslations: false,
    tracks: {
      get length() {
        return tracks().length;
      },
      get: index => tracks().get(index),
      ...(load && { load: (signal?: AbortSignal) => load.call(clip.tracks, signal) }),
      [Symbol.iterator]: () => tracks()[Symbol.iterator](),
    },
    overrides: [],
  };
}
