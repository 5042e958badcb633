// Meshes that go through windows of the heap: from the bytes as they were given, into blocks that
// JavaScript owns.
import { expect, test } from 'vitest';
import { streamOfBytes } from '../../../web/src/core/byteStream.ts';
import { openStream } from '../../../web/src/core/input.ts';
import { runJob, type Job, type RawResult } from '../../../web/src/core/instance.ts';
import { open } from '../../../web/src/core/open.ts';
import { wasmFrom } from '../../../web/src/core/wasm.ts';
import { makePsk } from '../../support/actorx.ts';

const job: Job = {
  task: 'scene',
  name: 'a.psk',
  format: '',
  options: '{}',
  strict: false,
  tangents: false,
  maxMemory: 0,
  maxWork: 0,
  canDefer: true,
  supplied: [],
};

const read = async (bytes: Uint8Array, mayDefer = true): Promise<RawResult> =>
  runJob(wasmFrom(), { ...job, canDefer: mayDefer }, streamOfBytes(bytes));

const side = 150; // 22,801 points: several windows
const plain = makePsk({ side, hasNormals: true });

const isSame = (a: Uint8Array | Float32Array, b: Uint8Array | Float32Array): boolean =>
  a.length === b.length && (a as Uint8Array).every((value, i) => value === b[i]);

/** A damaged copy: the normal of the last point is invalid. */
function damaged(): Uint8Array<ArrayBuffer> {
  const bytes = plain.slice();
  new DataView(bytes.buffer).setFloat32(bytes.length - 12, NaN, true);
  return bytes;
}

test.each([
  ['a sound mesh', plain, 0],
  ['one that turns out to be damaged', damaged(), 2], // invalid number and invalid normal
])('%s is the same whether its file lies in the heap or beside it', async (_, bytes, warnings) => {
  const beside = await read(bytes);
  const inside = await read(bytes, false);
  expect(beside.taken.bytes!.buffer === bytes.buffer).toBe(true);
  expect(inside.taken.bytes).toBeNull();
  expect(beside.text).toBe(inside.text);
  const { report } = JSON.parse(beside.text) as { report: { warnings: number; errors: number } };
  expect(report.warnings + report.errors).toBe(warnings);
  expect(beside.deferred).toBeNull();
  for (const [i, block] of beside.blocks.entries()) expect(isSame(new Uint8Array(block), new Uint8Array(inside.blocks[i]!))).toBe(true);
});

test('keeps the file and its result outside the heap', async () => {
  const points = (side + 1) ** 2;
  const { cost } = await read(plain);
  expect(cost.memory).toBeLessThan(20 * points + 2 ** 20);
  expect((await read(damaged())).cost.memory).toBeGreaterThan(60 * points);
});

test("never writes the caller's bytes, which may change once the file is open", async () => {
  const bytes = plain.slice();
  const file = await open(bytes, { name: 'a.psk', worker: false });
  expect(isSame(bytes, plain)).toBe(true);
  bytes.fill(0);
  const whole = await open(new Blob([plain]), { name: 'a.psk', worker: false });
  const [mesh, wanted] = [file, whole].map(({ scene }) => scene!.meshes[0]!);
  for (const name of ['positions', 'normals', 'weights'] as const) expect(isSame(mesh![name]!, wanted![name]!)).toBe(true);
  expect(mesh!.positions[3]).toBeCloseTo(0.01);
});

test('keeps a Blob outside the heap', async () => {
  const { text, taken, cost } = await runJob(wasmFrom(), job, openStream(new Blob([plain])));
  expect([taken.bytes!.length, taken.kept]).toEqual([plain.length, null]);
  expect([text, cost.memory]).toEqual([(await read(plain)).text, (await read(plain)).cost.memory]);
});

test('reads a stream of chunks into the heap', async () => {
  const { text, taken } = await runJob(wasmFrom(), job, openStream(new Response(plain)));
  expect(taken.bytes).toBeNull();
  expect(text).toBe((await read(plain)).text);
});
