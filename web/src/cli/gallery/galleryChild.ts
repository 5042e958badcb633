// The child process of `rigcast gallery`: reads the facts of models, and copies files into the site.
import { basename, dirname, relative, sep } from 'node:path';
import { openOther } from '../../convert/openOther.ts';
import { open, type OpenOptions } from '../../core/open.ts';
import { isOtherFormat, otherFormatOf } from '../../core/otherFormats.ts';
import type { MakeAnswer } from '../convertChild.ts';
import { fromPath } from '../files.ts';
import { referencesOf } from '../otherFormats.ts';
import { readWhole, recordReads, UnreadableError } from '../reading.ts';
import { isInputOutput, writeResult } from '../results.ts';
import { serve } from '../serve.ts';
import { animationFacts, type ModelFacts, sceneFacts } from './facts.ts';

export interface GalleryTask {
  kind: 'describe' | 'copy';
  /** Paths of the model and its animations, starting with the model; the path of the file to copy. */
  paths: readonly string[];
  out: string;
  /** The folder of all models. */
  folder: string;
  open: OpenOptions;
}

serve(async (task: GalleryTask): Promise<MakeAnswer> => {
  try {
    const reads = recordReads();
    const [first = ''] = task.paths;
    const data =
      task.kind === 'copy'
        ? (readWhole(first) as Uint8Array<ArrayBuffer>)
        : new TextEncoder().encode(`${JSON.stringify(await describe(task), null, 1)}\n`);
    const file = {
      name: basename(task.out),
      *pieces() {
        yield data;
      },
    };
    const { byteLength, states } = writeResult(dirname(task.out), [file], { isShared: () => false, isStrict: false });
    return { byteLength, ledger: [], read: [...reads.values()], written: states };
  } catch (error) {
    if (error instanceof Error && isInputOutput(error)) return failed('IO_ERROR', error.message);
    return failed('INTERNAL_TRAP', error instanceof Error ? error.message : String(error));
  }
});

async function describe({ paths, folder, open: options }: GalleryTask): Promise<ModelFacts> {
  const files = [];
  for (const path of paths) {
    const [bytes, how] = fromPath(path, options);
    const byteLength = bytes.length; // before `open`, which transfers the bytes
    const other = isOtherFormat(path) ? otherFormatOf(path, bytes) : null;
    const { format, scene, report } = (other && (await openOther(bytes, how, referencesOf(path)))) ?? (await open(bytes, how));
    files.push({ file: relative(folder, path).split(sep).join('/'), byteLength, format: other ?? format, scene, report });
  }
  const [model] = files;
  const scene = model?.scene;
  if (!model || !scene) throw new UnreadableError(paths[0] ?? '', 'contains no model that can be read');
  return {
    file: model.file,
    format: model.format ?? '',
    byteLength: model.byteLength,
    ...sceneFacts(scene),
    animations: files.flatMap(({ file, scene: own }) => animationFacts(own?.clips ?? [], file, scene)),
    reports: files.map(({ file, byteLength, report }) => ({ file, byteLength, report })),
  };
}

const failed = (code: string, detail: string): MakeAnswer => ({ byteLength: null, ledger: [], error: { code, detail } });
