// Determines the textures of each material from the scene, from material files next to the model,
// or from file names.
import type { Image, Material, RigScene, Texture } from '../core/types.ts';
import { type TextureResolver, SidecarReader } from './resolver.ts';
import { guessTextures, remainingImage, type SlotNames, stemOf } from './names.ts';
import { particleMaterials, drawnMaterials } from './drawnMaterials.ts';
import type { Sidecar } from './sidecars.ts';
import { type NamedMaterialValues, readMaterialValues, VALUES_ENDING } from './materialValues.ts';
import { isDrawnSlot, slotWithout } from './slots.ts';
import type { FoundImage, TextureChoice } from './sources.ts';

/** A texture that is requested for a material slot. */
export interface TextureRequest {
  slot: string;
  /** Name or path of the image, as stored in the scene or material file. */
  name: string;
  /** The texture in the scene; null if the texture was found in a material file or by name. */
  settings: Texture | null;
  /** The image of the texture `settings`; null if `settings` is null. */
  image: Image | null;
  /** True if a missing image should be reported. */
  isExpected: boolean;
  /** The image that was chosen for the slot; undefined if no image was chosen. */
  chosen?: FoundImage;
}

/** Material properties that override those of the material in the scene. */
export interface MaterialOverrides {
  side?: 'both';
  alphaMode?: Material['alphaMode'];
  alphaCutoff?: number;
  /** Base colour in linear RGB. */
  color?: readonly [number, number, number];
  opacity?: number;
  roughness?: number;
  metalness?: number;
}

/**
 * The textures to request for a material, and its overrides. `row`: index of the material in
 * `scene.materials`.
 */
export interface MaterialTextures {
  row: number;
  requests: TextureRequest[];
  overrides: MaterialOverrides | null;
  /** True if the textures were inferred from file names alone. */
  isGuessed: boolean;
  /**
   * True for a transparent, colourless surface of which only reflections are visible, such as a
   * cornea or tear line.
   */
  isReflectionOnly: boolean;
  /**
   * True if a file that describes this material was found, but contains no textures for it.
   */
  isUntextured: boolean;
}

const GLOSS: MaterialOverrides = { alphaMode: 'blend', alphaCutoff: 0, opacity: 0.1, roughness: 0.05 };
/** Default alpha cutoff of Unreal's masked materials. */
const MASK_CUTOFF = 1 / 3;

/**
 * Determines the textures of all materials that are drawn. `isFilled`: function that returns true
 * for a material that already has a texture. `resolver`: if null, only textures of the scene are
 * included.
 */
export async function planTextures(
  scene: RigScene,
  resolver: TextureResolver | null,
  isFilled: (row: number) => boolean = () => false,
): Promise<MaterialTextures[]> {
  const { materials, hints } = scene;
  const isNamed = hints?.namedMaterials ?? false;
  const plans = [...new Set([...drawnMaterials(scene), ...particleMaterials(scene)])].map((row): MaterialTextures => {
    const requests = ownRequests(scene, row, resolver?.isListed ?? false);
    return { row, requests, overrides: null, isGuessed: false, isReflectionOnly: false, isUntextured: false };
  });
  if (!resolver) return plans;
  const untextured = plans.filter(({ row }) => ownSlots(materials[row]).length === 0);
  const named = untextured.filter(plan => !isNameless(materials[plan.row]));
  const sidecars = isNamed ? await readSidecars(scene, named, resolver) : new Map<MaterialTextures, Sidecar>();
  const hasColors = [...sidecars.values()].some(({ textures }) => textures.has('baseColor'));
  for (const [plan, sidecar] of sidecars) {
    plan.isReflectionOnly = hasColors && !!sidecar.isColorless;
    plan.overrides = { ...overridesOf(sidecar, materials[plan.row]), ...(plan.isReflectionOnly && GLOSS) };
    plan.requests = requestsOf(sidecar.textures, true);
    // Optional textures may be defaults that were never exported, so they are not requested from a
    // server.
    if (resolver.isListed) plan.requests.push(...requestsOf(sidecar.optional ?? new Map(), false));
    plan.isUntextured = sidecar.textures.size === 0 && !sidecar.isColorless && !sidecar.color;
  }
  const undescribed = untextured.filter(plan => !sidecars.has(plan));
  const guesses = resolver.names
    ? guessByName(scene, undescribed, [...sidecars.values()], resolver, row => isFilled(row) || hasColorChoice(materials[row], resolver))
    : new Map<MaterialTextures, SlotNames>();
  for (const plan of undescribed) {
    const textures = guesses.get(plan);
    if (textures) plan.requests = requestsOf(textures, true);
    plan.isGuessed = !!textures;
    plan.isUntextured = isNamed && !textures && !isNameless(materials[plan.row]);
  }
  for (const plan of plans) applyChoices(plan, choicesOf(materials[plan.row], resolver));
  return plans;
}

