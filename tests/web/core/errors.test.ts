// Codes of errors: every thrown error has one, and docs/errors.md lists those that the package
// throws.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { invalidArgument, outOfRange, RigcastError } from '../../../web/src/core/error.ts';
import { reportOf } from '../../../web/src/core/report.ts';

const root = new URL('../../../', import.meta.url);
const sources = readdirSync(new URL('web/src', root), { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.ts'))
  .map(path => ({ path, room: path.split('/')[0]!, text: readFileSync(new URL(`web/src/${path}`, root), 'utf8') }));

/** Applications and their parts. Their errors end as text on screen, so the page does not list the codes. */
const APPLICATIONS = ['cli', 'viewer', 'session'];

it('throws only errors with a code', () => {
  const uncoded = sources
    .filter(({ path }) => path !== 'core/error.ts')
    .flatMap(({ path, text }) =>
      Array.from(text.matchAll(/new (Type|Range|)Error\((?!\)).*|extends Error\b.*/g), ([line]) => `${path}: ${line}`),
    );
  expect(uncoded).toEqual([]);
});

it('lists every code of RigcastError in docs/errors.md, and no other', () => {
  const page = readFileSync(new URL('docs/errors.md', root), 'utf8');
  const [, table = ''] = page.split('Codes of `RigcastError`:');
  const listed = Array.from(table.matchAll(/^\| ([A-Z_]+) +\|/gm), ([, code]) => code);
  const calls = sources
    .filter(({ room }) => !APPLICATIONS.includes(room))
    .flatMap(({ text }) => Array.from(text.matchAll(/(?:new RigcastError|super)\(\s*('[A-Z_]+'|[^)\s,]*)/g), ([, code = '']) => code));
  const thrown = calls.filter(code => code.startsWith("'")).map(code => code.slice(1, -1));
  expect(listed.toSorted()).toEqual([...new Set(thrown)].toSorted());
});

it('keeps the code, the report and the cause of an error', () => {
  const cause = new Error('cause');
  const report = reportOf([]);
  const error = new RigcastError('FILE_UNREADABLE', 'a.psk cannot be read', { report, cause });
  expect(error).toMatchObject({ name: 'RigcastError', code: 'FILE_UNREADABLE', message: 'a.psk cannot be read', report, cause });
  expect(new RigcastError('FILE_UNREADABLE', '').report).toBeNull();
  expect(invalidArgument('x')).toBeInstanceOf(TypeError);
  expect(invalidArgument('x').code).toBe('INVALID_ARGUMENT');
  expect(outOfRange('x')).toBeInstanceOf(RangeError);
  expect(outOfRange('x').code).toBe('OUT_OF_RANGE');
});
