// What is taken away and what comes in packed, without a page.
import { expect, test } from 'vitest';
import { zipSync } from 'fflate';
import { reportOf } from '../../../web/src/core/report.ts';
import type { Finding } from '../../../web/src/core/types.ts';
import { reportJson, reportText } from '../../../web/src/viewer/reporting.ts';
import { filesOfZip } from '../../../web/src/viewer/zip.ts';

const finding: Finding = { code: 'TRUNCATED', severity: 'error', offset: 61616, path: 'FACE0000', detail: '12 of 20', count: 2 };
const sections = [{ name: 'a.psk', about: 'PSK · 90 KB', facts: [['Bones', '12'] as [string, string]], report: reportOf([finding]) }];

test('a report as text says what a person needs, as JSON what a program needs', () => {
  expect(reportText(sections, new Map([['TRUNCATED', 'The data ends early.']])).split('\n')).toEqual([
    'a.psk',
    'PSK · 90 KB',
    'Bones: 12',
    '2 errors, 0 warnings, 0 remarks',
    '  error TRUNCATED (FACE0000, At byte: 61616, ×2): The data ends early. 12 of 20',
  ]);
  const { files } = JSON.parse(reportJson(sections)) as { files: { file: string; facts: object; report: { items: unknown[] } }[] };
  expect(files[0]).toMatchObject({ file: 'a.psk', facts: { Bones: '12' }, report: { errors: 2, items: [finding] } });
});

const zip = (entries: Record<string, Uint8Array>): File => new File([zipSync(entries) as Uint8Array<ArrayBuffer>], 'all.zip');

test('an archive is the folder that it was made of, up to as many files as are looked at', async () => {
  const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => i * i);
  const file = zip({ 'Meshes/a.psk': bytes, 'Animations/a.psa': Uint8Array.of(1, 2), 'empty/': new Uint8Array(0) });
  const { files, truncated } = await filesOfZip({ path: 'all.zip', file }, 100);
  expect([files.map(({ path }) => path), truncated]).toEqual([['all.zip/Meshes/a.psk', 'all.zip/Animations/a.psa'], false]);
  expect(new Uint8Array(await files[0]!.file.arrayBuffer())).toEqual(bytes);
  expect(files[0]!.file.name).toBe('a.psk');
  expect(await filesOfZip({ path: 'all.zip', file }, 1)).toMatchObject({ files: { length: 1 }, truncated: true });
});

test('a damaged archive is an error, one that is called off ends', async () => {
  const file = zip({ 'a.psk': Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 251) });
  const broken = new Uint8Array(await file.arrayBuffer());
  broken.fill(255, 40, 140);
  await expect(filesOfZip({ path: 'b.zip', file: new File([broken], 'b.zip') }, 9)).rejects.toThrow();
  const cut = new File([await file.slice(0, file.size / 2).arrayBuffer()], 'c.zip');
  await expect(filesOfZip({ path: 'c.zip', file: cut }, 9)).rejects.toThrow();
  await expect(filesOfZip({ path: 'a.zip', file }, 9, AbortSignal.abort())).rejects.toThrow();
});
