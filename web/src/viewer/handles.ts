// Files that may be read again: chosen in the browser's own dialogs, dropped, or kept since the last visit. Only some browsers give handles; the others
// give files as they were.
import { get, set } from 'idb-keyval';
import type { InputFile } from '../session/inputFile.ts';
import { type Given, MAX_DEPTH, MAX_FILES } from './intake.ts';

/** As browsers have them beyond what TypeScript knows. */
type Handle = FileSystemHandle & { requestPermission?(wish: { mode: 'read' }): Promise<PermissionState> };
interface Choosing {
  showOpenFilePicker?(wish: { multiple: boolean }): Promise<FileSystemHandle[]>;
  showDirectoryPicker?(): Promise<FileSystemHandle>;
}

const KEY = 'rigcast.handles';
/** That are kept for the next visit. */
const MOST = 50;

const choosing = (): Choosing => globalThis as Choosing;

/** Whether the browser's dialog gives handles. A frame of another site may not ask. */
export const choosesHandles = (kind: 'files' | 'folder'): boolean =>
  kind === 'files' ? choosing().showOpenFilePicker !== undefined : choosing().showDirectoryPicker !== undefined;

/** Empty: somebody has thought better of it. Rejects where the browser forbids to ask. */
export async function chooseHandles(kind: 'files' | 'folder'): Promise<readonly FileSystemHandle[]> {
  try {
    return kind === 'files' ? await choosing().showOpenFilePicker!({ multiple: true }) : [await choosing().showDirectoryPicker!()];
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return [];
    throw error;
  }
}

/** All files behind handles, folders included, bounded in number and depth. What is gone or forbidden is left out. */
export async function filesOfHandles(handles: readonly FileSystemHandle[]): Promise<Given> {
  const files: InputFile[] = [];
  let level = handles.map(handle => ({ handle, path: handle.name }));
  for (let depth = 0; level.length > 0; depth++) {
    const next: typeof level = [];
    for (const { handle, path } of level) {
      if (files.length >= MAX_FILES || depth > MAX_DEPTH) return { files, truncated: true, handles };
      if (handle.kind === 'file') {
        const again = (): Promise<File> => (handle as FileSystemFileHandle).getFile();
        const file = await again().catch(() => null);
        if (file) files.push({ path, file, again });
      } else {
        try {
          for await (const [name, child] of (handle as FileSystemDirectoryHandle).entries()) {
            next.push({ handle: child, path: `${path}/${name}` });
            if (next.length > MAX_FILES) break;
          }
        } catch {
          // It is gone, or nobody may look into it.
        }
      }
    }
    level = next;
  }
  return { files, truncated: false, handles };
}

/** For the next visit, where the browser lets the page keep them. Archives are kept like all others. */
export async function keepHandles(handles: readonly FileSystemHandle[]): Promise<void> {
  if (handles.length > 0) await set(KEY, handles.slice(0, MOST)).catch(() => {});
}

/** What was opened last. Empty where nothing is kept. */
export async function keptHandles(): Promise<readonly FileSystemHandle[]> {
  const kept: unknown = await get(KEY).catch(() => null);
  return Array.isArray(kept) ? kept.filter(handle => handle instanceof FileSystemHandle) : [];
}

/** Those of them that may be read now; asks, and must be called while a press is being handled. */
export async function permitted(handles: readonly FileSystemHandle[]): Promise<readonly FileSystemHandle[]> {
  const allowed: FileSystemHandle[] = [];
  for (const handle of handles as readonly Handle[]) {
    const state = await handle.requestPermission?.({ mode: 'read' }).catch(() => 'denied');
    if (state === 'granted') allowed.push(handle);
  }
  return allowed;
}
