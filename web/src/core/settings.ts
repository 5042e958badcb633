// Where rigcast's own files are, said once for every entry.
import { checkOptions } from './options.ts';

/** Where rigcast.wasm comes from, where the built-in address does not do (some bundlers do not copy it). */
export type WasmSource = string | URL | Response | PromiseLike<Response> | ArrayBuffer | ArrayBufferView | WebAssembly.Module;

declare global {
  /** Types of pages have it, those of Node do not. */
  namespace WebAssembly {
    interface Module {}
    interface Memory {}
    interface Instance {}
  }
}

/** `Worker`. Projects whose `lib` has no dom do not know that name. */
type PageWorker = typeof globalThis extends { Worker: { prototype: infer W } } ? W : never;

export interface Settings {
  /** Where rigcast.wasm is, where it is not beside the script. The option of the same name of a single call goes before it. */
  wasm?: WasmSource | undefined;
  /** The address of the worker's module (`worker.js` of the package), or a function that makes one, as `import Worker from '…?worker'` of a bundler. */
  worker?: string | URL | (() => PageWorker) | undefined;
}

const KEY = Symbol.for('rigcast.settings');

/** Shared by every copy of this module in a page: a bundle and plain modules may both contain one. */
export const settings: Settings = ((globalThis as { [KEY]?: Settings })[KEY] ??= {});

/** Adds to what is set; undefined takes a setting back. */
export function configure(given: Settings): void {
  checkOptions('configure', given, { wasm: 'any', worker: 'any' } satisfies Record<keyof Settings, string>);
  Object.assign(settings, given);
}
