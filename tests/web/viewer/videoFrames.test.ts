// Tests the count of frames in recorded videos. The tests create all videos.
import { expect, test } from 'vitest';
import { framesIn } from '../../../web/src/viewer/videoFrames.ts';

const bytesOf = (...parts: (number | readonly number[])[]): number[] => parts.flat();
const filmOf = (bytes: readonly number[]): Blob => new Blob([Uint8Array.from(bytes)]);

const UNKNOWN = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
const element = (id: readonly number[], ...content: number[]): number[] => bytesOf(id, 0x40, content.length, content);
const HEAD = element([0x1a, 0x45, 0xdf, 0xa3], 0x42, 0x86, 0x81, 1);
const SEGMENT = [0x18, 0x53, 0x80, 0x67, ...UNKNOWN];
const CLUSTER = [0x1f, 0x43, 0xb6, 0x75, ...UNKNOWN];
// A Tracks element whose content looks like two blocks, which must not be counted.
const TRACKS = element([0x16, 0x54, 0xae, 0x6b], 0xa3, 0x81, 0, 0xa3, 0x81, 0);
const block = element([0xa3], 0x81, 0, 0, 0x80, 0xa3);
const group = element([0xa0], ...element([0xa1], 0x81, 0, 0, 0), ...element([0x9b], 33));

test('counts the blocks of a WebM video, also in groups and clusters of unknown size', async () => {
  const film = bytesOf(HEAD, SEGMENT, TRACKS, CLUSTER, block, block, CLUSTER, block, group);
  expect(await framesIn(filmOf(film))).toBe(4);
  expect(await framesIn(filmOf(bytesOf(HEAD, SEGMENT, TRACKS)))).toBe(0);
});

const word = (value: number): number[] => [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255];
const box = (name: string, ...content: number[]): number[] =>
  bytesOf(
    word(8 + content.length),
    [...name].map(letter => letter.charCodeAt(0)),
    content,
  );
const inside = (names: readonly string[], content: readonly number[]): number[] =>
  names.reduceRight((inner, name) => box(name, ...inner), [...content]);
const TABLE = ['moov', 'trak', 'mdia', 'minf', 'stbl'];

test('counts the samples of an MP4 video, in one table or in fragments', async () => {
  const whole = inside(TABLE, box('stsz', ...word(0), ...word(0), ...word(49)));
  expect(await framesIn(filmOf(bytesOf(box('ftyp', ...word(0)), whole, box('mdat', ...whole))))).toBe(49);
  const run = inside(['moof', 'traf'], box('trun', ...word(1), ...word(15), ...word(0)));
  const empty = inside(TABLE, box('stsz', ...word(0), ...word(0), ...word(0)));
  expect(await framesIn(filmOf(bytesOf(box('ftyp'), empty, run, box('mdat', 1, 2, 3), run)))).toBe(30);
});

test('counts no frames in other files and in a video that ends in a header', async () => {
  for (const bytes of [[], [1, 2, 3], word(0x1a45dfa3), bytesOf(HEAD, SEGMENT, [0x1f])]) expect(await framesIn(filmOf(bytes))).toBe(0);
  expect(await framesIn(filmOf(Array.from({ length: 64 }, () => 0)))).toBe(0);
});
