// Converts MToon 0.x, MToon 1.0 and lilToon materials to MToon 1.0 values, without importing
// three.js. The rules are in docs/formats/vgo.md, sections 9.5 and 9.6.
import type { Material } from '../../core/types.ts';
import { ShaderValues } from './shaderValues.ts';

type Rgb = [number, number, number];

/**
 * MToon values, named as in MToonMaterial of @pixiv/three-vrm-materials-mtoon. Colors are linear,
 * lengths in metres, angles in radians, and speeds per second.
 */
export interface ToonValues {
  shadeColorFactor: Rgb;
  shadingShiftFactor: number;
  shadingToonyFactor: number;
  shadingShiftTextureScale: number;
  giEqualizationFactor: number;
  matcapFactor: Rgb;
  parametricRimColorFactor: Rgb;
  rimLightingMixFactor: number;
  parametricRimFresnelPowerFactor: number;
  parametricRimLiftFactor: number;
  outlineWidthMode: 'none' | 'worldCoordinates' | 'screenCoordinates';
  outlineWidthFactor: number;
  outlineColorFactor: Rgb;
  outlineLightingMixFactor: number;
  uvAnimationScrollXSpeedFactor: number;
  uvAnimationScrollYSpeedFactor: number;
  uvAnimationRotationSpeedFactor: number;
  /**
   * True if the drawn color is limited to that of the texture, however bright the light is (MToon
   * 0.x).
   */
  v0CompatShade: boolean;
  /**
   * True if the red channel contains the masks of outline width and UV animation (MToon 0.x). In
   * MToon 1.0, they are in green and blue.
   */
  redMasks: boolean;
  /** True if the base texture also serves as the shade texture. */
  shadeFromBase: boolean;
  bumpScale: number;
}

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [1, 1, 1];
const MODES = ['none', 'worldCoordinates', 'screenCoordinates'] as const;

export function toonValues(material: Material): ToonValues {
  const values = new ShaderValues(material);
  if (material.model === 'liltoon') return fromLilToon(values);
  return /MToon10/.test(values.shader) ? fromMToon1(values) : fromMToon0(values);
}

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

/** Converts the border and sharpness of the shade from MToon 0.x to MToon 1.0. */
function shading(shift: number, toony: number): Pick<ToonValues, 'shadingShiftFactor' | 'shadingToonyFactor'> {
  const low = shift;
  const high = 1 + (shift - 1) * toony;
  return { shadingShiftFactor: -clamp((high + low) / 2, -1, 1), shadingToonyFactor: clamp((2 - (high - low)) / 2, 0, 1) };
}

/**
 * Converts the speeds of UV animation. V points down in three.js scenes of rigcast, and up in
 * Unity.
 */
function uvAnimation(
  x: number,
  y: number,
  rotation: number,
): Pick<ToonValues, 'uvAnimationScrollXSpeedFactor' | 'uvAnimationScrollYSpeedFactor' | 'uvAnimationRotationSpeedFactor'> {
  return { uvAnimationScrollXSpeedFactor: x, uvAnimationScrollYSpeedFactor: -y, uvAnimationRotationSpeedFactor: 2 * Math.PI * rotation };
}

function fromMToon0(values: ShaderValues): ToonValues {
  const mode = MODES[values.number('_OutlineWidthMode', 0)] ?? 'none';
  // The file stores the outline width in centimetres or, in screen mode, as a percentage of half
  // the viewport height.
  const width = values.number('_OutlineWidth', 0.5) * (mode === 'screenCoordinates' ? 0.005 : 0.01);
  return {
    shadeColorFactor: values.color('_ShadeColor', [0.97, 0.81, 0.86]),
    ...shading(values.number('_ShadeShift', 0), values.number('_ShadeToony', 0.9)),
    shadingShiftTextureScale: 1,
    giEqualizationFactor: 1 - values.number('_IndirectLightIntensity', 0.1),
    matcapFactor: values.hasTexture('_SphereAdd') ? WHITE : BLACK,
    parametricRimColorFactor: values.color('_RimColor', BLACK),
    rimLightingMixFactor: values.number('_RimLightingMix', 0),
    parametricRimFresnelPowerFactor: values.number('_RimFresnelPower', 1),
    parametricRimLiftFactor: values.number('_RimLift', 0),
    outlineWidthMode: mode,
    outlineWidthFactor: width,
    outlineColorFactor: values.color('_OutlineColor', BLACK),
    outlineLightingMixFactor: values.number('_OutlineColorMode', 0) === 1 ? values.number('_OutlineLightingMix', 1) : 0,
    ...uvAnimation(values.number('_UvAnimScrollX', 0), values.number('_UvAnimScrollY', 0), values.number('_UvAnimRotation', 0)),
    v0CompatShade: true,
    redMasks: true,
    shadeFromBase: false,
    bumpScale: values.number('_BumpScale', 1),
  };
}

