// Toon materials where their shader isn't available: in exporters, JSON and WebGPURenderer.
import { type Material, Mesh, MeshStandardMaterial, type Object3D, ObjectLoader, type ShaderMaterial } from 'three';
import { describe, expect, it } from 'vitest';
import { RigcastLoader } from '../../../web/src/three/loader.ts';
import { isToonMaterial } from '../../../web/src/three/materials/toonMaterial.ts';
import { Rig } from '../../../web/src/three/rig.ts';
import { avatarScene } from '../../support/avatarScene.ts';

const materialsOf = (tree: Object3D): Material[] => {
  const all: Material[] = [];
  tree.traverse(object => void (object instanceof Mesh && all.push(...[object.material].flat())));
  return all;
};
const isShader = (material: Material): boolean => (material as ShaderMaterial).isShaderMaterial;

describe('toon materials', () => {
  it('are standard materials without outlines in a copy for exporters', async () => {
    const rig = await Rig.make({ scene: avatarScene() });
    const before = materialsOf(rig.scene);
    expect(before.filter(isShader)).toHaveLength(2);
    const copy = await rig.cloneForExport();
    const [skin, cloth, ...others] = materialsOf(copy) as MeshStandardMaterial[];
    expect(others).toEqual([]);
    expect(skin).toBeInstanceOf(MeshStandardMaterial);
    expect(skin!.color.toArray()).toEqual([1, 0.5, 0.25]);
    expect(cloth).toBe(before[1]);
    const [own, made] = [rig.scene, copy].map(tree => {
      let found: Mesh | undefined;
      tree.traverse(object => void (object instanceof Mesh && (found ??= object)));
      return found!;
    });
    expect(made!.geometry.groups.every(({ materialIndex }) => materialIndex! < 2)).toBe(true);
    expect(made!.geometry.getAttribute('position')).toBe(own!.geometry.getAttribute('position'));
    expect(materialsOf(rig.scene)).toEqual(before);
  });

  it('are serialized as standard materials', async () => {
    const rig = await Rig.make({ scene: avatarScene() });
    const json = JSON.parse(JSON.stringify(rig.scene.toJSON())) as object;
    const read = materialsOf(await new ObjectLoader().parseAsync(json));
    expect(read.length).toBeGreaterThan(1);
    expect(read.filter(isShader)).toEqual([]);
    expect(read.filter(({ visible }) => visible)).toHaveLength(2);
    const [surface] = materialsOf(rig.scene);
    expect(surface!.clone().toJSON().type).toBe('MeshStandardMaterial');
  });

  it('are built as standard materials on request, which is reported', async () => {
    const gpu = { isWebGPURenderer: true };
    const { options } = new RigcastLoader().detectSupport(gpu);
    const rig = await Rig.make({ scene: avatarScene() }, options);
    expect(materialsOf(rig.scene).some(isToonMaterial)).toBe(false);
    expect(rig.report.items.filter(({ code }) => code === 'TOON_REDUCED')).toMatchObject([{ severity: 'info', count: 1 }]);
    const shader = await Rig.make({ scene: avatarScene() });
    expect(shader.report.items.some(({ code }) => code === 'TOON_REDUCED')).toBe(false);
    const told = () => shader.report.items.filter(({ code }) => code === 'MATERIAL_REDUCED');
    const drawnBy = (renderer: object) =>
      shader.scene.traverse(object => object.onBeforeRender(...([renderer] as unknown as Parameters<Object3D['onBeforeRender']>)));
    drawnBy({});
    expect(told()).toEqual([]);
    for (let i = 0; i < 2; i++) drawnBy(gpu);
    expect(told()).toMatchObject([{ severity: 'warning', count: 1, detail: expect.stringContaining('detectSupport') as string }]);
  });
});
