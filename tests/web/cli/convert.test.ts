// `rigcast convert` as published: output files, messages, and resuming an interrupted run.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Quaternion, Vector3 } from 'three';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePsa, makePsk } from '../../support/actorx.ts';
import { castBody, castMotion, TestBody } from '../../support/bodies.ts';
import { castFile, instance, model, triangle } from '../../support/castFile.ts';
import { builtPackage } from '../../support/builtPackage.ts';
import { complaints } from '../../support/gltf.ts';

const demo = fileURLToPath(new URL('../../../web/src/viewer/demo', import.meta.url));
let dist: string;
let folder: string;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  dist = await builtPackage();
  folder = mkdtempSync(join(tmpdir(), 'rigcast-convert-'));
  mkdirSync(at('in/heroes'), { recursive: true });
  writeFileSync(at('in/heroes/hero.psk'), makePsk());
  writeFileSync(at('in/heroes/hero.pskx'), makePsk());
  writeFileSync(at('in/Run.psa'), makePsa({ sequences: ['Run', 'Walk'] }));
  for (const name of ['Pip.psk', 'Pip.psa', 'Pip_D.png', 'Tock.cast', 'Tock_albedo.png', 'Lotl.vgo'])
    cpSync(join(demo, name), at(`in/${name}`));
  writeFileSync(at('broken.psk'), makePsk().subarray(0, 40));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const main = (): string => join(dist, 'cli/main.js');

function rigcast(...words: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main(), 'convert', ...words], { encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

interface Posed {
  nodes: { name: string; position: number[] }[];
  meshes: { min?: number[]; max?: number[] }[];
}

function posesOf(...words: string[]): Posed[] {
  const { stdout } = spawnSync(process.execPath, [main(), 'pose', ...words, '--json'], { encoding: 'utf8', maxBuffer: 1 << 26 });
  return (JSON.parse(stdout) as { poses: Posed[] }).poses;
}

type Row = {
  out: string | null;
  files: string[];
  isKept?: true;
  ledger: { code: string; path: string }[];
  error?: { code: string; detail: string };
};
const rowsOf = (text: string): Row[] => (JSON.parse(text) as { files: Row[] }).files;

interface Json {
  extensionsRequired?: string[];
  nodes?: { name?: string; mesh?: number }[];
  animations?: { name: string }[];
  images?: { mimeType: string }[];
}

function jsonOf(path: string): Json {
  const bytes = readFileSync(path);
  return JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString()) as Json;
}

function everything(path: string): Record<string, string> {
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(name => statSync(join(path, name)).isFile());
  return Object.fromEntries(files.sort().map(name => [name, readFileSync(join(path, name)).toString('base64')]));
}

test('--loop, --in-place and --lock-heading edit animations, and the report says how', () => {
  const body = new TestBody();
  const walk = body.clip('walk', 2.2, 30, time => {
    const { turns, hips } = body.walk(time);
    return { turns: new Map([...turns, ['hips', new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), time)]]), hips };
  });
  writeFileSync(at('walker.cast'), castBody(body));
  writeFileSync(at('walk.cast'), castMotion(walk));
  const edits = ['--loop', '--in-place', '--lock-heading'];
  const { code, out } = rigcast(at('walker.cast'), at('walk.cast'), '-o', at('looped.glb'), ...edits, '--json');
  expect(code).toBe(0);
  const codes = rowsOf(out)[0]!.ledger.map(entry => entry.code);
  expect(codes).toEqual(expect.arrayContaining(['LOOP_TRIMMED', 'LOOP_BLENDED', 'TRAVEL_REMOVED', 'TURN_REMOVED']));
  const wrong = rigcast(at('in/Pip.psk'), '-o', at('looped.bin'), '--in-place');
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('--in-place requires --to glb or --to gltf')]);
  const both = rigcast(at('in/Pip.psk'), '-o', at('looped.glb'), '--in-place', '--root-motion');
  expect([both.code, both.err]).toEqual([2, expect.stringContaining('--in-place and --root-motion exclude each other')]);
});

