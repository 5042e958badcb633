// Animation keys that are decoded when a track is first read.
import { expect, test } from 'vitest';
import { bind } from '../../../web/src/core/bind.ts';
import { match } from '../../../web/src/core/match.ts';
import { open, type OpenOptions, type RigFile } from '../../../web/src/core/open.ts';
import { makePsa } from '../../support/actorx.ts';

const bones = Array.from({ length: 100 }, (_, i) => `bone${i}`);
const sequences = ['Walk', 'Run', 'Jump'];
const frames = 400;
const keySize = 32;
const original = makePsa({ bones, sequences, frames, position: (bone, frame) => [frame, bone, 1] });
const keysAt = original.length - sequences.length * frames * bones.length * keySize;

const opened = (bytes: Uint8Array<ArrayBuffer>, options: OpenOptions = {}): Promise<RigFile> =>
  open(bytes, { name: 'a.psa', worker: false, ...options });

/** Returns the byte offset of a bone's key in a sequence. */
function keyAt(sequence: number, frame: number, bone: number): number {
  return keysAt + keySize * ((sequence * frames + frame) * bones.length + bone);
}

function values(file: RigFile, clip: number): number[][] {
  return Array.from(file.scene!.clips[clip]!.tracks, ({ values }) => [...values]);
}

/** Returns the height of bone 0 in the first frame: z in the file is y in the scene. */
const heightIn = (file: RigFile, clip: number): number => file.scene!.clips[clip]!.tracks.get(0).values[1]!;

test('reads transferred bytes again when a track is read', async () => {
  const bytes = original.slice();
  const file = await opened(bytes, { transfer: true });
  const whole = await opened(original);
  expect(file.report).toEqual(whole.report);
  for (const clip of [0, 2]) expect(values(file, clip)).toEqual(values(whole, clip));
  new DataView(bytes.buffer).setFloat32(keyAt(1, 0, 0) + 8, 300, true);
  new DataView(bytes.buffer).setFloat32(keyAt(2, 0, 0) + 8, 300, true);
  expect(heightIn(file, 1)).toBe(3); // in metres; not decoded before the change
  expect(heightIn(file, 2)).toBeCloseTo(0.01);
  expect((await file.outline()).outline.map(({ kind }) => kind)).toContain('ANIMKEYS');
});

test("does not copy the caller's bytes, and throws if the caller detaches them", async () => {
  const bytes = original.slice();
  const file = await opened(bytes);
  new DataView(bytes.buffer).setFloat32(keyAt(1, 0, 0) + 8, 300, true);
  expect(heightIn(file, 1)).toBe(3);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  expect(heightIn(file, 1)).toBe(3);
  expect(() => heightIn(file, 2)).toThrow('detached');
  const other = await opened(new Blob([original]) as never);
  expect(values(other, 2)[0]!.length).toBe(3 * frames);
});

test('returns names and targets before keys are decoded', async () => {
  const bytes = original.slice();
  const file = await opened(bytes, { transfer: true });
  const { tracks } = file.scene!.clips[0]!;
  expect([tracks.length, tracks.uses!('translation'), tracks.uses!('scale')]).toEqual([200, true, false]);
  expect(tracks.get(1)).toMatchObject({ target: 'bone0', path: 'rotation' });
  const fit = match(file.scene!.clips, file.scene!);
  expect(fit).toMatchObject({ found: 100, moved: 100 });
  const { report } = bind(file.scene!.clips[0]!, file.scene!);
  expect(report.matched).toHaveLength(100);
  new DataView(bytes.buffer).setFloat32(keyAt(0, 0, 0) + 8, 300, true);
  expect(heightIn(file, 0)).toBe(3);
});

test('reports a damaged key on opening, and decodes only its sequence', async () => {
  const bytes = original.slice();
  new DataView(bytes.buffer).setFloat32(keyAt(1, 7, 5), NaN, true);
  const whole = await opened(bytes);
  const file = await opened(bytes.slice(), { transfer: true });
  expect(file.report).toEqual(whole.report);
  expect(file.report.items).toContainEqual(expect.objectContaining({ code: 'NON_FINITE', offset: keyAt(1, 7, 5) }));
  for (const clip of [0, 1, 2]) expect(values(file, clip)).toEqual(values(whole, clip));
});

test('decodes the keys of many open files, each from its own bytes', async () => {
  const heights = [100, 200, 300];
  const files = await Promise.all(
    heights.map(height => {
      const bytes = original.slice();
      new DataView(bytes.buffer).setFloat32(keyAt(1, 0, 0) + 8, height, true);
      return opened(bytes, { transfer: true });
    }),
  );
  expect(files.map(file => heightIn(file, 1))).toEqual([1, 2, 3]);
});

test('keeps a response of unknown length until all keys are decoded', async () => {
  const pieces = [0, 3000, 50_000, original.length].map((at, i, all) => original.slice(at, all[i + 1]));
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces.slice(0, -1)) controller.enqueue(piece);
      controller.close();
    },
  });
  const file = await opened(new Response(body) as never);
  expect(file.byteLength).toBe(original.length);
  expect(values(file, 2)).toEqual(values(await opened(original), 2));
  expect((await file.outline()).outline.map(({ kind }) => kind)).toContain('ANIMKEYS');
});
