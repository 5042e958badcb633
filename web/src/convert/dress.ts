// Materials of files that name no textures (Unreal's): what side files say, or else what names tell, as slots of the scene.
import type { Image, Material, RigScene, Texture } from '../core/types.ts';
import type { ImageSource } from './images.ts';

interface Dress {
  /** Slot to name of a texture. */
  textures: ReadonlyMap<string, string>;
  change: Partial<Material>;
}

const SURE_CUTOFF = 1 / 3;

/** A texture as Unreal's tools write them: tiles, and normals whose green channel points down. */
const plainTexture = (name: string, image: number, srgb: boolean, slot: string): Texture => ({
  name,
  image,
  wrapU: 'repeat',
  wrapV: 'repeat',
  filter: 'trilinear',
  offset: [0, 0],
  scale: [1, 1],
  uvSet: 0,
  srgb,
  ...(slot === 'normal' && { properties: { greenDown: true } }),
});

/** The same scene with textures on its bare materials; the same object where there is nothing to add. Other parts are shared with it. */
export async function dressed(scene: RigScene, format: string | null, source: ImageSource | undefined): Promise<RigScene> {
  if (format !== 'psk' || !source?.text) return scene;
  const materials = [...scene.materials];
  const textures = [...scene.textures];
  const images: Image[] = [...scene.images];
  for (const [row, material] of materials.entries()) {
    if (material.slots.some(({ texture }) => texture !== undefined)) continue;
    const found = await dressOf(material, scene, source);
    if (!found) continue;
    const slots = [...material.slots];
    for (const [slot, name] of found.textures) {
      textures.push(plainTexture(name, images.length, slot === 'baseColor' || slot === 'emissive' || slot === 'specularColor', slot));
      images.push({ name, path: name });
      slots.push({ slot, source: name, texture: textures.length - 1 });
    }
    materials[row] = { ...material, ...found.change, slots };
  }
  return images.length > scene.images.length ? { ...scene, materials, textures, images } : scene;
}

/** Side files first: UE Viewer's .mat and .props.txt, the material JSON of FModel and CUE4Parse; without one, names that fit. */
async function dressOf(material: Material, scene: RigScene, source: ImageSource): Promise<Dress | null> {
  const { guessTextures, readMat, readMaterialJson, readProps, stemOf } = await import('../three/sidecars.ts'); // no three.js in it
  const { name, alphaCutoff } = material;
  const text = async (file: string): Promise<string | null> => (await source.text?.(file)) ?? null;
  const [mat, props] = [await text(`${name}.mat`), await text(`${name}.props.txt`)];
  const [first, second] = [mat === null ? null : readMat(mat), props === null ? null : readProps(props)];
  const json = first || second ? null : await text(`${name}.json`);
  const side =
    first || second
      ? { ...second, ...first, textures: new Map([...(second?.textures ?? []), ...(first?.textures ?? [])]) }
      : json === null
        ? null
        : readMaterialJson(json);
  if (side) {
    const { twoSided, blend, color, alphaCutoff: cutoff } = side;
    const change: Partial<Material> = {
      ...(twoSided && { side: 'both' }),
      ...(blend && { alphaMode: blend, alphaCutoff: cutoff ?? (alphaCutoff || SURE_CUTOFF) }),
      ...(color && { color: [...color, 1] as Material['color'] }),
    };
    return { textures: side.textures, change };
  }
  const names = source.names ?? [];
  const guessed = guessTextures(name, names);
  if (guessed.size > 0) return { textures: guessed, change: {} };
  // A model of one material may be called as its only texture.
  const own = scene.materials.length === 1 ? names.find(each => stemOf(each).toLowerCase() === scene.asset.name.toLowerCase()) : undefined;
  return own === undefined ? null : { textures: new Map([['baseColor', own]]), change: {} };
}
