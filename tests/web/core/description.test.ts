// The decoder with descriptions built by hand: invalid ones that the core never writes must not
// pass silently. Valid ones are tested with `open`.
import { describe, expect, test } from 'vitest';
import { decodeScene, readColumn, SEGMENT_KINDS, trackWidth, type Description } from '../../../web/src/core/description.ts';
import { openStream } from '../../../web/src/core/input.ts';
import { runJob, type Job } from '../../../web/src/core/instance.ts';
import type { ByteStream } from '../../../web/src/core/byteStream.ts';
import { wasmFrom } from '../../../web/src/core/wasm.ts';
import { makePsa } from '../../support/actorx.ts';

const job: Job = {
  task: 'scene',
  name: 'a.psa',
  format: '',
  options: '{}',
  strict: false,
  tangents: false,
  maxMemory: 0,
  maxWork: 0,
  supplied: [],
};

async function describeMotion(): Promise<{ raw: NonNullable<Description['scene']>; blocks: ArrayBuffer[] }> {
  const { text, blocks } = await runJob(wasmFrom(), job, openStream(makePsa()));
  return { raw: (JSON.parse(text) as Description).scene!, blocks };
}

test('decodes columns as views of their blocks', () => {
  const block = Float32Array.of(1, 2, 3, 4).buffer;
  const column = readColumn([new ArrayBuffer(8), block], [1, 'f32', 4, 2], 'f32');
  expect([...column]).toEqual([2, 3]);
  expect(column.buffer).toBe(block);
});

test.each<[string, Parameters<typeof readColumn>[1]]>([
  ['a block that is not there', [1, 'f32', 0, 1]],
  ['another type', [0, 'u8', 0, 1]],
  ['more than the block holds', [0, 'f32', 0, 3]],
  ['an odd place', [0, 'f32', 2, 1]],
])('a column of %s throws', (_, column) => {
  expect(() => readColumn([new ArrayBuffer(8)], column, 'f32')).toThrow();
});

test('throws for unknown enum names and numbers', async () => {
  const light = { name: '', node: 0, type: 'torch' };
  const { raw, blocks } = await describeMotion();
  expect(() => decodeScene({ ...raw, lights: [light as never] }, blocks, [])).toThrow(/unknown type "torch"/);
  const { tracks } = raw.clips[0]!;
  const [block, , offset] = tracks.paths;
  new Uint8Array(blocks[block]!)[offset] = 77;
  const { clips } = decodeScene(raw, blocks, []);
  expect(() => clips[0]!.tracks.get(0)).toThrow(/unknown path 77/);
});

test('throws for a string index out of range', async () => {
  const { raw, blocks } = await describeMotion();
  expect(() => decodeScene({ ...raw, strings: [] }, blocks, [])).toThrow(/no string/);
});

test('keeps property bags unchanged, even if they look like columns or contain __proto__', async () => {
  const { raw, blocks } = await describeMotion();
  const properties = JSON.parse('{"__proto__": {"a": 1}, "size": [0, "f32", 0, 1]}') as Record<string, never>;
  const material = { name: 'm', alphaMode: 'opaque', side: 'both', slots: [], properties };
  const scene = decodeScene({ ...raw, materials: [material as never] }, blocks, []);
  expect(JSON.stringify(scene.materials[0]!.properties)).toBe('{"__proto__":{"a":1},"size":[0,"f32",0,1]}');
});

test('the values of Track.kinds are those in the documentation of SegmentKind', () => {
  expect(SEGMENT_KINDS).toEqual(['step', 'linear', 'slerp', 'hermite', 'bezier']);
});

test('trackWidth returns the number of scalars per key', () => {
  expect([trackWidth('translation', -1), trackWidth('rotation', -1), trackWidth('scale', 1), trackWidth('weight', -1)]).toEqual([
    3, 4, 1, 1,
  ]);
});

describe.each([
  ['into the heap', false],
  ['into an array beside it', true],
])('an input that is read %s', (_, mayDefer) => {
  test.each([17 * 2 ** 28, 1e15])('is refused before reading if its %d bytes exceed every 32-bit heap', async byteLength => {
    const given: ByteStream = { name: '', byteLength, pieces: neverEnding(), keep: true, owned: false };
    const { text, taken } = await runJob(wasmFrom(), { ...job, canDefer: mayDefer }, given);
    expect((JSON.parse(text) as Description).report.items).toMatchObject([{ code: 'OUT_OF_MEMORY' }]);
    expect(taken).toEqual({ name: 'a.psa', byteLength, kept: null, bytes: null });
  });

  test('is read as far as it fits if its length is unknown', async () => {
    const given: ByteStream = { name: '', byteLength: null, pieces: neverEnding(), keep: true, owned: false };
    const { text, taken } = await runJob(wasmFrom(), { ...job, maxMemory: 100_500, canDefer: mayDefer }, given);
    expect((JSON.parse(text) as Description).report.items).toMatchObject([{ code: 'OUT_OF_MEMORY' }]);
    expect(taken).toEqual({ name: 'a.psa', byteLength: 101_000, kept: null, bytes: null });
  });
});

function* neverEnding(): Generator<Uint8Array> {
  const piece = new Uint8Array(1000);
  for (piece.set(new TextEncoder().encode('ANIMHEAD')); ;) yield piece;
}

test('reports a trap of the core as a finding', async () => {
  const broken = await runJob(wasmFrom(), { ...job, task: 'scene', format: 7 as never }, openStream(makePsa())); // embind throws for a name that is not a string
  expect(JSON.parse(broken.text) as Description).toMatchObject({ scene: null, report: { errors: 1, items: [{ code: 'INTERNAL_TRAP' }] } });
});
