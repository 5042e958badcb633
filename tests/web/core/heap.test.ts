// Heaps go from one instance to the next: what an earlier file left there must not show in a later
// one.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { instantiate, keepHeap } from '../../../web/src/core/glue.ts';
import { openStream } from '../../../web/src/core/input.ts';
import { runJob, type Job } from '../../../web/src/core/instance.ts';
import { compileWasm, wasmFrom } from '../../../web/src/core/wasm.ts';
import { hostile } from '../../support/hostile.mjs';

const demo = fileURLToPath(new URL('../../../web/src/viewer/demo/', import.meta.url));
const isKnown = (name: string): boolean => /\.(pskx?|psa|cast|vgo|bin)$/.test(name);
const files = readdirSync(demo).filter(isKnown);
const size = 96 * 2 ** 20;

let module: WebAssembly.Module;
beforeAll(async () => {
  module = await compileWasm();
  keepHeap(await instantiate(module));
});

/** Fills the heap of the next instance with `value`. */
async function soil(value: number): Promise<WebAssembly.Memory> {
  const glue = await instantiate(module);
  const { wasmMemory } = glue;
  if (wasmMemory.buffer.byteLength < size) wasmMemory.grow((size - wasmMemory.buffer.byteLength) / 2 ** 16);
  new Uint8Array(wasmMemory.buffer).fill(value);
  keepHeap(glue);
  return wasmMemory;
}

test('reuses the heap of the last instance, but not for two instances at the same time', async () => {
  const memory = await soil(0);
  const [first, second] = await Promise.all([instantiate(module), instantiate(module)]);
  expect(first.wasmMemory).toBe(memory);
  expect(second.wasmMemory).not.toBe(memory);
});

const jobOf = (task: Job['task'], name: string): Job => ({
  task,
  name,
  format: '',
  options: '{}',
  strict: false,
  tangents: true,
  maxMemory: 0,
  maxWork: 0,
  supplied: [],
});

test('keeps no heap after a description of megabytes', async () => {
  const row = hostile.find(({ what }) => what === 'vgo-json-zeros')!;
  const sizeAfter = async (n: number): Promise<number> => {
    await soil(0);
    const { name, bytes } = row.make(n);
    await runJob(wasmFrom(), jobOf('scene', name), openStream(bytes));
    return (await instantiate(module)).wasmMemory.buffer.byteLength;
  };
  expect(await sizeAfter(1000)).toBe(size);
  expect(await sizeAfter(600_000)).toBe(2 ** 20);
});

/** Reads a file in a heap of zeros and in heaps that contain other values. */
async function compare(name: string, bytes: Uint8Array, soils: readonly number[] = [0xab, 0xff]): Promise<void> {
  for (const task of ['scene', 'outline'] as const) {
    await soil(0);
    const expected = await runJob(wasmFrom(), jobOf(task, name), openStream(bytes));
    expect(JSON.parse(expected.text).format).not.toBe('');
    for (const value of soils) {
      await soil(value);
      const { text, blocks } = await runJob(wasmFrom(), jobOf(task, name), openStream(bytes));
      expect(text).toBe(expected.text);
      expect(blocks.length).toBe(expected.blocks.length);
      for (const [index, block] of blocks.entries())
        expect(Buffer.compare(Buffer.from(block), Buffer.from(expected.blocks[index]!)), `block ${index}`).toBe(0);
    }
  }
}

describe.each(files)('%s is the same in a heap of zeros and in heaps of garbage,', name => {
  const bytes = readFileSync(join(demo, name));

  test('complete', () => compare(name, bytes));

  test('cut off', () => compare(name, bytes.subarray(0, Math.floor(bytes.length * 0.6)), [0xab]));

  test('with wrong counts and values', () => {
    const wrong = Uint8Array.from(bytes);
    for (let at = 160; at < wrong.length; at += 211) wrong[at] = 0xff - wrong[at]!;
    return compare(name, wrong, [0xab]);
  });
});

const corpus = fileURLToPath(new URL('../../../../shared/corpus/', import.meta.url));
const foreign = existsSync(corpus)
  ? readdirSync(corpus, { recursive: true, encoding: 'utf8' })
      .filter(name => isKnown(name) && statSync(join(corpus, name)).size < 2 ** 20)
      .sort()
      .filter((_, i) => i % 13 === 0)
  : [];
if (foreign.length === 0) console.log('skipped: real files are not read in heaps of garbage, there is no ../shared/corpus');

test.each(foreign)('the third-party file %s is the same in a heap of zeros and in heaps of garbage', name => {
  const bytes = readFileSync(join(corpus, name));
  return compare(name, bytes, [0xab]);
});
