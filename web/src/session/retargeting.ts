// Retargets animations that were made for another skeleton to the shown model. This requires a
// model with that skeleton.
import { bind } from '../core/bind.ts';
import { FITS, match } from '../core/match.ts';
import type { Clip, RigScene } from '../core/types.ts';
import { type LibraryEntry, modelsIn } from './library.ts';
import { readFile } from './readFile.ts';
import type { OpeningContext } from './openResult.ts';
import { compatibilityIn } from './animationRows.ts';
import type { Session } from './session.ts';
import type { OpenedFile } from './openedFile.ts';

/**
 * Returns true if the animations must be retargeted: they were made for another skeleton, they are
 * still in their original form, and retargeting is on for this file.
 */
export function shouldRetarget(session: Session, source: OpenedFile): boolean {
  return !source.isBoundByName && !source.retargeted && compatibilityIn(session, source)?.fits === false;
}

/**
 * Returns the animations, retargeted to the shown model. Resolves with null if the model that they
 * were made for is not available, or if the skeletons have too little in common.
 */
export async function retargetAnimations(session: Session, source: OpenedFile, opening: OpeningContext): Promise<OpenedFile | null> {
  const { shown } = session;
  if (!shown?.file.scene || !source.file.scene) return null;
  const owner = await sourceModelOf(session, source, opening);
  if (!owner) return null;
  const { createRetargeter } = await import('../rig/retargeter.ts');
  opening.signal.throwIfAborted();
  const retargeter = createRetargeter(owner.scene, shown.file.scene);
  if (!retargeter) return null;
  const { scene } = source.file;
  const clips = scene.clips.map(clip => deferredClip(clip, () => retargeter.retarget(bind(clip, owner.scene))));
  const retargeted = {
    original: source,
    madeFor: owner.name,
    method: retargeter.method,
    bones: match(clips.slice(0, 1), shown.file.scene).moved,
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
  const isOwn = scene.nodes.bones.some(bone => bone >= 0) || scene.features.some(({ kind }) => kind === 'hand');
  if (isOwn && match(scene.clips, scene).fit >= FITS) return { name: input.file.name, scene };
  const best = sourceModelIn(library, scene.clips);
  if (!best) return null;
  const opened = await readFile(best.input, { ...opening, companionFiles: best.companionFiles });
  opening.signal.throwIfAborted();
  return opened.scene && { name: best.input.file.name, scene: opened.scene };
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
  return {
    ...clip,
    // Retargeted keys are absolute: additive keys were added to the rest pose of the source model.
    undeclaredModes: false,
    addsToRest: false,
    tracks: {
      get length() {
        return tracks().length;
      },
      get: index => tracks().get(index),
      [Symbol.iterator]: () => tracks()[Symbol.iterator](),
    },
    overrides: [],
  };
}
