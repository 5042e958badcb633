// FBX and OBJ files on the command line: as models that are converted with their images, and as
// animations of other bodies.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { castBody, TestBody } from '../../support/bodies.ts';
import { SCHEMES } from '../../support/bodyNames.ts';
import { builtPackage } from '../../support/builtPackage.ts';
import { triangle } from '../../support/castFile.ts';
import { fbxTriangle } from '../../support/fbx.ts';
import { mixamoFbx } from '../../support/mixamo.ts';

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==', 'base64');

let dist: string;
let folder: string;
const at = (...names: string[]): string => join(folder, ...names);

function rigcast(...words: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(dist, 'cli/main.js'), ...words], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

beforeAll(async () => {
  dist = await builtPackage();
  folder = mkdtempSync(join(tmpdir(), 'rigcast-others-'));
  mkdirSync(at('in/textures'), { recursive: true });
  writeFileSync(at('in/leaf.fbx'), new Uint8Array(fbxTriangle()));
  writeFileSync(at('in/textures/skin.png'), PIXEL);
  writeFileSync(at('in/leaf.obj'), 'mtllib leaf.mtl\nv 0 0 0\nv 1 0 0\nv 0 2 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl green\nf 1/1 2/2 3/3\n');
  writeFileSync(at('in/leaf.mtl'), 'newmtl green\nmap_Kd textures\\skin.png\n');
  const [mixamo, unreal] = [SCHEMES['Mixamo']!, SCHEMES['Unreal Engine']!];
  writeFileSync(at('in/body.cast'), castBody(new TestBody({ nameOf: unreal }), triangle('skin')));
  const body = new TestBody({ nameOf: mixamo });
  const walk = mixamoFbx({ body, nameOf: mixamo, seconds: 1, rate: 30, poseAt: time => body.walk(time) });
  writeFileSync(at('in/walk.fbx'), new Uint8Array(walk));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test.each(['fbx', 'obj'])('a model from %s is converted with its texture', format => {
  const out = rigcast('convert', at(`in/leaf.${format}`), '-o', at(`${format}.glb`));
  expect(out).not.toContain('TEXTURE_MISSING');
  const glb = readFileSync(at(`${format}.glb`));
  const json = JSON.parse(glb.toString('utf8', 20, 20 + glb.readUInt32LE(12))) as {
    images: object[];
    materials: { pbrMetallicRoughness: object }[];
    animations?: object[];
  };
  expect(json.images).toHaveLength(1);
  expect(json.materials[0]!.pbrMetallicRoughness).toMatchObject({ baseColorTexture: { index: 0 } });
  expect(json.animations?.length ?? 0).toBe(format === 'fbx' ? 1 : 0);
});

test('an FBX animation moves a model with other bones', () => {
  const posed = rigcast('pose', at('in/body.cast'), at('in/walk.fbx'), '--time', '0.4');
  expect(posed).toContain(`retargeted from ${at('in/walk.fbx')}: by body part, `);
  const converted = rigcast('convert', at('in/body.cast'), at('in/walk.fbx'), '-o', at('body.glb'));
  expect(converted).toContain('CLIP_RETARGETED');
  const places = (words: string[]): [string, number[]][] =>
    (
      JSON.parse(rigcast('pose', ...words, '--time', '0.4', '--json')) as { poses: { nodes: { name: string; position: number[] }[] }[] }
    ).poses[0]!.nodes.map(({ name, position }) => [name, position]);
  const expected = new Map(places([at('in/body.cast'), at('in/walk.fbx')]));
  const found = places([at('body.glb')]).filter(([name]) => expected.has(name));
  expect(found.length).toBeGreaterThan(20);
  for (const [name, position] of found)
    for (const [c, value] of position.entries()) expect(value, name).toBeCloseTo(expected.get(name)![c]!, 3);
});
