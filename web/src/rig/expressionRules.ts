// Combines expression weights that the page sets with automatic ones (blink, look-at), and applies
// expression overrides.
//
// In VRM, an active expression can block or fade out the expressions for blinking, look-at or the
// mouth. In UniVGO, presets can skip the morph targets of eyelids or mouth, so that the page can
// control them. VGO files declare no overrides; a preset that moves an eyelid fades out automatic
// blinking.
//
// `#rows`, `weights` and the argument of `update` have one element per expression, so they are
// indexed without checks (`!`).
import { numberIn, textIn } from '../core/properties.ts';
import type { ExpressionBinding, RigScene } from '../core/types.ts';

type Part = 'blink' | 'look' | 'mouth';
type Override = 'none' | 'block' | 'blend';

const PARTS: ReadonlyMap<string, Part> = new Map([
  ...['blink', 'blinkLeft', 'blinkRight'].map(name => [name, 'blink'] as const),
  ...['lookUp', 'lookDown', 'lookLeft', 'lookRight'].map(name => [name, 'look'] as const),
  ...['aa', 'ih', 'ou', 'ee', 'oh'].map(name => [name, 'mouth'] as const),
]);

/** Unity's numbers for face parts (docs/formats/vgo.md, section 5.4). */
const EYELID = 13;
const MOUTH = 50;

interface Row {
  preset: string;
  part: Part | null;
  /**
   * How this expression affects expressions for blinking, look-at and the mouth, as the file
   * declares.
   */
  overrides: Readonly<Record<Part, Override>>;
  /** True if the weight of the expression is rounded to 0 or 1. */
  isBinary: boolean;
  /** True if the expression moves eyelids and isn't a blink. */
  movesEyelids: boolean;
  /** Weight that a solver (blink, look-at) has set. */
  driven: number;
}

/**
 * Computes the resulting weight of each expression from the weights that the page and the solvers
 * have set.
 *
 * @experimental
 */
export class ExpressionRules {
  /** If true, blinks are the only expressions that move the eyelids. */
  skipsEyelids = false;
  /** If true, visemes are the only expressions that move the mouth. */
  skipsMouth = false;
  /** Resulting weights of the expressions, in the order of `scene.expressions`. */
  readonly weights: Float64Array;
  readonly #rows: Row[];
  readonly #eyelids = new Set<ExpressionBinding>();
  readonly #mouths = new Set<ExpressionBinding>();
  readonly #remaining: Record<Part, number> = { blink: 1, look: 1, mouth: 1 };

  constructor(scene: RigScene) {
    const declarations = new Map(
      scene.features.filter(({ kind }) => kind === 'expressionOverride').map(each => [each.name, each.properties]),
    );
    this.weights = new Float64Array(scene.expressions.length);
    this.#rows = scene.expressions.map(({ name, preset = '', bindings }) => {
      const part = PARTS.get(preset) ?? null;
      const declared = declarations.get(name);
      const overrides = {
        blink: overrideIn(textIn(declared, 'blink')),
        look: overrideIn(textIn(declared, 'look')),
        mouth: overrideIn(textIn(declared, 'mouth')),
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
      return { preset, part, overrides, isBinary: numberIn(declared, 'isBinary', 0) === 1, movesEyelids, driven: 0 };
    });
  }

  /** Returns true if the scene has an expression with this preset. */
  has(preset: string): boolean {
    return this.#rows.some(row => row.preset === preset);
  }

  /**
   * Sets the automatic weight, 0 to 1, of the expressions with a preset. An expression uses its
   * automatic weight or the weight set by the page, whichever is larger. Returns false if no
   * expression has this preset.
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

  /** Updates `weights`. `set`: weights that the page has set, one per expression. */
  update(set: readonly { readonly weight: number }[]): void {
    const remaining = this.#remaining;
    remaining.blink = remaining.look = remaining.mouth = 1;
    let blinks = 1;
    for (let i = 0; i < this.#rows.length; i++) {
      const { overrides, isBinary, driven, movesEyelids } = this.#rows[i]!;
      const own = shown(Math.max(set[i]!.weight, driven), isBinary);
      this.weights[i] = own;
      remaining.blink -= amount(overrides.blink, own);
      remaining.look -= amount(overrides.look, own);
      remaining.mouth -= amount(overrides.mouth, own);
      if (movesEyelids) blinks -= own;
    }
    for (let i = 0; i < this.#rows.length; i++) {
      const { part, isBinary, driven } = this.#rows[i]!;
      if (part === null) continue;
      if (part === 'blink') this.weights[i] = shown(Math.max(set[i]!.weight, driven * blinks), isBinary);
      const rest = Math.max(remaining[part], 0);
      this.weights[i]! *= isBinary && rest < 1 ? 0 : rest;
    }
  }

  /** Returns true if `skipsEyelids` or `skipsMouth` excludes the binding. */
  skips(binding: ExpressionBinding): boolean {
    return (this.skipsEyelids && this.#eyelids.has(binding)) || (this.skipsMouth && this.#mouths.has(binding));
  }
}

const overrideIn = (text: string): Override => (text === 'block' || text === 'blend' ? text : 'none');

const shown = (weight: number, isBinary: boolean): number => (isBinary ? (weight > 0.5 ? 1 : 0) : weight);

const amount = (override: Override, weight: number): number => (override === 'blend' ? weight : override === 'block' && weight > 0 ? 1 : 0);
