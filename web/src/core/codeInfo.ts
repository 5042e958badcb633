import type { Severity } from './types.ts';

/** A row of the one table (wasm/core/codes.def). */
export interface CodeInfo {
  code: string;
  /** Unless the finding says otherwise. */
  severity: Severity;
  /** Ids of the format documents that the code stands for, separated by blanks. */
  ids: string;
  /** What it means, for people. */
  sentence: string;
  /** Advice for the user. Code is in backquotes and links are written as in Markdown. */
  advice: string;
}
