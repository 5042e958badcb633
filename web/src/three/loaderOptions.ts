// What a RigcastLoader can be asked for.
import type { Companions } from '../core/open.ts';
import type { FormatOptions } from '../core/types.ts';
import type { WasmSource } from '../core/wasm.ts';
import type { TextureSource } from '../textures/sources.ts';
import type { BuildOptions } from './build/build.ts';
import type { StrandUnit } from './build/strands.ts';

export interface RigcastLoaderOptions extends BuildOptions {
  /** Format id; default: found by content, then by the name. */
  format?: string;
  formatOptions?: FormatOptions;
  /** Read in a worker. Default true where there are workers. */
  worker?: boolean;
  /** Buffers that are parsed are handed over instead of copied: they belong to the rig from then on, and may be detached. Default false. */
  transfer?: boolean;
  maxMemory?: number;
  maxWork?: number;
  /** Make tangents for meshes with normals and texture coordinates. */
  tangents?: boolean;
  /** Where rigcast.wasm is, where it is not beside the script. */
  wasm?: WasmSource;
  /**
   * What files need by name. Default: fetched from beside the file, through the manager. `false`: nothing is fetched. What a function answers with
   * undefined is looked for as by default.
   */
  companions?: Companions | false;
  /**
   * Default true: textures in the file, those it names, and those that material files beside it name. `loadAsync` waits for them. false:
   * none, not
   * even those in the file; `rig.loadTextures` gets them later. Or a source of one's own.
   */
  textures?: boolean | TextureSource;
  /** Unreal's masked materials whose image has no alpha are cut by the colour that masks them (TEXTURE_KEYED). Default true. */
  colorKey?: boolean;
  /** Cookies of requests. Default: `include` after `setWithCredentials(true)`, else `same-origin`. */
  credentials?: RequestCredentials;
  /** How many names of textures and material files a file may make the page ask a server for. Default 512. */
  maxTextures?: number;
  /** Draws hair that wide, in `strandUnit`; default: as lines. WebGLRenderer only. */
  strandWidth?: number;
  /** pixels of the page (default), or metres of three's world. */
  strandUnit?: StrandUnit;
  /** Default true: the files that a world places are opened, too, and `loadAsync` waits for them. */
  instances?: boolean;
  /** Files of a world that are dealt with, of those known so far. The manager hears of each of them, too. */
  onInstances?: (loaded: number, total: number) => void;
  /** How much a world may come to: files (4,096), instances (262,144), objects made for them (65,536). As of `rig.loadInstances`. */
  maxFiles?: number;
  maxPlaced?: number;
  maxObjects?: number;
}

/** All there are, for a check: wrong ones are wrong calls. */
export const OPTION_KINDS: Readonly<Record<keyof RigcastLoaderOptions, string>> = {
  format: 'string',
  formatOptions: 'object',
  worker: 'boolean',
  transfer: 'boolean',
  maxMemory: 'number',
  maxWork: 'number',
  tangents: 'boolean',
  wasm: 'any',
  companions: 'any',
  textures: 'any',
  colorKey: 'boolean',
  credentials: 'string',
  maxTextures: 'number',
  strandWidth: 'number',
  strandUnit: 'string',
  instances: 'boolean',
  onInstances: 'function',
  maxFiles: 'number',
  maxPlaced: 'number',
  maxObjects: 'number',
  vertexColors: 'any',
  greyUntilTextured: 'boolean',
  modules: 'object',
  bind: 'function',
  lights: 'boolean',
  cameras: 'boolean',
  scaleInheritance: 'string',
  skinning: 'string',
  shaders: 'string',
  springs: 'string',
  toon: 'string',
  colorLayer: 'number',
  sides: 'string',
  morphNormals: 'boolean',
  compact: 'boolean',
  strict: 'boolean',
};
