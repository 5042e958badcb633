// Trusted Types for the decoders of three.js (decoders.ts), which start workers from Blobs.

interface Rules {
  createScriptURL(url: string): string | null;
}

/**
 * Lets a page that requires Trusted Types start workers from its Blobs. Other scripts stay forbidden.
 * The content security policy must allow `worker-src blob:` and the policy `default`. Only for pages
 * of rigcast: a page can have only one default policy.
 */
export function allowBlobWorkers(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Rules): unknown } };
  try {
    trustedTypes?.createPolicy('default', { createScriptURL: url => (url.startsWith('blob:') ? url : null) });
  } catch {
    // The server of the page forbids this policy. The decoders then report that they cannot start.
  }
}
