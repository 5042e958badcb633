// A file's expressions: named groups of morph weights on top of those of animations, set by name.
import { numberAt } from '../core/math/column.ts';
import type { ExpressionBinding } from '../core/types.ts';
import type { Solver } from './animator.ts';
import type { FaceRules } from './faceRules.ts';
import type { Pose, PoseShape } from './pose.ts';

/** One expression and how strong it is now, 0 to 1. */
export interface ExpressionState {
  readonly name: string;
  /** VRM 1.0's word for it if there is one: happy, blinkLeft, aa … */
  readonly preset: string;
  readonly weight: number;
}

/**
 * A file's expressions. They add to the morph weights of sliders and animations, so that several may show at once and an animation may play below them. The sums
 * are not clamped.
 */
export class Expressions implements Solver {
  readonly stage = 'expressions';
  /** Resolves expressions that affect each other, and those that drive themselves; null: each shows as it is set. */
  rules: FaceRules | null;
  /** Shows them at once on whatever holds the pose. `set` calls it; call it after something else has changed morph weights there. */
  apply: () => void = () => {};
  readonly #rows: { name: string; preset: string; weight: number; places: { row: number; binding: ExpressionBinding }[] }[];

  constructor({ scene, morphOffsets }: PoseShape, rules: FaceRules | null = null) {
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

  /** In the file's order. */
  get list(): readonly ExpressionState[] {
    return this.#rows.map(({ name, preset, weight }) => ({ name, preset, weight }));
  }

  get names(): string[] {
    return this.#rows.map(({ name }) => name);
  }

  /** Presets that the file has, by VRM 1.0's names. */
  get presets(): string[] {
    return this.#rows.flatMap(({ preset }) => preset || []);
  }

  /** Returns the weight by name or preset; 0 if there is none of that name. */
  get(name: string): number {
    return this.#find(name)[0]?.weight ?? 0;
  }

  /** Sets it by name, else by preset, 0 to 1 (clamped). Returns false if the file has none of that name. */
  set(name: string, weight: number): boolean {
    const found = this.#find(name);
    for (const row of found) row.weight = clamped(weight);
    this.apply();
    return found.length > 0;
  }

  /** Sets it by its index in `list`: names may occur twice. */
  setAt(index: number, weight: number): void {
    const row = this.#rows[index];
    if (row) row.weight = clamped(weight);
    this.apply();
  }

  /** Sets all to 0. */
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
