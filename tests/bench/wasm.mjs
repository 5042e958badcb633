// The wasm half of the benchmark: `node tests/bench/wasm.mjs FILE ROUNDS` reads FILE in a fresh instance with a heap of its own a round, and
// prints one JSON object like rigcast_native does. Only `read` is on the clock; the largest heap counts as peak.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = new URL('../../web/src/core/wasm/', import.meta.url);
const { default: createRigcast } = await import(new URL('rigcast.mjs', folder).href);
const module = new WebAssembly.Module(readFileSync(fileURLToPath(new URL('rigcast.wasm', folder))));
const [path, rounds] = process.argv.slice(2);
const bytes = readFileSync(path);

async function readOnce() {
  const wasmMemory = new WebAssembly.Memory({ initial: 16, maximum: 65536 });
  const glue = await createRigcast({
    wasmMemory,
    instantiateWasm(imports, done) {
      done(new WebAssembly.Instance(module, imports), module);
      return {};
    },
  });
  glue.start(0, 0);
  const input = glue.input(bytes.length);
  if (!input) return { failed: 'the file does not fit into the heap' };
  glue.HEAPU8.set(bytes, input);
  const start = performance.now();
  const result = glue.read(basename(path), '', '{}', false, false);
  const milliseconds = performance.now() - start;
  const words = new Uint32Array(wasmMemory.buffer, result);
  const text = glue.HEAPU8.subarray(words[0], words[0] + words[1]);
  const description = JSON.parse(new TextDecoder().decode(text));
  if (!description.scene) return { failed: description.report.items[0]?.detail || description.report.items[0]?.code || 'no scene' };
  let outputBytes = text.length;
  for (let block = 0, at = 3; block < words[2]; block++) {
    const end = at + 1 + 2 * words[at];
    for (at += 2; at < end; at += 2) outputBytes += words[at];
    at = end;
  }
  return { milliseconds, outputBytes, heapBytes: wasmMemory.buffer.byteLength };
}

const read = [];
let last;
for (let round = 0; round < Number(rounds); round++) {
  globalThis.gc?.();
  last = await readOnce();
  if (last.failed) break;
  read.push(last.milliseconds);
}
console.log(
  JSON.stringify({ inputBytes: bytes.length, outputBytes: last.outputBytes, peakBytes: last.heapBytes, read, failed: last.failed }),
);
