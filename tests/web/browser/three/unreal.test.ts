// Unreal files on a page, from the URL to the pixels: worker, companion files, textures.
import { AmbientLight, Color, LoadingManager, type MeshStandardMaterial, PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import { afterAll, describe, expect, it } from 'vitest';
import { type Rig, RigcastLoader, readPose, samplePoses } from '../../../../web/src/three/index.ts';
import { seek } from '../../../support/seek.ts';

const base = `${location.origin}/tests/data/unreal/`;
const SIZE = 128;
const renderer = new WebGLRenderer({ preserveDrawingBuffer: true });
renderer.setSize(SIZE, SIZE);
afterAll(() => renderer.dispose());

function shown(rig: Rig): number {
  const scene = new Scene();
  scene.background = new Color(0, 0, 1);
  scene.add(new AmbientLight(0xffffff, 3), rig.scene);
  const camera = new PerspectiveCamera(40, 1, 0.01, 10);
  camera.position.set(0.5, 0.2, 2);
  camera.lookAt(0.5, 0, 0);
  renderer.render(scene, camera);
  const gl = renderer.getContext();
  const pixels = new Uint8Array(4 * SIZE * SIZE);
  gl.readPixels(0, 0, SIZE, SIZE, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  return Array.from({ length: SIZE * SIZE }, (_, i) => pixels[4 * i]!).filter(red => red > 32).length;
}

describe('RigcastLoader in a page', () => {
  it('loads by path and URL, and notifies the manager', async () => {
    const calls: string[] = [];
    const manager = new LoadingManager(
      () => calls.push('done'),
      undefined,
      url => calls.push(`error ${url}`),
    );
    const progress: number[] = [];
    const rig = await new RigcastLoader(manager).setPath(base).loadAsync('arm.psk', ({ loaded }) => progress.push(loaded));
    expect(rig.scene.name).toBe('arm');
    expect(shown(rig)).toBeGreaterThan(200);
    expect(progress.at(-1)).toBe(rig.file.byteLength);
    await new Promise(resolve => setTimeout(resolve));
    expect(calls).toEqual(expect.arrayContaining(['done']));
    expect(calls.filter(call => call.startsWith('error'))).toEqual([]);
    rig.dispose();
  });

  it('loads the .config file of an animation, and poses the model as in Node', async () => {
    const loader = new RigcastLoader();
    const rig = await loader.loadAsync(`${base}arm.psk`);
    const stripped = await loader.loadAsync(`${base}arm-stripped.psa`);
    expect(stripped.report.items.map(({ code }) => code)).toContain('CONFIG_APPLIED');
    const { animations, clips } = rig.bind(await loader.loadAsync(`${base}arm-motions.psa`));
    const [wanted] = samplePoses(rig, { clips: [clips[0]!], times: [0.1] });
    const rest = shown(rig);
    seek(rig.mixer.clipAction(animations[0]!), 0.1);
    expect(shown(rig)).not.toBe(rest);
    expect(readPose(rig, 0.1, 'Bend')).toEqual(wanted);
    rig.dispose();
  });

  it('loads all kinds of textures from a .mat file', async () => {
    const canvas = new OffscreenCanvas(2, 2);
    canvas.getContext('2d')!.fillRect(0, 0, 2, 2);
    const there = new Map([
      ['Tube.mat', new Blob(['Diffuse=T_Tube\n'])],
      ['T_Tube.png', await canvas.convertToBlob()],
    ]);
    const asked: string[] = [];
    const manager = new LoadingManager();
    manager.setURLModifier(url => {
      if (!url.startsWith(base) || url.endsWith('.psk')) return url;
      const name = decodeURIComponent(url.slice(base.length));
      const blob = there.get(name);
      asked.push(name);
      return blob ? URL.createObjectURL(blob) : 'blob:nothing';
    });
    const rig = await new RigcastLoader(manager).loadAsync(`${base}arm.psk`);
    expect((rig.materialsOf(0)[0] as MeshStandardMaterial).map?.image).toBeInstanceOf(ImageBitmap);
    expect(asked).toContain('T_Tube.png');
    expect(asked.length).toBeLessThan(8);
    rig.dispose();
  });

  it('frees everything after twenty aborted loads and twenty replaced models', async () => {
    const loader = new RigcastLoader().setOptions({ textures: false });
    const once = async (): Promise<void> => {
      const rig = await loader.loadAsync(`${base}arm.psk`);
      shown(rig);
      rig.dispose();
    };
    await once();
    const before = { ...renderer.info.memory };
    for (let i = 0; i < 20; i++) {
      const lost = loader.loadAsync(`${base}arm.psk`).catch((error: unknown) => error);
      loader.abort();
      expect(await lost).toMatchObject({ name: 'AbortError' });
      await once();
    }
    expect({ ...renderer.info.memory }).toEqual(before);
  });
});
