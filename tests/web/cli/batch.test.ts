// Batches with untrusted files: each file has a row, even if another one fails.
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePsa, makePsk } from '../../support/actorx.ts';
import { BODY, BOOTS, HUMAN, makePart, moved } from '../../support/characterParts.ts';
import { castFile, instance, model, triangle } from '../../support/castFile.ts';
import { builtPackage } from '../../support/builtPackage.ts';

let dist: string;
let folder: string;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  dist = await builtPackage();
  folder = mkdtempSync(join(tmpdir(), 'rigcast-batch-'));
  for (const name of ['many', 'zoo', 'inside', 'outside/deep']) mkdirSync(at(name), { recursive: true });
  writeFileSync(at('many/a.psk'), makePsk());
  writeFileSync(at('many/b.psk'), new Uint8Array());
  truncateSync(at('many/b.psk'), 2_306_867_200); // a sparse file, larger than Node can read at once
  writeFileSync(at('many/c.psk'), makePsk().subarray(0, 700));
  writeFileSync(at('many/d.psk'), makePsk({ side: 200 }));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function rigcast(...words: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(dist, 'cli/main.js'), ...words], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return { code: status, out: stdout, err: stderr };
}

type Row = { file: string; format: string | null; report: { errors: number; items: { code: string; detail: string }[] } };
const short = ({ file, report }: Row): string => [basename(file), ...report.items.map(({ code }) => code)].join(' ');

describe('validate', () => {
  test('reports an unreadable file as a row, and continues with the next', () => {
    const { code, out, err } = rigcast('validate', at('many'), at('gone.psk'), '--json');
    expect([code, err]).toEqual([2, '']);
    const { files } = JSON.parse(out) as { files: Row[] };
    expect(files.map(short)).toEqual(['a.psk', 'b.psk IO_ERROR', expect.stringMatching(/^c\.psk TRUNCATED/), 'd.psk', 'gone.psk IO_ERROR']);
    expect(files[1]!.report.items[0]!.detail).toContain('2 GiB');
    expect(files[4]!.report.items[0]!.detail).toBe('no such file');
    const people = rigcast('validate', at('many'))
      .out.split('\n')
      .filter(line => !line.startsWith(' '));
    expect(people.map(line => basename(line.split('  ')[0]!))).toEqual(['a.psk', 'b.psk', 'c.psk', 'd.psk', '4 files, 2 with errors', '']);
  });

  test('--jsonl writes one line per file, --jobs reads in parallel', () => {
    const { code, out } = rigcast('validate', at('many/a.psk'), at('many/c.psk'), at('many/d.psk'), '--jsonl', '--jobs', '2');
    expect(code).toBe(1);
    const rows = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Row);
    expect(rows.map(short).sort()).toEqual(['a.psk', expect.stringMatching(/^c\.psk/), 'd.psk']);
    const { files } = JSON.parse(rigcast('validate', ...rows.map(({ file }) => file), '--json').out) as { files: Row[] };
    expect(files).toEqual(rows);
  });

  test('--timeout stops only files that take longer', () => {
    writeFileSync(at('slow.psa'), makePsa().subarray(0, -192));
    truncateSync(at('slow.psa'), 2_000_000_000); // a sparse file that takes long to read
    const { code, out } = rigcast('validate', at('slow.psa'), at('many/a.psk'), '--timeout', '1', '--jsonl');
    expect(code).toBe(1);
    expect(
      out
        .trim()
        .split('\n')
        .map(line => short(JSON.parse(line) as Row)),
    ).toEqual(['slow.psa TIME_LIMIT', 'a.psk']);
  });

  test.skipIf(process.platform === 'win32')('reports anything but a file as a row; follows and reports links', () => {
    mkdirSync(at('odd'));
    // Reading a pipe without a writer would never end.
    expect(spawnSync('mkfifo', [at('odd/pipe.psk')]).status).toBe(0);
    symlinkSync(at('many/a.psk'), at('odd/linked.psk'));
    symlinkSync(at('many/gone.psk'), at('odd/broken.psk'));
    symlinkSync(at('many'), at('odd/folder'));
    const { code, out } = rigcast('validate', at('odd'), at('odd/pipe.psk'), '--json');
    const { files } = JSON.parse(out) as { files: (Row & { link?: string })[] };
    expect([code, files.map(row => [basename(row.file), row.report.items[0]?.detail, row.link])]).toEqual([
      2,
      [
        ['broken.psk', `a broken link to ${at('many/gone.psk')}`, undefined],
        ['folder', 'a link to a folder, which is not followed; give the folder itself', undefined],
        ['linked.psk', undefined, at('many/a.psk')],
        ['pipe.psk', 'a pipe, not a file', undefined],
        ['pipe.psk', 'a pipe, not a file', undefined],
      ],
    ]);
    expect(rigcast('validate', at('odd/linked.psk')).out).toContain(`linked.psk (link to ${at('many/a.psk')})`);
    for (const command of ['inspect', 'match']) expect(rigcast(command, at('odd')).out).toMatch(/pipe\.psk {2}[^]*IO_ERROR/);
    expect(rigcast('pose', at('odd/pipe.psk'))).toMatchObject({ code: 2, err: expect.stringMatching(/a pipe, not a file/) });
  });

  test('--max-memory limits every file separately', () => {
    const { out } = rigcast('validate', at('many/d.psk'), at('many/a.psk'), '--max-memory', '300000', '--json');
    expect((JSON.parse(out) as { files: Row[] }).files.map(short)).toEqual(['d.psk OUT_OF_MEMORY', 'a.psk']);
  });

  test('ends a grown process after its file if memory is limited', async () => {
    writeFileSync(at('large.psk'), '');
    truncateSync(at('large.psk'), 2 ** 27);
    const child = fork(join(dist, 'cli/child.js'), ['4000'], { serialization: 'advanced' });
    const message = async (): Promise<unknown> => (await once(child, 'message'))[0];
    try {
      await message();
      child.send({ path: at('many/a.psk'), options: {} });
      expect(await message()).not.toHaveProperty('isSpent');
      child.send({ path: at('large.psk'), options: {} });
      expect(await message()).toHaveProperty('isSpent', true);
    } finally {
      child.disconnect();
    }
  });

  test.each([
    ['--jobs', '0'],
    ['--jobs', '1.5'],
    ['--timeout', '-1'],
    ['--max-memory', 'much'],
    ['--json', '--jsonl'],
  ])('%s %s is wrong usage', (...words) => {
    expect(rigcast('validate', at('many/a.psk'), ...words).code).toBe(2);
  });
});

