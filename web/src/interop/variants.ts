// Material variants of glTF files (KHR_materials_variants), which replace the materials of meshes.
import type { Material, Mesh } from 'three';
import type { Rig } from '../three/rig.ts';
import { type ImportedFile, materialFor } from './file.ts';

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

/** The extension of a file or of a primitive. Its content is not checked yet. */
interface Extension {
  variants?: unknown;
  mappings?: unknown;
}

const NAME = 'KHR_materials_variants';

/**
 * Reads the variants of a file with all their materials. Adds a finding to the file for each
 * material or variant that does not exist. `patched`: copies of materials, see `materialFor`.
 * Returns null if the file has no variants.
 */
export async function variantsOf(
  parser: VariantParser,
  { drawn, findings }: Pick<ImportedFile, 'drawn' | 'findings'>,
  patched: Map<string, Material>,
): Promise<MaterialVariants | null> {
  const { extensions } = parser.json as { extensions?: Record<string, Extension> };
  const names = arrayOf<{ name?: unknown } | null>(extensions?.[NAME]?.variants).map((variant, i) =>
    typeof variant?.name === 'string' ? variant.name : `Variant ${i + 1}`,
  );
  if (names.length === 0) return null;
  const defaults = drawn.map(({ material }) => material);
  const report = (detail: string): void =>
    void findings.push({ code: 'INDEX_RANGE', severity: 'error', offset: null, path: NAME, detail, count: 1 });
  const materialsOf = await Promise.all(drawn.map(mesh => materialsByVariant(parser, mesh, names.length, report)));
  return {
    names,
    materials: [...new Set(materialsOf.flatMap(of => [...of.values()]))],
    apply(rig, name) {
      const variant = name === null ? -1 : names.indexOf(name);
      for (const [r, mesh] of rig.meshes.entries()) {
        const material = materialsOf[r]?.get(variant) ?? defaults[r];
        const fitted = (each: Material): Material => materialFor(mesh!, each, patched);
        if (mesh && material) mesh.material = Array.isArray(material) ? material.map(fitted) : fitted(material);
      }
    },
  };
}

/** Returns the materials of a mesh by index of the variant. */
async function materialsByVariant(
  parser: VariantParser,
  mesh: Mesh,
  count: number,
  report: (detail: string) => void,
): Promise<Map<number, Material>> {
  const { gltfExtensions } = mesh.userData as { gltfExtensions?: Record<string, Extension> };
  const found = new Map<number, Material>();
  const mappings = arrayOf<{ material?: unknown; variants?: unknown } | null>(gltfExtensions?.[NAME]?.mappings);
  const materialCount = arrayOf((parser.json as { materials?: unknown }).materials).length;
  for (const mapping of mappings) {
    const variants = arrayOf(mapping?.variants);
    const isValid = isIndex(mapping?.material, materialCount);
    const material = isValid
      ? ((await parser.getDependency('material', mapping!.material as number).catch(() => null)) as Material | null)
      : null;
    if (!material) {
      report(`material ${String(mapping?.material)}`);
      continue;
    }
    const copy = mesh.clone(false);
    copy.material = material;
    parser.assignFinalMaterial(copy); // adapts it to the vertices, such as flat shading
    for (const variant of variants) {
      if (isIndex(variant, count)) found.set(variant, copy.material as Material);
      else report(`variant ${String(variant)}`);
    }
  }
  return found;
}

const arrayOf = <T = unknown>(value: unknown): T[] => (Array.isArray(value) ? (value as T[]) : []);

const isIndex = (value: unknown, count: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < count;
