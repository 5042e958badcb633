// The one of @pixiv/three-vrm-materials-mtoon that is used. The build puts the library itself in
// this file's place.
import * as library from '@pixiv/three-vrm-materials-mtoon';
import type { Color, IUniform, ShaderMaterial, Texture, Vector2 } from 'three';

/**
 * As much of the library's material as is used here: its own declarations cannot be read by Node's
 * rules of modules.
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

/** Not destructured, so that bundlers see what of the library is used. */
export const MToonMaterial: new () => ToonMaterial = (library as unknown as { MToonMaterial: new () => ToonMaterial }).MToonMaterial;
