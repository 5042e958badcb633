// What people give: drops, folders, picked and pasted files. Finds out what each file is for from its first bytes, else from its name.

export interface GivenFile {
  /** With folders, as the system gave it; for people and for telling files apart. */
  path: string;
  file: File;
}

/** rig: model, motions, or both; world: places other files. */
export type Role = 'model' | 'motion' | 'rig' | 'world' | 'companion' | 'unknown';

export interface Given {
  files: GivenFile[];
  /** There were more files than are looked at. */
  truncated: boolean;
}

export const MAX_FILES = 5000;
/** Read side by side. */
const LANES = 64;
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
  'config', 'uc', 'mat', 'json', 'txt', 'vgk', 'png', 'jpg', 'jpeg', 'webp', 'avif', 'gif', 'bmp', 'pcx', 'tga', 'dds', 'tif', 'tiff', 'ktx', 'ktx2', 'hdr', 'exr',
]);

/** A recording of head and hands has no extension of its own (.bin): its first eight bytes tell. */
const RECORDING = [0xc6, 0x42, 0x9e, 0x0f, 0x6e, 0xaf, 0x8f, 0x6a];

/** Of a file that is looked through for headers; those that lie close together come out of one piece. */
const PIECE = 1 << 16;

/**
 * What a Cast file is for: the headers of the nodes below its roots tell, whose sizes lead from one to the next. One that places others is a world; motions
 * alone are motions, even where they bring a skeleton along.
 */
async function roleOfCast(file: File): Promise<Role> {
  let start = 0, piece = new DataView(new ArrayBuffer(0));
  const wordsAt = async (at: number, count: number): Promise<number[] | null> => {
    if (at < start || at + count * 4 > start + piece.byteLength) {
      start = at;
      piece = new DataView(await file.slice(at, at + PIECE).arrayBuffer().catch(() => new ArrayBuffer(0)));
    }
    return count * 4 <= piece.byteLength ? Array.from({ length: count }, (_, i) => piece.getUint32(at - start + i * 4, true)) : null;
  };
  const [, , roots = 0] = (await wordsAt(0, 4)) ?? [];
  let end = 16, hasModel = false, hasMotion = false;
  for (let root = 0; root < roots; ++root) {
    const [, size = 0, , , properties = 0, children = 0] = (await wordsAt(end, 6)) ?? [];
    if (size < 24 || properties > 0) return 'rig';
    let at = end + 24;
    end += size;
    for (let child = 0; child < children && at < end; ++child) {
      const [id, length = 0] = (await wordsAt(at, 6)) ?? [];
      if (id === INSTANCE) return 'world';
      if (length < 24) return 'rig';
      hasModel ||= id === MODEL;
      hasMotion ||= id === ANIMATION;
      at += length;
    }
  }
  return hasMotion && !hasModel ? 'motion' : 'rig';
}

/** `inst`, `modl`, `anim` */
const INSTANCE = 0x74736e69, MODEL = 0x6c646f6d, ANIMATION = 0x6d696e61;

/** What a file is for. Reads no more than headers. */
export async function roleOf(file: File): Promise<Role> {
  const extension = extensionOf(file.name);
  if (COMPANIONS.has(extension)) return 'companion';
  const head = new Uint8Array(await file.slice(0, 16).arrayBuffer().catch(() => new ArrayBuffer(0)));
  const text = String.fromCharCode(...head);
  if (text.startsWith('ACTRHEAD')) return 'model';
  if (text.startsWith('ANIMHEAD')) return 'motion';
  if (text.startsWith('cast')) return roleOfCast(file);
  if (text.startsWith('VGO')) return 'model';
  if (RECORDING.every((byte, at) => head[at] === byte)) return 'rig';
  return Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : 'unknown';
}

export interface Sorted {
  models: GivenFile[];
  motions: GivenFile[];
  /** May hold a model, motions, or both: only reading it tells. */
  rigs: GivenFile[];
  /** Place other files. */
  worlds: GivenFile[];
  companions: GivenFile[];
  unknown: GivenFile[];
}

export async function sortFiles(files: GivenFile[]): Promise<Sorted> {
  const sorted: Sorted = { models: [], motions: [], rigs: [], worlds: [], companions: [], unknown: [] };
  const byPath = [...files].sort((a, b) => a.path.localeCompare(b.path, undefined, { numeric: true }));
  const roles: Role[] = [];
  // Side by side, as every answer waits for the page to have drawn.
  for (let at = 0; at < byPath.length; at += LANES) roles.push(...(await Promise.all(byPath.slice(at, at + LANES).map(({ file }) => roleOf(file)))));
  for (const [at, given] of byPath.entries()) {
    const role = roles[at]!;
    const lists: Record<Role, GivenFile[]> = { model: sorted.models, motion: sorted.motions, rig: sorted.rigs, world: sorted.worlds, companion: sorted.companions, unknown: sorted.unknown };
    lists[role].push(given);
  }
  return sorted;
}
