// A file's expressions on a pose: named groups of morph weights on top of what motions say. three's objects have their own (three/expressions.ts).
import type { Solver } from './animator.ts';
import type { Pose, PoseShape } from './pose.ts';

export class ExpressionSolver implements Solver {
  readonly stage = 'expressions';
  readonly #rows: { name: string; preset: string; weight: number; places: { row: number; weight: number }[] }[];

  constructor({ scene, morphOffsets }: PoseShape) {
    this.#rows = scene.expressions.map(({ name, preset = '', bindings }) => ({
      name,
      preset,
      weight: 0,
      places: bindings.flatMap(({ renderer, morph, weight }) => {
        const row = (morphOffsets[renderer] ?? NaN) + morph;
        return morph >= 0 && row < (morphOffsets[renderer + 1] ?? 0) ? [{ row, weight }] : [];
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
    for (let i = 0; i < this.#rows.length; i++) {
      const { weight, places } = this.#rows[i]!;
      if (weight !== 0) for (let k = 0; k < places.length; k++) weights[places[k]!.row]! += weight * places[k]!.weight;
    }
  }
}