describe('inspect', () => {
  test('prints the findings of validate', () => {
    for (const name of ['c.psk', 'b.psk', 'e.psk']) {
      if (name === 'e.psk') writeFileSync(at('e.psk'), makePsk({ bones: ['root', 'arm', 'arm'] }));
      const path = name === 'e.psk' ? at(name) : at(`many/${name}`);
      const [{ report }] = (JSON.parse(rigcast('validate', path, '--json').out) as { files: [Row] }).files;
      const inspected = JSON.parse(rigcast('inspect', path, '--json').out) as Row;
      expect(report.items.length, name).toBeGreaterThan(0);
      expect(inspected.report, name).toEqual(report);
    }
  });
});

describe("formats of three.js's own loaders", () => {
  const text = (value: string): Uint8Array => new TextEncoder().encode(value);
  const files: Record<string, [bytes: Uint8Array, format: string, detail: RegExp]> = {
    'a.glb': [
      text('glTF\x02\0\0\0\x14\0\0\0{}'),
      'glb',
      /^GLB: opened by rigcast pose, convert, render and gallery, the viewer and the element/,
    ],
    'a.vrm': [text('glTF\x02\0\0\0\x14\0\0\0{}'), 'vrm', /^VRM: opened by rigcast pose/],
    'a.vrma': [text('glTF\x02\0\0\0\x14\0\0\0{}'), 'vrma', /^VRM: opened by rigcast pose/],
    'a.gltf': [text('{"asset":{"version":"2.0"}}'), 'gltf', /^glTF: opened by rigcast pose/],
    'a.fbx': [text('Kaydara FBX Binary  \0\x1a\0'), 'fbx', /^FBX: opened by rigcast pose/],
    'text.fbx': [text('; FBX 7.4.0 project file\n'), 'fbx', /^FBX: opened by rigcast pose/],
    'a.obj': [text('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'), 'obj', /^OBJ: opened by rigcast pose/],
    'a.bvh': [text('HIERARCHY\nROOT hips\n'), 'bvh', /^BVH: opened by rigcast pose/],
    'renamed.psk': [text('glTF\x02\0\0\0\x14\0\0\0{}'), 'glb', /^GLB/],
  };
  beforeAll(() => {
    mkdirSync(at('others'));
    for (const [name, [bytes]] of Object.entries(files)) writeFileSync(at(`others/${name}`), bytes);
    writeFileSync(at('others/unknown.gltf'), 'nothing of the kind');
    writeFileSync(at('others/unknown.xyz'), 'nothing of the kind');
    writeFileSync(at('others/old.vgo'), text('glTF\x02\0\0\0\x14\0\0\0{}')); // VGO 1.0
  });

  test.each(Object.keys(files))('%s: validate and inspect name the command that opens it', name => {
    const [, format, detail] = files[name]!;
    const validated = rigcast('validate', at(`others/${name}`), '--json');
    const [row] = (JSON.parse(validated.out) as { files: Row[] }).files;
    expect([validated.code, row!.format, row!.report.items.map(({ code }) => code)]).toEqual([0, format, ['OTHER_LOADER']]);
    expect(row!.report.items[0]!.detail).toMatch(detail);
    const inspected = rigcast('inspect', at(`others/${name}`), '--json');
    expect([inspected.code, (JSON.parse(inspected.out) as Row).report]).toEqual([0, row!.report]);
  });

  test('are a warning, and an error with --strict; unknown files stay unknown', () => {
    expect(rigcast('validate', '--strict', at('others/a.glb')).code).toBe(1);
    expect(rigcast('validate', at('others/a.glb')).out).toMatch(/a\.glb {2}GLB: 1 warning[^]*rigcast does not check their content/);
    for (const name of ['unknown.gltf', 'unknown.xyz', 'old.vgo']) {
      const [row] = (JSON.parse(rigcast('validate', at(`others/${name}`), '--json').out) as { files: Row[] }).files;
      expect(row!.report.items.map(({ code }) => code)).toEqual(['UNKNOWN_FORMAT']);
    }
  });
});

