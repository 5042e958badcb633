// Options of RigcastLoader.
import type { Companions } from '../core/open.ts';
import type { FormatOptions } from '../core/types.ts';
import type { WasmSource } from '../core/wasm.ts';
import type { TextureSource } from '../textures/sources.ts';
import type { BuildOptions } from './build/build.ts';
import type { StrandUnit } from './build/strands.ts';

export interface RigcastLoaderOptions extends BuildOptions {
  /** Format id. Default: detected by content, then by name. */
  format?: string;
  formatOptions?: FormatOptions;
  /** Read files in a worker. Default: true if workers are available. */
  worker?: boolean;
  /**
   * Transfer parsed buffers instead of copying them. They belong to the rig afterwards and may be
   * detached. Default: false.
   */
  transfer?: boolean;
  maxMemory?: number;
  maxWork?: number;
  /** Compute tangents for meshes with normals and texture coordinates. */
  tangents?: boolean;
  /** URL of rigcast.wasm, if it is not in the folder of the script. */
  wasm?: WasmSource;
  /**
   * Source of companion files. Default: fetched from the folder of the file, through the manager.
   * `false` fetches nothing. If a function returns undefined, the default applies.
   */
  companions?: Companions | false;
  /**
   * `true` (default): load the textures that the file contains, and those that the file or its
   * material files name; `loadAsync` waits for them. `false`: load none; call `rig.loadTextures`
   * later. A `TextureSource`: load the textures from this source.
   */
  textures?: boolean | TextureSource;
  /**
   * Cut out Unreal's masked materials by the mask color if their image has no alpha
   * (TEXTURE_KEYED). Default: true.
   */
  colorKey?: boolean;
  /**
   * Credentials mode of requests. Default: `include` after `setWithCredentials(true)`, else
   * `same-origin`.
   */
  credentials?: RequestCredentials;
  /** Limit for requested names of textures and material files per file. Default: 512. */
  maxTextures?: number;
  /** Width of hair, in `strandUnit`. Default: lines. WebGLRenderer only. */
  strandWidth?: number;
  /** CSS pixels (default), or metres in world space. */
  strandUnit?: StrandUnit;
  /** Open the files of instances; `loadAsync` waits for them. Default: true. */
  instances?: boolean;
  /**
   * Called with the number of processed and of known files of a scene with instances. The manager
   * is notified too.
   */
  onInstances?: (loaded: number, total: number) => void;
  /**
   * Limits for instances, as in `rig.loadInstances`: `maxFiles` (default 4,096), `maxPlaced`
   * instances (262,144), `maxObjects` (65,536).
   */
  maxFiles?: number;
  maxPlaced?: number;
  maxObjects?: number;
}

/** All options with their types, for validation. */
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
