// The outline: what one file says as a generic tree, with the bytes of every field at hand.
import { readColumn } from './description.ts';
import type { PropertyValue, Report } from './types.ts';

export interface OutlineField {
  name: string;
  /** In the format's own spelling. */
  type: string;
  count: number;
  offset: number;
  byteLength: number;
  /** Given for small fields. */
  value?: PropertyValue;
  /** The raw bytes as stored in the file, or the expanded ones where a format packs them. */
  bytes(): Uint8Array;
}

export interface OutlineNode {
  kind: string;
  name?: string;
  id?: string;
  hash?: string;
  offset: number;
  /** Its own header counted. */
  size: number;
  fields: OutlineField[];
  children: OutlineNode[];
}

export interface OutlineResult {
  format: string | null;
  version: string;
  byteLength: number;
  outline: OutlineNode[];
  report: Report;
}

/** The outline as it travels: fields with a column instead of `bytes`. */
interface RawField extends Omit<OutlineField, 'bytes'> {
  expanded?: Parameters<typeof readColumn>[1];
}
interface RawNode extends Omit<OutlineNode, 'fields' | 'children'> {
  fields: RawField[];
  children: RawNode[];
}
export interface OutlineDescription {
  format: string;
  version: string;
  outline: RawNode[];
  report: Report;
}

/** Gives the raw outline of a file its `bytes`; `chunks` is the file in order. */
export function decodeOutline(description: OutlineDescription, blocks: readonly ArrayBuffer[], chunks: readonly Uint8Array[]): OutlineResult {
  const byteLength = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const decodeField = ({ expanded, ...field }: RawField): OutlineField => ({
    ...field,
    bytes: () => (expanded ? readColumn(blocks, expanded, 'u8') : cut(chunks, field.offset, field.byteLength)),
  });
  const decodeNode = (node: RawNode): OutlineNode => ({ ...node, fields: node.fields.map(decodeField), children: node.children.map(decodeNode) });
  const { format, version, report } = description;
  return { format: format || null, version, byteLength, outline: description.outline.map(decodeNode), report };
}

/** `length` bytes from `offset` on: a view where they lie in one chunk. */
function cut(chunks: readonly Uint8Array[], offset: number, length: number): Uint8Array {
  let start = 0;
  let out: Uint8Array | undefined;
  for (const chunk of chunks) {
    const from = Math.max(offset - start, 0);
    const to = Math.min(offset + length - start, chunk.length);
    if (from < to) {
      if (to - from === length) return chunk.subarray(from, to);
      out ??= new Uint8Array(length);
      out.set(chunk.subarray(from, to), start + from - offset);
    }
    start += chunk.length;
  }
  return out ?? new Uint8Array();
}
