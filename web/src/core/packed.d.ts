// Types of dist/core/packed.js, which `npm run build` writes: rigcast.wasm as gzipped base64, and
// the worker as one module.
export const wasm: string;
export const worker: string;
