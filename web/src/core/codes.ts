// The table of findings.
import type { CodeInfo } from './codeInfo.ts';

/** Every code that a report may hold, with its sentence. Loaded on demand: reading does not need it. */
export async function codes(): Promise<CodeInfo[]> {
  return (await import('./codeTable.ts')).codeTable;
}
