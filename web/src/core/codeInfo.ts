import type { Severity } from './types.ts';

/** A row of the table of findings (wasm/core/codes.def). */
export interface CodeInfo {
  code: string;
  /** Default severity of the finding. */
  severity: Severity;
  /** Ids of related entries in the format documents, separated by spaces. */
  ids: string;
  /** Meaning of the finding, for users. */
  sentence: string;
  /** Advice for the user. Code is in backquotes and links are written as in Markdown. */
  advice: string;
}
