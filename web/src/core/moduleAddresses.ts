// Printed by `npm run print` from the list of formats (wasm/formats/registry.cpp).

/** Families of formats. Each has a WebAssembly module with its readers. */
export type Family = 'cast' | 'unreal' | 'mrtk' | 'vgo' | 'se' | 'ueformat';

/** The addresses of the modules, as literals that bundlers look for. `rigcast` has the readers of every format. */
export const moduleAddresses: Readonly<Record<Family | 'rigcast', () => URL>> = {
  rigcast: () => new URL('./wasm/rigcast.wasm', import.meta.url),
  cast: () => new URL('./wasm/cast.wasm', import.meta.url),
  unreal: () => new URL('./wasm/unreal.wasm', import.meta.url),
  mrtk: () => new URL('./wasm/mrtk.wasm', import.meta.url),
  vgo: () => new URL('./wasm/vgo.wasm', import.meta.url),
  se: () => new URL('./wasm/se.wasm', import.meta.url),
  ueformat: () => new URL('./wasm/ueformat.wasm', import.meta.url),
};
