// Suggests images for materials without textures. Suggestions are only applied if the visitor
// accepts them.
import { nameSimilarity } from '../core/match.ts';
import { imageSubject, materialSubject, slotBySuffix } from '../textures/names.ts';

/** A material without a base colour texture. */
export interface UntexturedMaterial {
  name: string;
  /** Number of triangles that use the material. */
  triangles: number;
}

/** An image that no material uses. */
export interface UnusedImage {
  path: string;
  /** Size of the file in bytes. */
  size: number;
}

export interface ImageSuggestion {
  material: string;
  slot: string;
  /** Path of the image. */
  image: string;
  /** Reason: similar names, or only the order of sizes. */
  by: 'name' | 'size';
}

/** Weight of the model's name in the similarity of an image and a material. */
const MODEL_WEIGHT = 0.5;

/**
 * Suggests images by name and size. A base colour image is suggested for the material with the most
 * similar name; among equally similar ones, the largest image for the material with the most
 * triangles. If no name is similar and there are as many images as materials, they are paired by
 * size alone. Other images, such as normal maps, follow the base colour image with the same name.
 * `model`: name of the model's file.
 */
export function suggestImages(materials: readonly UntexturedMaterial[], images: readonly UnusedImage[], model: string): ImageSuggestion[] {
  const slotOf = ({ path }: UnusedImage): string => slotBySuffix(path) ?? 'baseColor';
  const colors = images.filter(image => slotOf(image) === 'baseColor');
  const pairs = materials.flatMap(material =>
    colors.map(image => {
      const subject = imageSubject(image.path);
      const own = nameSimilarity(materialSubject(material.name), subject);
      return { material, image, score: Math.max(own, MODEL_WEIGHT * nameSimilarity(model, subject)) };
    }),
  );
  const found: ImageSuggestion[] = [];
  const isFree = (material: string, image: string): boolean =>
    !found.some(one => one.image === image || (one.material === material && one.slot === 'baseColor'));
  pairs.sort((a, b) => b.score - a.score || b.image.size - a.image.size || b.material.triangles - a.material.triangles);
  for (const { material, image, score } of pairs)
    if (score > 0 && isFree(material.name, image.path))
      found.push({ material: material.name, slot: 'baseColor', image: image.path, by: 'name' });
  const left = materials.filter(({ name }) => !found.some(({ material }) => material === name));
  const unpaired = colors.filter(({ path }) => !found.some(({ image }) => image === path));
  if (left.length === unpaired.length) {
    const bySize = unpaired.sort((a, b) => b.size - a.size);
    const largest = [...left].sort((a, b) => b.triangles - a.triangles);
    for (const [at, { name }] of largest.entries()) found.push({ material: name, slot: 'baseColor', image: bySize[at]!.path, by: 'size' });
  }
  for (const image of images) {
    const slot = slotOf(image);
    if (slot === 'baseColor') continue;
    const subject = imageSubject(image.path);
    const similarity = ({ name }: UntexturedMaterial): number => {
      const color = found.find(one => one.material === name && one.slot === 'baseColor');
      return Math.max(nameSimilarity(materialSubject(name), subject), color ? nameSimilarity(imageSubject(color.image), subject) : 0);
    };
    const [best] = materials
      .filter(({ name }) => !found.some(one => one.material === name && one.slot === slot))
      .sort((a, b) => similarity(b) - similarity(a));
    if (best && similarity(best) > 0) found.push({ material: best.name, slot, image: image.path, by: 'name' });
  }
  return found;
}
