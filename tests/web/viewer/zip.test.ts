// Tests for unpacking ZIP archives. The tests create all archives.
import { afterEach, expect, test, vi } from 'vitest';
import { Inflate, zipSync, type Zippable } from 'fflate';
import { unpacked } from '../../../web/src/viewer/incomingFiles.ts';
import { filesOfZip, type Unpacked } from '../../../web/src/viewer/zip.ts';
import { zipOf } from '../../../web/src/encode/zipping.ts';

const fileOf = (bytes: Uint8Array, name = 'all.zip'): File => new File([bytes as Uint8Array<ArrayBuffer>], name);
const open = (file: File, most = 5000): Promise<Unpacked> => filesOfZip({ path: file.name, file }, most);
const pathsIn = ({ files }: Unpacked): string[] => files.map(({ path }) => path);
const letters = (text: string): Uint8Array => new TextEncoder().encode(text);

/**
 * Returns an archive in which `change` has modified the central directory records of all entries
 * named `name`. The headers of these entries are unchanged.
 */
function changed(entries: Zippable, name: string, change: (view: DataView, record: number) => void): Uint8Array {
  const bytes = zipSync(entries);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at + 46 < bytes.length; at++) {
    if (view.getUint32(at, true) !== 0x02014b50) continue;
    const length = view.getUint16(at + 28, true);
    if (new TextDecoder('latin1').decode(bytes.subarray(at + 46, at + 46 + length)) === name) change(view, at);
  }
  return bytes;
}

afterEach(() => void vi.restoreAllMocks());
const { push } = Inflate.prototype;

test('unpacks all files with their paths, up to the limit of files', async () => {
  const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => i * i);
  const file = fileOf(zipSync({ 'Meshes/a.psk': bytes, 'Animations/a.psa': Uint8Array.of(1, 2), 'empty/': new Uint8Array(0) }));
  const all = await open(file);
  expect([pathsIn(all), all.truncated, all.leftOut]).toEqual([['all.zip/Meshes/a.psk', 'all.zip/Animations/a.psa'], false, []]);
  expect(new Uint8Array(await all.files[0]!.file.arrayBuffer())).toEqual(bytes);
  expect(all.files[0]!.file.name).toBe('a.psk');
  expect(await open(file, 1)).toMatchObject({ files: { length: 1 }, truncated: true });
});

test('unpacks at most 5,000 files', async () => {
  const some = Object.fromEntries(Array.from({ length: 5001 }, (_, i) => [`x${i}.psk`, Uint8Array.of(i)]));
  const all = await open(fileOf(zipSync(some)));
  expect([all.files.length, all.truncated, all.leftOut.length]).toEqual([5000, true, 0]);
  expect(new Uint8Array(await all.files[4999]!.file.arrayBuffer())).toEqual(Uint8Array.of(4999));
});

test.each([
  ['is encrypted', 'encrypted', 8, (view: DataView, at: number) => view.setUint16(at + 8, 1, true)],
  ['has a compression method that is not supported', 'method', 93, (view: DataView, at: number) => view.setUint16(at + 10, 93, true)],
  ['needs ZIP64', 'large', 8, (view: DataView, at: number) => view.setUint32(at + 24, 0xffffffff, true)],
  ['is longer than the list of files says', 'damaged', 8, (view: DataView, at: number) => view.setUint32(at + 24, 10, true)],
  ['is shorter than the list of files says', 'damaged', 8, (view: DataView, at: number) => view.setUint32(at + 24, 5001, true)],
  ['is not where the list of files says', 'damaged', 8, (view: DataView, at: number) => view.setUint32(at + 42, 1, true)],
  [
    'ends behind the archive',
    'damaged',
    0,
    (view: DataView, at: number) => {
      view.setUint16(at + 10, 0, true);
      view.setUint32(at + 20, 1e6, true);
      view.setUint32(at + 24, 1e6, true);
    },
  ],
])('skips a file that %s with the reason and unpacks the others', async (_, why, method, change) => {
  const file = fileOf(changed({ 'a.psk': new Uint8Array(5000).fill(7), 'b.psk': Uint8Array.of(1, 2, 3) }, 'a.psk', change));
  const all = await open(file);
  expect([pathsIn(all), all.leftOut]).toEqual([['all.zip/b.psk'], [{ name: 'a.psk', why, method }]]);
});

