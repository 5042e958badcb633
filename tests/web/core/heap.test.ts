// Heaps go from one instance to the next: what an earlier file left there must not show in a later one.
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { instantiate, recycle } from '../../../web/src/core/glue.ts';
import { flowOf } from '../../../web/src/core/input.ts';
import { runJob, type Job } from '../../../web/src/core/instance.ts';
import { compileWasm } from '../../../web/src/core/wasm.ts';

const demo = new URL('../../../web/src/viewer/demo/', import.meta.url);
const files = readdirSync(demo).filter(name => /\.(psk|psa|cast|vgo|bin)$/.test(name));
const size = 96 * 2 ** 20;

let module: WebAssembly.Module;
beforeAll(async () => {
  module = await compileWasm();
  recycle(await instantiate(module));
});

/** The next instance gets a heap full of `value`. */
async function soil(value: number): Promise<WebAssembly.Memory> {
  const glue = await instantiate(module);
  const { wasmMemory } = glue;
  if (wasmMemory.buffer.byteLength < size) wasmMemory.grow((size - wasmMemory.buffer.byteLength) / 2 ** 16);
  new Uint8Array(wasmMemory.buffer).fill(value);
  recycle(glue);
  return wasmMemory;
}

test('an instance takes the heap of the last one, and a second one at the same time does not', async () => {
  const memory = await soil(0);
  const [first, second] = await Promise.all([instantiate(module), instantiate(module)]);
  expect(first.wasmMemory).toBe(memory);
  expect(second.wasmMemory).not.toBe(memory);
});

test.each(files)('%s is the same in a heap of zeros and in heaps of garbage', async name => {
  const bytes = readFileSync(new URL(name, demo));
  const job = (task: Job['task']): Job => ({
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
  for (const task of ['scene', 'outline'] as const) {
    await soil(0);
    const expected = await runJob(module, job(task), flowOf(bytes));
    expect(JSON.parse(expected.text).format).not.toBe('');
    for (const value of [0xab, 0xff]) {
      await soil(value);
      const { text, blocks } = await runJob(module, job(task), flowOf(bytes));
      expect(text).toBe(expected.text);
      expect(blocks.length).toBe(expected.blocks.length);
      for (const [index, block] of blocks.entries())
        expect(Buffer.compare(Buffer.from(block), Buffer.from(expected.blocks[index]!)), `block ${index}`).toBe(0);
    }
  }
});
