import type { Severity } from './types.ts';

/** Describes a finding. Each object corresponds to a row of wasm/core/codes.def. */
export interface CodeInfo {
  code: string;
  /** Default severity of the finding. */
  severity: Severity;
  /** Ids of related sections in the format documents, separated by spaces. */
  ids: string;
  /** Meaning of the finding, for users. */
  sentence: string;
  /** Advice for the user. Code is in backquotes and links are written as in Markdown. */
  advice: string;
}
