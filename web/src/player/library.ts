// Everything that somebody has given, and what was seen of it: nothing is thrown away before it is closed.
import type { RigFile } from '../core/open.ts';
import type { GivenFile } from './given.ts';
import { suitOf } from './motion.ts';
import type { Shelf } from './shelf.ts';
import type { Source } from './source.ts';

/** What a look at a model has told. */
export interface Facts {
  /** Names of its bones, in lower case. */
  names: ReadonlySet<string>;
  /** Name of the bone that carries all others, in lower case; '' where there is none. */
  root: string;
  /** Its lowest and highest vertex, in metres. */
  from: number;
  to: number;
  bones: number;
  vertices: number;
  triangles: number;
  /** Motions in the file itself. */
  clips: number;
  /** Something of it is lost. */
  isDamaged: boolean;
}

export interface Entry {
  readonly given: GivenFile;
  readonly role: 'model' | 'motion' | 'companion';
  /** What was given together with it, and later for it. */
  readonly shelf: Shelf;
  /** Null of what is no model, and of a model that nobody has looked at yet. */
  readonly facts: Facts | null;
}

/** `role` of files that were given together. */
export const entriesOf = (files: readonly GivenFile[], role: Entry['role'], shelf: Shelf): Entry[] =>
  files.map(given => ({ given, role, shelf, facts: null }));

/** With the newer one of each path. */
export function withEntries(library: readonly Entry[], added: readonly Entry[]): readonly Entry[] {
  if (added.length === 0) return library;
  const paths = new Set(added.map(({ given }) => given.path));
  return [...library.filter(({ given }) => !paths.has(given.path)), ...added];
}

export function withFacts(library: readonly Entry[], given: GivenFile, facts: Facts): readonly Entry[] {
  return library.map(entry => (entry.given === given ? { ...entry, facts } : entry));
}

export const modelsIn = (library: readonly Entry[]): Entry[] => library.filter(({ role }) => role === 'model');

export function factsOf({ scene, report }: RigFile): Facts {
  const meshes = scene?.meshes ?? [];
  const names = (scene?.nodes.names ?? []).filter((_, row) => scene!.nodes.bones[row]! >= 0).map(name => name.toLowerCase());
  let from = Infinity;
  let to = -Infinity;
  for (const { positions } of meshes) {
    for (let y = 1; y < positions.length; y += 3) {
      from = Math.min(from, positions[y]!);
      to = Math.max(to, positions[y]!);
    }
  }
  return {
    names: new Set(names),
    root: names[0] ?? '',
    from,
    to,
    bones: names.length,
    vertices: meshes.reduce((sum, { vertexCount }) => sum + vertexCount, 0),
    triangles: meshes.reduce((sum, { indices }) => sum + (indices?.length ?? 0) / 3, 0),
    clips: scene?.clips.length ?? 0,
    isDamaged: report.errors > 0,
  };
}

// ---------------------------------------------------------------- parts of one character

/** Fewer bones in common are chance. */
const FEWEST_BONES = 8;
/** Of the bones of the smaller skeleton. */
const MOST_IN_COMMON = 0.8;
/** Of the height of the whole: what is taller is a character of its own on the same skeleton. */
const TALLEST = 0.85;

/** Body_Lod2.psk is Body.psk with fewer triangles. */
const stemOf = (name: string): string => name.toLowerCase().replace(/[_ -]?lod\d+(?=\.|$)/, '');

/** Which level of detail a name says, 0 where it says none. */
export const levelOf = (name: string): number => Number(/[_ -]?lod(\d+)(?=\.|$)/i.exec(name)?.[1] ?? 0);

/** Models, those together that are levels of detail of one (same folder, same name but for `_LOD1`), the finest first. */
export function levelsIn(models: readonly Entry[]): Entry[][] {
  const groups = new Map<string, Entry[]>();
  for (const entry of models) {
    const { path, file } = entry.given;
    const key = path.slice(0, path.length - file.name.length) + stemOf(file.name);
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return [...groups.values()].map(group => group.sort((a, b) => levelOf(a.given.file.name) - levelOf(b.given.file.name)));
}

/** Of `others` the parts of the character whose largest part is `lead`: boots, a hat, a head. Of several levels of detail the first. */
export function piecesOf(lead: Entry, others: readonly Entry[]): Entry[] {
  const stems = new Set([stemOf(lead.given.file.name)]);
  return others
    .filter(other => other !== lead && isPieceOf(other, lead))
    .sort((a, b) => a.given.file.name.localeCompare(b.given.file.name, undefined, { numeric: true }))
    .filter(({ given }) => {
      const stem = stemOf(given.file.name);
      const isNew = !stems.has(stem);
      stems.add(stem);
      return isNew;
    });
}

function isPieceOf({ facts: part }: Entry, { facts: whole }: Entry): boolean {
  if (!part || !whole || part.vertices === 0 || whole.vertices === 0) return false;
  const common = [...part.names].filter(name => whole.names.has(name)).length;
  if (common < FEWEST_BONES || common < MOST_IN_COMMON * Math.min(part.bones, whole.bones)) return false;
  const height = whole.to - whole.from;
  const room = height * (1 - TALLEST);
  return part.to - part.from < height * TALLEST && part.from > whole.from - room && part.to < whole.to + 2 * room;
}

/** With more names in common it is a body of its own. */
const MOST_SHARED = 3;
/** What games call bones that hold something. Others begin bodies (a pelvis), or are called alike by chance (Dummy01). */
const HOLDS = /^tag_|weapon|gun|grip|attach|prop|mount|socket/;

/**
 * The bone of `whole` below which `part` goes on, in lower case: a weapon begins with the bone that the arms hold it by, as Cast's plugins merge
 * them. '': none.
 */
export function graftOf({ facts: part }: Entry, { facts: whole }: Entry): string {
  if (!part || !whole || !whole.names.has(part.root) || part.root === whole.root || !HOLDS.test(part.root)) return '';
  return [...part.names].filter(name => whole.names.has(name)).length <= MOST_SHARED ? part.root : '';
}

/** How much there is to be seen of a model with these motions: one that a motion was made for comes first, then the one with more of a surface. */
export function appealOf(model: Source, sources: readonly Source[]): { best: number; vertices: number } {
  const suits = model.file.scene ? sources.map(source => suitOf(model, source)).filter(({ fits }) => fits) : [];
  const { vertices, bones, clips } = factsOf(model.file);
  const isOwn = clips > 0 && vertices + bones > 0;
  return { best: Math.max(isOwn ? 1 : 0, ...suits.map(({ rank }) => rank)), vertices };
}
