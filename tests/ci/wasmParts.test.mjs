// One module in pieces: what only some slots of the table lead to is in parts, and a core with one of them does what the whole does.
import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CODE, Cursor, EXPORTS, FUNCTIONS, readExport, sectionsOf } from '../../.ci/wasmModule.mjs';
import { packedPart, splitModule } from '../../.ci/wasmParts.mjs';
import { spliced } from '../../web/src/core/splice.ts';

const number = value => (value < 128 ? [value] : [(value & 127) | 128, value >> 7]);
const text = name => [name.length, ...Buffer.from(name)];
const list = parts => [parts.length, ...parts.flat()];
const section = (id, bytes) => [id, ...number(bytes.length), ...bytes];
const body = code => [code.length + 2, 0, ...code, 0x0b];
const constant = value => [0x41, value];
const call = index => [0x10, index];
const ADD = 0x6a;

/**
 * `call(slot)` of the module calls the table: slot 1 belongs to itself, 2 and 3 to red, 4 to blue, 5 to green. Each gives a number that tells what was called;
 * functions of two parts and of three are among it, and a global that counts the calls of slot 2.
 */
function made() {
  const functions = [
    [0, constant(1)], // 1, of slot 1
    [0, [...constant(2), ...call(6), ADD, ...call(8), ADD, 0x23, 0, ...constant(1), ADD, 0x24, 0]], // 2, of slot 2: red
    [0, [...constant(3), ...call(8), ADD, ...call(2), ADD]], // 3, of slot 3: red
    [0, [...constant(4), ...call(6), ADD, ...call(7), ADD, ...call(0), ADD]], // 4, of slot 4: blue
    [0, [...constant(5), ...call(7), ADD, ...constant(1), 0x11, 0, 0, ADD]], // 5, of slot 5: green, which calls slot 1
    [0, [...constant(10), ...call(9), ADD]], // 6, of red and blue
    [0, [...constant(20), ...call(9), ADD]], // 7, of blue and green
    [0, [...constant(30), ...call(9), ADD]], // 8, of red alone
    [0, constant(40)], // 9, of all three
    [1, [0x20, 0, 0x11, 0, 0]], // 10, exported
    [0, [0x23, 0]], // 11, exported: the count
  ];
  return Buffer.from(
    [
      [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      section(
        1,
        list([
          [0x60, 0, 1, 0x7f],
          [0x60, 1, 0x7f, 1, 0x7f],
        ]),
      ),
      section(2, list([[...text('env'), ...text('number'), 0, 0]])),
      section(3, list(functions.map(([type]) => [type]))),
      section(4, list([[0x70, 1, 6, 6]])),
      section(6, list([[0x7f, 1, ...constant(0), 0x0b]])),
      section(
        7,
        list([
          [...text('call'), 0, 10],
          [...text('count'), 0, 11],
          [...text('one'), 0, 1],
        ]),
      ),
      section(9, list([[0, ...constant(1), 0x0b, ...list([1, 2, 3, 4, 5].map(index => [index]))]])),
      section(10, list(functions.map(([, code]) => body(code)))),
    ].flat(),
  );
}

const families = { red: [2, 3], blue: [4], green: [5] };
const start = async module => (await WebAssembly.instantiate(module, { env: { number: () => 50 } })).instance.exports;

const listIn = (module, id, read) => new Cursor(sectionsOf(module).find(section => section.id === id).bytes).list(read);
/** Functions of a module by the number that each begins with; without those that are exported for calls. */
const numbersIn = bodies => bodies.flatMap(bytes => (bytes[1] === 0x41 ? [bytes[2]] : [])).sort((a, b) => a - b);
const bodiesOf = module => listIn(module, CODE, cursor => cursor.piece());

/** Lists of a part: types of functions, slots, bodies. */
function listsOf(part) {
  const cursor = new Cursor(part, 8);
  const [functions, , code] = [cursor.piece(), cursor.piece(), cursor.piece()].map(bytes => new Cursor(bytes));
  return { functions: functions.list(() => functions.number()), bodies: code.list(() => code.piece()) };
}

describe('a module in pieces', () => {
  it('does what it did, with the part that it needs, and traps without', async () => {
    const whole = await start(made());
    const { core, parts } = splitModule(made(), families);
    const alone = await start(core);
    expect(alone.call(1)).toBe(1);
    for (const [name, slots] of Object.entries(families)) {
      const both = await start(spliced(core, parts[name], name));
      for (const slot of slots) {
        expect(both.call(slot)).toBe(whole.call(slot));
        expect(() => alone.call(slot)).toThrow(WebAssembly.RuntimeError);
      }
      expect(both.call(1)).toBe(1);
      for (const slot of [2, 3, 4, 5]) if (!slots.includes(slot)) expect(() => both.call(slot)).toThrow(WebAssembly.RuntimeError);
      expect(both.count()).toBe(name === 'red' ? 2 : 0);
    }
    expect(whole.call(4)).toBe(4 + 10 + 40 + 20 + 40 + 50);
  });

  it('loses no function, has what one family needs in its part alone, and what two need in both', () => {
    const { core, parts } = splitModule(made(), families);
    expect(numbersIn(bodiesOf(core))).toEqual([1, 40]);
    expect(bodiesOf(core)).toHaveLength(4); // and the two that are exported for calls
    expect(numbersIn(listsOf(parts.red).bodies)).toEqual([2, 3, 10, 30]);
    expect(numbersIn(listsOf(parts.blue).bodies)).toEqual([4, 10, 20]);
    expect(numbersIn(listsOf(parts.green).bodies)).toEqual([5, 20]);
  });

  it('keeps in the core what other slots or JavaScript lead to as well', async () => {
    const { core, parts } = splitModule(made(), { red: [1, 2, 3], blue: [2, 4] });
    const exports = await start(core);
    expect(exports.call(2)).toBe(2 + 10 + 40 + 30 + 40); // of two, though only one of them names it
    expect(exports.call(5)).toBe(5 + 20 + 40 + 1); // nobody's any more
    expect(exports.call(1)).toBe(1); // exported
    expect(exports.one()).toBe(1);
    expect(numbersIn(listsOf(parts.red).bodies)).toEqual([3]);
  });

  it('is joined with parts of its own build only', () => {
    const other = made();
    other.set([0x41, 7], other.length - 3); // the last function gives something else
    const { core } = splitModule(other, families);
    expect(() => spliced(core, splitModule(made(), families).parts.red, 'red')).toThrow('not of the same build');
    expect(spliced(core, splitModule(other, families).parts.red, 'red').length).toBeGreaterThan(core.length);
  });

  it('is packed in modules that have the parts inside', () => {
    const { parts } = splitModule(made(), families);
    for (const part of Object.values(parts)) expect(unpacked(packedPart(part))).toEqual(part);
  });

  it('is refused where an instruction is not known', () => {
    const module = made();
    module[module.length - 3] = 0xfe; // threads
    expect(() => splitModule(module, families)).toThrow('does not know');
  });
});

const unpacked = file => inflateRawSync(new Uint8Array(WebAssembly.Module.customSections(new WebAssembly.Module(file), 'part')[0]));

describe('the built core and its parts', () => {
  const file = name => readFileSync(new URL(`../../web/src/core/wasm/${name}.wasm`, import.meta.url));
  const names = ['cast', 'unreal', 'vgo', 'mrtk', 'se'];
  const parts = Object.fromEntries(names.map(name => [name, unpacked(file(name))]));
  const count = module => listIn(module, FUNCTIONS, cursor => cursor.number()).length;

  it('have all functions of the whole, those of two parts twice', () => {
    const known = names.map(name => listsOf(parts[name]).functions.length);
    const sum = known.reduce((a, b) => a + b, count(file('core')));
    const whole = count(file('rigcast'));
    expect(sum).toBeGreaterThanOrEqual(whole);
    expect(sum).toBeLessThan(1.25 * whole);
    for (const each of known) expect(each).toBeGreaterThan(40);
  });

  it('leave most of the code to the parts, which JavaScript calls by nothing of their own', () => {
    expect(file('core').length).toBeLessThan(0.4 * file('rigcast').length);
    const exportsOf = module => listIn(module, EXPORTS, readExport).map(({ name }) => Buffer.from(name).toString());
    for (const name of names) expect(exportsOf(spliced(file('core'), parts[name], name))).toEqual(exportsOf(file('rigcast')));
  });
});
