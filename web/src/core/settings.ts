// Settings for all entries: locations of rigcast's own files.
import { checkOptions } from './options.ts';

/**
 * Location or contents of rigcast.wasm, for bundlers that do not copy it to the default location.
 */
export type WasmSource = string | URL | Response | PromiseLike<Response> | ArrayBuffer | ArrayBufferView | WebAssembly.Module;

declare global {
  /** Declares types that exist in the type definitions of browsers, but not in those of Node. */
  namespace WebAssembly {
    interface Module {}
    interface Memory {}
    interface Instance {}
  }
}

/** The type `Worker`; `never` in projects whose compiler option `lib` does not contain `dom`. */
type PageWorker = typeof globalThis extends { Worker: { prototype: infer W } } ? W : never;

export interface Settings {
  /**
   * Location of rigcast.wasm, if it is not next to the script. The option `wasm` of a single call
   * has priority.
   */
  wasm?: WasmSource | undefined;
  /** URL of the worker module, or a function that creates the worker. */
  worker?: string | URL | (() => PageWorker) | undefined;
  /**
   * URL of a folder with the decoders of three.js for glTF files that are compressed with Draco or
   * contain KTX2 textures: a copy of `three/examples/jsm/libs`. By default, three.js finds them.
   */
  decoders?: string | URL | undefined;
}

const KEY = Symbol.for('rigcast.settings');

/**
 * Settings, shared by all copies of this module in a page. There are several copies if the page
 * loads rigcast both in a bundle and as separate modules.
 */
export const settings: Settings = ((globalThis as { [KEY]?: Settings })[KEY] ??= {});

/** Sets the given settings. The value undefined restores the default. */
export function configure(changes: Settings): void {
  checkOptions('configure', changes, { wasm: 'any', worker: 'any', decoders: 'any' } satisfies Record<keyof Settings, string>);
  Object.assign(settings, changes);
}
