// Retargets animations of another skeleton to the shown model. Needs a model of that skeleton in
// the library.
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
 * True if the animations were made for another skeleton and the visitor hasn't turned retargeting
 * off.
 */
export function shouldRetarget(session: Session, source: OpenedFile): boolean {
  return !source.isBoundByName && !source.retargeted && compatibilityIn(session, source)?.fits === false;
}

/**
 * Returns the animations retargeted to the shown model. Null if the model they were made for is not
 * in the library, or the skeletons have too little in common.
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
 * Returns the file itself if it has a skeleton or hands that its clips animate; otherwise the best
 * model of the library.
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
 * Returns the model of the library whose bone names match the clips best; null below the threshold
 * FITS.
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

/** Returns the names of the animated bones of the first four clips, in lower case. */
function namesIn(clips: readonly Clip[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { tracks } of clips.slice(0, 4))
    for (const { path, target } of tracks) if (path === 'translation' || path === 'rotation') names.add(target.toLowerCase());
  return names;
}

/**
 * Returns a clip whose tracks are retargeted on first access, because most clips of a large file
 * are never played.
 */
function deferredClip(clip: Clip, make: () => Clip): Clip {
  let made: Clip | undefined;
  const tracks = () => (made ??= make()).tracks;
  return {
    ...clip,
    // Retargeting has already added additive keys to the rest pose of the source model.
    undeclaredModes: false,
    tracks: {
      get count() {
        return tracks().count;
      },
      get: index => tracks().get(index),
      [Symbol.iterator]: () => tracks()[Symbol.iterator](),
    },
    overrides: [],
  };
}
