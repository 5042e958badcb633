// The linked module in pieces, so that visitors fetch no more of it than their file needs: the core, which finds out what a file is, and a part for each
// family of formats, which has what only their readers need. A page puts the part's functions behind those of the core and compiles both as one module
// (web/src/core/splice.ts), which calls, and costs, what the linked one does. The core alone calls readers by their slots of the table, and traps: those are empty.
//
// wasm-split of binaryen divides by names of functions, which releases do not have, and its two modules call each other by exports: with three hundred of those an
// instance for each file takes five times as long.
import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { Trouble } from './lib.mjs';
import {
  CODE,
  CUSTOM,
  Cursor,
  ELEMENTS,
  EXPORTS,
  FUNCTION,
  FUNCTIONS,
  IMPORTS,
  START,
  encoded,
  framed,
  joined,
  listOf,
  moduleOf,
  readElements,
  readExport,
  readImport,
  sectionsOf,
  splitAtCalls,
  writeElements,
  writeExport,
} from './wasmModule.mjs';
import { byLikeness, inGoodOrder } from './wasmOrder.mjs';

/** What so many families or fewer need is in the part of each: for a first file of any that is less than the same in the core, which all would load. */
const COPIES = 2;

/** Custom sections of that name: in the core the build that it is of; behind it what a page has added; in the file of a part the part. */
const NAME = 'part';

/** The linked module, its functions by their numbers. */
class Linked {
  constructor(bytes) {
    this.sections = sectionsOf(bytes);
    this.build = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
    this.exports = this.list(EXPORTS, readExport);
    const imported = this.list(IMPORTS, readImport).filter(kind => kind === FUNCTION);
    this.imported = imported.length;
    const bodies = this.list(CODE, cursor => cursor.piece());
    this.functions = [
      ...imported.map(() => ({ split: [] })),
      ...this.list(FUNCTIONS, cursor => cursor.number()).map((type, i) => ({ type, body: bodies[i], split: splitAtCalls(bodies[i]) })),
    ];
    const start = this.sections.find(({ id }) => id === START);
    this.start = start ? new Cursor(start.bytes).number() : null;
    /** Functions by slot. */
    this.table = [];
    for (const { at, functions } of this.list(ELEMENTS, readElements)) functions.forEach((index, i) => (this.table[at + i] = index));
  }

  list(id, read) {
    const found = this.sections.find(section => section.id === id);
    return found ? new Cursor(found.bytes).list(read) : [];
  }

  /** Those functions, all that they name, and so on; imported ones aside. */
  reach(roots) {
    const found = new Set();
    const rest = [...roots];
    while (rest.length > 0) {
      const index = rest.pop();
      if (found.has(index) || index < this.imported) continue;
      found.add(index);
      rest.push(...this.functions[index].split.filter(part => typeof part === 'number'));
    }
    return found;
  }
}

/** Slots of the table, those in a row together. */
function elementsOf(table, isOwn) {
  const elements = [];
  table.forEach((index, slot) => {
    if (!isOwn(slot)) return;
    const last = elements.at(-1);
    if (last && last.at + last.functions.length === slot) last.functions.push(index);
    else elements.push({ at: slot, functions: [index] });
  });
  return elements;
}

/**
 * Which functions are in the core, and which in the part of each family: those that nothing reaches but the families' slots, and few of them. What is called by
 * any other slot, by JavaScript or at the start is the core's.
 */
function divide(linked, families) {
  const names = Object.keys(families);
  const owners = linked.table.map((_, slot) => names.filter(name => families[name].includes(slot)));
  const isOf = (name, slot) => owners[slot].length === 1 && owners[slot][0] === name;
  const reached = Object.fromEntries(names.map(name => [name, linked.reach(linked.table.filter((_, slot) => isOf(name, slot)))]));
  const readers = index => names.filter(name => reached[name].has(index)).length;

  const roots = linked.exports.filter(({ kind }) => kind === FUNCTION).map(({ index }) => index);
  if (linked.start !== null) roots.push(linked.start);
  linked.table.forEach((index, slot) => owners[slot].length !== 1 && roots.push(index));
  linked.functions.forEach((_, index) => (readers(index) === 0 || readers(index) > COPIES) && roots.push(index));
  const core = linked.reach(roots);

  const ascending = numbers => [...numbers].sort((a, b) => a - b);
  const parts = names.map(name => ({
    name,
    own: ascending(reached[name]).filter(index => !core.has(index)),
    elements: elementsOf(linked.table, slot => isOf(name, slot) && !core.has(linked.table[slot])),
  }));
  const isOfCore = slot => linked.table[slot] < linked.imported || core.has(linked.table[slot]);
  return { core: ascending(core), elements: elementsOf(linked.table, isOfCore), parts };
}

/** Sections of some functions, as `numbers` has them now. */
function lists(linked, own, elements, numbers) {
  const number = index => numbers.get(index) ?? index; // imported ones keep theirs
  return {
    [FUNCTIONS]: listOf(own.map(index => encoded(linked.functions[index].type))),
    [ELEMENTS]: listOf(elements.map(({ at, functions }) => writeElements({ at, functions: functions.map(number) }))),
    [CODE]: listOf(own.map(index => framed(joined(linked.functions[index].split, number)))),
  };
}

/**
 * The core and, by the names of the families, their parts. `families`: slots of the table that are called for files of a family alone, and never where its part is
 * not there.
 */
export function splitModule(module, families) {
  const linked = new Linked(module);
  const { core, elements, parts } = divide(linked, families);
  const bodiesOf = own => own.map(index => linked.functions[index].body);

  const before = new Map(core.map((index, i) => [index, linked.imported + i]));
  const calls = [core, ...parts.map(({ own }) => own)].flat().map(index => linked.functions[index].split.map(part => before.get(part)));
  const order = inGoodOrder(bodiesOf(core), linked.imported, calls).map(i => core[i]);
  const numbers = new Map(order.map((index, i) => [index, linked.imported + i]));
  const number = index => numbers.get(index) ?? index;
  const written = {
    ...lists(linked, order, elements, numbers),
    [EXPORTS]: listOf(linked.exports.map(each => writeExport(each.kind === FUNCTION ? { ...each, index: number(each.index) } : each))),
    ...(linked.start !== null && { [START]: encoded(number(linked.start)) }),
  };
  const sections = linked.sections.filter(({ id }) => id !== CUSTOM).map(({ id, bytes }) => ({ id, bytes: written[id] ?? bytes }));
  return {
    core: moduleOf([...sections, noted(linked.build)]),
    parts: Object.fromEntries(
      parts.map(({ name, own, elements }) => {
        const order = byLikeness(bodiesOf(own), []).map(i => own[i]);
        const all = new Map([...numbers, ...order.map((index, i) => [index, linked.imported + core.length + i])]);
        const { [FUNCTIONS]: functions, [ELEMENTS]: slots, [CODE]: code } = lists(linked, order, elements, all);
        return [name, Buffer.concat([Buffer.from(linked.build), ...[functions, slots, code].map(framed)])];
      }),
    ),
  };
}

const noted = bytes => ({ id: CUSTOM, bytes: Buffer.concat([framed(Buffer.from(NAME)), Buffer.from(bytes)]) });

/**
 * A part as it is fetched: a module of one section, which has it deflated. In the package it takes half as much, and so it does on its way from servers that compress
 * no wasm, which many do not.
 */
export function packedPart(part) {
  const packed = moduleOf([noted(deflateRawSync(part, { level: 9 }))]);
  if (!WebAssembly.validate(packed)) throw new Trouble('.ci/wasmParts.mjs has made a file that is no module.');
  return packed;
}
