// The content security policy of the viewer and of embed.html.

/**
 * Returns the policy of a page. Only its own scripts and workers may run: those of
 * web/src/core/worker/newWorker.ts and, if the page allows them, the decoders of three.js
 * (web/src/interop/blobWorkers.ts). Text can't be converted to markup. Connections to any server are
 * allowed, because visitors enter URLs. `images`: additional sources, each with a leading space.
 */
export const policyOf = images =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self' blob:",
    "style-src 'self'",
    `img-src 'self' blob:${images}`,
    "connect-src 'self' blob: data: http: https:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default rigcast rigcast-offline',
  ].join('; ');
