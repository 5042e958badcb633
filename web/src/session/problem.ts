// What could not be done, as codes and arguments: the page has the words.
import type { RigFile } from '../core/open.ts';
import type { Need, Report } from '../core/types.ts';
import { baseName } from '../core/paths.ts';
import type { InputFile } from './inputFile.ts';
import type { SkippedEntry } from './notices.ts';
import type { Action } from './reduce.ts';

export type Problem =
  | { code: 'nothing-given' }
  | { code: 'only-companions'; names: readonly string[] }
  /** `path`: how the model names it, where that is more than a name. */
  | { code: 'needs-file'; name: string; wanted: string; path: string | null }
  /** `length`: bytes of the key that was given, where that is what is wrong with it. */
  | { code: 'needs-key'; name: string; wanted: string; isWrong: boolean; length: string | null }
  /** `finding`: the code of the first error, '' where none was found. */
  | { code: 'damaged'; name: string; finding: string; detail: string }
  /** Nothing inside an archive can be unpacked. */
  | { code: 'not-unpacked'; name: string; entries: readonly SkippedEntry[] }
  /** `cause`: the code of the finding that says what it is instead; `detail`: what the finding adds. */
  | { code: 'unknown'; name: string; cause: string; detail: string }
  /** None of several files is a model; the first of them, with reasons. */
  | { code: 'none-opens'; files: readonly UnopenedFile[]; all: number }
  | { code: 'bad-address'; text: string }
  | { code: 'bad-protocol' }
  /** It was given once, and is not where it was. */
  | { code: 'gone'; name: string }
  | { code: 'unreachable'; name: string }
  | { code: 'not-served'; name: string; status: number }
  /** `format`: as people call it; `message`: why, in the library's English. */
  | { code: 'not-saved'; format: string; message: string }
  /** The page for frames does not read this address: its host has to allow it. */
  | { code: 'not-embedded'; address: string }
  | { code: 'failed'; message: string };

/** A file that cannot be shown. `finding`: the code of its first error, '' if there is none. */
export interface UnopenedFile {
  name: string;
  why: 'companion' | 'motion' | 'damaged' | 'unknown';
  finding: string;
  detail: string;
}

/** What somebody asked for cannot be done. */
export class Refusal extends Error {
  readonly problem: Problem;
  readonly report: Report | null;
  /** What changes all the same. */
  readonly action: Action | null;

  constructor(problem: Problem, { report = null, action = null }: { report?: Report | null; action?: Action | null } = {}) {
    super(problem.code);
    this.problem = problem;
    this.report = report;
    this.action = action;
  }
}

export function nothingToShow(companions: readonly InputFile[], action: Action): Refusal {
  if (companions.length === 0) return new Refusal({ code: 'nothing-given' });
  return new Refusal({ code: 'only-companions', names: companions.map(({ file }) => file.name) }, { action });
}

/** A file that cannot be read before something else is there. */
export function missingNeed(file: RigFile, { file: { name } }: InputFile, need: Need, action: Action): Refusal {
  const wanted = baseName(need.name);
  if (need.kind !== 'key')
    return new Refusal({ code: 'needs-file', name, wanted, path: wanted === need.name ? null : need.name }, { action });
  const { items } = file.report;
  const isWrong = items.some(({ code }) => code === 'DECRYPT_FAILED' || code === 'BAD_KEY');
  const length = items.find(({ code }) => code === 'BAD_KEY')?.detail || null;
  return new Refusal({ code: 'needs-key', name, wanted: need.name, isWrong, length }, { action });
}

/** A file that holds no scene. */
export function unreadable({ format, report }: RigFile, { file: { name } }: InputFile, action: Action | null = null): Refusal {
  const first = report.items.find(({ severity }) => severity === 'error');
  const detail = first?.detail ?? '';
  if (format !== null) return new Refusal({ code: 'damaged', name, finding: first?.code ?? '', detail }, { report, action });
  return new Refusal(
    { code: 'unknown', name, cause: first?.code ?? '', detail: detail.startsWith('looked for') ? '' : detail },
    { report, action },
  );
}
