// Writes the material names and flags of a PSK (docs/formats/psk-psa.md section 3, MATT0000).
import type { Material, Properties, RigScene } from '../../core/types.ts';
import { numberIn } from '../../core/properties.ts';
import { DEFAULT_MATERIAL } from '../../textures/defaultMaterial.ts';
import type { ReportBuilder } from '../common/report.ts';
import type { ActorXBytes } from './bytes.ts';

const UNLIT = 0x10;
const HIDDEN = 8;

export interface MaterialsSource {
  scene: RigScene;
  materials: readonly number[];
  /** True if a material is added at the end of the list, for faces that have no material. */
  isBlankNeeded: boolean;
  isOwn: boolean;
  /** Texture slots that the .mat file of each material contains, by row of `scene.materials`. */
  storedSlots: ReadonlyMap<number, ReadonlySet<string>>;
  report: ReportBuilder;
}

export function writeMaterials(bytes: ActorXBytes, { scene, materials, isBlankNeeded, isOwn, storedSlots, report }: MaterialsSource): void {
  const listed = materials.map(row => scene.materials[row]);
  // When rigcast opens a damaged file, it adds placeholders for missing materials. These
  // placeholders are not written.
  while (isOwn && listed.at(-1)?.properties?.['placeholder'] === true) listed.pop();
  for (const [i, material] of listed.entries())
    if (material && !isOwn) reportLosses(material, scene, storedSlots.get(materials[i] ?? -1), report);
  bytes.chunk('MATT0000', 88, Math.min(listed.length + (isBlankNeeded ? 1 : 0), 256), (view, at, i) => {
    const material = listed[i];
    const own: Properties = (isOwn && material?.properties) || {};
    bytes.name(view, at, material ? material.name : 'None');
    view.setInt32(at + 64, numberIn(own, 'textureIndex', i), true);
    view.setUint32(at + 68, numberIn(own, 'polyFlags', material ? flagsOf(material) : 0), true);
    view.setInt32(at + 72, numberIn(own, 'auxMaterial', 0), true);
    view.setUint32(at + 76, numberIn(own, 'auxFlags', 0), true);
    view.setInt32(at + 80, numberIn(own, 'lodBias', 0), true);
    view.setInt32(at + 84, numberIn(own, 'lodStyle', 0), true);
  });
}

/**
 * Returns the ActorX flags of a material (two-sided, masked, additive or multiplicative). If
 * several flags apply, returns the most important one.
 */
function flagsOf({ visible, alphaMode, side, model }: Material): number {
  const unlit = model === 'unlit' ? UNLIT : 0;
  if (!visible) return HIDDEN | unlit;
  if (alphaMode === 'add') return 2 | unlit;
  if (alphaMode === 'mask') return 3 | unlit;
  if (alphaMode === 'multiply') return 4 | unlit;
  return (side === 'both' ? 1 : 0) | unlit;
}

function reportLosses(material: Material, scene: RigScene, storedSlots: ReadonlySet<string> | undefined, report: ReportBuilder): void {
  const { name, alphaMode, side, model } = material;
  const lost = lostSettings(material, scene, storedSlots);
  if (alphaMode === 'blend') lost.push('transparency');
  const isSeenFromBoth = alphaMode === 'add' || alphaMode === 'mask' || (side === 'both' && alphaMode !== 'multiply');
  if ((side === 'both') !== isSeenFromBoth || side === 'back') lost.push('visible side');
  if (model !== 'unlit') lost.push(...shadingOf(material, scene));
  if (lost.length > 0) report.add('MATERIAL_WORDS_LOST', name, 1, lost.join(', '));
}

/** Returns the shading of a material, or an empty list if the source does not state it. */
export function shadingOf({ model, metalness, roughness }: Material, { hints }: RigScene): string[] {
  if (model !== 'standard') return [model];
  // Readers give default values to materials that consist of a name.
  const isDefault = metalness === DEFAULT_MATERIAL.metalness && roughness === Math.fround(DEFAULT_MATERIAL.roughness);
  return hints?.namedMaterials && isDefault ? [] : [`metalness ${rounded(metalness)} and roughness ${rounded(roughness)}`];
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/** Returns the textures and colours that neither the model nor the .mat file of the material stores. */
export function lostSettings(
  { slots, color, emissive }: Material,
  scene: RigScene,
  storedSlots: ReadonlySet<string> | undefined,
): string[] {
  const lost: string[] = [];
  for (const { slot, source, texture } of slots)
    if (texture !== undefined && !storedSlots?.has(slot)) lost.push(scene.textures[texture]?.name || source);
  if (color.some(value => value !== 1) || emissive.some(value => value !== 0)) lost.push('colours');
  if (storedSlots?.has('normal') && scene.hints?.directXNormals !== true) lost.push('green channel of normals points up');
  return lost;
}
