// Features of avatars: toon materials with outlines, packed maps, expressions, spring bones,
// shadows.
import {
  BackSide,
  CustomBlending,
  DataTexture,
  type DirectionalLight,
  DoubleSide,
  type Mesh,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  NormalBlending,
  OneFactor,
  Quaternion,
  ReverseSubtractEquation,
  ShaderLib,
  SpotLight,
  SrcAlphaFactor,
  Vector3,
  type WebGLRenderer,
} from 'three';
import { describe, expect, it } from 'vitest';
import type { Feature, Light, Properties, Texture as SceneTexture } from '../../../web/src/core/types.ts';
import { assignTexture } from '../../../web/src/three/materials/assignTexture.ts';
import { buildMaterial } from '../../../web/src/three/materials/materials.ts';
import { unusedSlots } from '../../../web/src/textures/slots.ts';
import { isToonMaterial } from '../../../web/src/three/materials/toonMaterial.ts';
import { chainScene } from '../../support/chainScene.ts';
import { modulesFor } from '../../../web/src/three/loadModules.ts';
import { assignRelief } from '../../../web/src/three/materials/relief.ts';
import { Rig } from '../../../web/src/three/rig.ts';
import type { ToonMaterial } from '../../../web/src/three/materials/toon.ts';
import { toonValues } from '../../../web/src/three/materials/toonValues.ts';
import { armScene } from '../../support/armScene.ts';
import { avatarScene, springBone, unityMaterial } from '../../support/avatarScene.ts';

const texture = () => new DataTexture(new Uint8Array(4), 1, 1);
const settings = (properties: SceneTexture['properties']): SceneTexture => ({
  name: '',
  wrapU: 'repeat',
  wrapV: 'repeat',
  filter: 'linear',
  offset: [0, 0],
  scale: [1, 1],
  uvSet: 0,
  srgb: false,
  ...(properties && { properties }),
});

describe('modules', () => {
  it('are imported only for files that need them', async () => {
    expect(Object.keys(await modulesFor(armScene()))).toEqual([]);
    expect(Object.keys(await modulesFor(avatarScene()))).toEqual(['toon', 'curves']);
    expect(Object.keys(await modulesFor({ ...armScene(), features: [springBone()] }))).toEqual(['springs']);
    expect(Object.keys(await modulesFor(chainScene(8)))).toEqual(['skinning']);
    expect(Object.keys(await modulesFor(chainScene(4, 'dualQuaternion')))).toEqual(['skinning']);
    expect(Object.keys(await modulesFor(chainScene(8), { skinning: 'plain' }))).toEqual([]);
    expect(Object.keys(await modulesFor({ ...armScene(), features: [{ kind: 'constraint', name: '', properties: {} }] }))).toEqual([
      'rigging',
    ]);
  });

  it('are reported as missing by new Rig, if the file needs them', async () => {
    const [bare, whole] = [new Rig({ scene: chainScene(8) }), await Rig.make({ scene: chainScene(8) })];
    expect(whole.report.items).toEqual([]);
    expect(bare.report.items.map(({ code, detail }) => `${code} ${detail}`)).toEqual([
      'SKINNING_REDUCED up to 8 influences, drawn with four linear influences. Rig.make loads the code for more influences; new Rig() does not',
    ]);
  });

  it('are all listed by name in the finding about missing modules', async () => {
    const told = (rig: Rig) => rig.report.items.flatMap(({ code, detail }) => (code === 'MODULES_MISSING' ? [detail] : []));
    const features: Feature[] = ['springBone', 'constraint', 'particleSystem', 'expressionOverride'].map(kind => ({
      kind,
      name: '',
      properties: {},
    }));
    const scene = { ...avatarScene(), features };
    expect(told(new Rig({ scene }))).toEqual(['toon, curves, rigging, springs, particles, face']);
    expect(told(new Rig({ scene }, { toon: 'standard' }))).toEqual(['curves, rigging, springs, particles, face']);
    expect(told(await Rig.make({ scene }))).toEqual([]);
    expect(told(new Rig({ scene: armScene() }))).toEqual([]);
  });
});

