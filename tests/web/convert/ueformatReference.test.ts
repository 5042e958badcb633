// Reads results with the public readers of the format, and compares their numbers with those of the
// second reader of the tests. The parser of the Blender add-on reads version 9, if the environment
// variable UEFORMAT_PY is the folder that contains io_scene_ueformat (plugins/blender in the
// repository h4lfheart/UEFormat; Python needs numpy). The C++ library reads version 10, if
// UEFORMAT_CPP is the path of the program that tests/support/ueformatReference.cpp describes.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { convert, openSource } from '../../../web/src/convert/convert.ts';
import type { RigFile } from '../../../web/src/core/index.ts';
import type { UeformatWriting } from '../../../web/src/convert/ueformat/writing.ts';
import { readUeAnim, readUeModel, type UeAnim, type UeKey, type UeModel } from '../../support/ueReference.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const script = join(root, 'tests/support/ueformatReference.py');
const folder = mkdtempSync(join(tmpdir(), 'rigcast-ueformat-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const demo = 'web/src/viewer/demo';
const data = 'tests/data';
const SOURCES: [name: string, paths: string[], change?: (files: RigFile[]) => Promise<RigFile[]>][] = [
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
  ['a glTF with animations', [`${data}/unreal/arm.psk`, `${data}/unreal/arm-motions.psa`], throughGlb],
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

/** The add-on mirrors Y of files that are not mirrored yet, and counts V from the bottom. The C++ library does not. */
interface Space {
  vector: (value: number[]) => number[];
  rotation: (value: number[]) => number[];
  uv: (value: number[]) => number[];
}
const mirrored: Space = {
  vector: ([x, y, z]) => [x!, -y!, z!],
  rotation: ([x, y, z, w]) => [x!, -y!, z!, -w!],
  uv: ([u, v]) => [u!, 1 - v!],
};
const same = (value: number[]): number[] => value;
const unchanged: Space = { vector: same, rotation: same, uv: same };

const rounded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, each: unknown) => (typeof each === 'number' ? Number(Math.fround(each).toFixed(4)) + 0 : each)));

const openFiles = (paths: string[]): Promise<RigFile[]> =>
  Promise.all(
    paths.map(async path => {
      const bytes = new Uint8Array(readFileSync(join(root, path)));
      return (await openSource(bytes, { name: basename(path), worker: false }, path)).file;
    }),
  );

/** Converts the files to a GLB, which the loader of three.js reads. */
async function throughGlb(files: RigFile[]): Promise<RigFile[]> {
  const [glb] = (await convert(files, { to: 'glb' })).files;
  return [(await openSource(glb!.bytes, { name: glb!.name, worker: false }, glb!.name)).file];
}

/** The C++ library does not support bone scales, which CUE4Parse added to version 10 later. */
const isReadable = (model: Uint8Array, { v10 }: UeformatWriting): boolean => !v10 || readUeModel(model).bones.every(({ scale }) => !scale);

const python = process.env['UEFORMAT_PY'] && ['/usr/bin/python3', script];
const library = process.env['UEFORMAT_CPP'] && [process.env['UEFORMAT_CPP']];

const READERS: [name: string, program: string[] | '' | undefined, writing: UeformatWriting, space: Space][] = [
  ['the Blender add-on finds the same numbers in 20 results (needs UEFORMAT_PY)', python, {}, mirrored],
  ['the Blender add-on reads compressed results (needs UEFORMAT_PY)', python, { gzip: true }, mirrored],
  ['the C++ library finds the same numbers in 20 results of version 10 (needs UEFORMAT_CPP)', library, { v10: true }, unchanged],
  ['the C++ library reads compressed results (needs UEFORMAT_CPP)', library, { v10: true, gzip: true }, unchanged],
];

for (const [rule, program, writing, space] of READERS)
  it.skipIf(!program)(rule, { timeout: 300_000 }, async () => {
    let compared = 0;
    for (const [name, paths, change] of SOURCES) {
      const opened = await openFiles(paths);
      const { files: made } = await convert(change ? await change(opened) : opened, { to: 'uemodel', ueformat: writing });
      const written = made
        .filter(file => file.name.endsWith('.ueanim') || (file.name.endsWith('.uemodel') && isReadable(file.bytes, writing)))
        .map(file => {
          const path = join(folder, file.name);
          writeFileSync(path, file.bytes);
          return { path, bytes: file.bytes };
        });
      const [command, ...args] = program as string[];
      const text = execFileSync(command!, [...args, ...written.map(({ path }) => path)], { encoding: 'utf8', maxBuffer: 1 << 29 });
      const found = JSON.parse(text) as Content[];
      for (const [i, { path, bytes }] of written.entries()) {
        const at = `${name}: ${basename(path)}`;
        if (path.endsWith('.uemodel')) expectSameModel(found[i]!, readUeModel(bytes), space, at);
        else expectSameAnimation(found[i]!, readUeAnim(bytes), space, at);
        compared++;
      }
    }
    expect(compared).toBeGreaterThanOrEqual(20);
  });

function expectSameModel(theirs: Content, own: UeModel, { vector, rotation, uv }: Space, at: string): void {
  expect(rounded(theirs.bones), at).toEqual(
    rounded(own.bones.map(bone => [bone.name, bone.parent, vector(bone.position), rotation(bone.rotation)])),
  );
  expect(theirs.lods.length, at).toBe(own.lods.length);
  for (const [l, lod] of own.lods.entries()) {
    const other = theirs.lods[l]!;
    expect(rounded(other.positions), at).toEqual(rounded(lod.positions.map(vector)));
    expect(rounded(other.normals), at).toEqual(rounded(lod.normals.map(([, ...normal]) => vector(normal))));
    const uvs = lod.uvs.map(set => Array.from({ length: set.length / 2 }, (_, v) => uv(set.slice(2 * v, 2 * v + 2))));
    expect(rounded(other.uvs), at).toEqual(rounded(uvs));
    expect(other.indices, at).toEqual(lod.indices);
    expect(other.materials, at).toEqual(lod.materials.map(each => [each.name, each.first, each.faces]));
    expect(rounded(other.weights), at).toEqual(rounded(lod.weights));
    const morphs = lod.morphs.map(morph => [morph.name, morph.deltas.map(({ vertex, position }) => [vertex, vector(position)])]);
    expect(rounded(other.morphs), at).toEqual(rounded(morphs));
  }
}

function expectSameAnimation(theirs: Content, own: UeAnim, { vector, rotation }: Space, at: string): void {
  const keys = (some: UeKey[], change: (value: number[]) => unknown) => some.map(({ frame, value }) => ({ frame, value: change(value) }));
  expect([theirs.frames, Math.fround(theirs.rate)], at).toEqual([own.frames, own.rate]);
  const tracks = own.tracks.map(each => [each.bone, keys(each.position, vector), keys(each.rotation, rotation), keys(each.scale, same)]);
  expect(rounded(theirs.tracks), at).toEqual(rounded(tracks));
  expect(rounded(theirs.curves), at).toEqual(rounded(own.curves.map(each => [each.name, keys(each.keys, ([value]) => value)])));
}
