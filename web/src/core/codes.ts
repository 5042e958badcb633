// The table of findings and the list of formats, as the core has them.
import type { CodeInfo } from './codeInfo.ts';
import { wasmFrom, type WasmSource } from './wasm.ts';

export interface FormatInfo {
  id: string;
  label: string;
  /** Lower case, without dot. */
  extensions: string[];
}

/** Every code that a report may hold, with its sentence. Loaded on demand: reading does not need it. */
export async function codes(): Promise<CodeInfo[]> {
  return (await import('./codeTable.ts')).codeTable;
}

let list: Promise<FormatInfo[]> | undefined;

/** Every format that `open` reads. Loads a WebAssembly module the first time. */
export function formats(wasm?: WasmSource): Promise<FormatInfo[]> {
  if (!list) {
    list = read(wasm);
    list.catch(() => (list = undefined));
  }
  return list;
}

async function read(wasm: WasmSource | undefined): Promise<FormatInfo[]> {
  const [module, { instantiate }] = await Promise.all([wasmFrom(wasm).first, import('./glue.ts')]);
  const all = JSON.parse((await instantiate(module)).formats()) as FormatInfo[];
  return all.map(({ id, label, extensions }) => ({ id, label, extensions }));
}