function fromMToon1(values: ShaderValues): ToonValues {
  return {
    shadeColorFactor: values.color('_ShadeColor', WHITE),
    shadingShiftFactor: values.number('_ShadingShiftFactor', -0.05),
    shadingToonyFactor: values.number('_ShadingToonyFactor', 0.95),
    shadingShiftTextureScale: values.number('_ShadingShiftTexScale', 1),
    giEqualizationFactor: values.number('_GiEqualization', 0.9),
    matcapFactor: values.color('_MatcapColor', WHITE),
    parametricRimColorFactor: values.color('_RimColor', BLACK),
    rimLightingMixFactor: values.number('_RimLightingMix', 1),
    parametricRimFresnelPowerFactor: values.number('_RimFresnelPower', 5),
    parametricRimLiftFactor: values.number('_RimLift', 0),
    outlineWidthMode: MODES[values.number('_OutlineWidthMode', 0)] ?? 'none',
    outlineWidthFactor: values.number('_OutlineWidth', 0),
    outlineColorFactor: values.color('_OutlineColor', BLACK),
    outlineLightingMixFactor: values.number('_OutlineLightingMix', 1),
    ...uvAnimation(
      values.number('_UvAnimScrollXSpeed', 0),
      values.number('_UvAnimScrollYSpeed', 0),
      values.number('_UvAnimRotationSpeed', 0),
    ),
    v0CompatShade: false,
    redMasks: false,
    shadeFromBase: false,
    bumpScale: values.number('_BumpScale', 1),
  };
}

/** Converts a lilToon material like lilToon's own export to MToon. */
function fromLilToon(values: ShaderValues): ToonValues {
  const hasShadow = values.isOn('_UseShadow');
  const hasRim = values.isOn('_UseRim');
  const border = values.number('_ShadowBorder', 0.5);
  const blur = values.number('_ShadowBlur', 0.1);
  const low = clamp(border - blur / 2, 0, 1);
  const high = clamp(border + blur / 2, 0, 1);
  const shift = 2 * low - 1;
  const toony = shift === 1 ? 1 : (2 - 2 * high) / (1 - shift);
  const strength = values.number('_ShadowStrength', 1);
  const tint = hasShadow ? values.color('_ShadowColor', [0.7, 0.75, 0.85]).map(value => 1 - (1 - value) * strength) : WHITE;
  const base = values.hasTexture('_ShadowColorTex') ? WHITE : values.color('_Color', WHITE); // a shade that uses the base texture also uses the base color
  const power = values.number('_RimFresnelPower', 3.5);
  const rimBlur = values.number('_RimBlur', 0.65);
  const hasMatcap = values.isOn('_UseMatCap') && values.number('_MatCapBlendMode', 1) !== 3;
  return {
    shadeColorFactor: base.map((value, i) => value * tint[i]!) as Rgb,
    ...shading(shift, toony),
    shadingShiftTextureScale: 1,
    giEqualizationFactor: 0.9,
    matcapFactor: hasMatcap ? values.color('_MatCapColor', WHITE) : BLACK,
    parametricRimColorFactor: hasRim ? values.color('_RimColor', WHITE) : BLACK,
    rimLightingMixFactor: values.number('_RimEnableLighting', 1),
    parametricRimFresnelPowerFactor: power / Math.max(0.001, rimBlur),
    parametricRimLiftFactor: (1 - values.number('_RimBorder', 0.5)) ** power * (1 - rimBlur),
    outlineWidthMode: /outline/i.test(values.shader) ? 'worldCoordinates' : 'none',
    outlineWidthFactor: values.number('_OutlineWidth', 0.08) * 0.01,
    outlineColorFactor: values.color('_OutlineColor', [0.32, 0.27, 0.28]),
    outlineLightingMixFactor: values.number('_OutlineEnableLighting', 1),
    ...uvAnimation(0, 0, 0),
    v0CompatShade: true,
    redMasks: true,
    shadeFromBase: true,
    bumpScale: values.number('_BumpScale', 1),
  };
}
