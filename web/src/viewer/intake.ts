// What people give: drops, folders, picked and pasted files. Finds out what each file is for from its first bytes, else from its name.

export interface GivenFile {
  /** With folders, as the system gave it; for people and for telling files apart. */
  path: string;
  file: File;
}

export type Role = 'model' | 'motion' | 'rig' | 'companion' | 'unknown';

export interface Given {
  files: GivenFile[];
  /** There were more files than are looked at. */
  truncated: boolean;
}

export const MAX_FILES = 5000;
const MAX_DEPTH = 16;

/** All files of a drop, folders included. Must be called while the event is being handled: the browser forgets the items after it. */
export function filesOfTransfer(transfer: DataTransfer): Promise<Given> {
  const entries = [...transfer.items].filter((item) => item.kind === 'file').map((item) => item.webkitGetAsEntry?.() ?? null);
  const plain = [...transfer.files];
  if (entries.length === 0 || entries.some((entry) => entry === null)) return Promise.resolve(filesOfList(plain));
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
        const file = await new Promise<File | null>((resolve) => (entry as FileSystemFileEntry).file(resolve, () => resolve(null)));
        if (file) files.push({ path: entry.fullPath.replace(/^\//, ''), file });
      } else if (entry.isDirectory) {
        const reader = (entry as FileSystemDirectoryEntry).createReader();
        // A reader gives at most a hundred entries at a time, until it gives none.
        for (;;) {
          const some = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])));
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

/** Lower-case extension without the dot, '' where there is none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}

const BY_EXTENSION: Record<string, Role> = { psk: 'model', pskx: 'model', psa: 'motion', cast: 'rig', vgo: 'model', glb: 'unknown' };
const COMPANIONS = new Set([
  'config', 'mat', 'json', 'txt', 'vgk', 'png', 'jpg', 'jpeg', 'webp', 'avif', 'gif', 'bmp', 'tga', 'dds', 'tif', 'tiff', 'ktx', 'ktx2', 'hdr', 'exr',
]);

/** A recording of head and hands has no extension of its own (.bin): its first eight bytes tell. */
const RECORDING = [0xc6, 0x42, 0x9e, 0x0f, 0x6e, 0xaf, 0x8f, 0x6a];

/** What a file is for. Reads at most its first 16 bytes. */
export async function roleOf(file: File): Promise<Role> {
  const extension = extensionOf(file.name);
  if (COMPANIONS.has(extension)) return 'companion';
  const head = new Uint8Array(await file.slice(0, 16).arrayBuffer().catch(() => new ArrayBuffer(0)));
  const text = String.fromCharCode(...head);
  if (text.startsWith('ACTRHEAD')) return 'model';
  if (text.startsWith('ANIMHEAD')) return 'motion';
  if (text.startsWith('cast')) return 'rig';
  if (text.startsWith('VGO')) return 'model';
  if (RECORDING.every((byte, at) => head[at] === byte)) return 'rig';
  return Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : 'unknown';
}

export interface Sorted {
  models: GivenFile[];
  motions: GivenFile[];
  /** May hold a model, motions, or both: only reading it tells. */
  rigs: GivenFile[];
  companions: GivenFile[];
  unknown: GivenFile[];
}

export async function sortFiles(files: GivenFile[]): Promise<Sorted> {
  const sorted: Sorted = { models: [], motions: [], rigs: [], companions: [], unknown: [] };
  const byPath = [...files].sort((a, b) => a.path.localeCompare(b.path, undefined, { numeric: true }));
  for (const given of byPath) {
    const role = await roleOf(given.file);
    const list = role === 'model' ? sorted.models : role === 'motion' ? sorted.motions : role === 'rig' ? sorted.rigs : role === 'companion' ? sorted.companions : sorted.unknown;
    list.push(given);
  }
  return sorted;
}
