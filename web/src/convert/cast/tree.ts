// Writes the container of Cast files, which consists of nodes with typed properties
// (docs/formats/cast.md section 1).
import { numberAt } from '../../core/math/column.ts';
import type { Budget } from '../common/budget.ts';
import { FiniteNumbers } from '../common/finite.ts';
import type { ReportBuilder } from '../common/report.ts';
import { gigabytes, refusal } from '../common/refusals.ts';
import { refusals } from './messages.ts';
import { joined } from '../common/written.ts';

/** Property types, in the notation of the Cast format. */
export type CastType = 'b' | 'h' | 'i' | 'l' | 'f' | 's' | '2v' | '3v' | '4v';

interface CastProperty {
  /** Name of the property in ASCII. */
  name: string;
  type: CastType;
  count: number;
  bytes: Uint8Array;
}

const WIDTHS = { f: 1, '2v': 2, '3v': 3, '4v': 4 } as const;
const MAGIC = 0x74_73_61_63;
const FILE_HEADER = 16;
const NODE_HEADER = 24;
const PROPERTY_HEADER = 8;
/** Maximum size that a 32-bit field can store. */
const LONGEST = 0xff_ff_ff_ff;

const utf8 = new TextEncoder();
const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array => new Uint8Array(buffer, byteOffset, byteLength);

export class CastNode {
  readonly id: string;
  /** Identifier that links to this node contain. */
  readonly hash: bigint;
  readonly children: CastNode[] = [];
  #properties: CastProperty[] = [];
  #encoded: Uint8Array | null = null;
  readonly #numbers: FiniteNumbers;
  readonly #budget: Budget;

  constructor(id: string, hash: bigint, numbers: FiniteNumbers, budget: Budget) {
    this.#numbers = numbers;
    this.id = id;
    this.hash = hash;
    this.#budget = budget;
    budget.spend(NODE_HEADER);
  }

  get properties(): readonly CastProperty[] {
    return this.#properties;
  }

  /** The encoded node with its descendants, or null if the node is not closed yet. */
  get encoded(): Uint8Array | null {
    return this.#encoded;
  }

  /**
   * Encodes the node and its descendants, which reduces their memory to a tenth. No properties or
   * children can be added afterwards.
   */
  close(): this {
    const sizes = new Map<CastNode, number>();
    sizeOf(this, sizes);
    this.#encoded = joined(piecesOf(this, sizes));
    this.#properties = [];
    this.children.length = 0;
    return this;
  }

  text(name: string, value: string): this {
    return this.#add(name, 's', 1, utf8.encode(`${value.replaceAll('\0', ' ')}\0`));
  }

  /** Adds a boolean value as one byte. */
  flag(name: string, value: boolean): this {
    return this.integers(name, [value ? 1 : 0]);
  }

  /**
   * Adds integers in the smallest type that can store all of them. `type`: type that the format
   * requires for the property, if it requires one.
   */
  integers(name: string, values: ArrayLike<number>, type?: 'i'): this {
    let most = 0;
    for (let i = 0; i < values.length; i++) most = Math.max(most, numberAt(values, i));
    if (type === 'i' || most > 0xff_ff) return this.#add(name, 'i', values.length, bytesOf(Uint32Array.from(values)));
    if (most > 0xff) return this.#add(name, 'h', values.length, bytesOf(Uint16Array.from(values)));
    return this.#add(name, 'b', values.length, Uint8Array.from(values));
  }

  floats(name: string, type: keyof typeof WIDTHS, values: ArrayLike<number>): this {
    const column = this.#numbers.column(values instanceof Float32Array ? values : Float32Array.from(values));
    return this.#add(name, type, column.length / WIDTHS[type], bytesOf(column));
  }

  /** Adds vertex colours as four bytes each, with red in the lowest byte. */
  packed(name: string, values: Uint8Array): this {
    return this.#add(name, 'i', values.length / 4, values);
  }

  link(name: string, { hash }: CastNode): this {
    return this.#add(name, 'l', 1, bytesOf(BigUint64Array.of(hash)));
  }

  #add(name: string, type: CastType, count: number, bytes: Uint8Array): this {
    this.#budget.spend(PROPERTY_HEADER + name.length + bytes.length);
    this.#properties.push({ name, type, count, bytes });
    return this;
  }
}

/**
 * A tree of Cast nodes. The hashes of the nodes are consecutive numbers, starting with the same
 * number as in the reference library.
 */
export class CastTree {
  readonly root: CastNode;
  readonly #numbers = new FiniteNumbers();
  readonly #budget: Budget;
  #next = 0x53_4e_49_57_52_54_52_50n;

  constructor(budget: Budget) {
    this.#budget = budget;
    this.root = this.make('root');
  }

  /** Reports numbers that the file cannot store. */
  reportLosses(report: ReportBuilder): void {
    if (this.#numbers.count > 0) report.add('NUMBERS_REPAIRED', '', this.#numbers.count);
  }

  /** Creates a node. If `parent` is undefined, the caller has to attach the node. */
  make(id: string, parent?: CastNode): CastNode {
    const node = new CastNode(id, this.#next++, this.#numbers, this.#budget);
    parent?.children.push(node);
    return node;
  }

  /** Returns the pieces of the file. Throws a ConversionError if the file would exceed 4 GB. */
  pieces(): Iterable<Uint8Array> {
    const { root } = this;
    const sizes = new Map<CastNode, number>();
    const total = FILE_HEADER + sizeOf(root, sizes);
    if (total > LONGEST) throw refusal(refusals, 'CAST_TOO_LARGE', { size: gigabytes(total) });
    return {
      *[Symbol.iterator]() {
        yield bytesOf(Uint32Array.of(MAGIC, 1, 1, 0));
        yield* piecesOf(root, sizes);
      },
    };
  }
}

function sizeOf(node: CastNode, sizes: Map<CastNode, number>): number {
  if (node.encoded) return node.encoded.length;
  let size = NODE_HEADER;
  for (const { name, bytes } of node.properties) size += PROPERTY_HEADER + name.length + bytes.length;
  for (const child of node.children) size += sizeOf(child, sizes);
  sizes.set(node, size);
  return size;
}

function* piecesOf(node: CastNode, sizes: ReadonlyMap<CastNode, number>): Generator<Uint8Array> {
  if (node.encoded) return yield node.encoded;
  const view = new DataView(new ArrayBuffer(NODE_HEADER));
  const header = new Uint8Array(view.buffer);
  header.set(utf8.encode(node.id));
  view.setUint32(4, sizes.get(node)!, true);
  view.setBigUint64(8, node.hash, true);
  view.setUint32(16, node.properties.length, true);
  view.setUint32(20, node.children.length, true);
  yield header;
  for (const property of node.properties) {
    yield headerOf(property);
    yield property.bytes;
  }
  for (const child of node.children) yield* piecesOf(child, sizes);
}

function headerOf({ name, type, count }: CastProperty): Uint8Array {
  const view = new DataView(new ArrayBuffer(PROPERTY_HEADER + name.length));
  const header = new Uint8Array(view.buffer);
  for (let i = 0; i < type.length; i++) header[i] = type.charCodeAt(i);
  view.setUint16(2, name.length, true);
  view.setUint32(4, count, true);
  for (let i = 0; i < name.length; i++) header[PROPERTY_HEADER + i] = name.charCodeAt(i);
  return header;
}
