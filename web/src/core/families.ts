// Families of formats. Each has a WebAssembly module of its own, so that a page fetches only the readers that its files need.
export type Family = 'cast' | 'unreal' | 'vgo' | 'mrtk' | 'se';

/** Modules that read files. */
export interface Wasm {
  /** Identifies files of every format, and reads those of one family or all. */
  first: Promise<WebAssembly.Module>;
  /** Reads files of this family. */
  with(family: Family): Promise<WebAssembly.Module>;
}

/** By format id and file extension. `.bin` is missing because it says nothing about a file. */
const families: ReadonlyMap<string, Family> = new Map([
  ['cast', 'cast'],
  ['psk', 'unreal'],
  ['pskx', 'unreal'],
  ['psa', 'unreal'],
  ['vgo', 'vgo'],
  ['mrtk', 'mrtk'],
  ['inputanim', 'mrtk'],
  ['semodel', 'se'],
  ['seanim', 'se'],
]);

/** The family of a file name or a format id; undefined if the name does not tell. */
export function familyFor(name: string): Family | undefined {
  return families.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
}
