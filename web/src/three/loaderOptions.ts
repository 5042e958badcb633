// Options of RigcastLoader.
import type { Companions } from '../core/open.ts';
import type { FormatOptions } from '../core/types.ts';
import type { WasmSource } from '../core/wasm.ts';
import type { TextureSource } from '../textures/sources.ts';
import type { BuildOptions } from './build/build.ts';
import type { StrandUnit } from './build/strands.ts';
import type { Rig } from './rig.ts';

export interface RigcastLoaderOptions extends BuildOptions {
  /** Id of the file format. By default, the format is detected by content, then by file name. */
  format?: string;
  formatOptions?: FormatOptions;
  /**
   * Read files in a worker instead of the page's own thread. Default: true if workers are
   * available.
   */
  worker?: boolean;
  /**
   * Transfer the buffers that are passed to `parse` instead of copying them. The page must not use
   * them afterwards, because they may be detached. Default: false.
   */
  transfer?: boolean;
  maxMemory?: number;
  maxWork?: number;
  /**
   * Read large animation files from a URL in parts, as in `open`. `rig.loadClips` then reads the
   * keys of a clip before it is played. Default: false.
   */
  ranges?: boolean;
  /** Compute tangents for meshes that have normals and texture coordinates. */
  tangents?: boolean;
  /** URL of rigcast.wasm, required only if the file is not in the folder of the script. */
  wasm?: WasmSource;
  /**
   * Source of companion files. By default, they are fetched from the folder of the loaded file,
   * with URLs resolved by the LoadingManager. `false`: fetch no companion files. If the source is a
   * function that returns undefined for a file, the default applies to this file.
   */
  companions?: Companions | false;
  /**
   * `true` (default): load the textures in the file and those that the file or its material files
   * refer to; `loadAsync` waits for them. `false`: load no textures, and call `rig.loadTextures`
   * later. A `TextureSource`: load the textures from this source.
   */
  textures?: boolean | TextureSource;
  /**
   * Make a color transparent in the textures of masked Unreal materials whose image has no alpha
   * channel (finding TEXTURE_KEYED). Default: true.
   */
  colorKey?: boolean;
  /**
   * Credentials mode of requests. Default: `include` after `setWithCredentials(true)`, otherwise
   * `same-origin`.
   */
  credentials?: RequestCredentials;
  /**
   * Request text files that list the textures of a material (`.mat`, `.props.txt`, `.json`) even if
   * it is unknown whether they exist. Default: true. If the first one does not exist, no others are
   * requested.
   */
  materialFiles?: boolean;
  /** Maximum number of texture and material file names to request for one file. Default: 512. */
  maxTextures?: number;
  /**
   * Width of hair, in the unit `strandUnit`. By default, hair is drawn as lines. Only WebGLRenderer
   * can draw hair with a width.
   */
  strandWidth?: number;
  /** Unit of `strandWidth`: CSS pixels (default), or metres in world space. */
  strandUnit?: StrandUnit;
  /**
   * Open the files that the instances of a scene refer to; `loadAsync` waits for them. Default:
   * true.
   */
  instances?: boolean;
  /**
   * Progress callback for a scene with instances. Its parameters are the number of files processed
   * and the number of files known so far. The LoadingManager is notified too.
   */
  onInstances?: (loaded: number, total: number) => void;
  /**
   * Called with the rig as soon as its meshes are built, before its textures and instances are
   * loaded. The page can already draw `rig.scene`. If loading fails afterwards, the rig is disposed.
   */
  onModel?: (rig: Rig) => void;
  /**
   * Replaces `fetch` in requests for companion files, textures and instances, for example to answer
   * them from a cache.
   */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /**
   * Limits for instances, as in `rig.loadInstances`. Defaults: 4,096 files (`maxFiles`), 262,144
   * instances (`maxPlaced`), 65,536 objects (`maxObjects`).
   */
  maxFiles?: number;
  maxPlaced?: number;
  maxObjects?: number;
}

/** All loader options with their types, for validation. */
export const OPTION_KINDS: Readonly<Record<keyof RigcastLoaderOptions, string>> = {
  format: 'string',
  formatOptions: 'object',
  worker: 'boolean',
  transfer: 'boolean',
  maxMemory: 'number',
  maxWork: 'number',
  ranges: 'boolean',
  tangents: 'boolean',
  wasm: 'any',
  companions: 'any',
  textures: 'any',
  colorKey: 'boolean',
  credentials: 'string',
  materialFiles: 'boolean',
  maxTextures: 'number',
  strandWidth: 'number',
  strandUnit: 'string',
  instances: 'boolean',
  onInstances: 'function',
  onModel: 'function',
  fetch: 'function',
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
