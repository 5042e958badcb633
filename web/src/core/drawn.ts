// Finding what is drawn by the names that a motion uses: renderers, and the morphs of their meshes.
import { entry } from './entry.ts';
import type { RigScene } from './types.ts';

/** How names are compared where none is spelled exactly so. */
const spell = (name: string): string => name.trim().toLowerCase();

/** Made once a scene; asking costs no more than what comes out, and what is meant. */
export class DrawnNames {
  readonly #meshes: readonly number[]; // by renderer
  readonly #rows = new Map<number, number[]>(); // by mesh: its renderers
  readonly #exact = new Map<string, number[]>(); // renderers by their own name, or their mesh's
  readonly #spelled = new Map<string, number[]>();
  readonly #meant = new Map<string, Set<number>>(); // renderers by spelling: their own, their mesh's and their node's name
  readonly #ofNode = new Map<number, Set<number>>();
  readonly #morphs = new Map<string, Set<number>>(); // meshes with a morph of that name
  readonly #spelledMorphs = new Map<string, Map<number, string>>(); // by spelling, then mesh: the first morph so spelled

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

  /** Rows of all renderers of that name: exactly so, else by case and spaces aside. */
  renderers(wanted: string): readonly number[] {
    if (wanted === '') return [];
    return this.#exact.get(wanted) ?? this.#spelled.get(spell(wanted)) ?? [];
  }

  /** Rows of all renderers that a name may mean (their own name, their mesh's or their node's), ignoring case. */
  meantBy(name: string): ReadonlySet<number> {
    return this.#meant.get(spell(name)) ?? nobody;
  }

  ofNode(node: number): ReadonlySet<number> {
    return this.#ofNode.get(node) ?? nobody;
  }

  /** Those of the named renderers whose mesh has that morph, spelled exactly so or else ignoring case, by the morph's own name. */
  morphs(wanted: string, meant?: ReadonlySet<number>): Map<string, readonly number[]> {
    const found = new Map<string, readonly number[]>();
    const spelled = this.#spelledMorphs.get(spell(wanted));
    if (!spelled) return found;
    const exact = this.#morphs.get(wanted);
    const nameIn = (mesh: number): string | undefined => (exact?.has(mesh) ? wanted : spelled.get(mesh));
    if (!meant && spelled.size === 1) {
      // any number of renderers may draw one mesh: all of its morphs share their list
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

const nobody: ReadonlySet<number> = new Set();
