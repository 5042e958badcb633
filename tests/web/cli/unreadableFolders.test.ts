// Folders that the user may not list or change, beside files that are converted.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { imagesBelow } from '../../../web/src/cli/images.ts';
import { makePsk } from '../../support/actorx.ts';
import { builtPackage } from '../../support/builtPackage.ts';
import { castFile, instance, model, triangle } from '../../support/castFile.ts';

const demo = fileURLToPath(new URL('../../../web/src/viewer/demo', import.meta.url));

/** The command that takes from root the right to ignore permissions; empty for other users. */
const asUser = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : [];
const [first, ...others] = [...asUser, 'true'];
const canTest = process.platform !== 'win32' && spawnSync(first!, others).status === 0;

let dist: string;
let folder: string;
const at = (...names: string[]): string => join(folder, ...names);

interface Row {
  file: string;
  files: string[];
  error?: { code: string; detail: string };
  report: { items: { code: string; detail: string }[] };
}

function rigcast(...words: string[]): { code: number | null; rows: Row[] } {
  const [command, ...rest] = [...asUser, process.execPath, join(dist, 'cli/main.js'), ...words, '--json'];
  const { status, stdout, stderr } = spawnSync(command!, rest, { encoding: 'utf8' });
  expect(stderr).toBe('');
  return { code: status, rows: (JSON.parse(stdout) as { files: Row[] }).files };
}

const shown = ({ files, error }: Row): unknown[] => [relative(folder, files[0]!), error?.code, error?.detail];

beforeAll(async () => {
  dist = await builtPackage();
  folder = mkdtempSync(join(tmpdir(), 'rigcast-unreadable-'));
  mkdirSync(at('in/closed'), { recursive: true });
  for (const name of ['Pip.psk', 'Pip_D.png']) cpSync(join(demo, name), at('in', name));
  writeFileSync(at('in/closed/hidden.psk'), makePsk());
  mkdirSync(at('in/open'));
  writeFileSync(at('in/open/b.psk'), makePsk());
  chmodSync(at('in/closed'), 0);
  mkdirSync(at('fixed'), { mode: 0o555 });
});

afterAll(() => {
  chmodSync(at('in/closed'), 0o755);
  rmSync(folder, { recursive: true, force: true });
});

const REASON = 'a folder whose files cannot be listed (EACCES)';

describe.skipIf(!canTest)('a folder that cannot be listed', () => {
  test('is one row of a batch, and all other files are converted', () => {
    const { code, rows } = rigcast('convert', at('in'), '-o', at('out'));
    expect(rows.map(shown)).toEqual([
      ['in/Pip.psk', undefined, undefined],
      ['in/open/b.psk', undefined, undefined],
      ['in/closed', 'IO_ERROR', REASON],
    ]);
    expect(code).toBe(2);
  });

  test('is one row of validate', () => {
    for (const given of [at('in'), at('in/closed')]) {
      const { code, rows } = rigcast('validate', given);
      const closed = rows.find(({ file }) => file === at('in/closed'))!;
      expect(closed.report.items.map(item => [item.code, item.detail])).toEqual([['IO_ERROR', REASON]]);
      expect([code, rows.length]).toEqual([2, given === at('in') ? 3 : 1]);
    }
  });

  test('does not prevent that a file beside it is converted with its textures', () => {
    const { code, rows } = rigcast('convert', at('in/Pip.psk'), '-o', at('one.glb'));
    expect([code, rows.map(shown)]).toEqual([0, [['in/Pip.psk', undefined, undefined]]]);
  });

  test('does not prevent that a scene is converted that refers to a file in it', () => {
    writeFileSync(at('in/city.cast'), castFile(instance('closed\\crate.cast'), model('tower', triangle('side'))));
    const { code, rows } = rigcast('convert', at('in/city.cast'), '-o', at('city.glb'));
    expect([code, rows.map(shown)]).toEqual([0, [['in/city.cast', undefined, undefined]]]);
  });
});

test.skipIf(!canTest)('a result for a read-only folder is reported and leaves nothing', () => {
  const { code, rows } = rigcast('convert', at('in/Pip.psk'), '-o', at('fixed/Pip.glb'));
  expect([code, rows.map(shown)]).toEqual([2, [['in/Pip.psk', 'IO_ERROR', `the folder ${at('fixed')} is not writable (EACCES)`]]]);
  expect(readdirSync(at('fixed'))).toEqual([]);
});

test.skipIf(process.platform === 'win32')('images are listed once, although a link leads to a folder above them', () => {
  mkdirSync(at('loop/textures'), { recursive: true });
  writeFileSync(at('loop/textures/skin.png'), '');
  symlinkSync('..', at('loop/textures/up'));
  expect(imagesBelow(at('loop'))).toEqual(['textures/skin.png']);
});
