// The table of findings.
import type { CodeInfo } from './codeInfo.ts';

/**
 * Returns all finding codes with their sentences. The table is loaded on demand, because reading a
 * file does not need it.
 */
export async function codes(): Promise<CodeInfo[]> {
  return (await import('./codeTable.ts')).codeTable;
}
