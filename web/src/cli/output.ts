// Checks the option `-o`, which names a file or a folder.
import { extname } from 'node:path';
import { formats } from '../core/formats.ts';
import { OTHER_FORMATS } from '../core/otherFormats.ts';
import { isFolder } from './files.ts';
import { UsageError } from './usage.ts';

/** Extensions of models, pictures and videos. A folder hardly ever has one of them. */
const FILES: ReadonlySet<string> = new Set([
  ...formats().flatMap(({ extensions }) => extensions),
  ...Object.values(OTHER_FORMATS).flat(),
  ...'dae usd usda usdc usdz blend ma mb max stl ply 3ds smd'.split(' '),
  ...'png webp jpg jpeg bmp tga tif tiff mp4 webm gif mov avi mkv'.split(' '),
]);

/**
 * Throws a UsageError if `out` is probably a file in a format that the command doesn't write. Otherwise
 * the command would create a folder with this name. `isFile`: true if the command writes this format.
 */
export function checkOutput(out: string, isFile: boolean, extensions: readonly string[]): void {
  const extension = extname(out);
  if (isFile || !FILES.has(extension.slice(1).toLowerCase()) || isFolder(out)) return;
  throw new UsageError(
    `-o ${out}: this command can't write ${extension} files (expected a folder, or ${extensions.map(each => `.${each}`).join(', ')})`,
  );
}
