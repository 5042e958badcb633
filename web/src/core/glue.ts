// The Emscripten runtime around a compiled rigcast.wasm. The worker has it; a page loads it only to read on its own thread.
import createRigcast, { type GlueOptions, type RigcastGlue } from './wasm/rigcast.mjs';

/** A fresh instance: its own heap, used for one file and then left to the garbage collector. */
export function instantiate(module: WebAssembly.Module): Promise<RigcastGlue> {
  const ignore = (): void => {}; // what the runtime prints before it aborts is in the error as well
  return new Promise((resolve, reject) => {
    const instantiateWasm: GlueOptions['instantiateWasm'] = (imports, done) => {
      WebAssembly.instantiate(module, imports).then(instance => done(instance, module), reject); // the runtime itself would stay silent
      return {};
    };
    createRigcast({ print: ignore, printErr: ignore, instantiateWasm }).then(resolve, reject);
  });
}
