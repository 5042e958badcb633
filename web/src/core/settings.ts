// Locations of rigcast's own files, configured once for every entry.
import { checkOptions } from './options.ts';

/** Source of rigcast.wasm, for bundlers that do not copy it to the default location. */
export type WasmSource = string | URL | Response | PromiseLike<Response> | ArrayBuffer | ArrayBufferView | WebAssembly.Module;

declare global {
  /** Declared in the types of browsers, but not in those of Node. */
  namespace WebAssembly {
    interface Module {}
    interface Memory {}
    interface Instance {}
  }
}

/** `Worker`, for projects whose `lib` does not contain dom. */
type PageWorker = typeof globalThis extends { Worker: { prototype: infer W } } ? W : never;

export interface Settings {
  /**
   * Location of rigcast.wasm, if it is not next to the script. The option of a single call has
   * priority.
   */
  wasm?: WasmSource | undefined;
  /**
   * URL of the worker module (`worker.js` of the package), or a function that creates the worker,
   * such as the default export of `import Worker from '…?worker'` in a bundler.
   */
  worker?: string | URL | (() => PageWorker) | undefined;
}

const KEY = Symbol.for('rigcast.settings');

/**
 * Shared by all copies of this module in a page: a bundle and plain modules may both contain one.
 */
export const settings: Settings = ((globalThis as { [KEY]?: Settings })[KEY] ??= {});

/** Changes settings. Undefined restores the default. */
export function configure(given: Settings): void {
  checkOptions('configure', given, { wasm: 'any', worker: 'any' } satisfies Record<keyof Settings, string>);
  Object.assign(settings, given);
}
