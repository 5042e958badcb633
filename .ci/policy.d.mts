/** See policy.mjs. */
export function policyOf(images: string): string;
