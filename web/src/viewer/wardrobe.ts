// Images that somebody puts on materials by hand, and puts on again when the model comes back.
import type { Intersection, Material, Mesh, Texture } from 'three';
import { slotBySuffix } from '../dressing/names.ts';
import { isImage } from '../dressing/sources.ts';
import { type Model, wholeOf } from '../player/model.ts';
import { texturesOf } from '../three/dispose.ts';
import type { Rig } from '../three/index.ts';

export { isImage };

/** Slots that a person may choose; each material draws some of them. */
export const SLOTS = ['baseColor', 'normal', 'emissive', 'orm', 'roughness', 'metallic', 'occlusion', 'opacity'] as const;

/** A material of the scene of a rig. */
export interface Place {
  rig: Rig;
  /** Row of `scene.materials`. */
  row: number;
}

interface Worn {
  material: string;
  slot: string;
  image: File;
}

export class Wardrobe {
  readonly #draws: (extension: string) => boolean;
  /** By the path of the model's file. */
  readonly #worn = new Map<string, Worn[]>();

  constructor(draws: (extension: string) => boolean) {
    this.#draws = draws;
  }

  /** Whether the image is drawn now. It is remembered for this file and material. */
  async put(model: Model, { rig, row }: Place, slot: string, image: File): Promise<boolean> {
    const isDrawn = await this.#put(rig, row, slot, image);
    const owner = wholeOf(model).find(part => part.rig === rig);
    if (!isDrawn || !owner) return isDrawn;
    const material = materialName({ rig, row });
    const others = (this.#worn.get(owner.given.path) ?? []).filter(worn => worn.material !== material || worn.slot !== slot);
    this.#worn.set(owner.given.path, [...others, { material, slot, image }]);
    return true;
  }

  /** Puts on again what was put on these files before. Whether there was any. */
  async dress(model: Model): Promise<boolean> {
    let isAny = false;
    for (const { given, rig } of wholeOf(model))
      for (const { material, slot, image } of this.#worn.get(given.path) ?? []) {
        const row = rig.file.scene!.materials.findIndex(({ name }) => name === material);
        if (row >= 0) isAny = (await this.#put(rig, row, slot, image)) || isAny;
      }
    return isAny;
  }

  #put(rig: Rig, row: number, slot: string, image: File): Promise<boolean> {
    return rig.setTexture(row, slot, { name: image.name, bytes: image }, { draws: this.#draws });
  }
}

export const materialName = ({ rig, row }: Place): string => rig.file.scene!.materials[row]?.name ?? '';

/** The slot that the name of an image speaks of, else the colour. */
export const slotFor = (image: File): string => slotBySuffix(image.name) ?? 'baseColor';

/** The material that was hit, of the model or of what it places; null where it is none of a file's. */
export function placeOf(model: Model, { object, face }: Intersection): Place | null {
  const materials = [(object as Mesh).material].flat();
  const material = materials[materials.length > 1 ? (face?.materialIndex ?? 0) : 0];
  if (!material) return null;
  for (const { rig } of wholeOf(model))
    for (const each of [rig, ...rig.parts])
      for (let row = 0; row < each.file.scene!.materials.length; row++)
        if ((each.materialsOf(row) as readonly Material[]).includes(material)) return { rig: each, row };
  return null;
}

/** Every texture that the model wears. */
export function wornBy(model: Model): ReadonlySet<Texture> {
  const rigs = wholeOf(model).flatMap(({ rig }) => [rig, ...rig.parts]);
  return new Set(rigs.flatMap(rig => rig.file.scene!.materials.flatMap((_, row) => rig.materialsOf(row).flatMap(texturesOf))));
}