describe('match', () => {
  const body = ['Root', 'Spine', 'Head', 'Arm'];
  beforeAll(() => {
    writeFileSync(at('zoo/skPigMesh.psk'), makePsk({ bones: body }));
    writeFileSync(at('zoo/skBarrelMesh.psk'), makePsk({ bones: ['Root', 'Lid'] }));
    writeFileSync(at('zoo/skBarrelAnims.psa'), makePsa({ bones: ['Root', 'Lid'] }));
    writeFileSync(at('zoo/skPigAnims.psa'), makePsa({ bones: body }));
    writeFileSync(at('zoo/other.psa'), makePsa({ bones: body }));
  });

  test('ranks the animations of every model', () => {
    const { code, out } = rigcast('match', at('zoo'), '--json');
    expect(code).toBe(0);
    const { models, unread } = JSON.parse(out) as {
      models: { file: string; motions: { file: string; found: number; names: number; moved: number; bones: number; fits: boolean }[] }[];
      unread: unknown[];
    };
    expect(unread).toEqual([]);
    const lines = models.map(({ file, motions }) => [
      basename(file),
      ...motions.map(one => `${basename(one.file)} ${one.found} ${one.names} ${one.moved} ${one.bones} ${one.fits}`),
    ]);
    expect(lines).toEqual([
      ['skBarrelMesh.psk', 'skBarrelAnims.psa 2 2 2 2 true', 'other.psa 1 4 1 2 false', 'skPigAnims.psa 1 4 1 2 false'],
      ['skPigMesh.psk', 'skPigAnims.psa 4 4 4 4 true', 'other.psa 4 4 4 4 true', 'skBarrelAnims.psa 1 2 1 4 false'],
    ]);
  });

  test('prints text, and continues after files that cannot be read', () => {
    const { code, out } = rigcast(
      'match',
      at('zoo/skBarrelMesh.psk'),
      at('zoo/skBarrelAnims.psa'),
      at('zoo/other.psa'),
      at('gone.psa'),
      at('many/b.psk'),
    );
    expect(code).toBe(2);
    expect(out.split('\n').map(line => line.replaceAll(folder, ''))).toEqual([
      '/zoo/skBarrelMesh.psk',
      '  100 %  /zoo/skBarrelAnims.psa  2 of 2 names match, 2 of 2 bones move',
      '  1 for other skeletons, best:  12 %  /zoo/other.psa',
      '/gone.psa  not read: IO_ERROR',
      '/many/b.psk  not read: IO_ERROR',
      '',
    ]);
    expect(rigcast('match', at('zoo/skBarrelAnims.psa')).code).toBe(2);
  });
});

