// Addresses of large animation sets, which the viewer reads in parts.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RangedFile } from '../../../web/src/session/rangedFile.ts';
import { fetchAddress } from '../../../web/src/viewer/fetching.ts';
import { type Answer, largePsa, type LargePsa, type PsaServer, servePsa, stored } from '../../support/largePsa.ts';

const { signal } = new AbortController();
const large = stored(largePsa(4, 100, 1400));
let server: PsaServer | undefined;
beforeEach(() => void vi.stubGlobal('location', { href: 'https://site.example/' }));
afterEach(async () => {
  vi.unstubAllGlobals();
  await server?.close();
});

async function serving(file: LargePsa = large, answer?: Answer, headers?: Record<string, string>): Promise<PsaServer> {
  return (server = await servePsa(file, answer, headers));
}

test('requests only the start of a large file, and other parts when they are read', async () => {
  const { url, counted } = await serving();
  const { file, path, refused } = await fetchAddress(url, signal);
  expect([path, file.name, file.size, refused]).toEqual(['many.psa', 'many.psa', large.byteLength, undefined]);
  expect(file).toBeInstanceOf(RangedFile);
  expect(counted).toEqual({ requests: 1, bytes: 2 ** 16 });
  const [from, to] = [large.byteLength - 100, large.byteLength + 5];
  expect(new Uint8Array(await file.slice(from, to).arrayBuffer())).toEqual(large.part(from, large.byteLength));
  expect(counted).toEqual({ requests: 2, bytes: 2 ** 16 + 100 });
  expect((await file.slice(large.byteLength).arrayBuffer()).byteLength).toBe(0);
});

test('rejects a part of a file that has changed on the server', async () => {
  const { url } = await serving(
    large,
    (request, response) => {
      response.setHeader('etag', request?.number ? '"2"' : '"1"');
      return false;
    },
    {},
  );
  const { file } = await fetchAddress(url, signal);
  await expect(file.slice(0, 10).arrayBuffer()).rejects.toMatchObject({ reason: 'FILE_CHANGED' });
});

test('downloads a small file, and a file from a server that ignores requests for parts', async () => {
  const small = largePsa(2, 10, 400);
  const { url } = await serving(small);
  const given = await fetchAddress(url, signal);
  expect([given.file instanceof File, given.refused]).toEqual([true, undefined]);
  expect(new Uint8Array(await given.file.arrayBuffer())).toEqual(small.part(0, small.byteLength));
  await server!.close();
  const ignoring = await serving(large, (request, response) => {
    if (request) response.writeHead(200).end(large.part(0, large.byteLength));
    return request !== null;
  });
  const whole = await fetchAddress(ignoring.url, signal);
  expect([whole.file instanceof File, whole.file.size, whole.refused?.reason]).toEqual([true, large.byteLength, 'RANGES_IGNORED']);
});

test('explains a missing file and a server that does not answer', async () => {
  const { url } = await serving(large, (_, response) => Boolean(response.writeHead(404).end()));
  await expect(fetchAddress(url, signal)).rejects.toMatchObject({ problem: { code: 'download-failed', name: 'many.psa', status: 404 } });
  await server!.close();
  await expect(fetchAddress(url, signal)).rejects.toMatchObject({ problem: { code: 'unreachable', name: 'many.psa' } });
});
