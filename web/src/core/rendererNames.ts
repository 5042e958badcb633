// Finds renderers and their morph targets by the names that a clip uses.
import { entry } from './entry.ts';
import type { RigScene } from './types.ts';

/** Normalizes a name for comparisons that ignore case and surrounding spaces. */
const spell = (name: string): string => name.trim().toLowerCase();

/**
 * Finds the renderers of a scene by name. A lookup takes time proportional to the size of its
 * result.
 */
export class RendererNames {
  readonly #meshes: readonly number[]; // mesh index of each renderer
  readonly #rows = new Map<number, number[]>(); // renderers by mesh index
  readonly #exact = new Map<string, number[]>(); // renderers by name; a renderer without a name is listed by the name of its mesh
  readonly #spelled = new Map<string, number[]>();
  readonly #meant = new Map<string, Set<number>>(); // renderers by the normalized names of the renderer, its mesh and its node
  readonly #ofNode = new Map<number, Set<number>>();
  readonly #morphs = new Map<string, Set<number>>(); // meshes by the exact name of a morph target
  readonly #spelledMorphs = new Map<string, Map<number, string>>(); // exact name of a morph target, by normalized name and mesh; the first one if a mesh has several

  constructor({ renderers, meshes, nodes }: RigScene) {
    this.#meshes = renderers.map(renderer => renderer.mesh);
    for (const [row, renderer] of renderers.entries()) {
      const meshName = meshes[renderer.mesh]?.name ?? '';
      const own = renderer.name || meshName;
      entry(this.#ofNode, renderer.node, () => new Set()).add(row);
      entry(this.#exact, own, () => []).push(row);
      entry(this.#spelled, spell(own), () => []).push(row);
      for (const name of [renderer.name, meshName, nodes.names[renderer.node] ?? ''])
        entry(this.#meant, spell(name), () => new Set()).add(row);
      if (meshes[renderer.mesh]) entry(this.#rows, renderer.mesh, () => []).push(row);
    }
    for (const mesh of this.#rows.keys()) {
      for (const { name } of meshes[mesh]!.morphs) {
        entry(this.#morphs, name, () => new Set()).add(mesh);
        const first = entry(this.#spelledMorphs, spell(name), () => new Map());
        if (!first.has(mesh)) first.set(mesh, name);
      }
    }
  }

  /**
   * Returns the renderers with the given name or, if there is none, those whose normalized name is
   * the same.
   */
  renderers(wanted: string): readonly number[] {
    if (wanted === '') return [];
    return this.#exact.get(wanted) ?? this.#spelled.get(spell(wanted)) ?? [];
  }

  /**
   * Returns the renderers to which a name may refer, because the normalized name equals that of the
   * renderer, its mesh or its node.
   */
  matching(name: string): ReadonlySet<number> {
    return this.#meant.get(spell(name)) ?? none;
  }

  ofNode(node: number): ReadonlySet<number> {
    return this.#ofNode.get(node) ?? none;
  }

  /**
   * Returns the renderers whose mesh has a morph target with the name `wanted`, grouped by the
   * exact name in the mesh. If `meant` is given, considers only these renderers.
   */
  morphs(wanted: string, meant?: ReadonlySet<number>): Map<string, readonly number[]> {
    const found = new Map<string, readonly number[]>();
    const spelled = this.#spelledMorphs.get(spell(wanted));
    if (!spelled) return found;
    const exact = this.#morphs.get(wanted);
    const nameIn = (mesh: number): string | undefined => (exact?.has(mesh) ? wanted : spelled.get(mesh));
    if (!meant && spelled.size === 1) {
      // all morph targets of a mesh share the list of its renderers, which may be long
      const mesh = [...spelled.keys()][0]!;
      return found.set(nameIn(mesh)!, this.#rows.get(mesh)!);
    }
    let rows: Iterable<number> = meant ?? [];
    if (!meant || spelled.size < meant.size) {
      const drawn = [...spelled.keys()].flatMap(mesh => this.#rows.get(mesh)!);
      rows = (meant ? drawn.filter(row => meant.has(row)) : drawn).sort((a, b) => a - b);
    }
    for (const row of rows) {
      const name = nameIn(this.#meshes[row]!);
      if (name !== undefined) entry(found as Map<string, number[]>, name, () => []).push(row);
    }
    return found;
  }
}

const none: ReadonlySet<number> = new Set();
