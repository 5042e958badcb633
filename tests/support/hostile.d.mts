import type { Target } from '../../web/src/convert/targets.ts';

export interface Row {
  what: string;
  /** Size of the file for which time and memory are measured. */
  n: number;
  /**
   * Size for which work is counted and compared with twice this size. Without it, work is not
   * counted.
   */
  few?: number;
  task?: 'outline' | 'objects';
  /** True if the work is the product of two sizes, so that only the limit stops it. */
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
  /** Targets for which time is measured. Work is counted for all targets. */
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
