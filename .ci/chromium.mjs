// The Chromium that runs the tests.
import { existsSync } from 'node:fs';
import { inRoot } from './lib.mjs';

/** Files of Debian's Chromium, and of Mesa's EGL. */
const needed = ['/usr/bin/chromium', '/usr/share/glvnd/egl_vendor.d/50_mesa.json'];

/**
 * Returns the path of Chromium: the environment variable CHROMIUM_PATH or, if both are installed,
 * Debian's Chromium with Mesa's rasteriser.
 */
export const chromiumPath = (env = process.env) => env.CHROMIUM_PATH ?? (needed.every(existsSync) ? inRoot('.ci/chromium') : needed[0]);
