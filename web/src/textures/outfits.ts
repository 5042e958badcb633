// Which texture goes to which slot of which material: the scene's own, those that side files name, or those that names tell.
import type { Image, Material, RigScene, Texture } from '../core/types.ts';
import { type Desk, SidecarReader } from './desk.ts';
import { guessTextures, leftImage, type SlotNames, stemOf } from './names.ts';
import { particleMaterials, shownMaterials } from './shown.ts';
import type { Sidecar } from './sidecars.ts';
import { isDrawnSlot } from './slots.ts';
import type { FoundImage } from './sources.ts';

/** A texture that a material should have. */
export interface Wish {
  slot: string;
  /** Of the image, as the file or what lies beside it spells it. */
  name: string;
  /** The scene's own texture; null for one that only names tell. */
  settings: Texture | null;
  /** The image of the scene's own texture. */
  image: Image | null;
  /** Whether it is a loss where it is not there. */
  isExpected: boolean;
}

/** What a material is drawn with besides what its scene says. */
export interface MaterialChange {
  side?: 'both';
  alphaMode?: Material['alphaMode'];
  alphaCutoff?: number;
  /** Linear. */
  color?: readonly [number, number, number];
  opacity?: number;
  roughness?: number;
}

/** What one row of `scene.materials` is dressed with. */
export interface Outfit {
  row: number;
  wishes: Wish[];
  change: MaterialChange | null;
  /** Names alone tell its textures. */
  isGuessed: boolean;
  /** A cornea, a tear line: nothing gives it a colour, so only what it reflects is seen. */
  isGloss: boolean;
  /** What it looks like lies in files, and none of them speaks of it. */
  isBare: boolean;
}

const GLOSS: MaterialChange = { alphaMode: 'blend', alphaCutoff: 0, opacity: 0.1, roughness: 0.05 };
/** Where Unreal's masked materials are cut unless they say so. */
const MASK_CUTOFF = 1 / 3;

/** The outfits of all materials that are drawn. `isFilled`: whether a material has got some texture before. Without a desk: what the scene itself holds. */
export async function planOutfits(scene: RigScene, desk: Desk | null, isFilled: (row: number) => boolean = () => false): Promise<Outfit[]> {
  const { materials, hints } = scene;
  const isNamed = hints?.namedMaterials ?? false;
  const outfits = [...new Set([...shownMaterials(scene), ...particleMaterials(scene)])].map((row): Outfit => {
    const wishes = ownWishes(scene, row, desk?.isListed ?? false);
    return { row, wishes, change: null, isGuessed: false, isGloss: false, isBare: false };
  });
  if (!desk) return outfits;
  const bare = outfits.filter(({ row }) => ownSlots(materials[row]).length === 0);
  const isNameless = ({ row }: Outfit): boolean => hasNoName(materials[row]);
  const named = bare.filter(outfit => !isNameless(outfit));
  const sidecars = isNamed ? await readSidecars(scene, named, desk) : new Map<Outfit, Sidecar>();
  const hasColors = [...sidecars.values()].some(({ textures }) => textures.has('baseColor'));
  for (const [outfit, sidecar] of sidecars) {
    outfit.isGloss = hasColors && !!sidecar.isColorless;
    outfit.change = { ...changeOf(sidecar, materials[outfit.row]), ...(outfit.isGloss && GLOSS) };
    outfit.wishes = wishesOf(sidecar.textures, true);
    // A name that is perhaps not meant as a texture is not requested.
    if (desk.isListed) outfit.wishes.push(...wishesOf(sidecar.others ?? new Map(), false));
    outfit.isBare = sidecar.textures.size === 0 && !sidecar.isColorless;
  }
  const unspoken = bare.filter(outfit => !sidecars.has(outfit));
  const guesses = desk.names ? guess(scene, unspoken, [...sidecars.values()], desk, isFilled) : new Map<Outfit, SlotNames>();
  for (const outfit of unspoken) {
    const textures = guesses.get(outfit);
    if (textures) outfit.wishes = wishesOf(textures, true);
    outfit.isGuessed = !!textures;
    outfit.isBare = isNamed && !textures && !isNameless(outfit);
  }
  return outfits;
}

