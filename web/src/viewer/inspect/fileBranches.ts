// Creates the tree of a file's bytes from its outline. The names of branches and fields are those
// of the format.
import type { OutlineField, OutlineNode } from '../../core/outline.ts';
import { bytes, count } from '../dom.ts';
import { words } from '../words/index.ts';
import { type Branch, type Fact, type Field, textOf } from './branch.ts';

export const fileBranches = (outline: readonly OutlineNode[]): Branch[] => outline.map(branchOf);

function branchOf(node: OutlineNode): Branch {
  const { kind, name = '', offset, size, fields, children } = node;
  let made: Branch[] | null = null;
  return {
    kind: 'block',
    name: name === '' ? kind : `${kind} ${name}`,
    detail: bytes(size),
    facts: () => factsOf(node),
    fields: fields.map(fieldOf),
    bytes: { offset, size },
    ...(children.length > 0 && { children: () => (made ??= children.map(branchOf)) }),
  };
}

function factsOf({ kind, name, id, hash, offset, size, children }: OutlineNode): Fact[] {
  const { inspect } = words;
  return [
    { label: inspect.kind, text: kind },
    ...(name ? [{ label: inspect.name, text: name }] : []),
    ...(id ? [{ label: inspect.id, text: id }] : []),
    ...(hash ? [{ label: inspect.hash, text: hash }] : []),
    { label: words.finding.byte, text: placeText(offset) },
    { label: words.facts.size, text: inspect.bytes(size) },
    ...(children.length > 0 ? [{ label: inspect.children, text: count(children.length) }] : []),
  ];
}

function fieldOf({ name, type, count: length, offset, byteLength, value }: OutlineField): Field {
  return {
    name,
    type: length === 1 ? type : `${type} × ${count(length)}`,
    value: value === undefined ? '' : textOf(value),
    offset,
    size: byteLength,
  };
}

/** Formats an offset in decimal and hexadecimal, for example “1,024 (0x400)”. */
export const placeText = (offset: number): string => `${count(offset)} (0x${offset.toString(16).toUpperCase()})`;

const holds = ({ bytes: place }: Branch, offset: number): boolean =>
  place !== undefined && offset >= place.offset && offset < place.offset + place.size;

/**
 * Returns the path from one of `branches` to the innermost branch that contains the byte at
 * `offset`; empty if no branch contains it.
 */
export function pathTo(branches: readonly Branch[], offset: number): Branch[] {
  const path: Branch[] = [];
  for (let below = branches; ; below = path.at(-1)!.children?.() ?? []) {
    const next = below.find(branch => holds(branch, offset));
    if (!next) return path;
    path.push(next);
  }
}
