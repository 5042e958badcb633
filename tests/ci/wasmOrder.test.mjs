// Functions of a module in another order: it does the same, and those that are called most come first.
import { describe, expect, it } from 'vitest';
import { orderFunctions } from '../../.ci/wasmOrder.mjs';

const number = value => (value < 128 ? [value] : [(value & 127) | 128, value >> 7]);
const text = name => [name.length, ...Buffer.from(name)];
const list = parts => [...number(parts.length), ...parts.flat()];
const section = (id, bytes) => [id, ...number(bytes.length), ...bytes];
const body = code => [...number(code.length + 2), 0, ...code, 0x0b];
const constant = value => [0x41, ...(value < 64 ? [value] : [(value & 127) | 128, value >> 7])];
const call = index => [0x10, ...number(index)];

/**
 * One imported function, then 200: number i gives i, and the last adds up two calls of the 150th, one of the 151st, one by the table and the import.
 * The 149th is longer than all the others.
 */
function made() {
  const last = 200;
  const bodies = Array.from({ length: 200 }, (_, i) => {
    if (i + 1 === 149) return body([...Array(20).fill(0x01), ...constant(149)]);
    if (i + 1 < last) return body(constant(i + 1));
    const sum = [...call(150), ...call(150), 0x6a, ...call(151), 0x6a, ...call(0), 0x6a];
    return body([...sum, ...constant(0), 0x11, 0, 0, 0x6a]);
  });
  return Buffer.from(
    [
      [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      section(1, list([[0x60, 0, 1, 0x7f]])),
      section(2, list([[...text('a'), ...text('b'), 0, 0]])),
      section(3, list(bodies.map(() => [0]))),
      section(4, list([[0x70, 0, 1]])),
      section(
        7,
        list([
          [...text('sum'), 0, ...number(last)],
          [...text('long'), 0, ...number(149)],
          [...text('one'), 0, 1],
        ]),
      ),
      section(9, list([[0, ...constant(0), 0x0b, ...list([number(120)])]])),
      section(10, list(bodies)),
    ].flat(),
  );
}

async function results(module) {
  const { instance } = await WebAssembly.instantiate(module, { a: { b: () => 1000 } });
  const { sum, long, one } = instance.exports;
  return [sum(), long(), one()];
}

describe('functions in another order', () => {
  it('do what they did', async () => {
    const module = made();
    expect(await results(module)).toEqual([150 + 150 + 151 + 1000 + 120, 149, 1]);
    expect(await results(orderFunctions(module))).toEqual(await results(module));
  });

  it('begin with the one that is called most, and end with the one that is like no other', () => {
    const ordered = orderFunctions(made());
    const at = (bytes, from = 0) => ordered.indexOf(Buffer.from(bytes), from);
    const most = at(body(constant(150)));
    expect(most).toBeLessThan(at(body(constant(151))));
    expect(at(body(constant(151)))).toBeLessThan(at(body(constant(1))));
    expect(ordered.lastIndexOf(0x01)).toBeGreaterThan(ordered.length - 60);
  });

  it('are refused where an instruction is not known', () => {
    const module = made();
    module[module.length - 2] = 0xfe; // threads
    expect(() => orderFunctions(module)).toThrow('does not know');
  });
});
