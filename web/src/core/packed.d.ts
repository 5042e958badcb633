// What npm run build writes into dist/core/packed.js: rigcast.wasm, gzipped, in base64; and the worker as one module.
export const wasm: string;
export const worker: string;