/**
 * Reads the values of materials from the file NAME.materials.json beside the model. Returns null if
 * there is no such file, or if the source does not list its files. Throws a RigcastError with the
 * code MATERIAL_VALUES_INVALID if the file is invalid.
 */
export async function valuesBeside({ asset }: RigScene, resolver: TextureResolver): Promise<readonly NamedMaterialValues[] | null> {
  const text = resolver.isListed ? await resolver.text(`${asset.name}${VALUES_ENDING}`) : null;
  return text === null ? null : readMaterialValues(text);
}

const choicesOf = (material: Material | undefined, { choices }: TextureResolver): TextureChoice[] =>
  material ? [...new Map(choices.filter(choice => choice.material === material.name).map(choice => [choice.slot, choice])).values()] : [];

const hasColorChoice = (material: Material | undefined, resolver: TextureResolver): boolean =>
  choicesOf(material, resolver).some(({ slot }) => slot === 'baseColor');

/** Replaces the requests for slots for which images were chosen. */
function applyChoices(plan: MaterialTextures, choices: readonly TextureChoice[]): void {
  if (choices.length === 0) return;
  const left = plan.requests.flatMap(request => {
    const slot = slotAfter(request.slot, choices);
    return slot === null ? [] : [{ ...request, slot }];
  });
  plan.requests = [
    ...left,
    ...choices.map(({ slot, image }) => ({ slot, name: image.name, settings: null, image: null, isExpected: true, chosen: image })),
  ];
  plan.isGuessed &&= left.length > 0;
  plan.isUntextured = false;
}

/** Returns what is left of a slot after images were chosen; null if nothing is left. */
export const slotAfter = (slot: string, choices: readonly Pick<TextureChoice, 'slot'>[]): string | null =>
  choices.reduce<string | null>((left, choice) => left && slotWithout(left, choice.slot), slot);

/**
 * Returns the requested image from the model file or the texture source. Returns null if the image
 * does not exist, and undefined if the maximum number of requests was reached.
 */
export async function findImage(
  { image, name, chosen }: TextureRequest,
  resolver: TextureResolver | null,
): Promise<FoundImage | null | undefined> {
  if (chosen) return chosen;
  if (image?.bytes) return { name: image.name, bytes: image.bytes };
  return name !== '' && resolver ? resolver.image(name) : null;
}

/**
 * True if the image in a slot may use a mask colour instead of an alpha channel, as images of
 * masked Unreal materials do.
 */
export function usesColorKey({ hints }: RigScene, material: Material | undefined, slot: string): boolean {
  return !!hints?.namedMaterials && slot === 'baseColor' && material?.alphaMode === 'mask';
}

/** True if a material has no name. Unreal exports an empty material slot as "None". */
const isNameless = (material: Material | undefined): boolean => /^(none)?$/i.test(material?.name.trim() ?? '');

const ownSlots = (material: Material | undefined): Material['slots'] =>
  material?.slots.filter(({ slot, texture }) => texture !== undefined && isDrawnSlot(slot)) ?? [];

