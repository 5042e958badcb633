// Tests for folders and lists of files from the browser. Node has no file system entries, so the
// tests use mocks that follow the specification.
import { expect, test, vi } from 'vitest';
import type { SourceFile } from '../../../web/src/session/inputFile.ts';
import type { Refusal } from '../../../web/src/session/problem.ts';
import { fetchAddress } from '../../../web/src/viewer/fetching.ts';
import { filesOfEntries, filesOfList, MAX_DEPTH, MAX_FILES } from '../../../web/src/viewer/incomingFiles.ts';
import { serve } from '../../support/serve.ts';

const fileEntry = (path: string, file: () => File | null = () => new File(['x'], path.split('/').at(-1)!)): FileSystemEntry =>
  ({
    isFile: true,
    isDirectory: false,
    fullPath: path,
    file: (resolve: (file: File) => void, reject: (error: Error) => void) => {
      const found = file();
      if (found) resolve(found);
      else reject(new DOMException('gone', 'NotFoundError'));
    },
  }) as unknown as FileSystemEntry;

/** Returns a mock of a folder, whose reader returns up to 100 entries per call. */
const folderEntry = (path: string, entries: readonly FileSystemEntry[]): FileSystemEntry =>
  ({
    isFile: false,
    isDirectory: true,
    fullPath: path,
    createReader: () => {
      let at = 0;
      return { readEntries: (resolve: (some: readonly FileSystemEntry[]) => void) => resolve(entries.slice(at, (at += 100))) };
    },
  }) as unknown as FileSystemEntry;

const textOf = async (file: SourceFile): Promise<string> => new TextDecoder().decode(await file.arrayBuffer());

test('finds all files of a folder with their paths, in several calls of the reader', async () => {
  const many = Array.from({ length: 250 }, (_, i) => fileEntry(`/Game/Meshes/${i}.psk`));
  const { files, truncated } = await filesOfEntries([folderEntry('/Game', [folderEntry('/Game/Meshes', many), fileEntry('/Game/a.psa')])]);
  expect([files.length, truncated]).toEqual([251, false]);
  expect([files[0]!.path, files[1]!.path]).toEqual(['Game/a.psa', 'Game/Meshes/0.psk']);
});

test('takes at most 5,000 files of a folder or list and reports that more were ignored', async () => {
  const many = Array.from({ length: MAX_FILES + 1 }, (_, i) => fileEntry(`/Game/${i}.psk`));
  for (const [count, truncated] of [
    [MAX_FILES, false],
    [MAX_FILES + 1, true],
  ] as const)
    expect(await filesOfEntries([folderEntry('/Game', many.slice(0, count))])).toMatchObject({ files: { length: MAX_FILES }, truncated });
  const list = many.map((_, i) => new File([], `${i}.psk`));
  expect(filesOfList(list)).toMatchObject({ files: { length: MAX_FILES }, truncated: true });
  expect(filesOfList(list.slice(1))).toMatchObject({ files: { length: MAX_FILES }, truncated: false });
});

test('reads folders down to level 16 and reports deeper ones', async () => {
  const nested = (levels: number): FileSystemEntry => {
    let entry = fileEntry(`/${'d/'.repeat(levels)}a.psk`);
    for (let level = levels; level > 0; level--) entry = folderEntry(`/${'d/'.repeat(level - 1)}d`, [entry]);
    return entry;
  };
  expect(await filesOfEntries([nested(MAX_DEPTH)])).toMatchObject({ files: { length: 1 }, truncated: false });
  expect(await filesOfEntries([nested(MAX_DEPTH + 1)])).toMatchObject({ files: [], truncated: true });
});

test('skips a deleted file and can read an existing one again', async () => {
  let version = 1;
  const changing = fileEntry('/a.psk', () => new File([`${version++}`], 'a.psk'));
  const { files } = await filesOfEntries([fileEntry('/gone.psk', () => null), changing]);
  expect(files.map(({ path }) => path)).toEqual(['a.psk']);
  expect(await textOf(await files[0]!.reread!(AbortSignal.timeout(1000)))).toBe('2');
});

test('fetches only http and https URLs, and bypasses the cache on a reload', async () => {
  const { signal } = new AbortController();
  vi.stubGlobal('location', { href: 'https://site.example/' });
  const server = await serve((path, response) => {
    if (path !== '/a b.psk') return false;
    response.end('model');
    return true;
  });
  const { fetch } = globalThis;
  const asked: RequestInit[] = [];
  vi.stubGlobal('fetch', (address: URL, init: RequestInit) => {
    asked.push(init);
    return fetch(address, init);
  });
  try {
    const given = await fetchAddress(`${server.origin}/a%20b.psk`, signal);
    expect([given.path, await textOf(given.file)]).toEqual(['a b.psk', 'model']);
    expect(await textOf(await given.reread!(signal))).toBe('model');
    expect(asked.map(({ cache, credentials }) => [cache, credentials])).toEqual([
      ['default', 'same-origin'],
      ['no-cache', 'same-origin'],
    ]);
    const problemOf = async (address: string): Promise<unknown> =>
      fetchAddress(address, signal).then(
        () => null,
        (error: unknown) => (error as Refusal).problem,
      );
    expect(await problemOf(`${server.origin}/none.psk`)).toEqual({ code: 'download-failed', name: 'none.psk', status: 404 });
    for (const address of ['javascript:alert(1)', 'data:,x', 'file:///etc/passwd', 'blob:https://a.example/1'])
      expect(await problemOf(address)).toEqual({ code: 'unsupported-protocol' });
    expect(await problemOf('http://')).toMatchObject({ code: 'invalid-url' });
    await server.close();
    expect(await problemOf(`${server.origin}/a.psk`)).toEqual({ code: 'unreachable', name: 'a.psk' });
    expect(asked).toHaveLength(4);
  } finally {
    vi.unstubAllGlobals();
    await server.close();
  }
});
