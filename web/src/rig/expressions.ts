// The facial expressions of a file. The constructor checks the rows of morph targets, so arrays are
// indexed without checks (`!`).
import { numberAt } from '../core/math/column.ts';
import type { ExpressionBinding } from '../core/types.ts';
import type { Solver } from './animator.ts';
import type { ExpressionRules } from './expressionRules.ts';
import type { Pose, PoseShape } from './pose.ts';

/** A facial expression and its weight, 0 to 1. */
export interface ExpressionState {
  readonly name: string;
  /** VRM 1.0 preset name of the expression (happy, blinkLeft, aa …), or an empty string. */
  readonly preset: string;
  readonly weight: number;
}

/**
 * The facial expressions of a file. Their morph weights are added to the morph weights that the
 * page and animations set. The sums are not clamped.
 */
export class Expressions implements Solver {
  readonly stage = 'expressions';
  /**
   * Rules that combine the weights set by the page with automatic ones (blink, look-at) and apply
   * overrides. If null, every expression has the weight set by the page.
   */
  rules: ExpressionRules | null;
  /**
   * Applies the expressions to the rendered objects immediately. `set`, `setAt` and `reset` call
   * this function. If you change morph weights of the objects yourself, call it afterwards.
   */
  apply: () => void = () => {};
  readonly #rows: { name: string; preset: string; weight: number; targets: { row: number; binding: ExpressionBinding }[] }[];

  constructor({ scene, morphOffsets }: PoseShape, rules: ExpressionRules | null = null) {
    this.rules = rules;
    this.#rows = scene.expressions.map(({ name, preset = '', bindings }) => ({
      name,
      preset,
      weight: 0,
      targets: bindings.flatMap(binding => {
        const { renderer, morph } = binding;
        const row = (morphOffsets[renderer] ?? NaN) + morph;
        return morph >= 0 && row < (morphOffsets[renderer + 1] ?? 0) ? [{ row, binding }] : [];
      }),
    }));
  }

  /** Keeps Vue from wrapping this object in a proxy. Private members don't work with proxies. */
  get __v_skip(): true {
    return true;
  }

  /** All expressions in the order of the file. */
  get list(): readonly ExpressionState[] {
    return this.#rows.map(({ name, preset, weight }) => ({ name, preset, weight }));
  }

  get names(): string[] {
    return this.#rows.map(({ name }) => name);
  }

  /** VRM 1.0 preset names of all expressions that have one. */
  get presets(): string[] {
    return this.#rows.flatMap(({ preset }) => preset || []);
  }

  /** Returns the weight of the expression with this name or preset; 0 if there is none. */
  get(name: string): number {
    return this.#find(name)[0]?.weight ?? 0;
  }

  /**
   * Sets the weight of all expressions with this name or, if there are none, with this preset.
   * `weight` is clamped to the range 0 to 1. Returns false if no expression matches.
   */
  set(name: string, weight: number): boolean {
    const found = this.#find(name);
    for (const row of found) row.weight = clamped(weight);
    this.apply();
    return found.length > 0;
  }

  /** Sets the weight of the expression at an index of `list`. Unlike names, indices are unique. */
  setAt(index: number, weight: number): void {
    const row = this.#rows[index];
    if (row) row.weight = clamped(weight);
    this.apply();
  }

  /** Sets the weights of all expressions to 0. */
  reset(): void {
    for (const row of this.#rows) row.weight = 0;
    this.apply();
  }

  solve({ weights }: Pose): void {
    const { rules } = this;
    rules?.update(this.#rows);
    let i = 0;
    for (const { targets, weight: own } of this.#rows) {
      const weight = rules ? numberAt(rules.weights, i++) : own;
      if (weight === 0) continue;
      for (const { row, binding } of targets) if (!rules?.skips(binding)) weights[row]! += weight * binding.weight;
    }
  }

  #find(name: string) {
    const named = this.#rows.filter(row => row.name === name);
    return named.length ? named : this.#rows.filter(row => row.preset === name);
  }
}

const clamped = (weight: number): number => Math.min(Math.max(weight, 0), 1) || 0;
