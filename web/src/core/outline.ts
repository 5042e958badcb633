// The outline of a file: its contents as a tree of nodes and fields, with access to the bytes of
// every field.
import { readColumn } from './description.ts';
import type { PropertyValue, Reference, Report } from './types.ts';

export interface OutlineField {
  name: string;
  /** Name of the type in the format's specification. */
  type: string;
  count: number;
  offset: number;
  byteLength: number;
  /** The decoded value of the field. Large fields have no value. */
  value?: PropertyValue;
  /**
   * Returns the bytes as stored in the file; if the format compresses them, the decompressed bytes.
   */
  bytes(): Uint8Array;
}

export interface OutlineNode {
  kind: string;
  name?: string;
  id?: string;
  hash?: string;
  offset: number;
  /** Size of the node in bytes, including its header. */
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

/**
 * A field as the core describes it. `expanded`: location of the decompressed bytes in the blocks,
 * if the format compresses them.
 */
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
  references: Reference[];
  report: Report;
}

/** Adds `bytes` to the fields of a raw outline. */
export function decodeOutline(
  description: OutlineDescription,
  blocks: readonly ArrayBuffer[],
  file: Uint8Array,
): Omit<OutlineResult, 'byteLength'> {
  const decodeField = ({ expanded, ...field }: RawField): OutlineField => ({
    ...field,
    bytes: () => (expanded ? readColumn(blocks, expanded, 'u8') : file.subarray(field.offset, field.offset + field.byteLength)),
  });
  const decodeNode = (node: RawNode): OutlineNode => ({
    ...node,
    fields: node.fields.map(decodeField),
    children: node.children.map(decodeNode),
  });
  const { format, version, report } = description;
  return { format: format || null, version, outline: description.outline.map(decodeNode), report };
}
