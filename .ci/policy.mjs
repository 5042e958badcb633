// The content security policy of the viewer and of embed.html.

/**
 * Returns the policy of a page. Only its own scripts and the worker of
 * web/src/core/worker/newWorker.ts may run, and text can't be converted to markup. Connections to
 * any server are allowed, because visitors enter URLs. `workers` and `images`: additional sources,
 * each with a leading space.
 */
export const policyOf = (workers, images) =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `worker-src 'self'${workers}`,
    "style-src 'self'",
    `img-src 'self' blob:${images}`,
    "connect-src 'self' blob: data: http: https:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types rigcast rigcast-offline',
  ].join('; ');
