// UEFormat models in the public corpus, compared with their expected values. Skipped if the corpus
// is not there.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeTable } from '../../../web/src/core/codeTable.ts';
import { open } from '../../../web/src/core/open.ts';

const corpus = new URL('../../../../shared/corpus/ueformat/', import.meta.url).pathname;
const isThere = existsSync(corpus);
interface Lod {
  positions: number[][];
  uvs: number[][][];
  indices: number[];
  colors: { name: string | null; rgba: number[][] }[];
  materials: { name: string; path: string | null; firstIndex: number; faces: number }[];
  weights: [number, number, number][];
  morphs: { name: string; deltas: { position: number[]; normal: number[]; vertex: number }[] }[];
  normals: number[][];
}
interface Bone {
  name: string;
  parent: number;
  position: number[];
  rotation: number[];
  scale: number[] | null;
}
interface Expected {
  status: string;
  version: number;
  findings: (string | { code: string })[];
  values: {
    lods: Lod[];
    skeleton: { bones: Bone[]; sockets?: { name: string; bone: string }[]; virtualBones?: unknown[] } | null;
    collision?: unknown[];
  };
}
const expected = (isThere ? JSON.parse(readFileSync(join(corpus, 'expected.json'), 'utf8')) : {}) as Record<string, Expected>;
const names = isThere ? readdirSync(corpus).filter(name => name.endsWith('.uemodel')) : [];
const read = (name: string) => open(new Uint8Array(readFileSync(join(corpus, name))), { name });

/** Returns the codes of findings whose ids include the code of the format reference. */
const codesFor = (code: string): string[] =>
  codeTable.filter(row => ` ${row.ids} `.includes(` ${code.toLowerCase().replaceAll('_', '-')} `)).map(row => row.code);

/** Converts expected values, which are in engine space, to scene space. */
const direction = ([x, y, z]: number[]): number[] => [x!, z!, y!];
const position = (value: number[]): number[] => direction(value).map(number => number / 100);
const close = (actual: ArrayLike<number>, wanted: number[]): void => {
  expect(actual.length).toBe(wanted.length);
  wanted.forEach((number, i) => expect(actual[i], `number ${i}`).toBeCloseTo(number, 4));
};

describe.skipIf(!isThere)('UEFormat models of the corpus', () => {
  // The other files: 13 animations, poses and a world in tests/wasm/formats/ueformat/animCorpus.cpp, and
  // 8 compressed animations in ueAnim.test.ts.
  it('are 47 of its 70 files', () => {
    expect(readdirSync(corpus).filter(name => name in expected)).toHaveLength(70);
    expect(names).toHaveLength(47);
    const compared = names.filter(name => expected[name]!.values?.lods);
    expect(compared).toEqual(names.filter(name => !name.startsWith('bad-')));
  });

  it.each(names.filter(name => !name.startsWith('bad-')))('%s', async name => {
    const { version, values, findings } = expected[name]!;
    const { scene, report, version: own, needs } = await read(name);
    expect(needs).toEqual([]);
    expect(own).toBe(String(version));
    if (findings.length === 0) expect(report.items.filter(({ severity }) => severity !== 'info')).toEqual([]);
    if (!values?.lods) return;
    if (values.lods.length === 0 && !values.skeleton) return;
    expect(scene!.meshes).toHaveLength(values.lods.length);
    values.lods.forEach((lod, i) => {
      const mesh = scene!.meshes[i]!;
      close(mesh.positions, lod.positions.flatMap(position));
      if (lod.normals) close(mesh.normals!, lod.normals.flatMap(direction));
      expect([...mesh.indices!]).toEqual(lod.indices);
      (lod.uvs ?? []).forEach((uvs, set) => close(mesh.uvs[set]!, uvs.flat()));
      expect(mesh.colors.map(({ values: bytes }) => [...bytes])).toEqual((lod.colors ?? []).map(({ rgba }) => rgba.flat()));
      expect(mesh.groups.map(({ start, count, material }) => [start, count, scene!.materials[material!]?.name])).toEqual(
        lod.materials?.length
          ? lod.materials.map(({ name: own, firstIndex, faces }) => [firstIndex, 3 * faces, own])
          : [[0, lod.indices.length, undefined]],
      );
      for (const [bone, vertex, weight] of lod.weights ?? []) {
        const joints = mesh.joints!.slice(4 * vertex, 4 * vertex + 4);
        const k = joints.findIndex((joint, at) => joint === bone && mesh.weights![4 * vertex + at]! > 0);
        expect(mesh.weights![4 * vertex + k]).toBeCloseTo(weight, 5);
      }
      (lod.morphs ?? []).forEach((morph, k) => {
        const own = mesh.morphs[k]!;
        expect([own.name, [...own.vertices]]).toEqual([morph.name, morph.deltas.map(({ vertex }) => vertex)]);
        close(
          own.positions,
          morph.deltas.flatMap(delta => position(delta.position)),
        );
        close(
          own.normals!,
          morph.deltas.flatMap(delta => direction(delta.normal)),
        );
      });
    });
    const bones = values.skeleton?.bones ?? [];
    const { nodes } = scene!;
    bones.forEach((bone, i) => {
      expect([nodes.names[i + 1], nodes.parents[i + 1]]).toEqual([bone.name, bone.parent + 1]);
      close(nodes.translations.slice(3 * i + 3, 3 * i + 6), position(bone.position));
      const [x, y, z, w] = bone.rotation as [number, number, number, number];
      const wanted = [-x, -z, -y, w];
      const rotation = nodes.rotations.slice(4 * i + 4, 4 * i + 8);
      expect(Math.abs(rotation.reduce((sum, number, k) => sum + number * wanted[k]!, 0))).toBeCloseTo(1, 4);
      if (bone.scale) close(nodes.scales.slice(3 * i + 3, 3 * i + 6), direction(bone.scale));
    });
    expect(scene!.features.filter(({ kind }) => kind === 'socket').map(socket => socket.name)).toEqual(
      (values.skeleton?.sockets ?? []).map(socket => socket.name),
    );
    expect(scene!.features.filter(({ kind }) => kind === 'virtualBone')).toHaveLength(values.skeleton?.virtualBones?.length ?? 0);
    expect(scene!.features.filter(({ kind }) => kind === 'convexHull')).toHaveLength(values.collision?.length ?? 0);
  });

  it.each(names.filter(name => name.startsWith('bad-')))('%s', async name => {
    const { report } = await read(name);
    const codes = report.items.map(({ code }) => code);
    for (const finding of expected[name]!.findings) {
      const code = typeof finding === 'string' ? finding : finding.code;
      expect(
        codesFor(code).some(own => codes.includes(own)),
        `${code}: ${codes}`,
      ).toBe(true);
    }
    expect(report.errors + report.warnings).toBeGreaterThan(0);
  });
});
