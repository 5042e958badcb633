// Converts all models of the library, each with the animations that match it, like `rigcast convert`.
import { type BatchSource, fileSetsOf, stemsBeside, stemsOf, type UnusedFile } from '../../convert/batchPlan.ts';
import { holdsAnimations } from '../../convert/common/target.ts';
import { ConversionError, refusalSentence } from '../../convert/common/refusals.ts';
import type { ConversionEntry, ReportEntry } from '../../convert/common/report.ts';
import { convertFiles, openSource } from '../../convert/convert.ts';
import type { SourceFile } from '../../convert/group.ts';
import { FactsSender, MatchScenes } from '../../convert/matchFacts.ts';
import { extensionsOf, type Target, WRITERS } from '../../convert/targets.ts';
import { isOtherFormat } from '../../core/otherFormats.ts';
import { folderOf } from '../../core/paths.ts';
import { type AnimationEdits, editsIn } from '../../session/animationEdits.ts';
import { boneMapFor, type ModelBoneMap } from '../../session/boneMaps.ts';
import { choicesFor } from '../../session/imageAssignments.ts';
import { valuesFor } from '../../session/materialValues.ts';
import { isLocal } from '../../session/inputFile.ts';
import type { LibraryEntry } from '../../session/library.ts';
import { openFile } from '../../session/model.ts';
import type { OpeningContext } from '../../session/openResult.ts';
import { FileTextures } from '../../textures/sources.ts';
import { FileInstances } from '../../three/instances/instanceSources.ts';
import { refusalMeanings, words } from '../words/index.ts';

/**
 * The outcome of one result, or of a file that is not part of any result, as in the report of the
 * command line (`--ledger`).
 */
export interface ResultRow {
  /** Path of the result; null if `files` could not be used. */
  out: string | null;
  files: readonly string[];
  byteLength: number | null;
  ledger: readonly ReportEntry[];
  error?: { code: string; detail: string };
}

export interface BatchOptions {
  to: Target;
  /** Writes a file of a result. `path`: its path below the folder of the results. */
  write(path: string, file: Blob): Promise<void>;
  /** Called before each file is read, and before each result is made. */
  onStep(step: { kind: 'reading' | 'converting'; at: number; of: number }): void;
  opening: OpeningContext;
  /** Bone maps of all models. */
  boneMaps: readonly ModelBoneMap[];
  /** Edits of animations by the visitor. */
  animationEdits: readonly AnimationEdits[];
}

/** The reports of a conversion, by result. `entries`: their entries with their kinds. */
export interface BatchResult {
  rows: ResultRow[];
  entries: ConversionEntry[];
  /** True if the signal was aborted before all results were made. */
  isCancelled: boolean;
}

