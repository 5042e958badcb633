// Reads results with Cast's reference reader and compares them with rigcast's reader. Skipped
// unless the environment variable CAST_PY is the path of cast.py.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { convert } from '../../../web/src/convert/index.ts';
import { open } from '../../../web/src/core/index.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const script = join(root, 'tests/support/castReference.py');
const reader = process.env['CAST_PY'];
const folder = mkdtempSync(join(tmpdir(), 'rigcast-cast-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Found {
  models: {
    bones: { name: string; parent: number; place: number[]; turn: number[] }[];
    meshes: { name: string; places: number[]; faces: number[]; uvs: number; influences: number; material: string | null }[];
  }[];
  motions: { name: string; rate: number; curves: { node: string; of: string; mode: string; frames: number[]; values: number[] }[] }[];
}

const near = (values: Iterable<number>): unknown[] => [...values].map(value => expect.closeTo(value, 5) as unknown);

it.skipIf(!reader).each<[string, string[]]>([
  ['a PSK with the motions of a PSA', ['tests/data/unreal/arm.psk', 'tests/data/unreal/arm-motions.psa']],
  ['a demo PSK with its motions', ['web/src/viewer/demo/Pip.psk', 'web/src/viewer/demo/Pip.psa']],
  ['an avatar', ['web/src/viewer/demo/Lotl.vgo']],
  ['a Cast model with its motions', ['web/src/viewer/demo/Tock.cast']],
  ['an SEModel with an additive animation', ['tests/data/se/arm.semodel', 'tests/data/se/additive.seanim']],
])('%s as Cast (needs CAST_PY)', async (_, paths) => {
  const files = await Promise.all(paths.map(path => open(readFileSync(join(root, path)), { name: basename(path), worker: false })));
  const { files: made } = await convert(files, { to: 'cast' });
  const path = join(folder, 'made.cast');
  writeFileSync(path, made[0]!.bytes);
  const found = JSON.parse(execFileSync('python3', [script, reader!, path], { encoding: 'utf8', maxBuffer: 1 << 28 })) as Found;
  const { scene } = await open(made[0]!.bytes, { name: 'made.cast', worker: false, formatOptions: { cast: { winding: 'file' } } });
  const { nodes, meshes, clips } = scene!;
  const bones = found.models.flatMap(model => model.bones);
  const rows = Array.from({ length: nodes.length }, (_, row) => row).filter(row => nodes.bones[row]! >= 0);
  expect(bones.map(({ name }) => name)).toEqual(rows.map(row => nodes.names[row]));
  for (const [i, row] of rows.entries()) {
    expect(bones[i]!.place).toEqual(near(nodes.translations.subarray(3 * row, 3 * row + 3)));
    const turn = [...nodes.rotations.subarray(4 * row, 4 * row + 4)];
    const sign = Math.sign(turn.reduce((sum, value, c) => sum + value * bones[i]!.turn[c]!, 0));
    expect(bones[i]!.turn).toEqual(near(turn.map(value => sign * value)));
  }
  const solid = meshes.filter(({ topology }) => topology !== 'strands');
  const theirs = found.models.flatMap(model => model.meshes);
  expect(theirs.map(({ name, places, faces, uvs }) => [name, places.length, faces.length, uvs])).toEqual(
    solid.map(({ name, positions, indices, uvs }) => [name, positions.length, indices!.length, uvs.length]),
  );
  for (const [i, { places, faces }] of theirs.entries()) {
    expect(places.slice(0, 300)).toEqual(near(solid[i]!.positions.subarray(0, 300)));
    expect(faces.toSorted().slice(0, 50)).toEqual([...solid[i]!.indices!].toSorted().slice(0, 50));
  }
  expect(found.motions.map(({ name, rate }) => [name, rate])).toEqual(clips.map(({ name, frameRate }) => [name, frameRate]));
  for (const [i, { curves }] of found.motions.entries()) {
    expect(curves.length).toBe(clips[i]!.tracks.length);
    for (const { frames, values, of } of curves) expect(values.length).toBe(frames.length * (of === 'rq' ? 4 : 1));
  }
});
