// In place of Psk-Loaders (PSK_LOADERS in run.bench.mjs), if it is not available.
export const PSKLoader = null;
