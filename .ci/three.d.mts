/** See three.mjs. */
export const threeSource: string;
export const threeEntry: string;
export const outOfReach: Readonly<Record<string, string>>;
export function shaderModule(code: string): string;