test('reports a file that cannot be unpacked as a notice, or as a refusal if it is the only one', async () => {
  const encrypt = (view: DataView, at: number): void => view.setUint16(at + 8, 1, true);
  const signal = new AbortController().signal;
  const give = (...files: File[]) => unpacked({ files: files.map(file => ({ path: file.name, file })), truncated: false }, signal);
  const mixed = fileOf(changed({ 'a.psk': Uint8Array.of(1), 'b.psk': Uint8Array.of(2) }, 'a.psk', encrypt), 'mixed.zip');
  const closed = fileOf(changed({ 'a.psk': Uint8Array.of(1) }, 'a.psk', encrypt), 'closed.zip');
  const entries = [{ name: 'a.psk', why: 'encrypted', method: 8 }];
  expect(await give(mixed)).toMatchObject({
    files: [{ path: 'mixed.zip/b.psk' }],
    notes: [{ code: 'not-unpacked', name: 'mixed.zip', entries }],
  });
  await expect(give(closed)).rejects.toMatchObject({ problem: { code: 'not-unpacked', name: 'closed.zip', entries } });
  const cut = fileOf(zipSync({ 'a.psk': new Uint8Array(500) }).slice(0, 60), 'cut.zip');
  await expect(give(cut)).rejects.toMatchObject({
    problem: { code: 'damaged', name: 'cut.zip', detail: 'The list of files of the archive is missing' },
  });
  expect(await give(cut, fileOf(Uint8Array.of(1), 'a.psk'))).toMatchObject({
    files: [{ path: 'a.psk' }],
    notes: [{ code: 'archive-skipped', name: 'cut.zip', isLarge: false }],
  });
});

test('rejects an archive that would fill the memory before unpacking, also inside another archive', async () => {
  const pushed = vi.spyOn(Inflate.prototype, 'push');
  const stating = (size: number): Uint8Array =>
    changed({ 'a.psk': new Uint8Array(5000) }, 'a.psk', (view, at) => view.setUint32(at + 24, size, true));
  await expect(open(fileOf(stating(150e6)))).rejects.toMatchObject({ code: 'ARCHIVE_TOO_LARGE' });
  expect(pushed).not.toHaveBeenCalled();
  await expect(open(fileOf(zipSync({ 'b.psk': letters('b'), 'inner.zip': [stating(150e6), { level: 0 }] })))).rejects.toMatchObject({
    code: 'ARCHIVE_TOO_LARGE',
  });
  // The declared size of 60 MB is within the limit, but the content is shorter.
  expect((await open(fileOf(stating(60e6)))).leftOut).toMatchObject([{ why: 'damaged' }]);
});

test('stops unpacking a file that is longer than the directory declares', async () => {
  let most = 0;
  vi.spyOn(Inflate.prototype, 'push').mockImplementation(function (this: Inflate, piece: Uint8Array, isLast?: boolean) {
    most += piece.length;
    return push.call(this, piece, isLast);
  });
  const file = fileOf(changed({ 'a.psk': new Uint8Array(60e6) }, 'a.psk', (view, at) => view.setUint32(at + 24, 10, true)));
  expect((await open(file)).leftOut).toMatchObject([{ name: 'a.psk', why: 'damaged' }]);
  expect(most).toBeLessThanOrEqual(2 ** 14);
});

test('unpacks archives inside an archive, also streamed ones, but no deeper ones', async () => {
  const deepest = zipSync({ 'c.psk': Uint8Array.of(3) });
  const middle = zipSync({ 'b.psk': Uint8Array.of(2), 'deep.zip': deepest });
  const packed = fileOf(zipSync({ 'in.zip': middle, 'a.psk': Uint8Array.of(1) }));
  expect(pathsIn(await open(packed))).toEqual(['all.zip/in.zip/b.psk', 'all.zip/in.zip/deep.zip', 'all.zip/a.psk']);
  // The inner archive is stored without compression and its size follows it, so that its records
  // look like those of the outer archive.
  const streamed = new File([await zipOf([{ name: 'in.zip', blob: new Blob([middle as Uint8Array<ArrayBuffer>]) }])], 'all.zip');
  expect(pathsIn(await open(streamed))).toEqual(['all.zip/in.zip/b.psk', 'all.zip/in.zip/deep.zip']);
  // The result contains one file of the outer archive and one file of the inner archive.
  expect(await open(packed, 3)).toMatchObject({ files: [{}, {}], truncated: true });
  const broken = await open(fileOf(zipSync({ 'in.zip': letters('no archive'), 'a.psk': Uint8Array.of(1) })));
  expect(pathsIn(broken)).toEqual(['all.zip/in.zip', 'all.zip/a.psk']);
});

test('decodes names in their encoding and skips metadata files of macOS', async () => {
  const old = changed({ 'gr__e.psk': Uint8Array.of(1) }, 'gr__e.psk', (view, at) => {
    view.setUint8(at + 48, 0xfc);
    view.setUint8(at + 49, 0xdf);
  });
  expect(pathsIn(await open(fileOf(old)))).toEqual(['all.zip/grüße.psk']);
  const others = zipSync({ 'größe.psk': Uint8Array.of(1), 'Meshes\\b.psk': Uint8Array.of(2), '__MACOSX/._b.psk': Uint8Array.of(3) });
  expect(pathsIn(await open(fileOf(others)))).toEqual(['all.zip/größe.psk', 'all.zip/Meshes/b.psk']);
});

test('unpacks a self-extracting archive', async () => {
  const bytes = zipSync({ 'a.psk': letters('model') });
  const { files } = await open(fileOf(Uint8Array.from([...letters('MZ program'), ...bytes])));
  expect(await files[0]!.file.text()).toBe('model');
});

test('rejects when it is aborted', async () => {
  const file = fileOf(zipSync({ 'a.psk': new Uint8Array(5000) }));
  await expect(filesOfZip({ path: 'a.zip', file }, 9, AbortSignal.abort())).rejects.toThrow();
});
