// What people give: drops, folders, picked and pasted files.
import type { GivenFile } from '../player/given.ts';

export interface Given {
  files: GivenFile[];
  /** There were more files than are looked at. */
  truncated: boolean;
}

export const MAX_FILES = 5000;
const MAX_DEPTH = 16;

/** All files of a drop, folders included. Must be called while the event is being handled: the browser forgets the items after it. */
export function filesOfTransfer(transfer: DataTransfer): Promise<Given> {
  const entries = [...transfer.items].filter(item => item.kind === 'file').map(item => item.webkitGetAsEntry?.() ?? null);
  const plain = [...transfer.files];
  if (entries.length === 0 || entries.some(entry => entry === null)) return Promise.resolve(filesOfList(plain));
  return filesOfEntries(entries as FileSystemEntry[]);
}

export function filesOfList(list: Iterable<File>): Given {
  const files: GivenFile[] = [];
  for (const file of list) {
    if (files.length >= MAX_FILES) return { files, truncated: true };
    files.push({ path: file.webkitRelativePath || file.name, file });
  }
  return { files, truncated: false };
}

/** Walks folders breadth first, bounded in number and depth. */
export async function filesOfEntries(entries: FileSystemEntry[]): Promise<Given> {
  const files: GivenFile[] = [];
  let truncated = false;
  let level = entries;
  for (let depth = 0; level.length > 0; ++depth) {
    const next: FileSystemEntry[] = [];
    for (const entry of level) {
      if (files.length >= MAX_FILES || depth > MAX_DEPTH) return { files, truncated: true };
      if (entry.isFile) {
        const file = await new Promise<File | null>(resolve => (entry as FileSystemFileEntry).file(resolve, () => resolve(null)));
        if (file) files.push({ path: entry.fullPath.replace(/^\//, ''), file });
      } else if (entry.isDirectory) {
        const reader = (entry as FileSystemDirectoryEntry).createReader();
        // A reader gives at most a hundred entries at a time, until it gives none.
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