describe('one result', () => {
  test('contains the model, its animations and images, and is valid', async () => {
    const { code, out, err } = rigcast(at('in/Pip.psk'), at('in/Pip.psa'), '-o', at('pip.glb'), '--json');
    expect([code, err]).toEqual([0, '']);
    expect(rowsOf(out)).toMatchObject([{ out: at('pip.glb'), ledger: [{ code: 'TEXTURE_GUESSED', path: 'Pip_D.png' }] }]);
    expect(jsonOf(at('pip.glb')).animations?.map(({ name }) => name)).toEqual(['Wave', 'Hop']);
    expect(await complaints(readFileSync(at('pip.glb')))).toEqual([]);
  });

  test.each<[string, string[], Record<string, number>]>([
    ['a PSK with its motions', ['Pip.psk', 'Pip.psa'], { Wave: 2, Hop: 1.33 }],
    ['a Cast model with its own', ['Tock.cast'], { March: 1 }],
  ])('of %s has everything where `rigcast pose` has it, twenty times in every motion', (_, names, clips) => {
    const files = names.map(name => at(`in/${name}`));
    expect(rigcast(...files, '-o', at('posed.glb')).code).toBe(0);
    for (const [clip, seconds] of Object.entries(clips)) {
      const times = Array.from({ length: 20 }, (_, i) => ((i * seconds) / 19).toFixed(4)).join();
      const [were, are] = [files, [at('posed.glb')]].map(paths => posesOf(...paths, '--clip', clip, '--time', times));
      expect(are).toHaveLength(20);
      for (const [i, was] of were!.entries()) {
        for (const { name, position } of was.nodes.slice(1)) {
          const node = are![i]!.nodes.find(other => other.name === name);
          for (let c = 0; c < 3; c++) expect(node!.position[c], `${clip}, ${name}`).toBeCloseTo(position[c]!, 4);
        }
        const corners = ({ meshes }: Posed): number[] =>
          [0, 1, 2].flatMap(c => [Math.min(...meshes.map(({ min }) => min![c]!)), Math.max(...meshes.map(({ max }) => max![c]!))]);
        for (const [c, corner] of corners(was).entries()) expect(corners(are![i]!)[c], `${clip}, skin`).toBeCloseTo(corner, 4);
      }
    }
  });

  test('uses images beside the model, and explains losses', () => {
    const { code, out } = rigcast(at('in/Tock.cast'), '-o', at('tock.glb'));
    expect(code).toBe(0);
    expect(out).toContain('TEXTURE_SLOT_LOST');
    expect(out).toContain('An image that a material references was not found.');
    expect(jsonOf(at('tock.glb')).images).toHaveLength(1); // the only referenced image that exists
  });

  test('contains the selected animations, in the format of its extension', () => {
    expect(rigcast(at('in/Pip.psk'), at('in/Pip.psa'), '-o', at('pip.gltf'), '--clip', 'Hop').code).toBe(0);
    expect((JSON.parse(readFileSync(at('pip.gltf'), 'utf8')) as Json).animations).toMatchObject([{ name: 'Hop' }]);
  });

  test('is one merged model with --merge, which requires an output file', () => {
    const words = [at('in/heroes/hero.psk'), at('in/heroes/hero.pskx'), '--merge', '-o'];
    expect(rigcast(...words, at('merged/hero.glb')).code).toBe(0);
    expect(posesOf(at('merged/hero.glb'))[0]!.meshes).toHaveLength(2 * posesOf(at('in/heroes/hero.psk'))[0]!.meshes.length);
    const { code, err } = rigcast(...words, at('merged'));
    expect([code, err]).toEqual([2, expect.stringContaining('--merge requires an output file')]);
  });

  test('is one file for the model and one per animation, with --split', () => {
    const { code } = rigcast(at('in/Pip.psk'), at('in/Pip.psa'), '-o', at('apart/Pip.glb'), '--split');
    expect(code).toBe(0);
    const names = readdirSync(at('apart')).sort();
    expect(names).toEqual(['Pip.glb', 'Pip_Hop.glb', 'Pip_Wave.glb']);
    expect(names.map(name => (jsonOf(at(`apart/${name}`)).animations ?? []).map(each => each.name))).toEqual([[], ['Hop'], ['Wave']]);
    expect(rigcast(at('in/Pip.psk'), '-o', at('apart/Pip.psk'), '--split').code).toBe(2);
  });

  test('is not written with --strict if something is lost', () => {
    const { code, out } = rigcast(at('in/Lotl.vgo'), '-o', at('lotl.glb'), '--strict', '--json');
    expect(code).toBe(1);
    expect(rowsOf(out)).toMatchObject([
      { error: { code: 'LOSSES_REFUSED' }, ledger: expect.arrayContaining([expect.objectContaining({ code: 'EXPRESSIONS_LOST' })]) },
    ]);
    expect(existsSync(at('lotl.glb'))).toBe(false);
  });

  test('contains the files that a scene references below its folder, each once', async () => {
    mkdirSync(at('world/parts'), { recursive: true });
    writeFileSync(at('world/parts/crate.cast'), castFile(model('crate', triangle('side'))));
    const places = (count: number) => Array.from({ length: count }, (_, i) => instance('parts\\Crate.cast', { p: [i, 0, 0], n: `c${i}` }));
    writeFileSync(at('world/few.cast'), castFile(...places(2)));
    writeFileSync(at('world/many.cast'), castFile(...places(100)));
    expect(rowsOf(rigcast(at('world/few.cast'), '-o', at('few.glb'), '--strict', '--json').out)).toMatchObject([{ ledger: [] }]);
    expect(jsonOf(at('few.glb')).nodes?.filter(({ mesh }) => mesh !== undefined)).toMatchObject([{ name: 'c0' }, { name: 'c1' }]);
    expect(rigcast(at('world/many.cast'), at('world/parts/crate.cast'), '-o', at('many.glb'), '--strict').code).toBe(0);
    expect(jsonOf(at('many.glb')).extensionsRequired).toEqual(['EXT_mesh_gpu_instancing']);
    expect(statSync(at('many.glb')).size).toBeLessThan(12_000);
  });

  test('is Cast for that extension, also for animations alone and a folder of them', () => {
    const { code, out } = rigcast(at('in/Pip.psk'), at('in/Pip.psa'), '-o', at('pip.cast'), '--json');
    expect([code, rowsOf(out)[0]!.ledger.map(({ code }) => code)]).toEqual([0, expect.not.arrayContaining(['CLIP_UNMATCHED'])]);
    expect(readFileSync(at('pip.cast')).toString('latin1', 0, 4)).toBe('cast');
    mkdirSync(at('moves'));
    for (const name of ['Run', 'Walk']) writeFileSync(at(`moves/${name}.psa`), makePsa({ sequences: [name] }));
    expect(rigcast(at('moves'), '-o', at('moved'), '--to', 'cast').code).toBe(0);
    expect(readdirSync(at('moved')).sort()).toEqual(['Run.cast', 'Walk.cast']);
    expect(rigcast(at('moves'), '-o', at('unmoved'), '--to', 'cast', '--clip', 'Run').code).toBe(0);
  });

  test('is a model with animations in separate files for SE, or one animation if it is named', () => {
    const names = (): string[] => readdirSync(at('se')).sort();
    expect(rigcast(at('in/Pip.psk'), at('in/Pip.psa'), '-o', at('se/pip.semodel')).code).toBe(0);
    expect(names()).toEqual(['pip.semodel', 'pip_Hop.seanim', 'pip_Wave.seanim']);
    expect(rigcast(at('in/Pip.psk'), at('in/Pip.psa'), '-o', at('se/hop.seanim'), '--clip', 'Hop').code).toBe(0);
    expect(names()).toContain('hop.seanim');
    expect(rigcast(at('in/Pip.psk'), at('in/Pip.psa'), '-o', at('se/both.seanim')).code).toBe(1);
    mkdirSync(at('steps'));
    cpSync(join(demo, '../../../../tests/data/se/relative.seanim'), at('steps/relative.seanim'));
    const step = [at('steps'), '-o', at('stepped'), '--to', 'se', '--ledger', at('stepped.jsonl'), '--json'];
    expect(rigcast(...step).code).toBe(0);
    expect(readdirSync(at('stepped'))).toEqual(['relative.seanim']);
    expect(rowsOf(rigcast(...step, '--resume').out)).toMatchObject([{ isKept: true }]);
    // A file with several animations for another skeleton, in a folder
    mkdirSync(at('alone'));
    for (const name of ['hero', 'villain']) writeFileSync(at(`alone/${name}.psk`), makePsk());
    cpSync(join(demo, 'Pip.psa'), at('alone/Pip.psa'));
    const alone = [at('alone'), '-o', at('foreign'), '--to', 'se', '--ledger', at('foreign.jsonl'), '--json'];
    expect(rigcast(...alone).code).toBe(0);
    expect(readdirSync(at('foreign')).sort()).toEqual(['Pip_Hop.seanim', 'Pip_Wave.seanim', 'hero.semodel', 'villain.semodel']);
    expect(rowsOf(rigcast(...alone, '--resume').out).map(({ isKept }) => isKept)).toEqual([true, true, true]);
  });

  test('is one animation of UEFormat if a .ueanim is named', () => {
    const named = (out: string, ...words: string[]): number | null =>
      rigcast(at('in/Pip.psk'), at('in/Pip.psa'), '-o', at(`ue/${out}`), ...words).code;
    expect(named('hop.ueanim', '--clip', 'Hop')).toBe(0);
    expect(readdirSync(at('ue'))).toEqual(['hop.ueanim']);
    expect(readFileSync(at('ue/hop.ueanim')).toString('latin1', 0, 100)).toContain('UEANIM');
    expect(named('both.ueanim')).toBe(1); // two animations
    expect(readdirSync(at('ue'))).toEqual(['hop.ueanim']);
  });

  test('is limited by --max-output', () => {
    const limited = (most: string): ReturnType<typeof rigcast> =>
      rigcast(at('in/heroes/hero.psk'), at('in/Run.psa'), '-o', at('limited/hero.csv'), '--max-output', most, '--json');
    const { code, out } = limited('100');
    expect([code, existsSync(at('limited/hero.csv'))]).toEqual([1, false]);
    expect(rowsOf(out)[0]!.error).toMatchObject({ code: 'NOT_CONVERTED', detail: expect.stringContaining('limit of 1 MB') });
    expect([limited('1000000').code, existsSync(at('limited/hero.csv'))]).toEqual([0, true]);
    expect(limited('much').code).toBe(2);
  });

  test('is a PSK with a PSA of its animations, or a PSA alone, also from a folder', () => {
    const names = (folder: string): string[] => readdirSync(at(folder)).sort();
    expect(rigcast(at('in/Tock.cast'), '-o', at('psk/tock.psk')).code).toBe(0);
    expect(names('psk')).toEqual(['Tin.mat', 'tock.config', 'tock.psa', 'tock.psk']);
    // Does not change the material file of another model.
    mkdirSync(at('shelf'));
    writeFileSync(at('shelf/Tin.mat'), 'Diffuse=Can');
    const shelf = rigcast(at('in/Tock.cast'), '-o', at('shelf/tock.psk'), '--json');
    expect([shelf.code, readFileSync(at('shelf/Tin.mat'), 'utf8'), existsSync(at('shelf/tock.psk'))]).toEqual([0, 'Diffuse=Can', true]);
    expect(rowsOf(shelf.out)[0]!.ledger).toContainEqual(expect.objectContaining({ code: 'MATERIAL_FILE_THERE', path: 'Tin.mat' }));
    expect(rigcast(at('in/Tock.cast'), '-o', at('pskx/tock.pskx'), '--clip', 'March').code).toBe(0);
    expect(names('pskx')).toEqual(['Tin.mat', 'tock.config', 'tock.psa', 'tock.pskx']);
    expect(rigcast(at('in/Tock.cast'), '-o', at('march.psa'), '--clip', 'March', '--json').code).toBe(0);
    mkdirSync(at('runs'));
    for (const name of ['Run', 'Walk']) writeFileSync(at(`runs/${name}.psa`), makePsa({ sequences: [name] }));
    cpSync(join(demo, '../../../../tests/data/se/relative.seanim'), at('runs/relative.seanim'));
    const { code, out } = rigcast(at('runs'), '-o', at('ran'), '--to', 'psa', '--json');
    expect([code, names('ran')]).toEqual([1, ['Run.psa', 'Walk.psa']]);
    expect(rowsOf(out).at(-1)).toMatchObject({ error: { code: 'CLIP_UNMATCHED' }, files: [at('runs/relative.seanim')] });
  });

  test('is a VGO 2.5, encrypted with a key from a file, that opens with this key', () => {
    mkdirSync(at('avatars'));
    cpSync(join(demo, 'Lotl.vgo'), at('avatars/Lotl.vgo'));
    writeFileSync(
      at('new.vgk'),
      Uint8Array.from({ length: 32 }, (_, i) => i),
    );
    expect(rigcast(at('avatars/Lotl.vgo'), '-o', at('locked/Lotl.vgo'), '--new-key', at('new.vgk'), '--strict').code).toBe(0);
    expect(readdirSync(at('locked')).sort()).toEqual(['Lotl.vgk', 'Lotl.vgo']);
    expect(readFileSync(at('locked/Lotl.vgk'))).toEqual(readFileSync(at('new.vgk')));
    expect(rigcast(at('locked/Lotl.vgo'), '-o', at('unlocked/Lotl.vgo'), '--bson').code).toBe(0);
    expect(readFileSync(at('unlocked/Lotl.vgo')).includes('LAPB')).toBe(true);
    writeFileSync(at('locked/Lotl.vgk'), new Uint8Array(32));
    const { code, out } = rigcast(at('locked/Lotl.vgo'), '-o', at('unlocked/wrong.vgo'));
    expect([code, existsSync(at('unlocked/wrong.vgo'))]).toEqual([1, false]);
    expect(out).toContain('the key does not match');
    expect(rigcast(at('in/Pip.psk'), at('in/Pip.psa'), '-o', at('pip.vgo'), '--clip', 'Hop').code).toBe(0);
    expect(rigcast(at('in/Pip.psk'), '-o', at('pip.vgo'), '--new-key', 'abcd').err).toContain('must have 32 bytes');
    expect(rigcast(at('in/Pip.psk'), '-o', at('pip.glb'), '--bson').err).toContain('--bson requires --to vgo');
  });

  test('is a hand recording for WebXR, and one for MRTK', () => {
    mkdirSync(at('recorded'));
    cpSync(join(demo, 'wavingHands.bin'), at('recorded/wavingHands.bin'));
    expect(rigcast(at('recorded/wavingHands.bin'), '-o', at('hands/take.iwer.json')).code).toBe(0);
    expect(readdirSync(at('hands'))).toEqual(['take.iwer.json']);
    expect(rigcast(at('hands/take.iwer.json'), '-o', at('hands/take.bin')).code).toBe(0);
    expect(readFileSync(at('hands/take.bin')).readBigInt64LE().toString(16)).toBe('6a8faf6e0f9e42c6');
    expect(rigcast(at('hands/take.iwer.json'), '-o', at('takes'), '--to', 'csv').code).toBe(0);
    expect(readFileSync(at('takes/take.iwer.csv'), 'utf8').split('\n')[1]).toMatch(/^take/);
  });

  test('is a table of bones for that extension', () => {
    const { code, out } = rigcast(at('in/Pip.psk'), at('in/Pip.psa'), '-o', at('pip.csv'), '--clip', 'Hop', '--json');
    expect([code, rowsOf(out)[0]!.ledger.map(({ code }) => code)]).toEqual([0, ['NOT_IN_TABLE']]);
    const lines = readFileSync(at('pip.csv'), 'utf8').trimEnd().split('\n');
    expect(lines[0]).toBe('motion,time,node,x,y,z,qx,qy,qz,qw');
    expect(new Set(lines.slice(1).map(line => line.split(',')[0]))).toEqual(new Set(['Hop']));
    expect(rigcast(at('in/Pip.psk'), '-o', at('tables'), '--to', 'json').code).toBe(0);
    expect(readdirSync(at('tables'))).toEqual(['Pip.json']);
  });

  test('that does not fit on the disk keeps existing files, leaves no part, and is reported', () => {
    writeFileSync(at('full.glb'), 'before');
    const words = [main(), 'convert', at('in/Pip.psk'), '-o', at('full.glb'), '--json'];
    // The limit on file size simulates a full disk: a write fails in the middle of a file.
    const { status, stdout } = spawnSync('sh', ['-c', 'ulimit -f 4; exec "$0" "$@"', process.execPath, ...words], { encoding: 'utf8' });
    expect([status, rowsOf(stdout)[0]!.error?.code]).toEqual([2, 'IO_ERROR']);
    expect(readFileSync(at('full.glb'), 'utf8')).toBe('before');
    expect(readdirSync(folder).filter(name => name.includes('.part'))).toEqual([]);
  });

  test.skipIf(!existsSync('/proc/self'))('into a folder that cannot be created ends and is reported', () => {
    const words = [main(), 'convert', at('in/Pip.psk'), '-o', '/proc/none/below/Pip.glb', '--json'];
    const { status, stdout } = spawnSync(process.execPath, words, { encoding: 'utf8', timeout: 20_000 });
    expect([status, rowsOf(stdout)[0]?.error?.code]).toEqual([2, 'IO_ERROR']);
  });

  test('never overwrites a source, nor do its side files', () => {
    mkdirSync(at('same'));
    for (const name of ['Pip.psk', 'Pip.psa']) cpSync(join(demo, name), at(`same/${name}`));
    const before = everything(at('same'));
    for (const out of ['same/Pip.psk', 'same/../same/Pip.psk']) {
      const { code, out: said } = rigcast(at('same/Pip.psk'), '-o', at(out));
      expect([code, everything(at('same'))]).toEqual([1, before]);
      expect(said).toContain('would overwrite its own source');
    }
    cpSync(join(demo, 'Pip.psk'), at('Pip2.psk'));
    expect(rigcast(at('Pip2.psk'), at('same/Pip.psa'), '-o', at('same/Pip.psk')).code).toBe(1); // its animations would become Pip.psa
    expect(rigcast(at('same'), '-o', at('same'), '--to', 'psk').code).toBe(1);
    expect(everything(at('same'))).toEqual(before);
  });

  test.skipIf(process.platform === 'win32')(
    'that exceeds the maximum file size is reported, leaves no partial file, and keeps existing files',
    () => {
      mkdirSync(at('full'));
      writeFileSync(at('full/Pip.glb'), 'what was there');
      const words = [main(), 'convert', at('in/Pip.psk'), '-o', at('full/Pip.glb'), '--json'].map(word => `'${word}'`).join(' ');
      // Limits the number of blocks per file: further writes fail like on a full disk.
      const { status, stdout } = spawnSync('sh', ['-c', `ulimit -f 16; exec '${process.execPath}' ${words}`], { encoding: 'utf8' });
      expect([status, rowsOf(stdout)[0]!.error]).toEqual([
        2,
        { code: 'IO_ERROR', detail: `the folder ${at('full')} does not accept files of this size (EFBIG)` },
      ]);
      expect(everything(at('full'))).toHaveProperty('Pip.glb');
      expect([readdirSync(at('full')), readFileSync(at('full/Pip.glb'), 'utf8')]).toEqual([['Pip.glb'], 'what was there']);
    },
  );

  test('is refused in a format that convert does not write; no folder with this name is created', () => {
    const { code, err } = rigcast(at('in/Pip.psk'), '-o', at('pip.fbx'));
    expect([code, existsSync(at('pip.fbx'))]).toEqual([2, false]);
    expect(err).toContain("can't write .fbx files (expected a folder, or .glb, ");
    mkdirSync(at('old.fbx'));
    expect(rigcast(at('in/Pip.psk'), '-o', at('old.fbx')).code).toBe(0);
    expect(readdirSync(at('old.fbx'))).toEqual(['Pip.glb']);
  });

  test('is refused for several models', () => {
    const { code, out } = rigcast(at('in/Pip.psk'), at('in/Lotl.vgo'), '-o', at('both.glb'));
    expect([code, existsSync(at('both.glb'))]).toEqual([1, false]);
    expect(out).toContain('several models');
  });
});