/**
 * Returns requests for the textures of a material in the scene. An image that has a name but no
 * path is only requested if the texture source can list its files (`isListed`).
 */
function ownRequests({ materials, textures, images }: RigScene, row: number, isListed: boolean): TextureRequest[] {
  return ownSlots(materials[row]).flatMap(({ slot, texture: index }) => {
    const settings = textures[index ?? -1];
    const image = images[settings?.image ?? -1];
    return settings && image ? [{ slot, name: image.path || (isListed ? image.name : ''), settings, image, isExpected: true }] : [];
  });
}

const requestsOf = (textures: SlotNames, isExpected: boolean): TextureRequest[] =>
  Array.from(textures, ([slot, name]) => ({ slot, name, settings: null, image: null, isExpected }));

/**
 * Returns the name of a material, and the folder that its path in the project indicates. UEFormat
 * models contain such paths, such as `/Game/Hero/Materials/MI_Hero.MI_Hero`.
 */
function fileOf(material: Material | undefined): [name: string, folder: string] {
  const path = material?.properties?.['path'];
  return [material?.name ?? '', typeof path === 'string' ? path.slice(0, path.lastIndexOf('/') + 1) : ''];
}

async function readSidecars(
  { materials }: RigScene,
  plans: readonly MaterialTextures[],
  resolver: TextureResolver,
): Promise<Map<MaterialTextures, Sidecar>> {
  const reader = new SidecarReader(resolver);
  const read = await Promise.all(plans.map(async plan => [plan, await reader.read(...fileOf(materials[plan.row]))] as const));
  return new Map(read.flatMap(([plan, sidecar]) => (sidecar ? [[plan, sidecar] as const] : [])));
}

/** Returns the material properties that a material file overrides. */
function overridesOf(
  { twoSided, blend, color, alphaCutoff, roughness, metalness, opacity }: Sidecar,
  material: Material | undefined,
): MaterialOverrides {
  const own = material?.alphaMode === 'mask' ? material.alphaCutoff : 0;
  return {
    ...(twoSided && { side: 'both' as const }),
    ...(color && { color }),
    ...(roughness !== undefined && { roughness }),
    ...(metalness !== undefined && { metalness }),
    ...(opacity !== undefined && { opacity }),
    ...(blend && { alphaMode: blend, alphaCutoff: alphaCutoff ?? (own || MASK_CUTOFF) }),
  };
}

/** Finds textures by name for materials that no material file describes. */
function guessByName(
  { materials, hints, asset }: RigScene,
  plans: readonly MaterialTextures[],
  sidecars: readonly Sidecar[],
  resolver: TextureResolver,
  isFilled: (row: number) => boolean,
): Map<MaterialTextures, SlotNames> {
  const guessed = new Map<MaterialTextures, SlotNames>();
  const open: MaterialTextures[] = [];
  for (const plan of plans) {
    const found = guessTextures(materials[plan.row]?.name ?? '', resolver.names ?? []);
    if (found.size > 0) guessed.set(plan, found);
    else if (!isFilled(plan.row)) open.push(plan);
  }
  // Materials without a name are only considered if all named materials have textures.
  const named = open.filter(({ row }) => !isNameless(materials[row]));
  const [last, ...others] = named.length > 0 ? named : open;
  if (!hints?.namedMaterials || !last || others.length > 0) return guessed;
  // If one material remains, use the image with the name of the model or, if there are no other
  // models, the only image that remains.
  const stem = (name: string): string => stemOf(name).toLowerCase();
  const taken = new Set([
    ...[...sidecars.map(({ textures }) => textures), ...guessed.values()].flatMap(textures => [...textures.values()].map(stem)),
    ...resolver.choices.map(({ image }) => stem(image.name)),
  ]);
  const own = remainingImage(asset.name, taken, resolver.sameFolder, resolver.hasOtherModels);
  if (own !== undefined) guessed.set(last, new Map([['baseColor', own]]));
  return guessed;
}
