// Writes the values of MeshPhysicalMaterial as ratified glTF extensions: clear coat, sheen,
// transmission and others. Materials that a loader of three.js has read contain them, by their names
// in three.js, in the property `physical`. Their textures are in slots of the same names.
import { member, numberIn, numbersIn } from '../../core/properties.ts';
import type { Material, PropertyValue } from '../../core/types.ts';
import {
  type Document,
  type ExtensionProperty,
  type GltfMaterial,
  type GltfTexture,
  KHRMaterialsAnisotropy,
  KHRMaterialsClearcoat,
  KHRMaterialsDispersion,
  KHRMaterialsIOR,
  KHRMaterialsIridescence,
  KHRMaterialsSheen,
  KHRMaterialsSpecular,
  KHRMaterialsTransmission,
  KHRMaterialsVolume,
  type TextureInfo,
} from '../vendor/gltfTransform.ts';

/** Assigns a texture to the written extension, and returns its settings. */
type SetTexture = (texture: GltfTexture) => TextureInfo | null;

interface Effect {
  isUsed(values: PropertyValue, has: (slot: string) => boolean): boolean;
  /** Slots whose textures belong to the effect. */
  slots: readonly string[];
  write(document: Document, values: PropertyValue): { made: ExtensionProperty; textures: Readonly<Record<string, SetTexture>> };
}

type Color = [number, number, number];

const color = (values: PropertyValue, name: string, otherwise: Color): Color => numbersIn(values, name, otherwise) as Color;

