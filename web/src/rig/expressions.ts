// A file's expressions on a pose: named groups of morph weights on top of what motions say. three's objects have their own (three/expressions.ts).
import type { ExpressionBinding } from '../core/types.ts';
import type { Solver } from './animator.ts';
import type { FaceRules } from './faceRules.ts';
import type { Pose, PoseShape } from './pose.ts';

export class ExpressionSolver implements Solver {
  readonly stage = 'expressions';
  /** What expressions do to each other, and those that drive themselves; null: each shows as it is set. */
  rules: FaceRules | null;
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

  /** Sets it by name, else by preset, 0 to 1 (clamped). False where the file has none of that name. */
  set(name: string, weight: number): boolean {
    const named = this.#rows.filter(row => row.name === name);
    const found = named.length ? named : this.#rows.filter(row => row.preset === name);
    for (const row of found) row.weight = Math.min(Math.max(weight, 0), 1) || 0;
    return found.length > 0;
  }

  solve({ weights }: Pose): void {
    const { rules } = this;
    rules?.update(this.#rows);
    for (let i = 0; i < this.#rows.length; i++) {
      const { places } = this.#rows[i]!;
      const weight = rules ? rules.weights[i]! : this.#rows[i]!.weight;
      if (weight === 0) continue;
      for (let k = 0; k < places.length; k++) {
        const { row, binding } = places[k]!;
        if (!rules?.leaves(binding)) weights[row]! += weight * binding.weight;
      }
    }
  }
}
