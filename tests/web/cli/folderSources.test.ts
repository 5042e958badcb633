// Files of glTF, FBX, OBJ, VRM and BVH in a folder that is converted, and results of earlier runs
// in it.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { makePsa, makePsk } from '../../support/actorx.ts';
import { builtPackage } from '../../support/builtPackage.ts';
import { castFile, model, triangle } from '../../support/castFile.ts';
import { fbxTriangle } from '../../support/fbx.ts';

const OBJ = 'v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n';

let dist: string;
let folder: string;
const at = (...names: string[]): string => join(folder, ...names);

function put(name: string, content: Uint8Array | string): void {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), content);
}

interface Answer {
  files: { out: string | null; files: string[]; error?: { code: string } }[];
  ignored?: { file: string; reason: string }[];
}

function rigcast(...words: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(dist, 'cli/main.js'), ...words], { encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

/** Returns the results with their sources, and the ignored files, relative to the test folder. */
function planned(...words: string[]): { results: Record<string, string[]>; ignored: string[] } {
  const { files, ignored = [] } = JSON.parse(rigcast('convert', ...words, '--json').out) as Answer;
  const local = (path: string): string => relative(folder, path);
  return {
    results: Object.fromEntries(files.map(({ out, files: from, error }) => [out === null ? error!.code : local(out), from.map(local)])),
    ignored: ignored.map(({ file }) => local(file)).sort(),
  };
}

beforeAll(async () => {
  dist = await builtPackage();
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rigcast-folder-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('converts files of all formats in a folder', () => {
  put('in/a.psk', makePsk());
  put('in/b/leaf.fbx', new Uint8Array(fbxTriangle()));
  put('in/b/rock.obj', OBJ);
  const { results } = planned(at('in'), '-o', at('out'));
  expect(Object.keys(results).sort()).toEqual(['out/a.glb', 'out/b/leaf.glb', 'out/b/rock.glb']);
  expect(readdirSync(at('out/b')).sort()).toEqual(['leaf.glb', 'rock.glb']);
  cpSync(at('out'), at('again'), { recursive: true });
  expect(Object.keys(planned(at('again'), '-o', at('cast'), '--to', 'cast').results).sort()).toEqual([
    'cast/a.cast',
    'cast/b/leaf.cast',
    'cast/b/rock.cast',
  ]);
});

test.each(['glb', 'psk', 'se'])('gives the same results in the folder of the sources when it is run again, --to %s', to => {
  put('in/hero.psk', makePsk());
  put('in/hero.psa', makePsa());
  put('in/sub/leaf.fbx', new Uint8Array(fbxTriangle()));
  put('in/sub/triangle.cast', castFile(model('m', triangle('t'))));
  const first = planned(at('in'), '-o', at('in'), '--to', to);
  const files = readdirSync(at('in'), { recursive: true }).sort();
  expect(planned(at('in'), '-o', at('in'), '--to', to).results).toEqual(first.results);
  expect(readdirSync(at('in'), { recursive: true }).sort()).toEqual(files);
});

test('ignores all files in a folder of the results below the sources', () => {
  put('in/hero.psk', makePsk());
  const words = [at('in'), '-o', at('in/made')];
  expect(planned(...words, '--to', 'cast').ignored).toEqual([]);
  expect(planned(...words, '--to', 'glb')).toEqual({ results: { 'in/made/hero.glb': ['in/hero.psk'] }, ignored: ['in/made/hero.cast'] });
  expect(planned(...words, '--to', 'cast').ignored).toEqual(['in/made/hero.cast', 'in/made/hero.glb']);
  expect(readdirSync(at('in/made'))).toEqual(['hero.cast', 'hero.glb']);
});

test('prefers a model in a format of rigcast to one with the same name in another format', () => {
  put('in/hero.psk', makePsk());
  put('in/hero.fbx', new Uint8Array(fbxTriangle()));
  put('in/leaf.psa', makePsa());
  put('in/leaf.fbx', new Uint8Array(fbxTriangle()));
  const { results, ignored } = planned(at('in'), '-o', at('out'), '--dry-run');
  expect(results).toEqual({ 'out/hero.glb': ['in/hero.psk', 'in/leaf.psa'], 'out/leaf.glb': ['in/leaf.fbx'] });
  expect(ignored).toEqual(['in/hero.fbx']);
});

test('reads a file that was named, and prints the files that it ignores', () => {
  put('in/hero.psk', makePsk());
  put('in/hero.obj', OBJ);
  put('in/sub/hero.psk', makePsk());
  put('in/sub/hero.obj', OBJ);
  const { code, out } = rigcast('convert', at('in'), '-o', at('out'));
  expect(code).toBe(0);
  expect(out).toContain(`${at('in/hero.obj')} and 1 more  ignored: beside a model with the same name`);
  const named = readdirSync(at('in')).flatMap(name => (name === 'sub' ? [] : [at('in', name)]));
  expect(Object.keys(planned(...named, '-o', at('both')).results).map(out => basename(out))).toEqual(['hero.obj.glb', 'hero.psk.glb']);
  expect(rigcast('convert', at('in/hero.obj'), '-o', at('in')).code).toBe(0);
});

test('ignores its own result among the sources of one file', () => {
  put('in/hero.psk', makePsk());
  put('in/run.psa', makePsa());
  for (const run of [1, 2])
    expect(planned(at('in'), '-o', at('in/all.glb')), `run ${run}`).toEqual({
      results: { 'in/all.glb': ['in/hero.psk', 'in/run.psa'] },
      ignored: run === 1 ? [] : ['in/all.glb'],
    });
});

test('is an error if all files are ignored', () => {
  put('in/hero.psk', makePsk());
  const { code, out } = rigcast('convert', at('in'), '-o', at('in'), '--to', 'psk');
  expect(code).toBe(1);
  expect(out).toContain('ignored: in the target format and in the folder of the results');
});

test('keeps the ignored files in a plan file', () => {
  put('in/hero.psk', makePsk());
  put('in/hero.obj', OBJ);
  const words = [at('in'), '-o', at('out'), '--plan', at('plan.jsonl'), '--dry-run'];
  const first = planned(...words);
  expect(first.ignored).toEqual(['in/hero.obj']);
  expect(planned(...words)).toEqual(first);
});

test('lists no buffers of glTF, which have the extension of recordings', () => {
  put('in/hero.psk', makePsk());
  expect(rigcast('convert', at('in'), '-o', at('gltf'), '--to', 'gltf').code).toBe(0);
  expect(planned(at('gltf'), '-o', at('out'))).toEqual({ results: { 'out/hero.glb': ['gltf/hero.gltf'] }, ignored: [] });
});

test('validate counts the files that it does not check', () => {
  put('in/hero.psk', makePsk());
  put('in/hero.obj', OBJ);
  expect(rigcast('validate', at('in')).out).toContain('1 file (glTF, GLB, VRM, FBX, OBJ, BVH) not checked');
  rmSync(at('in/hero.psk'));
  expect(rigcast('validate', at('in')).code).toBe(2);
});
