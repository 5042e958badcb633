// Opens an input file. Errors about deleted or moved files contain the name of the file.
import type { RigFile } from '../core/open.ts';
import { type InputFile, isLocal } from './inputFile.ts';
import { openFile, type OpenContext } from './model.ts';
import { Refusal } from './problem.ts';

/**
 * Opens a file like `openFile`, but throws a Refusal with the name of the file if it was moved or
 * deleted. The browser reports only a “network error” in this case.
 */
export async function readFile(input: InputFile, context: OpenContext): Promise<RigFile> {
  try {
    return await openFile(input, context);
  } catch (error) {
    context.signal.throwIfAborted();
    if (!isLocal(input) || (await isReadable(input.file))) throw error;
    throw new Refusal({ code: 'file-missing', name: input.file.name });
  }
}

const isReadable = (file: Blob): Promise<boolean> =>
  // An empty file has no first byte, so the file is read as a whole.
  (file.size > 0 ? file.slice(0, 1) : file).arrayBuffer().then(
    () => true,
    () => false,
  );
