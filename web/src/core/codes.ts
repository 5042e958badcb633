// The table of findings and the list of formats, as the core has them.
import type { Severity } from './types.ts';
import { compileWasm, type WasmSource } from './wasm.ts';

/** A row of the one table (wasm/core/codes.def). */
export interface CodeInfo {
  code: string;
  /** Unless the finding says otherwise. */
  severity: Severity;
  /** Ids of the format documents that the code stands for, separated by blanks. */
  ids: string;
  /** What it means, for people. */
  sentence: string;
}

export interface FormatInfo {
  id: string;
  label: string;
  /** Lower case, without dot. */
  extensions: string[];
}

let tables: Promise<{ codes: CodeInfo[]; formats: FormatInfo[] }> | undefined;

/** Every code that a report may hold. Loads rigcast.wasm the first time. */
export async function codes(wasm?: WasmSource): Promise<CodeInfo[]> {
  return (await load(wasm)).codes;
}

/** Every format that `open` reads. Loads rigcast.wasm the first time. */
export async function formats(wasm?: WasmSource): Promise<FormatInfo[]> {
  return (await load(wasm)).formats;
}

function load(wasm: WasmSource | undefined): NonNullable<typeof tables> {
  if (!tables) {
    tables = read(wasm);
    tables.catch(() => (tables = undefined));
  }
  return tables;
}

async function read(wasm: WasmSource | undefined): NonNullable<typeof tables> {
  const [module, { instantiate }] = await Promise.all([compileWasm(wasm), import('./glue.ts')]);
  const glue = await instantiate(module);
  return { codes: JSON.parse(glue.codes()) as CodeInfo[], formats: JSON.parse(glue.formats()) as FormatInfo[] };
}
