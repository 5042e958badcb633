// Exports the only class of @pixiv/three-vrm-materials-mtoon that rigcast uses. The build replaces
// this file by the library itself.
import * as library from '@pixiv/three-vrm-materials-mtoon';
import type { Color, IUniform, ShaderMaterial, Texture, Vector2 } from 'three';

/**
 * The members of the library's material that rigcast uses. Node's module rules can't resolve the
 * library's own declarations.
 */
export interface ToonMaterial extends ShaderMaterial {
  readonly isMToonMaterial: true;
  color: Color;
  emissive: Color;
  map: Texture | null;
  normalMap: Texture | null;
  normalScale: Vector2;
  emissiveMap: Texture | null;
  shadeMultiplyTexture: Texture | null;
  shadingShiftTexture: Texture | null;
  matcapTexture: Texture | null;
  rimMultiplyTexture: Texture | null;
  outlineWidthMultiplyTexture: Texture | null;
  uvAnimationMaskTexture: Texture | null;
  uvAnimationScrollXSpeedFactor: number;
  uvAnimationScrollYSpeedFactor: number;
  uvAnimationRotationSpeedFactor: number;
  isOutline: boolean;
  update(seconds: number): void;
  uniforms: Record<string, IUniform>;
}

/**
 * The export is accessed as a member instead of destructured, so that bundlers see that only this
 * export is used.
 */
export const MToonMaterial: new () => ToonMaterial = (library as unknown as { MToonMaterial: new () => ToonMaterial }).MToonMaterial;
