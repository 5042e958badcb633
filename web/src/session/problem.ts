// Errors when files are opened or saved, as codes with arguments. The page contains the sentences.
import { RigcastError } from '../core/error.ts';
import type { RigFile } from '../core/open.ts';
import type { Need, Report } from '../core/types.ts';
import { baseName } from '../core/paths.ts';
import type { InputFile } from './inputFile.ts';
import type { SkippedEntry } from './notices.ts';
import type { Action } from './reduce.ts';

export type Problem =
  | { code: 'no-files' }
  | { code: 'only-companions'; names: readonly string[] }
  /**
   * The file needs another file. `path`: reference in the model if it contains folders; otherwise
   * null.
   */
  | { code: 'needs-file'; name: string; wanted: string; path: string | null }
  /**
   * The file needs a decryption key. `isWrong`: true if the key is wrong. `length`: length of the
   * key if the length is wrong; otherwise null.
   */
  | { code: 'needs-key'; name: string; wanted: string; isWrong: boolean; length: string | null }
  /** The file is damaged. `finding`: code of the first error; '' if there is none. */
  | { code: 'damaged'; name: string; finding: string; detail: string }
  /** No file of the archive can be unpacked. */
  | { code: 'not-unpacked'; name: string; entries: readonly SkippedEntry[] }
  /**
   * The format of the file is unknown. `cause` and `detail`: code and detail of the finding that
   * describes the content.
   */
  | { code: 'unknown'; name: string; cause: string; detail: string }
  /**
   * Several files were opened, and none of them can be shown. `files`: the first files, with
   * reasons. `all`: total number of files.
   */
  | { code: 'none-readable'; files: readonly UnopenedFile[]; all: number }
  | { code: 'invalid-url'; text: string }
  | { code: 'unsupported-protocol' }
  /** The file no longer exists. */
  | { code: 'file-missing'; name: string }
  | { code: 'unreachable'; name: string }
  | { code: 'download-failed'; name: string; status: number }
  /**
   * Saving has failed. `format`: display name of the format. `message`: message from the library,
   * in English or translated.
   */
  | { code: 'save-failed'; format: string; message: string }
  | { code: 'failed'; message: string };

/** A file that can't be shown. `finding`: code of its first error; '' if there is none. */
export interface UnopenedFile {
  name: string;
  why: 'companion' | 'animation' | 'damaged' | 'unknown';
  finding: string;
  detail: string;
}

/** Thrown if a request of the visitor fails. */
export class Refusal extends RigcastError {
  readonly problem: Problem;
  /** Action to apply to the session although the request failed; null if there is none. */
  readonly action: Action | null;

  constructor(problem: Problem, { report = null, action = null }: { report?: Report | null; action?: Action | null } = {}) {
    super(problem.code, problem.code, { report });
    this.problem = problem;
    this.action = action;
  }
}

export function nothingToShow(companions: readonly InputFile[], action: Action): Refusal {
  if (companions.length === 0) return new Refusal({ code: 'no-files' });
  return new Refusal({ code: 'only-companions', names: companions.map(({ file }) => file.name) }, { action });
}

/** Returns the error for a file that needs another file. */
export function missingNeed(file: RigFile, { file: { name } }: InputFile, need: Need, action: Action): Refusal {
  const wanted = baseName(need.name);
  if (need.kind !== 'key')
    return new Refusal({ code: 'needs-file', name, wanted, path: wanted === need.name ? null : need.name }, { action });
  const { items } = file.report;
  const isWrong = items.some(({ code }) => code === 'DECRYPT_FAILED' || code === 'BAD_KEY');
  const length = items.find(({ code }) => code === 'BAD_KEY')?.detail || null;
  return new Refusal({ code: 'needs-key', name, wanted: need.name, isWrong, length }, { action });
}

/** Returns the error for a file without a scene. */
export function unreadable({ format, report }: RigFile, { file: { name } }: InputFile, action: Action | null = null): Refusal {
  const first = report.items.find(({ severity }) => severity === 'error');
  const detail = first?.detail ?? '';
  if (format !== null) return new Refusal({ code: 'damaged', name, finding: first?.code ?? '', detail }, { report, action });
  return new Refusal(
    { code: 'unknown', name, cause: first?.code ?? '', detail: detail.startsWith('supported formats') ? '' : detail },
    { report, action },
  );
}
