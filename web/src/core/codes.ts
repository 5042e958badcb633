// Loads the table of findings.
import type { CodeInfo } from './codeInfo.ts';

/**
 * Returns all finding codes with their meaning and advice. Loads the table on demand, because it is
 * not needed to read files.
 */
export async function codes(): Promise<CodeInfo[]> {
  return (await import('./codeTable.ts')).codeTable;
}
