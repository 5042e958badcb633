/** See manifest.mjs. */
export function customElementsOf(manual: object): object;
