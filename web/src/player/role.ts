// What files are for: their first bytes tell, else their names.
import { extensionOf, type GivenFile } from './given.ts';

/** rig: model, motions, or both; world: places other files. */
export type Role = 'model' | 'motion' | 'rig' | 'world' | 'companion' | 'unknown';

/** Read side by side. */
const LANES = 64;

const BY_EXTENSION: Record<string, Role> = { psk: 'model', pskx: 'model', psa: 'motion', cast: 'rig', vgo: 'model', glb: 'unknown' };
const COMPANIONS = new Set([
  'config',
  'uc',
  'mat',
  'json',
  'txt',
  'vgk',
  'png',
  'jpg',
  'jpeg',
  'webp',
  'avif',
  'gif',
  'bmp',
  'pcx',
  'tga',
  'dds',
  'tif',
  'tiff',
  'ktx',
  'ktx2',
  'hdr',
  'exr',
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
  let start = 0;
  let piece = new DataView(new ArrayBuffer(0));
  const wordsAt = async (at: number, count: number): Promise<number[] | null> => {
    if (at < start || at + count * 4 > start + piece.byteLength) {
      start = at;
      piece = new DataView(
        await file
          .slice(at, at + PIECE)
          .arrayBuffer()
          .catch(() => new ArrayBuffer(0)),
      );
    }
    return count * 4 <= piece.byteLength ? Array.from({ length: count }, (_, i) => piece.getUint32(at - start + i * 4, true)) : null;
  };
  const [, , roots = 0] = (await wordsAt(0, 4)) ?? [];
  let end = 16;
  let hasModel = false;
  let hasMotion = false;
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
const INSTANCE = 0x74736e69;
const MODEL = 0x6c646f6d;
const ANIMATION = 0x6d696e61;

/** What a file is for. Reads no more than headers. */
export async function roleOf(file: File): Promise<Role> {
  const extension = extensionOf(file.name);
  if (COMPANIONS.has(extension)) return 'companion';
  const head = new Uint8Array(
    await file
      .slice(0, 16)
      .arrayBuffer()
      .catch(() => new ArrayBuffer(0)),
  );
  const text = String.fromCharCode(...head);
  if (text.startsWith('ACTRHEAD')) return 'model';
  if (text.startsWith('ANIMHEAD')) return 'motion';
  if (text.startsWith('cast')) return roleOfCast(file);
  if (text.startsWith('VGO')) return 'model';
  if (RECORDING.every((byte, at) => head[at] === byte)) return 'rig';
  return (Object.hasOwn(BY_EXTENSION, extension) && BY_EXTENSION[extension]) || 'unknown';
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
  for (let at = 0; at < byPath.length; at += LANES)
    roles.push(...(await Promise.all(byPath.slice(at, at + LANES).map(({ file }) => roleOf(file)))));
  for (const [at, given] of byPath.entries()) {
    const role = roles[at]!;
    const lists: Record<Role, GivenFile[]> = {
      model: sorted.models,
      motion: sorted.motions,
      rig: sorted.rigs,
      world: sorted.worlds,
      companion: sorted.companions,
      unknown: sorted.unknown,
    };
    lists[role].push(given);
  }
  return sorted;
}
