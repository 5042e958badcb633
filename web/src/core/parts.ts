// What a file needs of the core beside core.wasm: one of five parts, each with the readers of some formats. Names are those in wasm/formats.
export type Part = 'cast' | 'unreal' | 'vgo' | 'mrtk' | 'se';

export interface Wasm {
  /** What is there first: the core, with a part where one was expected; or the whole. Any of them tells which part a file needs. */
  first: Promise<WebAssembly.Module>;
  /** One that has the readers of a part. */
  with(name: Part): Promise<WebAssembly.Module>;
}

/** By ids of formats and extensions of files. Recordings also end in `.bin`, which is anybody's. */
const parts: ReadonlyMap<string, Part> = new Map([
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

/** The part for a file of that name, or for a format of that id, as far as the name tells. */
export function partFor(name: string): Part | undefined {
  return parts.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
}
