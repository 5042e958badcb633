import type { Severity } from './types.ts';

/** Describes a finding. Each object corresponds to a row of wasm/core/codes.def. */
export interface CodeInfo {
  code: string;
  /** Default severity of the finding. */
  severity: Severity;
  /** Ids of the problem in the format documents, such as `E01`, separated by spaces. */
  ids: string;
  /** One sentence for users that explains the finding. */
  sentence: string;
  /** Advice for the user. Code is in backquotes and links are written as in Markdown. */
  advice: string;
}