/** Null: it is not there; undefined: it was not asked for. */
export async function findImage({ image, name }: Wish, desk: Desk | null): Promise<FoundImage | null | undefined> {
  if (image?.bytes) return { name: image.name, bytes: image.bytes };
  return name !== '' && desk ? desk.image(name) : null;
}

/** Whether a texture of a masked material is cut by a colour where it has no alpha (colorKey.ts). */
export function isCutByColor({ hints }: RigScene, material: Material | undefined, slot: string): boolean {
  return !!hints?.namedMaterials && slot === 'baseColor' && material?.alphaMode === 'mask';
}

/** Unreal's "None": nothing is there, so nothing is looked for. */
const hasNoName = (material: Material | undefined): boolean => /^(none)?$/i.test(material?.name.trim() ?? '');

const ownSlots = (material: Material | undefined): Material['slots'] =>
  material?.slots.filter(({ slot, texture }) => texture !== undefined && isDrawnSlot(slot)) ?? [];

/** An image that has a name and no path is looked for only where that costs nothing. */
function ownWishes({ materials, textures, images }: RigScene, row: number, isListed: boolean): Wish[] {
  return ownSlots(materials[row]).flatMap(({ slot, texture: index }) => {
    const settings = textures[index ?? -1];
    const image = images[settings?.image ?? -1];
    return settings && image ? [{ slot, name: image.path || (isListed ? image.name : ''), settings, image, isExpected: true }] : [];
  });
}

const wishesOf = (textures: SlotNames, isExpected: boolean): Wish[] =>
  Array.from(textures, ([slot, name]) => ({ slot, name, settings: null, image: null, isExpected }));

async function readSidecars({ materials }: RigScene, outfits: readonly Outfit[], desk: Desk): Promise<Map<Outfit, Sidecar>> {
  const reader = new SidecarReader(desk);
  const read = await Promise.all(outfits.map(async outfit => [outfit, await reader.read(materials[outfit.row]?.name ?? '')] as const));
  return new Map(read.flatMap(([outfit, sidecar]) => (sidecar ? [[outfit, sidecar] as const] : [])));
}

/** What a side file says about a material beyond its textures. */
function changeOf({ twoSided, blend, color, alphaCutoff }: Sidecar, material: Material | undefined): MaterialChange {
  const own = material?.alphaMode === 'mask' ? material.alphaCutoff : 0;
  return {
    ...(twoSided && { side: 'both' as const }),
    ...(color && { color }),
    ...(blend && { alphaMode: blend, alphaCutoff: alphaCutoff ?? (own || MASK_CUTOFF) }),
  };
}

/** Names that fit materials which nothing else speaks of. */
function guess(
  { materials, hints, asset }: RigScene,
  outfits: readonly Outfit[],
  sidecars: readonly Sidecar[],
  desk: Desk,
  isFilled: (row: number) => boolean,
): Map<Outfit, SlotNames> {
  const guessed = new Map<Outfit, SlotNames>();
  const open: Outfit[] = [];
  for (const outfit of outfits) {
    const found = guessTextures(materials[outfit.row]?.name ?? '', desk.names ?? []);
    if (found.size > 0) guessed.set(outfit, found);
    else if (!isFilled(outfit.row)) open.push(outfit);
  }
  // A material without a name gets an image only if no other material waits for one.
  const named = open.filter(({ row }) => !hasNoName(materials[row]));
  const [last, ...others] = named.length > 0 ? named : open;
  if (!hints?.namedMaterials || !last || others.length > 0) return guessed;
  // One material and one image are left over, or an image is called as the model is: they belong together.
  const stem = (name: string): string => stemOf(name).toLowerCase();
  const taken = new Set(
    [...sidecars.map(({ textures }) => textures), ...guessed.values()].flatMap(textures => [...textures.values()].map(stem)),
  );
  const own = leftImage(asset.name, taken, desk.beside);
  if (own !== undefined) guessed.set(last, new Map([['baseColor', own]]));
  return guessed;
}
