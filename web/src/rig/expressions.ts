// Expressions of a file: named groups of morph weights that are added to those of animations.
import { numberAt } from '../core/math/column.ts';
import type { ExpressionBinding } from '../core/types.ts';
import type { Solver } from './animator.ts';
import type { ExpressionRules } from './expressionRules.ts';
import type { Pose, PoseShape } from './pose.ts';

/** An expression and its weight, 0 to 1. */
export interface ExpressionState {
  readonly name: string;
  /** Its preset name in VRM 1.0, if it has one: happy, blinkLeft, aa … */
  readonly preset: string;
  readonly weight: number;
}

/**
 * The expressions of a file. Their weights add to the morph weights of sliders and animations, and
 * the sums are not clamped.
 */
export class Expressions implements Solver {
  readonly stage = 'expressions';
  /**
   * Rules for expressions that override each other and for automatic ones; null if every expression
   * shows its own weight.
   */
  rules: ExpressionRules | null;
  /**
   * Shows the expressions immediately. `set` calls it. Call it after changing morph weights of the
   * objects.
   */
  apply: () => void = () => {};
  readonly #rows: { name: string; preset: string; weight: number; places: { row: number; binding: ExpressionBinding }[] }[];

  constructor({ scene, morphOffsets }: PoseShape, rules: ExpressionRules | null = null) {
    this.rules = rules;
    this.#rows = scene.expressions.map(({ name, preset = '', bindings }) => ({
      name,
      preset,
      weight: 0,
      places: bindings.flatMap(binding => {
        const { renderer, morph } = binding;
        const row = (morphOffsets[renderer] ?? NaN) + morph;
        return morph >= 0 && row < (morphOffsets[renderer + 1] ?? 0) ? [{ row, binding }] : [];
      }),
    }));
  }

  /** Keeps Vue from wrapping it in a proxy, which private members do not allow. */
  get __v_skip(): true {
    return true;
  }

  /** In the order of the file. */
  get list(): readonly ExpressionState[] {
    return this.#rows.map(({ name, preset, weight }) => ({ name, preset, weight }));
  }

  get names(): string[] {
    return this.#rows.map(({ name }) => name);
  }

  /** Preset names in VRM 1.0 of the expressions that have one. */
  get presets(): string[] {
    return this.#rows.flatMap(({ preset }) => preset || []);
  }

  /** Returns the weight of an expression by name or preset; 0 if there is none. */
  get(name: string): number {
    return this.#find(name)[0]?.weight ?? 0;
  }

  /**
   * Sets the weight of an expression by name, else by preset, clamped to 0 to 1. Returns false if
   * there is none.
   */
  set(name: string, weight: number): boolean {
    const found = this.#find(name);
    for (const row of found) row.weight = clamped(weight);
    this.apply();
    return found.length > 0;
  }

  /** Sets the weight of an expression by its index in `list`, because names may occur twice. */
  setAt(index: number, weight: number): void {
    const row = this.#rows[index];
    if (row) row.weight = clamped(weight);
    this.apply();
  }

  /** Sets all weights to 0. */
  reset(): void {
    for (const row of this.#rows) row.weight = 0;
    this.apply();
  }

  solve({ weights }: Pose): void {
    const { rules } = this;
    rules?.update(this.#rows);
    let i = 0;
    for (const { places, weight: own } of this.#rows) {
      const weight = rules ? numberAt(rules.weights, i++) : own;
      if (weight === 0) continue;
      for (const { row, binding } of places) if (!rules?.leaves(binding)) weights[row]! += weight * binding.weight;
    }
  }

  #find(name: string) {
    const named = this.#rows.filter(row => row.name === name);
    return named.length ? named : this.#rows.filter(row => row.preset === name);
  }
}

const clamped = (weight: number): number => Math.min(Math.max(weight, 0), 1) || 0;
