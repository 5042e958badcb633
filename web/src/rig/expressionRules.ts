// Resolves expressions set by the page, automatic ones (blink, look-at), and expressions that
// override each other.
//
// VRM: while an expression shows, it can block blinking, looking or mouth shapes, or fade them out.
// UniVGO: presets can skip the shapes of eyelids or mouth, so that something else controls them.
// VGO files declare no overrides; a preset that moves an eyelid fades out automatic blinking.
import { numberIn, textIn } from '../core/properties.ts';
import type { ExpressionBinding, RigScene } from '../core/types.ts';

type Part = 'blink' | 'look' | 'mouth';
type Override = 'none' | 'block' | 'blend';

const PARTS: ReadonlyMap<string, Part> = new Map([
  ...['blink', 'blinkLeft', 'blinkRight'].map(name => [name, 'blink'] as const),
  ...['lookUp', 'lookDown', 'lookLeft', 'lookRight'].map(name => [name, 'look'] as const),
  ...['aa', 'ih', 'ou', 'ee', 'oh'].map(name => [name, 'mouth'] as const),
]);

/** Unity's numbers of face parts (docs/formats/vgo.md, section 5.4). */
const EYELID = 13;
const MOUTH = 50;

interface Row {
  preset: string;
  part: Part | null;
  /** Its effect on other expressions, as the file declares. */
  overrides: Readonly<Record<Part, Override>>;
  /** True if its weight is rounded to 0 or 1. */
  isBinary: boolean;
  /** True if it moves eyelids and isn't a blink. */
  movesEyelids: boolean;
  /** Weight set by a solver (blink, look-at). */
  driven: number;
}

/**
 * Computes the weights of a scene's expressions from those set by the page and those set by
 * solvers.
 */
export class ExpressionRules {
  /** If true, presets don't move eyelids and don't affect blinking. */
  leavesEyelids = false;
  /** If true, presets don't move mouths. */
  leavesMouth = false;
  /** Resulting weights, by row of `scene.expressions`. */
  readonly weights: Float64Array;
  readonly #rows: Row[];
  readonly #eyelids = new Set<ExpressionBinding>();
  readonly #mouths = new Set<ExpressionBinding>();
  readonly #left: Record<Part, number> = { blink: 1, look: 1, mouth: 1 };

  constructor(scene: RigScene) {
    const wishes = new Map(scene.features.filter(({ kind }) => kind === 'expressionOverride').map(each => [each.name, each.properties]));
    this.weights = new Float64Array(scene.expressions.length);
    this.#rows = scene.expressions.map(({ name, preset = '', bindings }) => {
      const part = PARTS.get(preset) ?? null;
      const wish = wishes.get(name);
      const overrides = {
        blink: overrideIn(textIn(wish, 'blink')),
        look: overrideIn(textIn(wish, 'look')),
        mouth: overrideIn(textIn(wish, 'mouth')),
      };
      let movesEyelids = false;
      for (const binding of part ? [] : bindings) {
        const { renderer, morph } = binding;
        const tags = scene.meshes[scene.renderers[renderer]?.mesh ?? -1]?.morphs[morph]?.properties;
        const face = numberIn(tags, 'facePartsType', 0);
        const isEyelid = numberIn(tags, 'blinkType', 0) > 0 || face === EYELID;
        if (isEyelid) this.#eyelids.add(binding);
        if (numberIn(tags, 'visemeType', -1) >= 0 || face === MOUTH) this.#mouths.add(binding);
        movesEyelids ||= isEyelid;
      }
      return { preset, part, overrides, isBinary: numberIn(wish, 'isBinary', 0) === 1, movesEyelids, driven: 0 };
    });
  }

  /** Returns true if there is an expression with this preset. */
  has(preset: string): boolean {
    return this.#rows.some(row => row.preset === preset);
  }

  /**
   * Sets the automatic weight of a preset, 0 to 1. The larger of it and the page's weight counts.
   * Returns false if no expression has the preset.
   */
  drive(preset: string, weight: number): boolean {
    let isFound = false;
    for (const row of this.#rows) {
      if (row.preset !== preset) continue;
      row.driven = weight;
      isFound = true;
    }
    return isFound;
  }

  /** Updates `weights`. `set` holds the page's weights by row. */
  update(set: readonly { readonly weight: number }[]): void {
    const left = this.#left;
    left.blink = left.look = left.mouth = 1;
    let blinks = 1;
    for (let i = 0; i < this.#rows.length; i++) {
      const { overrides, isBinary, driven, movesEyelids } = this.#rows[i]!;
      const own = shown(Math.max(set[i]!.weight, driven), isBinary);
      this.weights[i] = own;
      left.blink -= amount(overrides.blink, own);
      left.look -= amount(overrides.look, own);
      left.mouth -= amount(overrides.mouth, own);
      if (movesEyelids) blinks -= own;
    }
    for (let i = 0; i < this.#rows.length; i++) {
      const { part, isBinary, driven } = this.#rows[i]!;
      if (part === null) continue;
      if (part === 'blink') this.weights[i] = shown(Math.max(set[i]!.weight, driven * blinks), isBinary);
      const rest = Math.max(left[part], 0);
      this.weights[i]! *= isBinary && rest < 1 ? 0 : rest;
    }
  }

  /** Returns true if the binding is currently skipped. */
  leaves(binding: ExpressionBinding): boolean {
    return (this.leavesEyelids && this.#eyelids.has(binding)) || (this.leavesMouth && this.#mouths.has(binding));
  }
}

const overrideIn = (text: string): Override => (text === 'block' || text === 'blend' ? text : 'none');

const shown = (weight: number, isBinary: boolean): number => (isBinary ? (weight > 0.5 ? 1 : 0) : weight);

const amount = (override: Override, weight: number): number => (override === 'blend' ? weight : override === 'block' && weight > 0 ? 1 : 0);
