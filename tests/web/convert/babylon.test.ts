// Opens results in Babylon.js. All vertices have the same positions as in GLTFLoader, at rest and
// in animations.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import '@babylonjs/core/Animations/animatable.js';
import '@babylonjs/core/Meshes/instancedMesh.js';
import '@babylonjs/core/Meshes/thinInstanceMesh.js';
import { NullEngine } from '@babylonjs/core/Engines/nullEngine.js';
import { LoadAssetContainerAsync } from '@babylonjs/core/Loading/sceneLoader.js';
import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { Logger } from '@babylonjs/core/Misc/logger.js';
import type { AbstractMesh } from '@babylonjs/core/Meshes/abstractMesh.js';
import { Scene } from '@babylonjs/core/scene.js';
import '@babylonjs/loaders/glTF/2.0/index.js';
import { describe, expect, it } from 'vitest';
import { type ConvertOptions, convert } from '../../../web/src/convert/index.ts';
import { open } from '../../../web/src/core/index.ts';
import { drawnObjects, gltfPositions, poseAt, readGlb } from '../../support/gltf.ts';

Logger.LogLevels = Logger.WarningLogLevel | Logger.ErrorLogLevel;

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => open(readFileSync(join(root, path)), { name: basename(path), worker: false, tangents: true });

async function written(paths: readonly string[], options: Partial<ConvertOptions> = {}): Promise<Uint8Array> {
  const { files } = await convert(await Promise.all(paths.map(read)), { to: 'glb', ...options });
  return files[0]?.bytes ?? new Uint8Array(0);
}

/** Opens a GLB in a right-handed scene of Babylon.js, without a GPU. */
async function opened(bytes: Uint8Array) {
  const scene = new Scene(new NullEngine());
  scene.useRightHandedSystem = true;
  const content = await LoadAssetContainerAsync(bytes, scene, { pluginExtension: '.glb' });
  content.addAllToScene();
  content.animationGroups.forEach(group => group.stop());
  return { scene, content };
}

function placesOf(mesh: AbstractMesh): Float64Array {
  mesh.skeleton?.prepare(true);
  const matrix = mesh.computeWorldMatrix(true);
  const local = mesh.getPositionData(true, true) ?? [];
  const places = new Float64Array(local.length);
  const point = new Vector3();
  for (let i = 0; i < local.length; i += 3) {
    Vector3.TransformCoordinatesFromFloatsToRef(local[i] ?? 0, local[i + 1] ?? 0, local[i + 2] ?? 0, matrix, point);
    places.set([point.x, point.y, point.z], i);
  }
  return places;
}

const METRES = 1e-4;
const FRAMES_PER_SECOND = 60; // used by Babylon's loader

const demo = 'web/src/viewer/demo/';
describe('Babylon.js', () => {
  it.each<[string, string[]]>([
    ['a PSK with the motions of a PSA', ['tests/data/unreal/arm.psk', 'tests/data/unreal/arm-motions.psa']],
    ['a demo PSK with its motions', [`${demo}Pip.psk`, `${demo}Pip.psa`]],
    ['a robot whose bones refuse scale', [`${demo}Tock.cast`]],
    ['an avatar with expressions', [`${demo}Lotl.vgo`]],
    ['a VGO', ['tests/data/vgo/puppet.vgo']],
    ['an SEModel with its motion', ['tests/data/se/arm.semodel', 'tests/data/se/absolute.seanim']],
  ])('shows %s like three.js', async (_, paths) => {
    const bytes = await written(paths);
    const gltf = await readGlb(bytes);
    const objects = await drawnObjects(gltf);
    expect(objects.length).toBeGreaterThan(0);
    const compare = (scene: Scene): number => {
      for (const node of [...scene.transformNodes, ...scene.meshes]) node.computeWorldMatrix(true);
      const left = scene.meshes.filter(mesh => mesh.getTotalVertices() > 0);
      let worst = 0;
      for (const { name, mesh } of objects) {
        const isIt = (other: AbstractMesh): boolean => other.name === name || other.name === `${name}_primitive0`;
        const [theirs] = left.splice(left.findIndex(isIt), 1);
        const expected = gltfPositions(mesh);
        const places = placesOf(theirs!);
        expect(places).toHaveLength(expected.length);
        for (const [i, value] of expected.entries()) worst = Math.max(worst, Math.abs(value - places[i]!));
      }
      return worst;
    };
    gltf.scene.updateMatrixWorld(true);
    const { scene, content } = await opened(bytes);
    expect(compare(scene)).toBeLessThan(METRES);
    expect(content.animationGroups).toHaveLength(gltf.animations.length);
    for (const [i, clip] of gltf.animations.entries()) {
      const { scene, content } = await opened(bytes); // opened again, to reset nodes without tracks
      for (const share of [0.13, 0.5, 0.81]) {
        poseAt(gltf, i, share * clip.duration);
        content.animationGroups[i]!.start().goToFrame(share * clip.duration * FRAMES_PER_SECOND);
        expect(compare(scene), `${clip.name} at ${share}`).toBeLessThan(METRES);
      }
    }
  });
});
