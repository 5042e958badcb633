import { AmbientLight, Color, type MeshStandardMaterial, OrthographicCamera, Scene, Vector3, WebGLRenderer } from 'three';
import { afterAll, describe, expect, it } from 'vitest';
import { readPose, Rig, samplePoses } from '../../../../web/src/three/index.ts';
import { seek } from '../../../support/seek.ts';
import { armScene } from '../../../support/armScene.ts';

const SIZE = 200;
const renderer = new WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
renderer.setSize(SIZE, SIZE);
afterAll(() => renderer.dispose());

/** Orthographic camera, six metres wide, centred at the origin. */
const camera = new OrthographicCamera(-3, 3, 3, -3, 0.1, 10);
camera.position.z = 5;

function stage(...rigs: Rig[]): Scene {
  const scene = new Scene();
  scene.background = new Color(0, 0, 1);
  scene.add(new AmbientLight(0xffffff, 3), ...rigs.map(rig => rig.scene));
  return scene;
}

/** Returns the drawn color of a point in world space. */
function pixelAt(point: Vector3): number[] {
  const { x, y } = point.clone().project(camera);
  const pixel = new Uint8Array(4);
  const gl = renderer.getContext();
  gl.readPixels(Math.round(((x + 1) / 2) * SIZE), Math.round(((y + 1) / 2) * SIZE), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  return [...pixel.subarray(0, 3)];
}

function drawnBox(): { min: [number, number]; max: [number, number] } {
  const gl = renderer.getContext();
  const pixels = new Uint8Array(4 * SIZE * SIZE);
  gl.readPixels(0, 0, SIZE, SIZE, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  const min: [number, number] = [Infinity, Infinity];
  const max: [number, number] = [-Infinity, -Infinity];
  for (let i = 0; i < SIZE * SIZE; i++) {
    if (pixels[4 * i]! < 32) continue; // the background has no red
    const at = [i % SIZE, Math.floor(i / SIZE)];
    for (const c of [0, 1]) {
      min[c] = Math.min(min[c]!, (at[c]! / SIZE) * 6 - 3);
      max[c] = Math.max(max[c]!, ((at[c]! + 1) / SIZE) * 6 - 3);
    }
  }
  return { min, max };
}

const background = [0, 0, 255];

describe('drawn', () => {
  it('draws vertices at the positions of readPose, at rest and during an animation', () => {
    const rig = new Rig({ scene: armScene() });
    const scene = stage(rig);
    const action = rig.mixer.clipAction(rig.animations[0]!);
    for (const time of [null, 0.25, 0.5]) {
      if (time !== null) seek(action, time);
      renderer.render(scene, camera);
      const { min, max } = readPose(rig, null, null).meshes[0]!;
      const drawn = drawnBox();
      for (const c of [0, 1] as const) {
        expect(Math.abs(drawn.min[c] - min![c]), `${time}`).toBeLessThan(0.06);
        expect(Math.abs(drawn.max[c] - max![c]), `${time}`).toBeLessThan(0.06);
      }
    }
    rig.dispose();
  });

  it("pose's numbers in a page are those of samplePoses", () => {
    const rig = new Rig({ scene: armScene() });
    const [wanted] = samplePoses(rig, { clips: rig.clips, times: [0.7] });
    seek(rig.mixer.clipAction(rig.animations[0]!), 0.7);
    renderer.render(stage(rig), camera);
    expect(readPose(rig, 0.7, 'bend')).toEqual(wanted);
    rig.dispose();
  });

  it('draws morph targets', () => {
    const base = armScene();
    const morph = { name: 'Wide', vertices: Uint32Array.of(1, 3, 5), positions: Float32Array.of(1, 0, 0, 1, 0, 0, 1, 0, 0), maximum: 1 };
    const rig = new Rig({ scene: { ...base, meshes: [{ ...base.meshes[0]!, morphs: [morph] }] } });
    const scene = stage(rig);
    const probe = new Vector3(0.7, 1, 0);
    renderer.render(scene, camera);
    expect(pixelAt(probe)).toEqual(background);
    rig.meshes[0]!.morphTargetInfluences![rig.meshes[0]!.morphTargetDictionary!['Wide']!] = 1;
    renderer.render(scene, camera);
    expect(pixelAt(probe)).not.toEqual(background);
    rig.dispose();
  });

  it('does not cull a character far from its rest position', () => {
    const rig = new Rig({ scene: armScene() });
    rig.nodes[1]!.position.set(2, -1, 0);
    const scene = stage(rig);
    renderer.render(scene, camera); // reads the bounds for culling
    rig.nodes[1]!.position.set(500, 0, 0);
    camera.position.x = 500;
    camera.updateMatrixWorld();
    renderer.render(scene, camera);
    expect(pixelAt(new Vector3(500, 0.5, 0))).not.toEqual(background);
    camera.position.x = 0;
    camera.updateMatrixWorld();
    rig.dispose();
  });

  it('draws dropped images with the correct orientation', async () => {
    const canvas = new OffscreenCanvas(4, 4);
    const context = canvas.getContext('2d')!;
    context.fillStyle = '#ff0000';
    context.fillRect(0, 0, 4, 2); // fills the upper half of the image
    context.fillStyle = '#00ff00';
    context.fillRect(0, 2, 4, 2);
    for (const type of ['image/png', 'image/webp', 'image/jpeg']) {
      const base = armScene();
      const white = { ...base.materials[0]!, color: [1, 1, 1, 1] as [number, number, number, number], model: 'unlit' };
      const rig = new Rig({
        scene: {
          ...base,
          materials: [
            { ...white, name: 'Skin' },
            { ...white, name: 'Cloth' },
          ],
          hints: { namedMaterials: true },
        },
        format: 'psk',
      });
      const file = await canvas.convertToBlob({ type, quality: 1 });
      await rig.loadTextures(
        new Map([
          ['skin_d.png', file],
          ['cloth_d.png', file],
        ]),
      );
      renderer.render(stage(rig), camera);
      const top = pixelAt(new Vector3(0, 1.7, 0));
      const bottom = pixelAt(new Vector3(0, 0.3, 0));
      expect(top[0]! - top[1]!, type).toBeGreaterThan(200);
      expect(bottom[1]! - bottom[0]!, type).toBeGreaterThan(200);
      expect(
        rig.report.items.map(({ code }) => code),
        type,
      ).toEqual(['TEXTURE_GUESSED', 'TEXTURE_GUESSED']);
      rig.dispose();
    }
  });

  it('reads packed masks by their channels', async () => {
    const canvas = new OffscreenCanvas(2, 2);
    const context = canvas.getContext('2d')!;
    context.fillStyle = '#ff8040';
    context.fillRect(0, 0, 2, 2);
    const rig = new Rig({ scene: { ...armScene(), hints: { namedMaterials: true, directXNormals: true } }, format: 'psk' });
    await rig.loadTextures(
      new Map([
        ['skin_mro.png', await canvas.convertToBlob()],
        ['skin_n.png', await canvas.convertToBlob()],
      ]),
    );
    expect((rig.materialsOf(0)[0] as MeshStandardMaterial).metalnessMap).not.toBeNull();
    const errors: unknown[] = [];
    renderer.debug.onShaderError = (...what) => errors.push(what);
    renderer.render(stage(rig), camera);
    expect(errors).toEqual([]);
    expect(pixelAt(new Vector3(0, 0.4, 0))).not.toEqual(background);
    rig.dispose();
  });
});

describe('dispose', () => {
  it('frees all GPU resources after twenty replacements', async () => {
    const canvas = new OffscreenCanvas(2, 2);
    canvas.getContext('2d')!.fillRect(0, 0, 2, 2);
    const file = await canvas.convertToBlob();
    const once = async (): Promise<void> => {
      const rig = new Rig({ scene: { ...armScene(), hints: { namedMaterials: true, directXNormals: true } }, format: 'psk' });
      await rig.loadTextures(new Map([['skin_d.png', file]]));
      seek(rig.mixer.clipAction(rig.animations[0]!), 0.5);
      const scene = stage(rig);
      renderer.render(scene, camera);
      expect(renderer.info.memory.geometries).toBeGreaterThan(before.geometries);
      expect(renderer.info.memory.textures).toBeGreaterThan(before.textures);
      rig.dispose();
    };
    const before = { geometries: -1, textures: -1 };
    await once(); // creates the resources that three.js keeps internally
    Object.assign(before, renderer.info.memory);
    for (let i = 0; i < 20; i++) await once();
    expect({ ...renderer.info.memory }).toMatchObject(before);
    expect(renderer.info.programs!.length).toBeLessThan(20);
  });
});
