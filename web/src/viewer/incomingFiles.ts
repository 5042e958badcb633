// Collects files from drops, folders, dialogs and the clipboard.
import { extensionOf } from '../core/paths.ts';
import { type InputFile, isLocal, type LocalInput } from '../session/inputFile.ts';
import { Refusal } from '../session/problem.ts';
import type { Notice } from '../session/notices.ts';
import { words } from './words/index.ts';

export interface IncomingFiles {
  files: InputFile[];
  /** True if some files were ignored because there were too many. */
  truncated: boolean;
  /** Reasons why files were skipped. */
  notes?: readonly Notice[];
  /**
   * Handles with which the files can be read again on the next visit. Undefined if the browser does
   * not provide handles.
   */
  handles?: readonly FileSystemHandle[];
}

export const MAX_FILES = 5000;
export const MAX_DEPTH = 16;

/**
 * Returns all files of a drop, including those in folders. Must be called synchronously in the
 * event handler, because the browser clears the items afterwards.
 */
export function filesOfTransfer(transfer: DataTransfer): Promise<IncomingFiles> {
  const entries = [...transfer.items].filter(item => item.kind === 'file').map(item => item.webkitGetAsEntry?.() ?? null);
  const plain = [...transfer.files];
  const handles = handlesOf(transfer);
  return Promise.all([filesIn(entries, plain), handles]).then(([incoming, kept]) => ({ ...incoming, handles: kept }));
}

/**
 * Requests the file handles of a drop. Must be called synchronously, because the browser clears the
 * items after the event.
 */
function handlesOf(transfer: DataTransfer): Promise<readonly FileSystemHandle[]> {
  const items = [...transfer.items] as (DataTransferItem & { getAsFileSystemHandle?(): Promise<FileSystemHandle | null> })[];
  const requests = items.filter(({ kind }) => kind === 'file').map(item => item.getAsFileSystemHandle?.().catch(() => null) ?? null);
  return Promise.all(requests).then(all => all.filter(handle => handle !== null));
}

function filesIn(entries: readonly (FileSystemEntry | null)[], plain: File[]): Promise<IncomingFiles> {
  if (entries.length === 0 || entries.some(entry => entry === null)) return Promise.resolve(filesOfList(plain));
  return filesOfEntries(entries as FileSystemEntry[]);
}

export function filesOfList(list: Iterable<File>): IncomingFiles {
  const files: InputFile[] = [];
  for (const file of list) {
    if (files.length >= MAX_FILES) return { files, truncated: true };
    files.push({ path: file.webkitRelativePath || file.name, file });
  }
  return { files, truncated: false };
}

/**
 * Replaces archives by the files that they contain. Adds a note for each file that can't be
 * unpacked. Throws a Refusal if no files are left.
 */
export async function unpacked(incoming: IncomingFiles, signal: AbortSignal): Promise<IncomingFiles> {
  const isArchive = (input: InputFile): input is LocalInput => isLocal(input) && extensionOf(input.file.name) === 'zip';
  if (!incoming.files.some(isArchive)) return incoming;
  const { filesOfZip, isTooLarge } = await import('./zip.ts');
  const files = incoming.files.filter(each => !isArchive(each));
  const notes: Notice[] = [...(incoming.notes ?? [])];
  let { truncated } = incoming;
  let refusal: Refusal | null = null;
  for (const archive of incoming.files.filter(isArchive)) {
    const { name } = archive.file;
    try {
      const inside = await filesOfZip(archive, Math.max(MAX_FILES - files.length, 0), signal);
      truncated ||= inside.truncated;
      if (inside.leftOut.length > 0) {
        notes.push({ code: 'not-unpacked', name, entries: inside.leftOut });
        if (inside.files.length === 0) refusal ??= new Refusal({ code: 'not-unpacked', name, entries: inside.leftOut });
        files.push(...inside.files);
      } else {
        // An empty archive is passed on, so that opening it reports its type.
        files.push(...(inside.files.length > 0 ? inside.files : [archive]));
      }
    } catch (error) {
      signal.throwIfAborted();
      const isLarge = isTooLarge(error);
      notes.push({ code: 'archive-skipped', name, isLarge });
      refusal ??= isLarge
        ? new Refusal({ code: 'failed', message: words.tooLargeToUnpack(name) })
        : new Refusal({ code: 'damaged', name, finding: '', detail: error instanceof Error ? error.message : '' });
    }
  }
  if (refusal && files.length === 0) throw refusal;
  return { ...incoming, files, truncated, notes };
}

/** Reads folders level by level, up to a maximum number of files and levels. */
export async function filesOfEntries(entries: FileSystemEntry[]): Promise<IncomingFiles> {
  const files: InputFile[] = [];
  let truncated = false;
  let level = entries;
  for (let depth = 0; level.length > 0; ++depth) {
    const next: FileSystemEntry[] = [];
    for (const entry of level) {
      if (files.length >= MAX_FILES || depth > MAX_DEPTH) return { files, truncated: true };
      if (entry.isFile) {
        const reread = (): Promise<File> => new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
        const file = await reread().catch(() => null);
        if (file) files.push({ path: entry.fullPath.replace(/^\//, ''), file, reread });
      } else if (entry.isDirectory) {
        const reader = (entry as FileSystemDirectoryEntry).createReader();
        // Each call returns up to 100 entries. An empty list marks the end.
        for (;;) {
          const some = await new Promise<FileSystemEntry[]>(resolve => reader.readEntries(resolve, () => resolve([])));
          if (some.length === 0) break;
          next.push(...some);
          if (next.length > MAX_FILES) {
            truncated = true;
            break;
          }
        }
      }
    }
    level = next;
  }
  return { files, truncated };
}