describe('a folder', () => {
  test('becomes a folder with the same structure; animations go to matching models, and equal names keep their extensions', () => {
    const { code, out } = rigcast(at('in'), '-o', at('out'), '--ledger', at('ledger.jsonl'), '--json');
    expect(code).toBe(0);
    expect(Object.keys(everything(at('out')))).toEqual(['Lotl.glb', 'Pip.glb', 'Tock.glb', 'heroes/hero.psk.glb', 'heroes/hero.pskx.glb']);
    expect(jsonOf(at('out/Pip.glb')).animations).toHaveLength(2);
    expect(jsonOf(at('out/heroes/hero.psk.glb')).animations?.map(({ name }) => name)).toEqual(['Run', 'Walk']);
    const lines = readFileSync(at('ledger.jsonl'), 'utf8').trim().split('\n');
    expect(lines.map(line => (JSON.parse(line) as Row).out)).toEqual(rowsOf(out).map(row => row.out));
  });

  test('gives the same results in shards and parallel processes', () => {
    for (const part of ['1/2', '2/2']) expect(rigcast(at('in'), '-o', at('parts'), '--shard', part, '--jobs', '2').code).toBe(0);
    expect(everything(at('parts'))).toEqual(everything(at('out')));
  });

  test.each([
    ['a file is there', () => existsSync(at('again')) && readdirSync(at('again')).some(name => name.endsWith('.glb'))],
    ['the ledger tells of one', () => existsSync(at('again.jsonl')) && statSync(at('again.jsonl')).size > 0],
  ])('stopped when %s goes on where it was, and comes out the same, the ledger too', async (_, isTime) => {
    for (const name of ['again', 'again.jsonl']) rmSync(at(name), { recursive: true, force: true });
    const child = spawn(process.execPath, [main(), 'convert', at('in'), '-o', at('again'), '--ledger', at('again.jsonl')]);
    await new Promise<void>(resolve => {
      const timer = setInterval(() => {
        if (!isTime()) return;
        clearInterval(timer);
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }, 2);
    });
    const hasTold = statSync(at('again.jsonl')).size > 0;
    const { code, out } = rigcast(at('in'), '-o', at('again'), '--ledger', at('again.jsonl'), '--resume', '--json');
    expect(code).toBe(0);
    expect(rowsOf(out).some(({ isKept }) => isKept)).toBe(hasTold);
    expect(everything(at('again'))).toEqual(everything(at('out')));
    const ledgerOf = (name: string): string =>
      readFileSync(at(name), 'utf8')
        .replaceAll(at('again'), at('out'))
        .replace(/"[mc]timeMs":[\d.]+/g, '');
    expect(ledgerOf('again.jsonl').split('\n')).toEqual(ledgerOf('ledger.jsonl').split('\n'));
  });
});

