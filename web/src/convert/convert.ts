// Converts files to another format, and reports which data is lost.
import { open, type OpenOptions, type RigFile } from '../core/open.ts';
import type { OpenSource } from '../core/source.ts';
import { type Conversion, runConversion } from './conversion.ts';
import type { SourceFile } from './group.ts';
import { openOther, type Read } from './openOther.ts';
import { captureIn } from './mrtk/capture.ts';
import { checkConvertOptions, type ConvertOptions } from './options.ts';
import { targetOf, WRITERS } from './targets.ts';

/**
 * Converts files. If one file is a model, all other files are animations for it. If there are
 * several models, each is written to a separate file with the animations that match it best. glTF
 * results contain instanced files; Cast results reference them. Animations without a model are
 * converted if they contain a skeleton. Rejects with a TypeError if options are invalid, a
 * ConversionError if nothing can be converted, a LossError if `strict` is set and something is
 * lost, and `signal.reason` if the conversion is aborted.
 *
 * @example
 * ```ts
 * import { readFile, writeFile } from 'node:fs/promises';
 * import { convert } from 'rigcast/convert';
 *
 * const hero = new File([await readFile('hero.psk')], 'hero.psk');
 * const { files, report } = await convert([hero], { to: 'glb' });
 * for (const { name, bytes } of files) await writeFile(name, bytes);
 * console.log(report.items); // what was lost, approximated or guessed
 * ```
 */
export async function convert(sources: readonly (OpenSource | RigFile)[], options: ConvertOptions): Promise<Conversion> {
  checkConvertOptions(options);
  const { signal } = options;
  const opened: SourceFile[] = [];
  for (const source of sources) {
    signal?.throwIfAborted();
    if (isOpened(source)) opened.push({ file: source, path: source.name });
    else
      opened.push(
        await openSource(source, { tangents: WRITERS[options.to].wantsTangents ?? false, ...options.open, ...(signal && { signal }) }),
      );
  }
  return convertFiles(opened, options);
}

/**
 * Opens a source. IWER recordings are converted to MRTK first. glTF, GLB, VRM, FBX, OBJ and BVH are
 * read with the loaders of three.js. `path`: path of the source. The default is its name. `read`: see
 * `openOther`.
 */
export async function openSource(source: OpenSource, options: OpenOptions, path?: string, read?: Read): Promise<SourceFile> {
  const other = await openOther(source, options, read);
  if (other) return { file: other, path: path ?? other.name };
  const capture = await captureIn(source);
  if (!capture) {
    const file = await open(source, options);
    return { file, path: path ?? file.name };
  }
  const name = options.name ?? (source instanceof File ? source.name : 'recording');
  const file = await open(capture.bytes, { ...options, name, format: 'mrtk' });
  const losses = capture.lost > 0 ? [{ code: 'INPUTS_LOST', path: file.name, amount: capture.lost, detail: '' }] : [];
  return { file, path: path ?? file.name, losses };
}

/** Converts files that are already open. `others`: names of other results in the same folder. */
export function convertFiles(
  sources: readonly SourceFile[],
  { to, instances, open: how, ...options }: ConvertOptions,
  others?: readonly string[],
): Promise<Conversion> {
  const { signal } = options;
  const further = instances && {
    source: instances,
    open: (data: Uint8Array | Blob, name: string) => open(data, { tangents: true, ...how, name, ...(signal && { signal }) }),
  };
  return runConversion(targetOf(to), sources, options, { others, further });
}

function isOpened(source: OpenSource | RigFile): source is RigFile {
  return typeof source === 'object' && 'scene' in source && 'report' in source;
}