const EFFECTS: readonly Effect[] = [
  {
    isUsed: values => numberIn(values, 'ior', 1.5) !== 1.5,
    slots: [],
    write: (document, values) => ({
      made: document
        .createExtension(KHRMaterialsIOR)
        .createIOR()
        .setIOR(numberIn(values, 'ior', 1.5)),
      textures: {},
    }),
  },
  {
    isUsed: (values, has) =>
      ['specularIntensity', 'specularColor'].some(name => member(values, name) !== undefined) ||
      has('specularIntensityMap') ||
      has('specularColor'),
    slots: ['specularIntensityMap', 'specularColor'],
    write(document, values) {
      const made = document
        .createExtension(KHRMaterialsSpecular)
        .createSpecular()
        .setSpecularFactor(numberIn(values, 'specularIntensity', 1))
        .setSpecularColorFactor(color(values, 'specularColor', [1, 1, 1]));
      return {
        made,
        textures: {
          specularIntensityMap: texture => made.setSpecularTexture(texture).getSpecularTextureInfo(),
          specularColor: texture => made.setSpecularColorTexture(texture).getSpecularColorTextureInfo(),
        },
      };
    },
  },
  {
    isUsed: values => numberIn(values, 'clearcoat', 0) > 0,
    slots: ['clearcoatMap', 'clearcoatRoughnessMap', 'clearcoatNormalMap'],
    write(document, values) {
      const made = document
        .createExtension(KHRMaterialsClearcoat)
        .createClearcoat()
        .setClearcoatFactor(numberIn(values, 'clearcoat', 0))
        .setClearcoatRoughnessFactor(numberIn(values, 'clearcoatRoughness', 0))
        .setClearcoatNormalScale(numbersIn(values, 'clearcoatNormalScale', [1])[0]!);
      return {
        made,
        textures: {
          clearcoatMap: texture => made.setClearcoatTexture(texture).getClearcoatTextureInfo(),
          clearcoatRoughnessMap: texture => made.setClearcoatRoughnessTexture(texture).getClearcoatRoughnessTextureInfo(),
          clearcoatNormalMap: texture => made.setClearcoatNormalTexture(texture).getClearcoatNormalTextureInfo(),
        },
      };
    },
  },
  {
    isUsed: values => color(values, 'sheenColor', [0, 0, 0]).some(value => value > 0),
    slots: ['sheenColorMap', 'sheenRoughnessMap'],
    write(document, values) {
      const made = document
        .createExtension(KHRMaterialsSheen)
        .createSheen()
        .setSheenColorFactor(color(values, 'sheenColor', [0, 0, 0]))
        .setSheenRoughnessFactor(numberIn(values, 'sheenRoughness', 1));
      return {
        made,
        textures: {
          sheenColorMap: texture => made.setSheenColorTexture(texture).getSheenColorTextureInfo(),
          sheenRoughnessMap: texture => made.setSheenRoughnessTexture(texture).getSheenRoughnessTextureInfo(),
        },
      };
    },
  },
  {
    isUsed: values => numberIn(values, 'transmission', 0) > 0,
    slots: ['transmissionMap'],
    write(document, values) {
      const made = document
        .createExtension(KHRMaterialsTransmission)
        .createTransmission()
        .setTransmissionFactor(numberIn(values, 'transmission', 0));
      return { made, textures: { transmissionMap: texture => made.setTransmissionTexture(texture).getTransmissionTextureInfo() } };
    },
  },
  {
    isUsed: values => numberIn(values, 'thickness', 0) > 0,
    slots: ['thicknessMap'],
    write(document, values) {
      const made = document
        .createExtension(KHRMaterialsVolume)
        .createVolume()
        .setThicknessFactor(numberIn(values, 'thickness', 0))
        .setAttenuationDistance(numberIn(values, 'attenuationDistance', Infinity))
        .setAttenuationColor(color(values, 'attenuationColor', [1, 1, 1]));
      return { made, textures: { thicknessMap: texture => made.setThicknessTexture(texture).getThicknessTextureInfo() } };
    },
  },
  {
    isUsed: values => numberIn(values, 'iridescence', 0) > 0,
    slots: ['iridescenceMap', 'iridescenceThicknessMap'],
    write(document, values) {
      const made = document
        .createExtension(KHRMaterialsIridescence)
        .createIridescence()
        .setIridescenceFactor(numberIn(values, 'iridescence', 0))
        .setIridescenceIOR(numberIn(values, 'iridescenceIOR', 1.3))
        .setIridescenceThicknessMinimum(numberIn(values, 'iridescenceThicknessMinimum', 100))
        .setIridescenceThicknessMaximum(numberIn(values, 'iridescenceThicknessMaximum', 400));
      return {
        made,
        textures: {
          iridescenceMap: texture => made.setIridescenceTexture(texture).getIridescenceTextureInfo(),
          iridescenceThicknessMap: texture => made.setIridescenceThicknessTexture(texture).getIridescenceThicknessTextureInfo(),
        },
      };
    },
  },
  {
    isUsed: values => numberIn(values, 'anisotropy', 0) > 0,
    slots: ['anisotropyMap'],
    write(document, values) {
      const made = document
        .createExtension(KHRMaterialsAnisotropy)
        .createAnisotropy()
        .setAnisotropyStrength(numberIn(values, 'anisotropy', 0))
        .setAnisotropyRotation(numberIn(values, 'anisotropyRotation', 0));
      return { made, textures: { anisotropyMap: texture => made.setAnisotropyTexture(texture).getAnisotropyTextureInfo() } };
    },
  },
  {
    isUsed: values => numberIn(values, 'dispersion', 0) > 0,
    slots: [],
    write: (document, values) => ({
      made: document
        .createExtension(KHRMaterialsDispersion)
        .createDispersion()
        .setDispersion(numberIn(values, 'dispersion', 0)),
      textures: {},
    }),
  },
];

/** Returns the values of a material that a loader of three.js has read as MeshPhysicalMaterial. */
export const physicalOf = ({ properties }: Material): PropertyValue | undefined => member(properties, 'physical');

function effectsOf(material: Material): Effect[] {
  const values = physicalOf(material);
  const has = (name: string): boolean => material.slots.some(({ slot, texture }) => slot === name && texture !== undefined);
  return values === undefined ? [] : EFFECTS.filter(effect => effect.isUsed(values, has));
}

/** Returns the slots whose textures the extensions of a material use. */
export const effectSlots = (material: Material): string[] => effectsOf(material).flatMap(({ slots }) => slots);

/** Adds the extensions of a material. Returns the functions that assign textures, by slot. */
export function writeEffects(document: Document, made: GltfMaterial, material: Material): Readonly<Record<string, SetTexture>> {
  const values = physicalOf(material) ?? null;
  const written = effectsOf(material).map(effect => effect.write(document, values));
  for (const { made: extension } of written) made.setExtension(extension.extensionName, extension);
  return Object.assign({}, ...written.map(({ textures }) => textures)) as Record<string, SetTexture>;
}