/** Converts a library. A file that can't be converted does not stop the others. */
export async function convertLibrary(
  library: readonly LibraryEntry[],
  { to, write, onStep, opening, boneMaps, animationEdits }: BatchOptions,
): Promise<BatchResult> {
  const result: BatchResult = { rows: [], entries: [], isCancelled: false };
  const { signal } = opening;
  const inputs = new Map(library.flatMap(entry => (entry.role === 'companion' ? [] : [[entry.input.path, entry] as const])));
  const read = (path: string): Promise<SourceFile> => readSource(inputs.get(path)!, to, opening);
  try {
    const sources = await factsOfAll([...inputs.keys()], read, result, { onStep, signal });
    const { sets, unused } = fileSetsOf(sources, ({ format }) => holdsAnimations(WRITERS[to], format));
    const places = sets.map(({ files }) => files[0]);
    const folders = places.map(place => folderOf(place).join('/'));
    const stems = stemsOf(places, place => folderOf(place).join('/'));
    const beside = stemsBeside(stems.map((stem, row) => ({ folder: folders[row]!, stem })));
    const written = new Set<string>();
    for (const [row, { files, hasOnlyAnimations }] of sets.entries()) {
      onStep({ kind: 'converting', at: row + 1, of: sets.length });
      const [folder, stem] = [folders[row]!, stems[row]!];
      const [ending, other = ending] = extensionsOf(to);
      const inFolder = (name: string): string => (folder ? `${folder}/${name}` : name);
      const out = inFolder(`${stem}.${hasOnlyAnimations && to === 'se' ? other : ending}`);
      try {
        const opened: SourceFile[] = [];
        for (const path of files) {
          const source = await read(path);
          const boneMap = source.file.scene ? boneMapFor(boneMaps, files[0], source.file.scene) : [];
          const edits = editsIn(animationEdits, inputs.get(path)!);
          opened.push({ ...source, ...(boneMap.length > 0 && path !== files[0] && { boneMap }), ...(edits && { edits }) });
        }
        const { companionFiles } = inputs.get(files[0])!;
        const companions = companionFiles.files(files[0]);
        const choices = files.flatMap(path => choicesFor(opening.imageAssignments ?? [], path, companionFiles));
        const values = files.map(path => valuesFor(opening.materialValues ?? [], path));
        const images = new FileTextures(companions, choices, values.some(Boolean) ? values.flatMap(each => each ?? []) : null);
        const options = { to, name: stem, images, instances: new FileInstances(companions), signal };
        const { files: made, report } = await convertFiles(opened, options, beside({ folder, stem }));
        let byteLength = 0;
        for (const file of made) {
          const blob = new Blob([...file.pieces()], { type: WRITERS[to].mime ?? 'application/octet-stream' });
          byteLength += blob.size;
          signal.throwIfAborted();
          // Several models can refer to the same material file.
          if (!written.has(inFolder(file.name))) await write(inFolder(file.name), blob);
          written.add(inFolder(file.name));
        }
        result.entries.push(...report.items);
        result.rows.push({ out, files, byteLength, ledger: report.items.map(withoutKind) });
      } catch (error) {
        signal.throwIfAborted();
        const detail = await sentenceOf(error);
        result.rows.push({ out, files, byteLength: null, ledger: [], error: { code: 'NOT_CONVERTED', detail } });
      }
    }
    for (const { path, reason } of unused) result.rows.push(unusedRow(path, CODES[reason], words.convertFolder.unused[reason]));
  } catch (error) {
    if (!signal.aborted) throw error;
    result.isCancelled = true;
  }
  return result;
}

/** Codes of the command line for files that are not part of any result. */
const CODES: Record<UnusedFile['reason'], string> = {
  unmatched: 'CLIP_UNMATCHED',
  'without-skeleton': 'CLIP_UNMATCHED',
  empty: 'NOT_CONVERTED',
};

const unusedRow = (path: string, code: string, detail: string): ResultRow => ({
  out: null,
  files: [path],
  byteLength: null,
  ledger: [],
  error: { code, detail },
});

const withoutKind = ({ code, path, amount, detail }: ConversionEntry): ReportEntry => ({ code, path, amount, detail });

/** Reads all files one by one, and keeps only the facts that are needed to match them. */
async function factsOfAll(
  paths: readonly string[],
  read: (path: string) => Promise<SourceFile>,
  { rows }: BatchResult,
  { onStep, signal }: Pick<BatchOptions, 'onStep'> & { signal: AbortSignal },
): Promise<BatchSource[]> {
  const scenes = new MatchScenes();
  const sender = new FactsSender(JSON.stringify);
  const sources: BatchSource[] = [];
  for (const [at, path] of paths.entries()) {
    onStep({ kind: 'reading', at: at + 1, of: paths.length });
    try {
      const { format, scene } = (await read(path)).file;
      signal.throwIfAborted();
      if (scene) {
        sources.push({ path, file: { format, scene: scenes.take(sender.messageOf(scene, path)) } });
      } else rows.push(unusedRow(path, 'NOT_CONVERTED', words.convertFolder.unreadable));
    } catch (error) {
      signal.throwIfAborted();
      rows.push(unusedRow(path, 'NOT_CONVERTED', error instanceof Error ? error.message : String(error)));
    }
  }
  return sources;
}

async function readSource({ input, companionFiles }: LibraryEntry, to: Target, opening: OpeningContext): Promise<SourceFile> {
  const { path } = input;
  const { signal } = opening;
  if (!isLocal(input) || isOtherFormat(input.file.name)) return { file: await openFile(input, { ...opening, companionFiles }), path };
  const { file } = input;
  const companions = companionFiles.resolver(path);
  return openSource(file, { name: file.name, signal, companions, tangents: WRITERS[to].wantsTangents ?? false }, path);
}

async function sentenceOf(error: unknown): Promise<string> {
  const spoken = error instanceof ConversionError && (await refusalMeanings())?.[error.code];
  if (spoken) return refusalSentence(spoken, error.values);
  return error instanceof Error ? error.message : String(error);
}
