// Motions that were made for another model, carried over to the one that is shown: by the model that they were made for, where it is at hand.
import { bind } from '../core/bind.ts';
import { FITS, match } from '../core/match.ts';
import type { Clip, RigScene } from '../core/types.ts';
import { type Entry, modelsIn } from './library.ts';
import { readFile } from './reading.ts';
import type { Opening } from './opened.ts';
import { suitIn } from './clipRows.ts';
import type { Session } from './session.ts';
import type { Source } from './source.ts';

/** They were made for another skeleton, and nobody has asked to have them as they are. */
export function wantsCarrying(session: Session, source: Source): boolean {
  return !source.isAsIs && !source.carried && suitIn(session, source)?.fits === false;
}

/** The motions for the model that is shown; null where the model that they were made for is not at hand, or has too little in common. */
export async function carryOver(session: Session, source: Source, opening: Opening): Promise<Source | null> {
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
  const carried = { original: source, owner: owner.name, by: carrier.by, bones: match(clips.slice(0, 1), shown.file.scene).moved };
  return { given: source.given, file: { ...source.file, scene: { ...scene, clips } }, carried };
}

interface Owner {
  name: string;
  scene: RigScene;
}

/** The file itself, where it has a body or hands of its own; else of the models that were given the one that has most of the bones that the motions move. */
async function ownerOf({ library }: Session, { given, file }: Source, opening: Opening): Promise<Owner | null> {
  const scene = file.scene!;
  const isOwn = scene.nodes.bones.some(bone => bone >= 0) || scene.features.some(({ kind }) => kind === 'hand');
  if (isOwn && match(scene.clips, scene).fit >= FITS) return { name: given.file.name, scene };
  const best = ownerIn(library, scene.clips);
  if (!best) return null;
  const opened = await readFile(best.given, { ...opening, shelf: best.shelf });
  opening.signal.throwIfAborted();
  return opened.scene && { name: best.given.file.name, scene: opened.scene };
}

/** Of the models that were given the one that motions were made for, as the names of its bones tell. */
export function ownerIn(library: readonly Entry[], clips: readonly Clip[]): Entry | null {
  const names = namesIn(clips);
  const share = ({ facts }: Entry): number =>
    facts?.model ? [...names].filter(name => facts.model!.bones.has(name)).length / Math.max(names.size, 1) : 0;
  const best = modelsIn(library).reduce<Entry | null>((most, entry) => (share(entry) > (most ? share(most) : 0) ? entry : most), null);
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