describe('invalid input', () => {
  test.each([
    ['nowhere to go', () => [at('in/Pip.psk')]],
    ['an unknown target', () => [at('in/Pip.psk'), '-o', at('x'), '--to', 'fbx']],
    ['a target against the name', () => [at('in/Pip.psk'), '-o', at('x.glb'), '--to', 'gltf']],
    ['a part beyond the last', () => [at('in'), '-o', at('x'), '--shard', '3/2']],
    ['a tolerance of nothing', () => [at('in'), '-o', at('x'), '--tolerance', '0']],
    ['a file that is not there', () => [at('gone.psk'), '-o', at('x.glb')]],
    ['a folder that is a file', () => [at('in/Pip.psk'), '-o', join(at('in/Pip.psa'), 'x.glb')]],
  ])('%s: exit 2', (_, words) => {
    expect(rigcast(...words()).code).toBe(2);
  });

  test('reports animations without a model and damaged files, and converts the rest', () => {
    const alone = rigcast(at('in/Run.psa'), '-o', at('alone'));
    expect(alone.code).toBe(1);
    expect(alone.out).toContain('add the model');
    const { code, out } = rigcast(at('broken.psk'), at('in/Pip.psk'), '-o', at('rest'), '--json');
    expect(code).toBe(1);
    expect(rowsOf(out).map(row => row.error?.code)).toEqual(['NOT_CONVERTED', undefined]);
    expect(existsSync(at('rest/Pip.glb'))).toBe(true);
  });

  test('does not call an empty file an animation', () => {
    writeFileSync(at('empty.cast'), castFile());
    writeFileSync(at('box.cast'), castFile(model('box', triangle('side'))));
    const { code, out } = rigcast(...['empty.cast', 'box.cast', 'in/Pip.psk', 'in/Run.psa'].map(at), '-o', at('others'), '--json');
    expect(code).toBe(1);
    expect(rowsOf(out).find(({ files }) => files[0]?.endsWith('empty.cast'))?.error).toEqual({
      code: 'NOT_CONVERTED',
      detail: expect.stringMatching(/^contains no model and no animation/) as string,
    });
  });
});

test('converts an avatar from VRM to VGO and back, with its spring bones', () => {
  expect(rigcast(at('in/Lotl.vgo'), '-o', at('lotl.vrm')).code).toBe(0);
  const { code, out } = rigcast(at('lotl.vrm'), '-o', at('again.vgo'), '--json');
  expect(code).toBe(0);
  expect(rowsOf(out)[0]!.ledger.map(({ path }) => path)).toContain('permission');
  const [first, again] = [posesOf(at('lotl.vrm'))[0]!, posesOf(at('again.vgo'))[0]!];
  const placed = new Map(again.nodes.map(({ name, position }) => [name, position]));
  for (const { name, position } of first.nodes)
    if (placed.has(name)) for (const [c, value] of position.entries()) expect(placed.get(name)![c]).toBeCloseTo(value, 4);
  expect(again.meshes.map(({ min }) => min?.map(value => value.toFixed(3)))).toEqual(
    first.meshes.map(({ min }) => min?.map(value => value.toFixed(3))),
  );
});