describe('toon materials', () => {
  it('converts MToon 0.x to values of MToon 1.0', () => {
    const values = toonValues(
      unityMaterial('a', 'mtoon', 'VRM/MToon', {
        floatProperties: {
          _ShadeShift: 0.2,
          _ShadeToony: 0.5,
          _OutlineWidthMode: 1,
          _OutlineWidth: 0.5,
          _IndirectLightIntensity: 0.3,
          _UvAnimScrollY: 0.25,
          _UvAnimRotation: 0.5,
        },
        intProperties: { _OutlineColorMode: 1 },
        textureIndexProperties: { _SphereAdd: 3 },
      }),
    );
    // The shade extends from 0.2 to 1 + (0.2 - 1) * 0.5 = 0.6.
    expect(values.shadingShiftFactor).toBeCloseTo(-0.4);
    expect(values.shadingToonyFactor).toBeCloseTo(0.8);
    expect(values.giEqualizationFactor).toBeCloseTo(0.7);
    expect(values).toMatchObject({
      outlineWidthMode: 'worldCoordinates',
      outlineLightingMixFactor: 1,
      matcapFactor: [1, 1, 1],
      v0CompatShade: true,
    });
    expect(values.outlineWidthFactor).toBeCloseTo(0.005);
    expect(values.uvAnimationScrollYSpeedFactor).toBe(-0.25);
    expect(values.uvAnimationRotationSpeedFactor).toBeCloseTo(Math.PI);
    expect(
      toonValues(unityMaterial('a', 'mtoon', 'VRM/MToon', { floatProperties: { _OutlineWidthMode: 2, _OutlineWidth: 1 } }))
        .outlineWidthFactor,
    ).toBeCloseTo(0.005);
  });

  it('reads MToon 1.0 without changes', () => {
    const values = toonValues(
      unityMaterial('a', 'mtoon', 'VRM10/Universal Render Pipeline/MToon10', {
        floatProperties: { _ShadingShiftFactor: 0.1, _OutlineWidth: 0.003, _OutlineWidthMode: 2 },
      }),
    );
    expect(values).toMatchObject({
      shadingShiftFactor: 0.1,
      shadingToonyFactor: 0.95,
      outlineWidthFactor: 0.003,
      outlineWidthMode: 'screenCoordinates',
      v0CompatShade: false,
      redMasks: false,
    });
  });

  it('converts lilToon like the export of lilToon itself', () => {
    const lit = toonValues(
      unityMaterial('a', 'liltoon', 'lilToon', { floatProperties: { _UseShadow: 0 }, colorProperties: { _Color: [0.5, 0.5, 0.5, 1] } }),
    );
    expect(lit).toMatchObject({
      shadeColorFactor: [0.5, 0.5, 0.5],
      outlineWidthMode: 'none',
      matcapFactor: [0, 0, 0],
      parametricRimColorFactor: [0, 0, 0],
    });
    const shaded = toonValues(
      unityMaterial('a', 'liltoon', 'Hidden/lilToonOutline', {
        floatProperties: { _UseShadow: 1, _ShadowStrength: 0.5, _ShadowBorder: 0.5, _ShadowBlur: 0.2, _OutlineWidth: 0.1 },
        colorProperties: { _ShadowColor: [0, 0.5, 1, 1] },
      }),
    );
    expect(shaded.shadeColorFactor).toEqual([0.5, 0.75, 1]);
    // Borders of 0.4 and 0.6 give shift -0.2 and toony 0.8 / 1.2, which are then converted as in
    // MToon 0.x.
    const high = 1 + (-0.2 - 1) * (0.8 / 1.2);
    expect(shaded.shadingShiftFactor).toBeCloseTo(-(high - 0.2) / 2);
    expect(shaded.outlineWidthMode).toBe('worldCoordinates');
    expect(shaded.outlineWidthFactor).toBeCloseTo(0.001);
  });

  it('adds the outline as one more group with the same attributes', async () => {
    const rig = await Rig.make({ scene: avatarScene() });
    const mesh = rig.meshes[0] as Mesh;
    const [skin, cloth, outline, ...others] = mesh.material as ToonMaterial[];
    expect(others).toEqual([]);
    expect(isToonMaterial(skin!)).toBe(true);
    expect(skin!.isOutline).toBe(false);
    expect(skin!.color.toArray()).toEqual([1, 0.5, 0.25]);
    expect(cloth).toBeInstanceOf(MeshStandardMaterial);
    expect(cloth!.side).toBe(DoubleSide);
    expect(outline).toMatchObject({ isOutline: true, side: BackSide });
    expect(outline!.uniforms['outlineWidthFactor']!.value).toBeCloseTo(0.002);
    expect((outline!.uniforms['outlineColorFactor']!.value as { toArray(): number[] }).toArray()).toEqual([0.1, 0.2, 0.3]);
    expect(mesh.geometry.groups).toEqual([
      { start: 0, count: 6, materialIndex: 0 },
      { start: 6, count: 6, materialIndex: 1 },
      { start: 0, count: 6, materialIndex: 2 },
    ]);
    expect(mesh.geometry.getAttribute('position').array).toBe(rig.file.scene!.meshes[0]!.positions);
    expect(rig.materialsOf(0)).toHaveLength(2);
    rig.dispose();
  });

  it('are standard materials without the module', () => {
    const rig = new Rig({ scene: avatarScene() });
    expect((rig.meshes[0] as Mesh).material).toHaveLength(2);
    expect(rig.materialsOf(0)[0]).toBeInstanceOf(MeshStandardMaterial);
  });

  it('get textures on surface and outline, with masks of 0.x in red', async () => {
    const rig = await Rig.make({ scene: avatarScene() });
    const [skin, outline] = rig.materialsOf(0) as ToonMaterial[];
    const image = texture();
    for (const slot of ['baseColor', 'shade', 'normal', 'matcap', 'rim', 'outlineWidth', 'uvAnimationMask', 'shadingShift', 'emissive'])
      expect(assignTexture(skin!, slot, image)).toBe(true);
    expect([
      skin!.map,
      skin!.shadeMultiplyTexture,
      skin!.normalMap,
      skin!.matcapTexture,
      skin!.rimMultiplyTexture,
      skin!.outlineWidthMultiplyTexture,
    ]).toEqual(Array(6).fill(image));
    expect(skin!.normalScale.y).toBe(-1); // because three.js derives the tangents (see assignTexture)
    expect(skin!.emissive.toArray()).toEqual([1, 1, 1]);
    expect(assignTexture(skin!, 'metallicRoughness', image)).toBe(false);
    expect(outline!.vertexShader).toContain('outlineWidthMultiplyTextureUv ).r');
    expect(outline!.fragmentShader).toContain('uvAnimationMaskTextureUv ).r');
  });

  it('uses the base texture as shade texture of lilToon', async () => {
    const scene = avatarScene();
    scene.materials[0] = unityMaterial('Skin', 'liltoon', 'lilToon', { floatProperties: { _UseShadow: 1 } });
    const rig = await Rig.make({ scene });
    const [skin] = rig.materialsOf(0) as ToonMaterial[];
    const image = texture();
    assignTexture(skin!, 'baseColor', image);
    expect(skin!.shadeMultiplyTexture).toBe(image);
  });

  it('scroll their textures over time', async () => {
    const scene = avatarScene();
    scene.materials[0]!.properties = { shaderName: 'VRM/MToon', floatProperties: { _UvAnimScrollX: 0.5 } };
    const rig = await Rig.make({ scene });
    expect(rig.update(0.5)).toBe(true);
    expect((rig.materialsOf(0)[0] as ToonMaterial).uniforms['uvAnimationScrollXOffset']!.value).toBeCloseTo(0.25);
  });

  it('write depth if the file declares it', async () => {
    const scene = avatarScene();
    scene.materials[0] = unityMaterial(
      'Skin',
      'mtoon',
      'VRM/MToon',
      {},
      { alphaMode: 'blend', depthWrite: true, renderOrder: -50, color: [1, 1, 1, 0.5] },
    );
    const mesh = (await Rig.make({ scene })).meshes[0] as Mesh;
    expect((mesh.material as ToonMaterial[])[0]).toMatchObject({ transparent: true, depthWrite: true, opacity: 0.5 });
    expect(mesh.renderOrder).toBe(-50);
  });

  it('are sorted by render queue inside a mesh', async () => {
    const make = async (...orders: (number | null)[]) => {
      const over = (order: number | null) => (order === null ? {} : { alphaMode: 'blend' as const, renderOrder: order });
      const materials = orders.map((order, i) => unityMaterial(`m${i}`, 'unlit', 'Unlit/Transparent', {}, over(order)));
      const mesh = (await Rig.make({ scene: avatarScene({ materials }) })).meshes[0] as Mesh;
      return { order: mesh.renderOrder, groups: mesh.geometry.groups.map(({ start, materialIndex }) => [start, materialIndex]) };
    };
    expect(await make(10, -50)).toEqual({
      order: 10,
      groups: [
        [6, 1],
        [0, 0],
      ],
    });
    expect(await make(-50, 0)).toEqual({
      order: 0,
      groups: [
        [0, 0],
        [6, 1],
      ],
    });
    expect(await make(-50, null)).toEqual({
      order: -50,
      groups: [
        [0, 0],
        [6, 1],
      ],
    });
  });

  it('support subtractive blending of particles', () => {
    const traits = { isStrands: false, hasColors: false, hasNormals: true, hasTangents: false };
    const make = (shader: string, mode: number) =>
      buildMaterial(unityMaterial('a', 'unlit', shader, { intProperties: { _Mode: mode } }, { alphaMode: 'blend' }), traits);
    expect(make('Particles/Standard Unlit', 5)).toMatchObject({
      blending: CustomBlending,
      blendEquation: ReverseSubtractEquation,
      blendSrc: SrcAlphaFactor,
      blendDst: OneFactor,
      transparent: true,
      depthWrite: false,
    });
    expect(make('Particles/Standard Unlit', 2).blending).toBe(NormalBlending);
    expect(make('Standard', 5).blending).toBe(NormalBlending);
  });

  it('report slots that are not drawn', () => {
    const slots = ['baseColor', 'shade', 'detailNormal', 'height'].map(slot => ({ slot, source: `_${slot}`, texture: 0 }));
    expect(unusedSlots(unityMaterial('a', 'mtoon', 'VRM/MToon', {}, { slots }), true)).toEqual(['_detailNormal', '_height']);
    expect(unusedSlots(unityMaterial('a', 'standard', 'Standard', {}, { slots }), false)).toEqual(['_shade']);
  });
});

