// Rigs that are exported with GLTFExporter and loaded again, and rigs that are drawn with
// WebGPURenderer.
import { type MeshStandardMaterial, type Object3D, Texture } from 'three';
import { GLTFExporter } from 'three/addons/exporters/GLTFExporter.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import type { WebGPURenderer } from 'three/webgpu';
import { afterAll, describe, expect, it } from 'vitest';
import { assignTexture } from '../../../../web/src/three/materials/assignTexture.ts';
import { RigcastLoader } from '../../../../web/src/three/index.ts';
import {
  backends,
  differing,
  disposeRenderers,
  hasWebGPU,
  pixelsOf,
  staged,
  targetOfWebGL,
  targetOfWebGPU,
  webgl,
} from '../../../support/rendererPictures.ts';

afterAll(disposeRenderers);

function drawnByWebGL(thing: Object3D): Uint8ClampedArray {
  const { scene, camera } = staged(thing);
  webgl.render(scene, camera);
  return pixelsOf(webgl.domElement);
}

async function drawnByWebGPU(thing: Object3D, renderer = backends['WebGL 2']): Promise<Uint8ClampedArray> {
  await renderer.init();
  const { scene, camera } = staged(thing);
  renderer.render(scene, camera);
  return pixelsOf(renderer.domElement);
}

const rigs = {
  'an avatar with toon materials': new URL('../../../../web/src/viewer/demo/Lotl.vgo', import.meta.url).href,
  'a VGO scene': new URL('../../../data/vgo/puppet.vgo', import.meta.url).href,
  'a skinned model': new URL('../../../data/unreal/arm.psk', import.meta.url).href,
};

it('is reported when WebGPURenderer draws materials with patched shaders', async () => {
  const rig = await new RigcastLoader().loadAsync(new URL('../../../../web/src/viewer/demo/Tock.cast', import.meta.url).href);
  // A gloss map uses the channel from which three.js reads roughness.
  const [made] = rig.materialsOf(0) as MeshStandardMaterial[];
  assignTexture(made!, 'gloss', new Texture());
  const told = () => rig.report.items.filter(({ code }) => code === 'MATERIAL_REDUCED').length;
  drawnByWebGL(rig.scene);
  expect(told()).toBe(0);
  await drawnByWebGPU(rig.scene);
  expect(told()).toBe(1);
});

describe.each(Object.entries(rigs))('%s', (_, address) => {
  it('looks the same after export and import by three.js', async () => {
    const rig = await new RigcastLoader().setOptions({ toon: 'standard' }).loadAsync(address);
    const shown = drawnByWebGL(rig.scene);
    const shader = await new RigcastLoader().loadAsync(address);
    const exported = await new GLTFExporter().parseAsync(await shader.cloneForExport(), { binary: true, animations: shader.animations });
    const gltf = await new GLTFLoader().parseAsync(exported as ArrayBuffer, '');
    expect(gltf.animations.map(({ name }) => name)).toEqual(shader.animations.map(({ name }) => name));
    const difference = differing(shown, drawnByWebGL(gltf.scene), 24);
    expect(difference.drawn).toBeGreaterThan(1000);
    expect(difference.shape).toBeLessThan(0.01);
    expect(difference.colour).toBeLessThan(0.05);
  });

  it.skipIf(!hasWebGPU)('looks the same with WebGPURenderer on WebGPU', async () => {
    await looksTheSame(address, backends.WebGPU);
    expect((backends.WebGPU.backend as { isWebGPUBackend?: boolean }).isWebGPUBackend).toBe(true);
  });

  it('looks the same with WebGPURenderer on WebGL 2', () => looksTheSame(address, backends['WebGL 2']));
});

async function looksTheSame(address: string, renderer: WebGPURenderer): Promise<void> {
  const rig = await new RigcastLoader().detectSupport(renderer).loadAsync(address);
  await renderer.init();
  const difference = differing(await targetOfWebGL(rig.scene), await targetOfWebGPU(rig.scene, renderer), 8);
  expect(difference.drawn).toBeGreaterThan(1000);
  expect(difference.shape).toBeLessThan(0.01);
  expect(difference.colour).toBeLessThan(0.01);
}
