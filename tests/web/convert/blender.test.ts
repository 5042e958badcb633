// Opens results with Blender's own importer. Bones and skin have the same positions as in three.js,
// at rest and during the animation. Skipped if Blender is not installed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Bone, Box3, Vector3 } from 'three';
import { afterAll, describe, expect, it } from 'vitest';
import { convert } from '../../../web/src/convert/index.ts';
import { open } from '../../../web/src/core/index.ts';
import { drawnObjects, gltfPositions, poseAt, readGlb } from '../../support/gltf.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const script = join(root, 'tests/support/blender.py');
const demo = (name: string): string => join(root, 'web/src/viewer/demo', name);
const SE = ['arm.semodel', 'absolute.seanim', 'additive.seanim', 'delta.seanim', 'relative.seanim'].map(name =>
  join(root, 'tests/data/se', name),
);
const hasBlender = spawnSync('blender', ['--version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'rigcast-blender-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Posed = { bones: Record<string, [number, number, number]>; box: [number[], number[]] };

function inBlender(bytes: Uint8Array, seconds: readonly number[]): Record<string, Posed[]> {
  const path = join(folder, 'made.glb');
  writeFileSync(path, bytes);
  const words = ['-b', '--factory-startup', '--python', script, '--', path, ...seconds.map(String)];
  const { stdout, stderr } = spawnSync('blender', words, { encoding: 'utf8', maxBuffer: 1 << 26 });
  const [, found] = /^FOUND (.*)$/m.exec(stdout) ?? [];
  if (found === undefined) throw new Error(`${stdout}\n${stderr}`);
  return JSON.parse(found) as Record<string, Posed[]>;
}

const METRES = 2e-4;
const SECONDS = [0, 0.31, 0.77];

describe.skipIf(!hasBlender)(`Blender${hasBlender ? '' : ' (blender is not installed)'}`, () => {
  it.each<[string, string[]]>([
    ['a demo PSK with its motions', [demo('Pip.psk'), demo('Pip.psa')]],
    ['a robot whose bones refuse scale', [demo('Tock.cast')]],
    ['an avatar', [demo('Lotl.vgo')]],
    ['bones that turn far between two keys, and motions that move different ones', SE],
  ])('has the vertices of %s at the positions of three.js', { timeout: 60_000 }, async (_, paths) => {
    const files = await Promise.all(paths.map(path => open(readFileSync(path), { name: basename(path), worker: false })));
    const { files: made } = await convert(files, { to: 'glb' });
    const { bytes } = made[0]!;
    const found = inBlender(bytes, SECONDS);
    const gltf = await readGlb(bytes);
    const objects = await drawnObjects(gltf);
    expect(Object.keys(found).sort()).toEqual(gltf.animations.map(({ name }) => name).sort());
    for (const [i, { name, duration }] of gltf.animations.entries())
      for (const [s, second] of SECONDS.entries()) {
        poseAt(gltf, i, Math.min(second, duration));
        const { bones, box } = found[name]![s]!;
        let compared = 0;
        gltf.scene.traverse(object => {
          const head = object instanceof Bone && bones[object.name];
          if (!head) return;
          compared++;
          expect(object.getWorldPosition(new Vector3()).distanceTo(new Vector3(...head)), `${name}, ${object.name}`).toBeLessThan(METRES);
        });
        expect(compared).toBeGreaterThan(0);
        const hull = new Box3();
        for (const { mesh } of objects) hull.union(new Box3().setFromArray([...gltfPositions(mesh)]));
        for (const [c, corner] of [hull.min, hull.max].entries())
          expect(corner.distanceTo(new Vector3(...box[c]!)), `${name}, skin`).toBeLessThan(METRES);
      }
  });
});
