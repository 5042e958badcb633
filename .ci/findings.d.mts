/** See findings.mjs. */
export function findingsPage(): string;
