// Tests reports in text and JSON format.
import { expect, test } from 'vitest';
import { reportOf } from '../../../web/src/core/report.ts';
import type { Finding } from '../../../web/src/core/types.ts';
import { reportJson, reportText } from '../../../web/src/viewer/reporting.ts';

const finding: Finding = { code: 'TRUNCATED', severity: 'error', offset: 61616, path: 'FACE0000', detail: '12 of 20', count: 2 };
const sections = [{ name: 'a.psk', about: 'PSK · 90 KB', facts: [['Bones', '12'] as [string, string]], report: reportOf([finding]) }];

test('writes reports as readable text and as JSON', () => {
  expect(reportText(sections, new Map([['TRUNCATED', 'The data ends early.']])).split('\n')).toEqual([
    'a.psk',
    'PSK · 90 KB',
    'Bones: 12',
    '2 errors, 0 warnings, 0 notes',
    '  error TRUNCATED (FACE0000, Byte offset: 61616, ×2): The data ends early. 12 of 20',
  ]);
  const { files } = JSON.parse(reportJson(sections)) as { files: { file: string; facts: object; report: { items: unknown[] } }[] };
  expect(files[0]).toMatchObject({ file: 'a.psk', facts: { Bones: '12' }, report: { errors: 2, items: [finding] } });
});
