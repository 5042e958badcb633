export interface Row {
  what: string;
  /** The size that is measured. */
  n: number;
  /** The size that is counted, beside its double; nothing is counted without. */
  few?: number;
  task?: 'outline' | 'objects';
  /** A product by its nature: it grows until the budget ends it. */
  isProduct?: boolean;
  make(n: number): { name: string; bytes: Uint8Array<ArrayBuffer> };
}

export const hostile: readonly Row[];
export const honest: readonly Pick<Row, 'what' | 'n' | 'make'>[];
export function floodedNames(n: number): string[];
export function vgoOfLayout(layout: object): Uint8Array<ArrayBuffer>;
