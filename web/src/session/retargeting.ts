// Motions that were made for another model, retargeted over to the one that is shown: by the model that they were made for, where it is at hand.
import { bind } from '../core/bind.ts';
import { FITS, match } from '../core/match.ts';
import type { Clip, RigScene } from '../core/types.ts';
import { type LibraryEntry, modelsIn } from './library.ts';
import { readFile } from './readFile.ts';
import type { OpeningContext } from './openResult.ts';
import { compatibilityIn } from './animationRows.ts';
import type { Session } from './session.ts';
import type { OpenedFile } from './openedFile.ts';

/** They were made for another skeleton, and nobody has asked to have them as they are. */
export function shouldRetarget(session: Session, source: OpenedFile): boolean {
  return !source.isBoundByName && !source.retargeted && compatibilityIn(session, source)?.fits === false;
}

/** The motions for the model that is shown; null where the model that they were made for is not at hand, or has too little in common. */
export async function retargetAnimations(session: Session, source: OpenedFile, opening: OpeningContext): Promise<OpenedFile | null> {
  const { shown } = session;
  if (!shown?.file.scene || !source.file.scene) return null;
  const owner = await ownerOf(session, source, opening);
  if (!owner) return null;
  const { carrierOf } = await import('../rig/carry.ts');
  opening.signal.throwIfAborted();
  const carrier = carrierOf(owner.scene, shown.file.scene);
  if (!carrier) return null;
  const { scene } = source.file;
  const clips = scene.clips.map(clip => later(clip, () => carrier.carry(bind(clip, owner.scene))));
  const retargeted = { original: source, owner: owner.name, by: carrier.by, bones: match(clips.slice(0, 1), shown.file.scene).moved };
  return { given: source.given, file: { ...source.file, scene: { ...scene, clips } }, retargeted: retargeted };
}

interface Owner {
  name: string;
  scene: RigScene;
}

/** The file itself, where it has a body or hands of its own; else of the models that were given the one that has most of the bones that the motions move. */
async function ownerOf({ library }: Session, { given, file }: OpenedFile, opening: OpeningContext): Promise<Owner | null> {
  const scene = file.scene!;
  const isOwn = scene.nodes.bones.some(bone => bone >= 0) || scene.features.some(({ kind }) => kind === 'hand');
  if (isOwn && match(scene.clips, scene).fit >= FITS) return { name: given.file.name, scene };
  const best = sourceModelIn(library, scene.clips);
  if (!best) return null;
  const opened = await readFile(best.given, { ...opening, companionFiles: best.companionFiles });
  opening.signal.throwIfAborted();
  return opened.scene && { name: best.given.file.name, scene: opened.scene };
}

/** Of the models that were given the one that motions were made for, as the names of its bones tell. */
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

/** Of bones that motions move, in lower case; the first few motions of a file tell. */
function namesIn(clips: readonly Clip[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { tracks } of clips.slice(0, 4))
    for (const { path, target } of tracks) if (path === 'translation' || path === 'rotation') names.add(target.toLowerCase());
  return names;
}

/** A motion whose tracks are made when somebody asks for them: of three hundred in a file, one or two are played. */
function later(clip: Clip, make: () => Clip): Clip {
  let made: Clip | undefined;
  const tracks = () => (made ??= make()).tracks;
  return {
    ...clip,
    // Keys that looked additive were put on the rest pose of the owner.
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
