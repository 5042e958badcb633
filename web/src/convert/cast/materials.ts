// Writes materials to Cast as image paths and colours, with Cast's names for material slots.
import { member, textIn } from '../../core/properties.ts';
import type { Material, MaterialSlot } from '../../core/types.ts';
import type { TexturedScene } from '../common/texturedScene.ts';
import type { ImageFiles } from '../common/imageFiles.ts';
import type { ReportBuilder } from '../common/report.ts';
import { hasGreenDown } from '../common/unsupported.ts';
import type { CastNode, CastTree } from './tree.ts';

/**
 * Maps material slots to their names in Cast (docs/formats/cast.md section 4.1). Slots that are not
 * listed keep their names.
 */
const NAMES: Readonly<Record<string, string>> = {
  baseColor: 'albedo',
  normal: 'normal',
  specular: 'specular',
  metallic: 'metal',
  roughness: 'roughness',
  gloss: 'gloss',
  emissive: 'emissive',
  emissiveMask: 'emask',
  occlusion: 'ao',
  cavity: 'cavity',
  anisotropy: 'aniso',
  emissiveStrength: 'estrength',
};

/**
 * Returns the name of a slot in Cast. If a material has no slot `metal`, Cast importers treat the
 * slot `specular` as the colour of reflections.
 */
function nameOf({ slot }: MaterialSlot, { model }: Material): string {
  return slot === 'specularColor' && model === 'specular' ? 'specular' : (NAMES[slot] ?? slot);
}

export class CastMaterials {
  readonly #tree: CastTree;
  readonly #textured: TexturedScene;
  readonly #images: ImageFiles;
  readonly #report: ReportBuilder;
  /**
   * True if the source is a Cast file. In that case slots keep their original names, and only
   * values that the source contains are written.
   */
  readonly #isCast: boolean;
  readonly #reported = new Set<Material>();

  constructor(tree: CastTree, textured: TexturedScene, images: ImageFiles, report: ReportBuilder, isCast: boolean) {
    this.#tree = tree;
    this.#textured = textured;
    this.#images = images;
    this.#report = report;
    this.#isCast = isCast;
  }

  /**
   * Writes a material as a child of a model node. Returns null if the scene has no material in this
   * row.
   */
  async write(row: number, model: CastNode): Promise<CastNode | null> {
    const source = this.#textured.scene.materials[row];
    if (!source) return null;
    const type = textIn(source.properties, 'type');
    const made = this.#tree.make('matl', model).text('n', source.name);
    made.text('t', (this.#isCast && type) || 'pbr');
    const taken = new Set<string>();
    const lost = new Set<string>();
    for (const slot of source.slots) {
      const name = this.#isCast ? slot.source : nameOf(slot, source);
      if (taken.has(name)) lost.add(slot.source);
      else if (await this.#writeSlot(made, name, slot, source, lost)) taken.add(name);
    }
    if (!this.#isCast) this.#writeFactors(made, source, taken, lost);
    if (!this.#isCast && this.#textured.factors?.has(row)) lost.add('factors beside textures');
    if (!this.#reported.has(source)) this.#reportLost(source, lost);
    this.#reported.add(source);
    return made;
  }

  async #writeSlot(made: CastNode, name: string, slot: MaterialSlot, { properties }: Material, lost: Set<string>): Promise<boolean> {
    const { scene } = this.#textured;
    const texture = scene.textures[slot.texture ?? -1];
    if (texture?.image !== undefined) {
      const path = textIn(texture.properties, 'path') || (await this.#images.pathOf(texture.image));
      if (!path) return false;
      if (slot.color) lost.add('factors beside textures');
      const { offset, scale, uvSet, wrapU, wrapV } = texture;
      if (offset[0] !== 0 || offset[1] !== 0 || scale[0] !== 1 || scale[1] !== 1 || uvSet !== 0 || wrapU !== 'repeat' || wrapV !== 'repeat')
        lost.add('texture layout');
      made.link(name, this.#tree.make('file', made).text('p', path));
      return true;
    }
    if (!slot.color) return false;
    this.#color(made, name, slot.color, textIn(member(properties, 'colorNames'), slot.source));
    return true;
  }

  #color(made: CastNode, name: string, rgba: readonly number[], label = ''): void {
    const color = this.#tree.make('colr', made);
    if (label) color.text('n', label);
    made.link(name, color.text('cs', 'linear').floats('rgba', '4v', rgba));
  }

  /**
   * Writes the colours and factors of a material. `taken`: slot names that are already used in the
   * Cast node.
   */
  #writeFactors(made: CastNode, source: Material, taken: ReadonlySet<string>, lost: Set<string>): void {
    const { color, emissive, metalness, roughness, model } = source;
    const isWhite = color.every(value => value === 1);
    if (!taken.has('albedo')) this.#color(made, 'albedo', color);
    else if (!isWhite && source.slots.some(({ slot, texture }) => slot === 'baseColor' && texture !== undefined))
      lost.add('tint of a texture');
    if (!taken.has('emissive') && emissive.some(value => value > 0)) this.#color(made, 'emissive', [...emissive, 1]);
    if (model === 'specular') return;
    const isPacked = source.slots.some(({ slot }) => ['metallicRoughness', 'orm', 'arm', 'mro', 'rma', 'mra', 'rmo'].includes(slot));
    if (isPacked) lost.add('packed texture, kept under its own name');
    else if (!taken.has('metal')) this.#color(made, 'metal', [metalness, metalness, metalness, 1]);
    if (!isPacked && !taken.has('roughness') && !taken.has('gloss')) this.#color(made, 'roughness', [roughness, roughness, roughness, 1]);
  }

  #reportLost(source: Material, lost: Set<string>): void {
    if (!this.#isCast && hasGreenDown(source, this.#textured.scene)) lost.add('green channel of normals points down');
    if (source.alphaMode !== 'opaque') lost.add('transparency');
    if (source.side !== 'both') lost.add('single-sided faces');
    if (source.model !== 'standard' && source.model !== 'specular') lost.add(source.model);
    if (!source.visible) lost.add('hidden');
    const { type, colorNames, ...rest } = source.properties ?? {};
    if (Object.keys(rest).length > 0 || (!this.#isCast && (type !== undefined || colorNames !== undefined))) lost.add('custom properties');
    if (lost.size > 0) this.#report.add('MATERIAL_WORDS_LOST', source.name, 1, [...lost].join(', '));
  }
}