describe('match of parts', () => {
  const files = {
    'body.psk': { covers: BODY },
    'boots.psk': { covers: BOOTS, material: 'Leather' },
    'robe.psk': { covers: ['Spine', 'Pelvis'] },
    'giant.psk': { covers: BODY, bones: moved(HUMAN, (x, y, z) => [2 * x, 2 * y, 2 * z]) },
  };
  beforeAll(() => {
    mkdirSync(at('crew'));
    for (const [name, options] of Object.entries(files)) writeFileSync(at(`crew/${name}`), makePart(options));
    writeFileSync(at('crew/robe_anims.psa'), makePsa({ bones: ['Other'] }));
  });

  test('lists every model once, with the lead before its parts, and the possible parts', () => {
    const { code, out } = rigcast('match', at('crew'), '--json');
    expect(code).toBe(0);
    const { characters, offers, models } = JSON.parse(out.replaceAll(at('crew/'), '')) as Record<string, unknown[]>;
    expect(characters).toEqual([['giant.psk'], ['body.psk', 'boots.psk'], ['robe.psk']]);
    expect(offers).toEqual([{ file: 'robe.psk', lead: 'body.psk', reason: 'robe_anims.psa has animations for it' }]);
    expect(models).toHaveLength(4);
  });

  test('prints them as text', () => {
    const lines = rigcast('match', at('crew')).out.replaceAll(at('crew/'), '').split('\n');
    const below = (name: string): string | undefined => lines[lines.indexOf(name) + 1];
    expect([below('body.psk'), below('boots.psk'), below('robe.psk')]).toEqual([
      '  with boots.psk',
      '  part of body.psk',
      '  may be part of body.psk, but robe_anims.psa has animations for it',
    ]);
    expect(below('giant.psk')).toBe('  no matching animation');
  });
});

describe('files outside of the folder', () => {
  test('are not read through links to files or folders', () => {
    writeFileSync(at('outside/deep/crate.cast'), castFile(model('crate', triangle('side'))));
    const world = (path: string) => castFile(instance(path, { n: 'one' }));
    writeFileSync(at('inside/link.cast'), world('linked.cast'));
    writeFileSync(at('inside/folder.cast'), world('props/crate.cast'));
    writeFileSync(at('inside/own.cast'), world('own/crate.cast'));
    symlinkSync(at('outside/deep/crate.cast'), at('inside/linked.cast'));
    symlinkSync(at('outside/deep'), at('inside/props'));
    mkdirSync(at('inside/real'));
    writeFileSync(at('inside/real/crate.cast'), readFileSync(at('outside/deep/crate.cast')));
    symlinkSync(at('inside/real'), at('inside/own')); // inside the folder, so the link is followed
    const found = (name: string): unknown[] =>
      (JSON.parse(rigcast('pose', at(`inside/${name}`), '--json').out) as { poses: { placed: unknown[] }[] }).poses[0]!.placed ?? [];
    expect([found('link.cast').length, found('folder.cast').length, found('own.cast').length]).toEqual([0, 0, 1]);
    // Also for companion files: the .config that determines which bones an animation moves.
    writeFileSync(at('inside/Run.psa'), makePsa());
    writeFileSync(at('outside/Run.config'), '[RemoveTracks]\nRun.0=trans\n');
    symlinkSync(at('outside/Run.config'), at('inside/Run.config'));
    expect(rigcast('validate', at('inside/Run.psa'), '--json').out).not.toContain('CONFIG_APPLIED');
  });
});

test('escapes invisible characters of names', () => {
  const name = 'a\u200bb\u061cc\ufeffd\u180ee\u202ef\u00adg\u{e0041}h.psk';
  writeFileSync(at(name), makePsk());
  expect(rigcast('validate', at(name)).out).toContain('a\\u200bb\\u061cc\\ufeffd\\u180ee\\u202ef\\u00adg\\u{e0041}h.psk');
});
