// Explains why none of several files can be shown. This module is loaded when such an error occurs.
import { open } from '../core/open.ts';
import type { InputFile } from './inputFile.ts';
import { openFile } from './model.ts';
import type { OpeningContext } from './openResult.ts';
import { type UnopenedFile, Refusal } from './problem.ts';
import { roleOf } from './role.ts';
import { CompanionFiles } from './companionFiles.ts';

/** Maximum number of files that are listed. */
const MAX_LISTED = 12;
/** Number of bytes that are read from a file of unknown format. */
const HEAD_BYTES = 4096;

/**
 * Returns a refusal that lists the files with reasons. Returns the original refusal `first` if
 * there are fewer than two files, not counting companion files.
 */
export async function explainRefusal(files: readonly InputFile[], first: Refusal, opening: OpeningContext): Promise<Refusal> {
  const roles = await Promise.all(files.map(async input => ({ input, role: await roleOf(input.file) })));
  opening.signal.throwIfAborted();
  const others = roles.filter(({ role }) => role !== 'companion');
  if (others.length < 2) return first;
  const listed: UnopenedFile[] = [];
  const companions = roles.filter(({ role }) => role === 'companion');
  for (const { input, role } of [...others, ...companions].slice(0, MAX_LISTED)) listed.push(await reasonFor(input, role, opening));
  return new Refusal({ code: 'none-readable', files: listed, all: files.length }, { action: first.action });
}

async function reasonFor(input: InputFile, role: Awaited<ReturnType<typeof roleOf>>, opening: OpeningContext): Promise<UnopenedFile> {
  const { name, size } = input.file;
  if (role === 'companion') return { name, why: 'companion', finding: '', detail: '' };
  const isKnown = role !== 'unknown';
  const reading = isKnown
    ? openFile(input, { ...opening, companionFiles: new CompanionFiles() })
    : open(await input.file.slice(0, HEAD_BYTES).arrayBuffer(), { name, signal: opening.signal });
  const file = await reading.catch(() => null);
  opening.signal.throwIfAborted();
  if (file?.scene) return { name, why: 'animation', finding: '', detail: '' };
  const first = file?.report.items.find(({ severity }) => severity === 'error');
  const { code = '', detail = '' } = first ?? {};
  // If only the start of a larger file was read, zeros there do not mean that the whole file
  // consists of zeros.
  const isGuess = code === 'ALL_ZEROS' && !isKnown && size > HEAD_BYTES;
  if (file?.format) return { name, why: 'damaged', finding: code, detail };
  return { name, why: 'unknown', finding: isGuess ? '' : code, detail: isGuess || detail.startsWith('supported formats') ? '' : detail };
}
