// The native build and the WebAssembly build give the same result for every file: equal
// descriptions and equal blocks.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { openStream } from '../../../web/src/core/input.ts';
import { type Supplied, runJob } from '../../../web/src/core/instance.ts';
import type { Wasm } from '../../../web/src/core/wasm.ts';
import { modulesByFamily } from '../../../web/src/core/wasm.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const dump = join(root, 'build/asan/rigcast_dump');
const corpus = join(root, '../shared/corpus');
const extensions = /\.(pskx?|psa|cast|semodel|seanim|uemodel|ueanim|uepose|ueworld|vgo|bin)$/i;
/** Maximum size of the compared files. The benchmark compares larger ones. */
const largest = 32 * 2 ** 20;

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(path => join(folder, path))
    .filter(path => extensions.test(path) && statSync(path).isFile() && statSync(path).size <= largest)
    .sort();
}

/** Returns the .config beside an animation. */
function companionsOf(file: string): { kind: string; path: string }[] {
  const config = file.replace(/\.psa$/i, '.config');
  return config !== file && existsSync(config) ? [{ kind: 'config', path: config }] : [];
}

interface Result {
  text: string;
  blocks: string[];
}

function native(files: readonly string[], outline: boolean): Result[] {
  const args = files.flatMap(file => [...companionsOf(file).flatMap(({ kind, path }) => ['--supply', kind, path]), file]);
  const output = execFileSync(dump, outline ? ['--outline', ...args] : args, { encoding: 'utf8', maxBuffer: 2 ** 30 });
  return output
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Result);
}

let modules: Wasm;

async function wasm(file: string, outline: boolean): Promise<Result> {
  const supplied: Supplied[] = companionsOf(file).map(({ kind, path }) => ({ kind, name: basename(path), bytes: readFileSync(path) }));
  const job = { name: basename(file), format: '', options: '', strict: false, tangents: false, maxMemory: 0, maxWork: 0, supplied };
  const { text, blocks } = await runJob(modules, { ...job, task: outline ? 'outline' : 'scene' }, openStream(readFileSync(file)));
  return { text, blocks: blocks.map(hashOf) };
}

/** Computes the hash of tests/support/hash.hpp. */
function hashOf(block: ArrayBuffer): string {
  let a = 0x811c9dc5;
  let b = 0x811c9dc5;
  for (const word of new Uint32Array(block)) {
    a = Math.imul(a ^ word, 0x01000193);
    const mixed = b ^ word;
    b = Math.imul((mixed << 13) | (mixed >>> 19), 0x85ebca6b);
  }
  return [a, b].map(lane => (lane >>> 0).toString(16).padStart(8, '0')).join('');
}

async function compare(files: readonly string[], outline: boolean): Promise<void> {
  const different: string[] = [];
  for (let first = 0; first < files.length; first += 25) {
    const batch = files.slice(first, first + 25);
    const expected = native(batch, outline);
    expect(expected.length).toBe(batch.length);
    for (const [index, file] of batch.entries()) {
      const { text, blocks } = await wasm(file, outline);
      const wanted = expected[index]!;
      if (text !== wanted.text) different.push(`${relative(root, file)}: ${firstDifference(text, wanted.text)}`);
      const block = blocks.findIndex((hash, at) => hash !== wanted.blocks[at]);
      if (block >= 0 || blocks.length !== wanted.blocks.length)
        different.push(`${relative(root, file)}: block ${block} of ${blocks.length}`);
    }
  }
  expect(different).toEqual([]);
}

function firstDifference(wasmText: string, nativeText: string): string {
  let at = 0;
  while (at < wasmText.length && wasmText[at] === nativeText[at]) at++;
  const around = (text: string): string => text.slice(Math.max(0, at - 40), at + 40);
  return `description differs at ${at}: wasm …${around(wasmText)}… native …${around(nativeText)}…`;
}

beforeAll(async () => {
  if (!existsSync(dump)) throw new Error('build/asan/rigcast_dump is missing: `npm test` builds it.');
  modules = modulesByFamily();
});

describe.each([
  ['scene', false],
  ['outline', true],
] as const)('%s of native and wasm', (_, outline) => {
  const fixtures = filesIn(join(root, 'tests/data'));
  const real = filesIn(corpus);

  test('is the same for every fixture', async () => {
    expect(fixtures.length).toBeGreaterThan(0);
    await compare(fixtures, outline);
  }, 120_000);

  test.skipIf(real.length === 0)(
    `is the same for every real file (needs ../shared/corpus)`,
    async () => {
      await compare(real, outline);
    },
    600_000,
  );
});

test('a block that differs in one bit has another hash', () => {
  const words = new Uint32Array(64).fill(7);
  const before = hashOf(words.buffer);
  for (const index of [0, 31, 63]) {
    for (const bit of [0, 13, 31]) {
      words[index]! ^= 1 << bit;
      expect(hashOf(words.buffer)).not.toBe(before);
      words[index]! ^= 1 << bit;
    }
  }
});
