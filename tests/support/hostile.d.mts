import type { Target } from '../../web/src/convert/targets.ts';

export interface Row {
  what: string;
  /** Size of the file for which time and memory are measured. */
  n: number;
  /**
   * Size for which work units are counted. The count is compared with the count for twice this
   * size. If `few` is absent, work units are not counted.
   */
  few?: number;
  task?: 'outline' | 'objects';
  /**
   * True if the work grows with the product of two sizes, so that only the limit of work units
   * stops it.
   */
  isProduct?: boolean;
  make(n: number): Made;
}

export interface Made {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** Companion files: kind, name, content. */
  supplied?: readonly (readonly [kind: string, name: string, text: string])[];
}

/** A file that is converted. */
export interface ConvertRow extends Row {
  /** Targets for which time is measured. Work units are counted for all targets. */
  to: readonly Target[];
}

export const hostile: readonly Row[];
export const hostileToConvert: readonly ConvertRow[];
/** Expensive files that are opened with a loader of three.js. */
export const hostileImports: readonly Pick<Row, 'what' | 'n' | 'make'>[];
export const costly: readonly ConvertRow[];
export const honest: readonly Pick<Row, 'what' | 'n' | 'make'>[];
export function floodedNames(n: number): string[];
export function vgoOfLayout(layout: object): Uint8Array<ArrayBuffer>;
