// A scene for tests with features of VGO: the arm of armScene.ts with Unity materials and
// expressions. Tests can add spring bones.
import type { Feature, Material, Properties, RigScene } from '../../web/src/core/types.ts';
import { armScene, f32 } from './armScene.ts';

export function unityMaterial(
  name: string,
  model: string,
  shaderName: string,
  properties: Properties = {},
  over: Partial<Material> = {},
): Material {
  return {
    name,
    model,
    color: [1, 0.5, 0.25, 1],
    emissive: [0, 0, 0],
    metalness: 0,
    roughness: 0.5,
    alphaMode: 'opaque',
    alphaCutoff: 0.5,
    side: 'front',
    visible: true,
    renderOrder: 0,
    slots: [],
    properties: { shaderName, ...properties },
    ...over,
  };
}

export const springBone = (properties: Properties = {}): Feature => ({
  kind: 'springBone',
  name: 'tail',
  node: 1,
  properties: {
    enabled: true,
    dragForce: 0.4,
    stiffnessForce: 1,
    gravityDirection: [0, -1, 0],
    gravityPower: 0,
    rootBones: [1],
    hitRadius: 0.02,
    colliderGroups: [],
    ...properties,
  },
});

/** Builds the scene of an avatar. `over`: members that replace those of the scene. */
export function avatarScene(over: Partial<RigScene> = {}): RigScene {
  const base = armScene();
  return {
    ...base,
    materials: [
      unityMaterial('Skin', 'mtoon', 'VRM/MToon', {
        floatProperties: { _OutlineWidthMode: 1, _OutlineWidth: 0.2 },
        colorProperties: { _ShadeColor: [0.5, 0.25, 0.125, 1], _OutlineColor: [0.1, 0.2, 0.3, 1] },
      }),
      unityMaterial('Cloth', 'standard', 'Standard', {}, { side: 'both' }),
    ],
    expressions: [
      {
        name: 'Smile',
        preset: 'happy',
        bindings: [
          { renderer: 0, morph: 0, weight: 0.5 },
          { renderer: 0, morph: 1, weight: 1 },
        ],
      },
      { name: 'Oh!', bindings: [{ renderer: 0, morph: 0, weight: 1 }] },
      {
        name: 'nowhere',
        bindings: [
          { renderer: 7, morph: 0, weight: 1 },
          { renderer: 0, morph: 9, weight: 1 },
        ],
      },
    ],
    ...over,
  };
}

export const quarterTurn = f32(0, 0, Math.SQRT1_2, Math.SQRT1_2);