describe("Unity's packed maps", () => {
  const dressed = (
    material: ReturnType<typeof unityMaterial>,
    slot: string,
    properties: SceneTexture['properties'],
  ): { material: MeshStandardMaterial; shader: string } => {
    const scene = armScene({ materials: [{ ...material, slots: [{ slot, source: '', texture: 0 }] }] });
    const made = new Rig({ scene }).materialsOf(0)[0] as MeshStandardMaterial;
    assignTexture(made, slot, texture(), { settings: settings(properties) });
    const shader = { vertexShader: ShaderLib.physical.vertexShader, fragmentShader: ShaderLib.physical.fragmentShader, uniforms: {} };
    made.onBeforeCompile(shader as never, null as unknown as WebGLRenderer);
    return { material: made, shader: shader.fragmentShader };
  };

  it('reverts the smoothness factor of the exporter', () => {
    const { material, shader } = dressed(
      unityMaterial('a', 'standard', 'Standard', { floatProperties: { _GlossMapScale: 0.75 } }),
      'metallicRoughness',
      { mapType: 5, metallicRoughness: 0.5 },
    );
    expect(shader).toContain(
      'roughnessFactor *= ( 1.0 - mix( 0.000000, 0.750000, clamp( ( 1.0 - texelRoughness.g ) / 0.500000, 0.0, 1.0 ) ) )',
    );
    expect(shader).toContain('texelMetalness.b');
    expect(material).toMatchObject({ metalness: 1, roughness: 1 });
    expect(material.roughnessMap).toBe(material.metalnessMap);
  });

  it('keeps only metalness if the exporter has lost the smoothness', () => {
    const { material } = dressed(
      unityMaterial('a', 'standard', 'Universal Render Pipeline/Lit', { floatProperties: { _Smoothness: 0.25 } }),
      'metallicRoughness',
      { mapType: 5, metallicRoughness: 1 },
    );
    expect(material.roughnessMap).toBeNull();
    expect(material.roughness).toBe(0.75);
    expect(material.metalnessMap).not.toBeNull();
  });

  it('reads the channels of HDRP mask maps', () => {
    const { material, shader } = dressed(
      unityMaterial('a', 'standard', 'HDRP/Lit', { floatProperties: { _SmoothnessRemapMin: 0.25 } }),
      'maskMap',
      { mapType: 0 },
    );
    expect(shader).toContain('( 1.0 - mix( 0.250000, 1.000000, texelRoughness.a ) )');
    expect(shader).toContain('texelMetalness.r');
    expect(shader).toContain('vAoMapUv ).g');
    expect(material.aoMap).toBe(material.metalnessMap);
  });

  it('supports the specular workflow', () => {
    const { material, shader } = dressed(
      unityMaterial('a', 'standard', 'Universal Render Pipeline/Lit', { floatProperties: { _Smoothness: 0.5, _WorkflowMode: 0 } }),
      'specularGloss',
      { mapType: 6 },
    );
    expect(material).toBeInstanceOf(MeshPhysicalMaterial);
    expect((material as MeshPhysicalMaterial).specularColorMap).not.toBeNull();
    expect(shader).toContain('( 1.0 - mix( 0.000000, 0.500000, texelRoughness.a ) )');
  });

  it('reads smoothness from the alpha of the base texture', () => {
    const material = unityMaterial('a', 'standard', 'Standard', {
      intProperties: { _SmoothnessTextureChannel: 1 },
      floatProperties: { _GlossMapScale: 0.75 },
    });
    const { shader } = dressed(material, 'baseColor', { mapType: 0 });
    expect(shader).toMatch(/roughnessFactor = 1\.0 - sampledDiffuseColor\.a \* 0\.750000;\s*#endif\s*float metalnessFactor = metalness;/);
    const metal = dressed(material, 'metallicRoughness', { mapType: 5, metallicRoughness: 0.5 });
    expect(metal.material.roughnessMap).toBeNull();
    expect(metal.material.metalnessMap).not.toBeNull();
  });

  it('draws detail maps if the shader variant has them', () => {
    const details = (shaderName: string, properties: Properties, slots = ['detailBaseColor', 'detailNormal']) => {
      const made = new Rig({ scene: armScene({ materials: [unityMaterial('a', 'standard', shaderName, properties)] }) }).materialsOf(
        0,
      )[0] as MeshStandardMaterial;
      const drawn = slots.map(slot => assignTexture(made, slot, texture(), { settings: settings({ mapType: 0 }), relief: assignRelief }));
      const shader = {
        vertexShader: ShaderLib.physical.vertexShader,
        fragmentShader: ShaderLib.physical.fragmentShader,
        uniforms: {} as Record<string, unknown>,
      };
      made.onBeforeCompile(shader as never, null as unknown as WebGLRenderer);
      return { made, drawn, ...shader };
    };
    const standard = details('Standard', {
      keywordMap: { _DETAIL_MULX2: true },
      intProperties: { _UVSec: 1 },
      floatProperties: { _DetailNormalMapScale: 0.5 },
    });
    expect(standard.drawn).toEqual([true, true]);
    expect(standard.vertexShader).toContain('vDetailUv = ( detailTransform * vec3( uv1, 1 ) ).xy;');
    expect(standard.fragmentShader).toContain('texture2D( detailMap, vDetailUv ).rgb * 4.594794');
    expect(standard.fragmentShader).toContain('detailN.xy *= sign( normalScale ) * 0.500000;');
    expect(standard.made.normalMap).not.toBeNull();
    expect(standard.uniforms).toHaveProperty('detailNormalMap');
    const universal = details('Universal Render Pipeline/Lit', { floatProperties: { _DetailAlbedoMapScale: 0.25 } }, ['detailBaseColor']);
    expect(universal.fragmentShader).toContain('.rgb * 2.000000, 0.250000 * detailAmount )');
    expect(universal.made.normalMap).toBeNull();
    expect(details('Standard', { keywordMap: { _DETAIL_MULX2: false } }).drawn).toEqual([false, false]);
  });

  it("don't change materials of other files", () => {
    const scene = armScene({ materials: [unityMaterial('a', 'standard', '')] });
    const made = new Rig({ scene }).materialsOf(0)[0] as MeshStandardMaterial;
    assignTexture(made, 'metallicRoughness', texture(), { settings: settings(undefined) });
    expect(made.userData['channels']).toBeUndefined();
    expect(made.roughness).toBe(1);
  });

  it('scale normals', () => {
    const scene = armScene({ materials: [unityMaterial('a', 'standard', 'Standard', { floatProperties: { _BumpScale: 0.5 } })] });
    const made = new Rig({ scene }).materialsOf(0)[0] as MeshStandardMaterial;
    assignTexture(made, 'normal', texture());
    expect(made.normalScale.toArray()).toEqual([0.5, -0.5]);
  });
});

describe('expressions', () => {
  const make = () => {
    const rig = new Rig({ scene: avatarScene() });
    return { expressions: rig.expressions, influences: rig.meshes[0]!.morphTargetInfluences! };
  };

  it('finds expressions by name and by preset', () => {
    const { expressions, influences } = make();
    expect(expressions.names).toEqual(['Smile', 'Oh!', 'nowhere']);
    expect(expressions.presets).toEqual(['happy']);
    expect(expressions.set('happy', 0.5)).toBe(true);
    expect(expressions.get('Smile')).toBe(0.5);
    expect(influences).toEqual([0.25, 0.5]);
    expect(expressions.set('__proto__', 1)).toBe(false);
    expect(expressions.set('nowhere', 1)).toBe(true); // the expression exists, but animates nothing
    expect(influences).toEqual([0.25, 0.5]);
  });

  it('adds expressions to each other and to other morph animation', () => {
    const { expressions, influences } = make();
    expressions.set('Smile', 1);
    expressions.set('Oh!', 0.25);
    expect(influences).toEqual([0.75, 1]);
    influences[0] = 0.125; // an animation writes the value
    expressions.apply();
    expect(influences).toEqual([0.875, 1]);
    expressions.apply();
    expect(influences).toEqual([0.875, 1]);
    expressions.reset();
    expect(influences).toEqual([0.125, 0]);
    expressions.set('Smile', 7);
    expect(expressions.get('Smile')).toBe(1);
    expressions.set('Smile', NaN);
    expect(expressions.get('Smile')).toBe(0);
  });

  it('applies expressions to the meshes of a rig', () => {
    const rig = new Rig({ scene: avatarScene() });
    rig.expressions.set('happy', 1);
    expect(rig.meshes[0]!.morphTargetInfluences).toEqual([0.5, 1]);
  });
});

describe('spring bones', () => {
  const tip = (rig: Rig): Vector3 => rig.nodes[3]!.getWorldPosition(new Vector3());
  const run = (rig: Rig, seconds: number): boolean => {
    let isMoving = false;
    for (let i = 0; i < Math.round(seconds * 60); i++) isMoving = rig.update(1 / 60);
    rig.scene.updateMatrixWorld(true);
    return isMoving;
  };

  it('moves each chain along first children, except the last bone', async () => {
    const rig = await Rig.make({
      scene: { ...avatarScene(), features: [springBone({ gravityPower: 1, stiffnessForce: 0.2, gravityDirection: [1, 0, 0] })] },
    });
    expect(rig.springs!.bones).toEqual([rig.nodes[1], rig.nodes[2]]);
    expect(tip(rig).x).toBeCloseTo(0);
    run(rig, 3);
    expect(tip(rig).x).toBeGreaterThan(1);
    const lengths = [1, 2].map(row =>
      rig.nodes[row]!.getWorldPosition(new Vector3()).distanceTo(rig.nodes[row + 1]!.getWorldPosition(new Vector3())),
    );
    expect(lengths[0]).toBeCloseTo(1, 5);
    expect(lengths[1]).toBeCloseTo(1, 5);
  });

  it('comes to rest, and returns to the rest pose on reset', async () => {
    const rig = await Rig.make({ scene: { ...avatarScene(), features: [springBone({ gravityPower: 0.5, gravityDirection: [1, 0, 0] })] } });
    expect(run(rig, 0.2)).toBe(true);
    expect(run(rig, 30)).toBe(false);
    expect(tip(rig).x).toBeGreaterThan(0.1);
    rig.springs!.reset();
    rig.scene.updateMatrixWorld(true);
    expect(tip(rig).x).toBeCloseTo(0);
    rig.springs!.isOn = false;
    run(rig, 1);
    expect(tip(rig).x).toBeCloseTo(0);
  });

  it('avoids colliders, which scale with their node', async () => {
    const scene = avatarScene();
    scene.nodes.scales.set([1, 1, 1], 0);
    const features = [
      springBone({ gravityPower: 2, stiffnessForce: 0.05, gravityDirection: [1, 0, 0], colliderGroups: [4], hitRadius: 0.1 }),
      {
        kind: 'springBoneColliderGroup',
        node: 0,
        properties: { index: 4, colliders: [{ colliderType: 0, offset: [0.8, 1, 0], radius: 0.5 }] },
      },
    ];
    const rig = await Rig.make({ scene: { ...scene, features } });
    run(rig, 4);
    const elbow = rig.nodes[2]!.getWorldPosition(new Vector3());
    expect(elbow.distanceTo(new Vector3(0.8, 1, 0))).toBeGreaterThan(0.55);
  });

  it('moves equally at half the frame rate', async () => {
    const make = () =>
      Rig.make({
        scene: { ...avatarScene(), features: [springBone({ gravityPower: 1, stiffnessForce: 0.2, gravityDirection: [1, 0, 0] })] },
      });
    const [a, b] = await Promise.all([make(), make()]);
    for (let i = 0; i < 120; i++) a.update(1 / 60);
    for (let i = 0; i < 60; i++) b.update(1 / 30);
    expect(new Quaternion().copy(a.nodes[2]!.quaternion).angleTo(b.nodes[2]!.quaternion)).toBeLessThan(1e-6);
  });

  it('applies gravity in world space, rotated by rotateGravity', async () => {
    const make = () =>
      Rig.make({
        scene: { ...avatarScene(), features: [springBone({ gravityPower: 1, stiffnessForce: 0.2, gravityDirection: [1, 0, 0] })] },
      });
    const [plain, turned] = await Promise.all([make(), make()]);
    for (const rig of [plain, turned]) rig.scene.rotation.y = Math.PI;
    turned.springs!.rotateGravity(turned.scene.quaternion);
    for (const rig of [plain, turned]) {
      rig.scene.updateMatrixWorld(true);
      rig.springs!.reset();
      run(rig, 3);
    }
    expect(tip(plain).x).toBeGreaterThan(1);
    expect(tip(turned).x).toBeLessThan(-1);
  });

  it('stays stable after a long pause and with invalid time steps', async () => {
    const make = () =>
      Rig.make({
        scene: { ...avatarScene(), features: [springBone({ gravityPower: 1, stiffnessForce: 0.2, gravityDirection: [1, 0, 0] })] },
      });
    const [paused, steady] = await Promise.all([make(), make()]);
    for (const seconds of [1 / 60, 3600, NaN, -5, Infinity, 0]) paused.update(seconds);
    for (const rig of [paused, steady]) {
      run(rig, 30);
      rig.scene.updateMatrixWorld(true);
    }
    expect(tip(paused).distanceTo(tip(steady))).toBeLessThan(1e-3);
  });

  it('returns null if no bone can move', async () => {
    for (const over of [{ rootBones: [] }, { rootBones: [3] }, { rootBones: [99] }, { enabled: false }] as Properties[]) {
      expect((await Rig.make({ scene: { ...avatarScene(), features: [springBone(over)] } })).springs).toBeNull();
    }
    expect((await Rig.make({ scene: { ...avatarScene(), features: [springBone({ rootBones: [1, 1, 2] })] } })).springs!.bones).toHaveLength(
      2,
    );
  });
});

describe('lights', () => {
  const light = (over: Partial<Light>): Light => ({
    name: '',
    node: 1,
    type: 'spot',
    color: [1, 1, 1],
    intensity: 2,
    range: 4,
    innerAngle: 0.25,
    outerAngle: 0.5,
    size: [1, 1],
    castShadow: true,
    enabled: true,
    ...over,
  });

  it("applies Unity's shadow settings", () => {
    const rig = new Rig({
      scene: armScene({
        lights: [
          light({
            properties: { shadowResolution: 3, shadowStrength: 0.5, shadowBias: 0.05, shadowNormalBias: 0.4, shadowNearPlane: 0.1 },
          }),
          light({ type: 'directional', range: 0 }),
        ],
      }),
    });
    const made: (SpotLight | DirectionalLight)[] = [];
    rig.scene.traverse(object => (object as { isLight?: boolean }).isLight && made.push(object as SpotLight));
    expect(made[0]).toBeInstanceOf(SpotLight);
    expect(made[0]).toMatchObject({ decay: 2, distance: 4, angle: 0.5, penumbra: 0.5, castShadow: true });
    expect(made[0]!.shadow.mapSize.x).toBe(4096);
    expect(made[0]!.shadow.intensity).toBe(0.5);
    expect(made[0]!.shadow.bias).toBeCloseTo(-0.00005);
    expect(made[1]!.shadow.mapSize.x).toBe(1024);
    expect(made.map(({ shadow }) => shadow.camera.near)).toEqual([0.1, 0.2]);
    expect(rig.meshes[0]).toMatchObject({ castShadow: true, receiveShadow: true });
  });

  it('ignores disabled lights', () => {
    expect(new Rig({ scene: armScene({ lights: [light({ enabled: false })] }) }).meshes[0]!.castShadow).toBe(false);
  });
});
