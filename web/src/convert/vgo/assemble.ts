// Assembles the trees and the resource of a VGO into a file. The trees are encoded as JSON or BSON,
// and can be encrypted.
import { cbc } from '../../core/vendor/aes.ts';
import type { ReportBuilder } from '../common/report.ts';
import { toBase64 } from './bson.ts';
import { hasExtensions, printChunk, SLOT, type VgoFacts, writeContainer } from './container.ts';
import type { VgoResource } from './resource.ts';
import type { WrittenFile } from '../common/written.ts';
import { branch, type Tree } from './tree.ts';

export interface VgoTrees extends Omit<VgoFacts, 'minor'> {
  asset: Tree;
  layout: Tree;
  resource: VgoResource;
  /** Maps chunk ids to chunks that rigcast does not interpret. */
  others?: ReadonlyMap<string, Uint8Array>;
}

/**
 * Returns the VGO file, and a .vgk file if there is a key. `key`: 32 bytes, or null for a file
 * without encryption.
 */
export function assemble(
  trees: VgoTrees,
  name: string,
  { encoding, key }: { encoding: 'json' | 'bson'; key: Uint8Array | null },
  report: ReportBuilder,
): WrittenFile[] {
  const { asset, layout, resource, others = new Map<string, Uint8Array>() } = trees;
  const ending = (value: Tree): string => {
    if (encoding === 'json') return 'J';
    if (!hasExtensions(value)) return 'B';
    report.add('BSON_REFUSED', '', 1);
    return 'J';
  };
  const slots = Array.from({ length: 8 }, () => '');
  const chunks = new Map<string, Uint8Array>();
  const put = (slot: number, id: string, bytes: Uint8Array): void => {
    slots[slot] = id;
    chunks.set(id, bytes);
  };
  const print = (slot: number, group: string, value: Tree): void => {
    const id = group + ending(value);
    put(slot, id, printChunk(id, value));
  };
  print(SLOT.asset, 'AIP', asset);
  print(SLOT.layout, 'LAP', layout);
  if (key) {
    const iv = crypto.getRandomValues(new Uint8Array(16));
    const id = `RAC${ending(resource.accessors)}`;
    put(SLOT.accessors, id, cbc(key, iv).encrypt(printChunk(id, resource.accessors)));
    print(SLOT.crypt, 'CRA', branch({ algorithms: 'AES', cipherMode: 1, paddingMode: 2, iv: toBase64(iv) }));
  } else {
    print(SLOT.accessors, 'RAP', resource.accessors);
  }
  put(SLOT.resource, 'REPb', resource.bytes());
  for (const [id, bytes] of others) chunks.set(id, bytes);
  const { isLeftHanded, isBottomLeft } = trees;
  const pieces = writeContainer({ isLeftHanded, isBottomLeft, slots, chunks, needsKey: key !== null });
  return [{ name: `${name}.vgo`, pieces }, ...(key ? [{ name: `${name}.vgk`, pieces: [key] }] : [])];
}
