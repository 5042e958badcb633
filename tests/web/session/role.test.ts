import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { formats, probe } from '../../../web/src/core/index.ts';
import { roleByName, roleOf, sortByRole } from '../../../web/src/session/role.ts';

/** Returns a node without properties. `empty`: number of zero bytes before its children. */
function node(id: string, children: Uint8Array[] = [], empty = 0): Uint8Array {
  const size = 24 + empty + children.reduce((sum, child) => sum + child.length, 0);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < 4; i++) bytes[i] = id.charCodeAt(i);
  view.setUint32(4, size, true);
  view.setUint32(20, children.length, true);
  let at = 24 + empty;
  for (const child of children) {
    bytes.set(child, at);
    at += child.length;
  }
  return bytes;
}

function cast(...roots: Uint8Array[]): File {
  const header = new Uint8Array(16);
  header.set([99, 97, 115, 116, 1]);
  header[8] = roots.length;
  return new File([header, ...roots] as Uint8Array<ArrayBuffer>[], 'some.cast');
}

describe('role of a Cast file', () => {
  const many = (count: number, empty: number): Uint8Array[] => Array.from({ length: count }, () => node('anim', [], empty));

  test('is scene if an instance follows a thousand animations', async () => {
    expect(await roleOf(cast(node('root', [...many(1000, 40), node('inst')])))).toBe('scene');
    expect(await roleOf(cast(node('root', [...many(20, 100_000), node('inst')])))).toBe('scene');
    expect(await roleOf(cast(node('root', many(3, 0)), node('root', [node('meta'), node('inst')])))).toBe('scene');
  });

  test('is animation if all roots contain only animations', async () => {
    expect(await roleOf(cast(node('root', many(1000, 40))))).toBe('animation');
    expect(await roleOf(cast(node('root', [node('meta'), node('anim', [node('skel')])])))).toBe('animation');
    expect(await roleOf(cast(node('root', many(3, 0)), node('root', [node('modl')])))).toBe('rig');
  });

  test('is rig without instances, even if node sizes are wrong', async () => {
    expect(await roleOf(cast(node('root', [...many(1000, 40), node('modl')])))).toBe('rig');
    expect(await roleOf(cast(node('root', [node('modl', [node('inst')])])))).toBe('rig');
    const wrong = node('root', [node('anim'), node('inst')]);
    wrong.fill(0, 28, 32);
    expect(await roleOf(cast(wrong))).toBe('rig');
    expect(await roleOf(cast())).toBe('rig');
    expect(await roleOf(new File(['cast'], 'cut.cast'))).toBe('rig');
  });
});

test('sorts many files by path into their roles', async () => {
  const scenes = Array.from({ length: 200 }, (_, i) => i).filter(i => i % 3 === 0);
  const files = Array.from({ length: 200 }, (_, i) => ({
    path: `f/${i}.cast`,
    file: cast(node('root', i % 3 === 0 ? [node('inst')] : [node('modl')])),
  })).toReversed();
  const sorted = await sortByRole(files);
  expect(sorted.scenes.map(({ path }) => path)).toEqual(scenes.map(i => `f/${i}.cast`));
  expect(sorted.rigs).toHaveLength(200 - scenes.length);
});

test('detects companion files of formats, textures and three.js loaders by name', async () => {
  const named = (name: string): Promise<string> => roleOf(new File(['some text'], name));
  const companions = ['run.config', 'HeroMesh.uc', 'M.mat', 'M.json', 'M.props.txt', 'hero.vgk', 'hero.mtl', 'T_D.PNG', 'T.tga', 'T.ktx2'];
  expect(await Promise.all(companions.map(named))).toEqual(companions.map(() => 'companion'));
  expect(await named('notices.doc')).toBe('unknown');
});

test('detects models and animations of every format', async () => {
  const data = (path: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(new URL(`../../data/${path}`, import.meta.url)));
  const file = (path: string) => ({ path, file: new File([data(path)], path.replace(/^.*\//, '')) });
  const sorted = await sortByRole(
    ['se/arm.semodel', 'se/delta.seanim', 'unreal/arm.psk', 'unreal/arm-motions.psa', 'mrtk/everyCurve.bin'].map(file),
  );
  expect(sorted.models.map(({ path }) => path)).toEqual(['se/arm.semodel', 'unreal/arm.psk']);
  expect(sorted.animations.map(({ path }) => path)).toEqual(['se/delta.seanim', 'unreal/arm-motions.psa']);
  expect(sorted.rigs.map(({ path }) => path)).toEqual(['mrtk/everyCurve.bin']);
});

test('returns the same role from the name as the core', async () => {
  const companions = ['config', 'uc', 'mat', 'json', 'txt', 'vgk'];
  const extensions = [...formats().flatMap(format => format.extensions), ...companions, 'zip', ''];
  expect(extensions).toContain('psk');
  for (const extension of extensions) {
    const name = `Some.${extension}`;
    expect([name, await roleByName(name.toUpperCase())]).toEqual([name, (await probe(new Uint8Array(0), name)).role]);
  }
  expect(await Promise.all(['run.bvh', 'hero.glb', 'hero.mtl', 'skin.png'].map(roleByName))).toEqual([
    'animation',
    'model',
    'companion',
    'companion',
  ]);
});
