import type { Target } from '../../web/src/convert/targets.ts';

export interface Row {
  what: string;
  /** The size that is measured. */
  n: number;
  /** The size that is counted, beside its double; nothing is counted without. */
  few?: number;
  task?: 'outline' | 'objects';
  /** A product by its nature: it grows until the budget ends it. */
  isProduct?: boolean;
  make(n: number): Made;
}

export interface Made {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** Companions: kind, name, content. */
  supplied?: readonly (readonly [kind: string, name: string, text: string])[];
}

/** A row that is converted. */
export interface ConvertRow extends Row {
  /** The targets that are measured; all of them are counted. */
  to: readonly Target[];
}

export const hostile: readonly Row[];
export const hostileToConvert: readonly ConvertRow[];
/** Files that a loader of three.js reads. */
export const hostileImports: readonly Pick<Row, 'what' | 'n' | 'make'>[];
export const costly: readonly ConvertRow[];
export const honest: readonly Pick<Row, 'what' | 'n' | 'make'>[];
export function floodedNames(n: number): string[];
export function vgoOfLayout(layout: object): Uint8Array<ArrayBuffer>;
