// Reads results with the parser of the public Blender add-on, and compares its numbers with those of
// the second reader of the tests. Skipped unless the environment variable UEFORMAT_PY is the folder
// that contains io_scene_ueformat (plugins/blender in the repository h4lfheart/UEFormat). Python
// needs numpy.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { convert, openSource } from '../../../web/src/convert/convert.ts';
import { readUeAnim, readUeModel, type UeKey } from '../../support/ueReference.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const script = join(root, 'tests/support/ueformatReference.py');
const folder = mkdtempSync(join(tmpdir(), 'rigcast-ueformat-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const demo = 'web/src/viewer/demo';
const data = 'tests/data';
const SOURCES: [name: string, paths: string[]][] = [
  ['a PSK with a PSA', [`${demo}/Pip.psk`, `${demo}/Pip.psa`]],
  ['a small PSK', [`${data}/unreal/arm.psk`, `${data}/unreal/arm-motions.psa`]],
  ['a static PSKX', [`${data}/unreal/arm-static.pskx`]],
  ['a Cast model with animations', [`${demo}/Tock.cast`]],
  ['another Cast model', [`${demo}/Sheep.cast`]],
  ['a static Cast model', [`${demo}/Cottage.cast`]],
  ['a VGO avatar', [`${demo}/Lotl.vgo`]],
  ['a VGO puppet', [`${data}/vgo/puppet.vgo`]],
  ['an SEModel', [`${data}/se/arm.semodel`, `${data}/se/absolute.seanim`, `${data}/se/relative.seanim`]],
  ['a UEFormat model', [`${data}/ueformat/arm.uemodel`, `${data}/ueformat/bend.ueanim`, `${data}/ueformat/reach.uepose`]],
  ['UEFormat of version 5', [`${data}/ueformat/arm-v05.uemodel`, `${data}/ueformat/bend-v05.ueanim`]],
];

type Key = { frame: number; value: number[] };
interface Content {
  bones: [name: string, parent: number, position: number[], rotation: number[]][];
  lods: {
    positions: number[][];
    normals: number[][];
    uvs: number[][][];
    indices: number[];
    materials: [name: string, first: number, faces: number][];
    weights: number[][];
    morphs: [name: string, deltas: [vertex: number, position: number[]][]][];
  }[];
  frames: number;
  rate: number;
  tracks: [bone: string, position: Key[], rotation: Key[], scale: Key[]][];
  curves: [name: string, keys: { frame: number; value: number }[]][];
}

/** The add-on mirrors Y of files that are not mirrored yet, and counts V from the bottom. */
const mirrored = ([x, y, z]: number[]): number[] => [x!, -y!, z!];
const turned = ([x, y, z, w]: number[]): number[] => [x!, -y!, z!, -w!];
const rounded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, each: unknown) => (typeof each === 'number' ? Number(each.toFixed(4)) + 0 : each)));

it.skipIf(!process.env['UEFORMAT_PY'])(
  'the Blender add-on finds the same numbers in 20 results (needs UEFORMAT_PY)',
  { timeout: 120_000 },
  async () => {
    let compared = 0;
    for (const [name, paths] of SOURCES) {
      const files = await Promise.all(
        paths.map(path => openSource(new Uint8Array(readFileSync(join(root, path))), { name: basename(path), worker: false }, path)),
      );
      const { files: made } = await convert(
        files.map(({ file }) => file),
        { to: 'uemodel' },
      );
      const written = made
        .filter(file => /\.ue(model|anim)$/.test(file.name))
        .map(file => {
          const path = join(folder, file.name);
          writeFileSync(path, file.bytes);
          return { path, bytes: file.bytes };
        });
      const text = execFileSync('/usr/bin/python3', [script, ...written.map(({ path }) => path)], { encoding: 'utf8', maxBuffer: 1 << 29 });
      const found = JSON.parse(text) as Content[];
      for (const [i, { path, bytes }] of written.entries()) {
        const theirs = found[i]!;
        const at = `${name}: ${basename(path)}`;
        if (path.endsWith('.uemodel')) {
          const own = readUeModel(bytes);
          expect(rounded(theirs.bones), at).toEqual(
            rounded(own.bones.map(bone => [bone.name, bone.parent, mirrored(bone.position), turned(bone.rotation)])),
          );
          expect(theirs.lods.length, at).toBe(own.lods.length);
          for (const [l, lod] of own.lods.entries()) {
            const other = theirs.lods[l]!;
            expect(rounded(other.positions), at).toEqual(rounded(lod.positions.map(mirrored)));
            expect(rounded(other.normals), at).toEqual(rounded(lod.normals.map(([, ...normal]) => mirrored(normal))));
            expect(rounded(other.uvs), at).toEqual(
              rounded(lod.uvs.map(set => Array.from({ length: set.length / 2 }, (_, v) => [set[2 * v]!, 1 - set[2 * v + 1]!]))),
            );
            expect(other.indices, at).toEqual(lod.indices);
            expect(other.materials, at).toEqual(lod.materials.map(each => [each.name, each.first, each.faces]));
            expect(rounded(other.weights), at).toEqual(rounded(lod.weights));
            expect(rounded(other.morphs), at).toEqual(
              rounded(lod.morphs.map(morph => [morph.name, morph.deltas.map(({ vertex, position }) => [vertex, mirrored(position)])])),
            );
          }
        } else {
          const own = readUeAnim(bytes);
          const keys = (some: UeKey[], change: (value: number[]) => unknown) =>
            some.map(({ frame, value }) => ({ frame, value: change(value) }));
          expect([theirs.frames, theirs.rate], at).toEqual([own.frames, own.rate]);
          expect(rounded(theirs.tracks), at).toEqual(
            rounded(
              own.tracks.map(each => [
                each.bone,
                keys(each.position, mirrored),
                keys(each.rotation, turned),
                keys(each.scale, value => value),
              ]),
            ),
          );
          expect(rounded(theirs.curves), at).toEqual(rounded(own.curves.map(each => [each.name, keys(each.keys, ([value]) => value)])));
        }
        compared++;
      }
    }
    expect(compared).toBeGreaterThanOrEqual(20);
  },
);
