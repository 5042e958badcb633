/** See policy.mjs. */
export function policyOf(workers: string, images: string): string;
