// The package in a folder without three.js, which is an optional dependency.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePsk } from '../../support/actorx.ts';
import { root } from '../../support/buildOnce.ts';
import { builtPackage } from '../../support/builtPackage.ts';
import { triangleGltf } from '../../support/gltf.ts';
import { tga } from '../../support/images.ts';

const packages = join(root, 'node_modules');
const MISSING = 'three.js is not installed: run npm install three';

let folder: string;
const at = (...names: string[]): string => join(folder, ...names);

interface Row {
  ledger: { code: string; detail: string }[];
  error?: { code: string; detail: string };
}

function rigcast(...words: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [at('rigcast/dist/cli/main.js'), ...words], { encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

function converted(...words: string[]): Row {
  const { out } = rigcast('convert', ...words, '--json');
  return (JSON.parse(out) as { files: Row[] }).files[0]!;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rigcast-alone-'));
  cpSync(dirname(await builtPackage()), at('rigcast'), { recursive: true });
  // Packages whose code is part of the published files, and all others except three.js.
  mkdirSync(at('node_modules'));
  for (const name of readdirSync(packages)) if (name !== 'three') symlinkSync(join(packages, name), at('node_modules', name), 'junction');
  writeFileSync(at('hero.psk'), makePsk());
  writeFileSync(at('tri.gltf'), triangleGltf(`data:application/octet-stream;base64,${btoa('\0'.repeat(36))}`));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('formats that rigcast reads itself are validated and converted', () => {
  expect(rigcast('validate', at('hero.psk')).code).toBe(0);
  expect(converted(at('hero.psk'), '-o', at('hero.glb')).error).toBeUndefined();
});

test('a file for a loader of three.js is reported with the command that installs it', () => {
  expect(converted(at('tri.gltf'), '-o', at('tri.psk')).error).toEqual({ code: 'NOT_CONVERTED', detail: MISSING });
});

test('an image that three.js decodes is reported with the command that installs it', () => {
  for (const name of ['Skin.tga', 'skin_D.tga', 'hero_D.tga'])
    writeFileSync(
      at(name),
      tga(2, 2, () => [1, 2, 3, 255]),
    );
  const { ledger } = converted(at('hero.psk'), '-o', at('painted.glb'));
  expect(ledger.filter(({ code }) => code === 'TEXTURE_UNSUPPORTED').map(({ detail }) => detail)).toContain(MISSING);
});

test('pose is refused in one line', () => {
  expect(rigcast('pose', at('hero.psk'))).toEqual({ code: 2, out: '', err: `rigcast: ${MISSING}\n` });
});
