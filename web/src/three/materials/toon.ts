// Builds MToon materials of @pixiv/three-vrm-materials-mtoon. This module is imported only for
// files with toon materials (modules.ts).
import { BackSide, type Color } from 'three';
import type { Material } from '../../core/types.ts';
import { type ToonValues, toonValues } from './toonValues.ts';

export { toonValues };
import { standardOf } from './toonStandard.ts';
import { MToonMaterial, type ToonMaterial } from './vendor/mtoon.ts';

export type { ToonMaterial };

/**
 * An MToon material that ObjectLoader can load, because it is serialized as a standard material.
 */
class Toon extends MToonMaterial {
  override toJSON(meta?: Parameters<ToonMaterial['toJSON']>[0]): ReturnType<ToonMaterial['toJSON']> {
    const made = standardOf(this);
    Object.assign(made, { uuid: this.uuid });
    made.visible &&= !this.isOutline;
    return made.toJSON(meta) as ReturnType<ToonMaterial['toJSON']>;
  }
}

/**
 * Builds an MToon material without textures. MaterialLibrary sets its transparency and drawn sides.
 */
export function buildToon(source: Material): ToonMaterial {
  const material = new Toon();
  const { redMasks, shadeFromBase, bumpScale, ...values } = toonValues(source);
  for (const [name, value] of Object.entries(values)) {
    if (Array.isArray(value)) (material[name as keyof ToonMaterial] as Color).setRGB(...value);
    else Object.assign(material, { [name]: value });
  }
  addTangents(material);
  if (redMasks) {
    material.vertexShader = material.vertexShader.replace('outlineWidthMultiplyTextureUv ).g', 'outlineWidthMultiplyTextureUv ).r');
    material.fragmentShader = material.fragmentShader.replace('uvAnimationMaskTextureUv ).b', 'uvAnimationMaskTextureUv ).r');
  }
  material.normalScale.setScalar(bumpScale);
  material.userData = { toon: { shadeFromBase, bumpScale } satisfies Pick<ToonValues, 'shadeFromBase' | 'bumpScale'> };
  return material;
}

/**
 * Makes the vertex shader output tangents, because the library's fragment shader reads them if the
 * mesh has tangents.
 */
function addTangents(material: ToonMaterial): void {
  material.vertexShader = material.vertexShader
    .replace(
      'varying vec3 vNormal;',
      'varying vec3 vNormal;\n#ifdef USE_TANGENT\n  varying vec3 vTangent;\n  varying vec3 vBitangent;\n#endif',
    )
    .replace(
      'vNormal = normalize( transformedNormal );',
      `vNormal = normalize( transformedNormal );
#ifdef USE_TANGENT
    vTangent = normalize( transformedTangent );
    vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
    #ifdef FLIP_SIDED
      vBitangent = - vBitangent;
    #endif
#endif`,
    );
}

/**
 * Returns the material of the outline, which is drawn as enlarged back faces. Returns null if the
 * material has no outline.
 */
export function buildOutline(surface: ToonMaterial): ToonMaterial | null {
  const { outlineWidthMode, outlineWidthFactor } = surface as unknown as ToonValues;
  if (outlineWidthMode === 'none' || !(outlineWidthFactor > 0)) return null;
  const outline = surface.clone();
  outline.vertexShader = surface.vertexShader;
  outline.fragmentShader = surface.fragmentShader;
  outline.isOutline = true;
  outline.side = BackSide;
  outline.userData = { ...surface.userData, outlineOf: surface };
  outline.update(0);
  return outline;
}
