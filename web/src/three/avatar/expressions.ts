// Expressions: named groups of morph weights, set by name.
import type { Expression, ExpressionBinding } from '../../core/types.ts';
import type { FaceRules } from '../../rig/faceRules.ts';
import type { RigMesh } from '../build/build.ts';

interface Place {
  influences: number[];
  morph: number;
  /** What sliders and motions say there. */
  base: number;
  written: number;
}

/** One expression and how strong it is now, 0 to 1. */
export interface ExpressionState {
  readonly name: string;
  /** VRM 1.0's word for it where there is one: happy, blinkLeft, aa … */
  readonly preset: string;
  readonly weight: number;
}

/**
 * A file's expressions. They add to what morphs are set to otherwise: several may show at once, and a motion may play below them. Weights of
 * morphs are not clamped.
 */
export class Expressions {
  readonly #rows: { name: string; preset: string; weight: number; bindings: { place: Place; binding: ExpressionBinding }[] }[];
  /** What expressions do to each other, and those that drive themselves; null: each shows as it is set. */
  rules: FaceRules | null = null;
  readonly #places: Place[] = [];

  constructor(expressions: readonly Expression[], meshes: readonly (RigMesh | null)[]) {
    const places = new Map<string, Place>();
    this.#rows = expressions.map(({ name, preset = '', bindings }) => ({
      name,
      preset,
      weight: 0,
      bindings: bindings.flatMap(binding => {
        const { renderer, morph } = binding;
        const influences = meshes[renderer]?.morphTargetInfluences;
        if (!influences || !(morph < influences.length)) return [];
        const key = `${renderer} ${morph}`;
        let place = places.get(key);
        if (!place) {
          place = { influences, morph, base: influences[morph]!, written: influences[morph]! };
          places.set(key, place);
          this.#places.push(place);
        }
        return [{ place, binding }];
      }),
    }));
  }

  /** Vue leaves it as it is instead of wrapping it: private members know no wrappers. */
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

  /** How strong it is, by name or preset; 0 where there is none. */
  get(name: string): number {
    return this.#find(name)[0]?.weight ?? 0;
  }

  /** Sets it by name or preset, 0 to 1 (clamped). False where the file has none of that name. */
  set(name: string, weight: number): boolean {
    const found = this.#find(name);
    for (const row of found) row.weight = clamped(weight);
    this.apply();
    return found.length > 0;
  }

  /** The same by its place in `list`: names may occur twice. */
  setAt(index: number, weight: number): void {
    const row = this.#rows[index];
    if (row) row.weight = clamped(weight);
    this.apply();
  }

  /** All at 0. */
  reset(): void {
    for (const row of this.#rows) row.weight = 0;
    this.apply();
  }

  /** Writes the weights into the meshes. `set` does; call it after something else, a motion, has written there. */
  apply(): void {
    for (const place of this.#places) {
      const now = place.influences[place.morph]!;
      if (now !== place.written) place.base = now; // somebody else wrote
      place.written = place.base;
    }
    const { rules } = this;
    rules?.update(this.#rows);
    for (const [i, { weight, bindings }] of this.#rows.entries()) {
      const now = rules?.weights[i] ?? weight;
      if (now !== 0) for (const { place, binding } of bindings) if (!rules?.leaves(binding)) place.written += now * binding.weight;
    }
    for (const { influences, morph, written } of this.#places) influences[morph] = written;
  }

  #find(name: string) {
    const named = this.#rows.filter(row => row.name === name);
    return named.length ? named : this.#rows.filter(row => row.preset === name);
  }
}

function clamped(weight: number): number {
  return Number.isFinite(weight) ? Math.min(Math.max(weight, 0), 1) : 0;
}
