// The outline: what one file says as a generic tree, with the bytes of every field at hand.
import { readColumn } from './description.ts';
import type { PropertyValue, Reference, Report } from './types.ts';

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
  references: Reference[];
  report: Report;
}

/** Gives the raw outline of a file its `bytes`. */
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
