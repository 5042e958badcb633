// File handles, with which files can be read again later. They come from the browser's dialogs,
// from drops, or from storage (last visit). Some browsers have no file handles.
import { get, set } from 'idb-keyval';
import type { InputFile } from '../session/inputFile.ts';
import { type IncomingFiles, MAX_DEPTH, MAX_FILES } from './incomingFiles.ts';

/** File handle with a method that TypeScript's DOM types lack. */
type Handle = FileSystemHandle & { requestPermission?(options: { mode: 'read' }): Promise<PermissionState> };
interface Choosing {
  showOpenFilePicker?(options: { multiple: boolean }): Promise<FileSystemHandle[]>;
  showDirectoryPicker?(): Promise<FileSystemHandle>;
}

const KEY = 'rigcast.handles';
/** Maximum number of handles that are stored. */
const MAX_COUNT = 50;

const choosing = (): Choosing => globalThis as Choosing;

/**
 * Returns true if the browser's dialog provides file handles. Frames of other sites cannot open
 * this dialog.
 */
export const choosesHandles = (kind: 'files' | 'folder'): boolean =>
  kind === 'files' ? choosing().showOpenFilePicker !== undefined : choosing().showDirectoryPicker !== undefined;

/**
 * Opens the browser's dialog. Resolves with an empty list if the visitor cancels it. Rejects if the
 * browser does not allow the dialog.
 */
export async function chooseHandles(kind: 'files' | 'folder'): Promise<readonly FileSystemHandle[]> {
  try {
    return kind === 'files' ? await choosing().showOpenFilePicker!({ multiple: true }) : [await choosing().showDirectoryPicker!()];
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return [];
    throw error;
  }
}

/**
 * Returns the files that the handles refer to, including those in folders, up to a maximum number
 * of files and folder levels. Skips files that are missing or may not be read.
 */
export async function filesOfHandles(handles: readonly FileSystemHandle[]): Promise<IncomingFiles> {
  const files: InputFile[] = [];
  let level = handles.map(handle => ({ handle, path: handle.name }));
  for (let depth = 0; level.length > 0; depth++) {
    const next: typeof level = [];
    for (const { handle, path } of level) {
      if (files.length >= MAX_FILES || depth > MAX_DEPTH) return { files, truncated: true, handles };
      if (handle.kind === 'file') {
        const reread = (): Promise<File> => (handle as FileSystemFileHandle).getFile();
        const file = await reread().catch(() => null);
        if (file) files.push({ path, file, reread });
      } else {
        try {
          for await (const [name, child] of (handle as FileSystemDirectoryHandle).entries()) {
            next.push({ handle: child, path: `${path}/${name}` });
            if (next.length > MAX_FILES) break;
          }
        } catch {
          // The folder is missing or can't be read.
        }
      }
    }
    level = next;
  }
  return { files, truncated: false, handles };
}

/** Stores file handles for the next visit, if the browser allows it. */
export async function keepHandles(handles: readonly FileSystemHandle[]): Promise<void> {
  if (handles.length > 0) await set(KEY, handles.slice(0, MAX_COUNT)).catch(() => {});
}

/** Returns the file handles that were stored on the last visit; empty if there are none. */
export async function keptHandles(): Promise<readonly FileSystemHandle[]> {
  const kept: unknown = await get(KEY).catch(() => null);
  return Array.isArray(kept) ? kept.filter(handle => handle instanceof FileSystemHandle) : [];
}

/**
 * Asks the visitor for permission to read the files. Returns the handles for which permission was
 * granted. Call this in the handler of a user gesture, as browsers require.
 */
export async function permitted(handles: readonly FileSystemHandle[]): Promise<readonly FileSystemHandle[]> {
  const allowed: FileSystemHandle[] = [];
  for (const handle of handles as readonly Handle[]) {
    const state = await handle.requestPermission?.({ mode: 'read' }).catch(() => 'denied');
    if (state === 'granted') allowed.push(handle);
  }
  return allowed;
}
