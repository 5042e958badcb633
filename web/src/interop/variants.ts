// Material variants of glTF files (KHR_materials_variants), which replace the materials of meshes.
import type { Material, Mesh } from 'three';
import type { Rig } from '../three/rig.ts';

export interface MaterialVariants {
  /** Names of the variants, in the order of the file. */
  readonly names: readonly string[];
  /** Materials that only variants use. */
  readonly materials: readonly Material[];
  /** Applies a variant to a rig of the file; null for the default materials. */
  apply(rig: Rig, name: string | null): void;
}

/** The part of the parser of GLTFLoader that is used. */
export interface VariantParser {
  json: unknown;
  getDependency(type: 'material', index: number): Promise<unknown>;
  assignFinalMaterial(mesh: Mesh): void;
}

interface Extension {
  variants?: { name?: string }[];
  mappings?: { material?: number; variants?: number[] }[];
}

const NAME = 'KHR_materials_variants';

/**
 * Reads the variants of a file with all their materials. `drawn`: meshes of the loader, one for each
 * row of `scene.renderers`. Returns null if the file has no variants.
 */
export async function variantsOf(parser: VariantParser, drawn: readonly Mesh[]): Promise<MaterialVariants | null> {
  const { extensions } = parser.json as { extensions?: Record<string, Extension> };
  const variants = extensions?.[NAME]?.variants ?? [];
  if (variants.length === 0) return null;
  const defaults = drawn.map(({ material }) => material);
  const materialsOf = await Promise.all(drawn.map(mesh => materialsByVariant(parser, mesh)));
  const names = variants.map(({ name }, i) => name ?? `Variant ${i + 1}`);
  return {
    names,
    materials: [...new Set(materialsOf.flatMap(of => [...of.values()]))],
    apply(rig, name) {
      const variant = name === null ? -1 : names.indexOf(name);
      for (const [r, mesh] of rig.meshes.entries()) {
        const material = materialsOf[r]?.get(variant) ?? defaults[r];
        if (mesh && material) mesh.material = material;
      }
    },
  };
}

/** Returns the materials of a mesh by index of the variant. */
async function materialsByVariant(parser: VariantParser, mesh: Mesh): Promise<Map<number, Material>> {
  const { gltfExtensions } = mesh.userData as { gltfExtensions?: Record<string, Extension> };
  const found = new Map<number, Material>();
  for (const { material, variants = [] } of gltfExtensions?.[NAME]?.mappings ?? []) {
    if (material === undefined) continue;
    const copy = mesh.clone(false);
    copy.material = (await parser.getDependency('material', material)) as Material;
    parser.assignFinalMaterial(copy); // adapts it to the vertices, such as flat shading
    for (const variant of variants) found.set(variant, copy.material as Material);
  }
  return found;
}
