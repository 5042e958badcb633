// Reads results with an independent reader of PSK and PSA and compares them with rigcast's reader.
// Skipped unless the environment variable PSK_PSA_PY is the folder of the package psk_psa_py.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { convert } from '../../../web/src/convert/index.ts';
import { open } from '../../../web/src/core/index.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const script = join(root, 'tests/support/unrealReference.py');
const packages = process.env['PSK_PSA_PY'];
const folder = mkdtempSync(join(tmpdir(), 'rigcast-unreal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Found {
  bones: [name: string, parent: number, x: number, y: number, z: number][];
  points: number[][];
  wedges: number;
  faces: number;
  materials: string[];
  influenced: number;
  motions: { name: string; frames: number; rate: number; keys: number }[];
}

it.skipIf(!packages).each<[string, string[]]>([
  ['a PSK with the motions of a PSA', ['tests/data/unreal/arm.psk', 'tests/data/unreal/arm-motions.psa']],
  ['a Cast model with its motions', ['web/src/viewer/demo/Tock.cast']],
  ['an avatar', ['web/src/viewer/demo/Lotl.vgo']],
  ['an SEModel with its motion', ['tests/data/se/arm.semodel', 'tests/data/se/absolute.seanim']],
])('%s as PSK and PSA (needs PSK_PSA_PY)', async (_, paths) => {
  const files = await Promise.all(paths.map(path => open(readFileSync(join(root, path)), { name: basename(path), worker: false })));
  const { files: made } = await convert(files, { to: 'psk' });
  const written = ['.psk', '.psa'].map(ending => {
    const { name, bytes } = made.find(file => file.name.endsWith(ending))!;
    writeFileSync(join(folder, name), bytes);
    return { path: join(folder, name), bytes, name };
  });
  const env = { ...process.env, PYTHONPATH: packages };
  const text = execFileSync('/usr/bin/python3', [script, ...written.map(({ path }) => path)], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env,
  });
  const found = JSON.parse(text.trim().split('\n').at(-1)!) as Found; // the last line, because the reader also prints unknown chunks
  const [psk, psa] = await Promise.all(written.map(({ bytes, name }) => open(bytes, { name, worker: false })));
  const { nodes, meshes, materials } = psk!.scene!;
  const rows = Array.from({ length: nodes.length }, (_, row) => row).filter(row => nodes.bones[row]! >= 0);
  expect(found.bones.map(([name]) => name)).toEqual(rows.map(row => nodes.names[row]));
  expect(found.materials).toEqual(materials.map(({ name }) => name));
  expect(found.faces).toBe(meshes.reduce((sum, { indices }) => sum + indices!.length / 3, 0));
  expect(found.influenced).toBe(found.points.length);
  // Unreal uses centimetres, with Z up.
  const heights = found.points.map(([, , z]) => z! / 100);
  expect(Math.max(...heights)).toBeCloseTo(Math.max(...meshes.map(({ max }) => max[1])), 4);
  expect(Math.min(...heights)).toBeCloseTo(Math.min(...meshes.map(({ min }) => min[1])), 4);
  const { clips } = psa!.scene!;
  expect(found.motions.map(({ name, rate }) => [name, rate])).toEqual(clips.map(({ name, frameRate }) => [name, frameRate]));
  for (const { frames, keys } of found.motions) expect(keys).toBe(frames * found.bones.length);
});
