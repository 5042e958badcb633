// Reads the contents of a VGO source that is converted to VGO, and upgrades them to version 2.5.
import { fromBase64 } from '../../core/keys.ts';
import type { FileContents } from '../../core/contents.ts';
import type { Budget } from '../common/budget.ts';
import type { VgoTrees } from './assemble.ts';
import { parseChunk, readContainer, SLOT, type VgoContainer } from './container.ts';
import { VgoResource } from './resource.ts';
import { isBranch, type Tree } from './tree.ts';
import { upgrade } from './upgrade.ts';

/**
 * Returns the contents of a VGO file in the layout of version 2.5, or null if the file is damaged
 * or its key is missing.
 */
export function preservedTrees({ bytes, supplied }: FileContents, budget: Budget): (VgoTrees & { wasEncrypted: boolean }) | null {
  try {
    const file = readContainer(bytes);
    const tree = (slot: number): Tree => parseChunk(file.slots[slot] ?? '', chunkOf(file, slot));
    const [asset, layout] = [tree(SLOT.asset), tree(SLOT.layout)];
    const wasEncrypted = file.slots[SLOT.accessors]?.[2] === 'C';
    const list = wasEncrypted ? clearOf(file, supplied) : chunkOf(file, SLOT.accessors);
    const parsed = parseChunk(file.slots[SLOT.accessors] ?? '', list);
    const accessors = isBranch(parsed) ? [...parsed.values()] : parsed;
    if (!isBranch(layout) || !Array.isArray(accessors)) return null;
    upgrade({ asset, layout, accessors, isRightHanded: !file.isLeftHanded }, budget);
    const others = new Map([...file.chunks].filter(([id]) => id !== 'COMP' && !file.slots.includes(id)));
    const resource = new VgoResource(budget, accessors, resourceOf(file, supplied));
    return { ...file, asset, layout, resource, others, wasEncrypted };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}

function chunkOf({ chunks, slots }: VgoContainer, slot: number): Uint8Array {
  const found = chunks.get(slots[slot] ?? '');
  if (!found) throw new SyntaxError('a chunk is missing');
  return found;
}

const suppliedBytes = (supplied: FileContents['supplied'], kind: string): Uint8Array | undefined =>
  supplied.find(each => each.kind === kind)?.bytes;

function clearOf(file: VgoContainer, supplied: FileContents['supplied']): Uint8Array {
  const decrypted = suppliedBytes(supplied, 'decrypt');
  if (decrypted) return decrypted;
  // If the file was not decrypted when it was opened, the chunk is unencrypted base64 text.
  const text = new TextDecoder().decode(chunkOf(file, SLOT.accessors));
  const clear = fromBase64(text);
  if (!clear) throw new SyntaxError('the list of accessors is not base64');
  return clear;
}

function resourceOf(file: VgoContainer, supplied: FileContents['supplied']): Uint8Array {
  if (file.slots[SLOT.resource] === 'REPb') return chunkOf(file, SLOT.resource);
  const found = suppliedBytes(supplied, 'resource');
  if (!found) throw new SyntaxError('the resource is missing');
  return found;
}
