import type { Plugin } from 'vite';

/** See three.mjs. */
export function threeByModules(paths: { foreign: string; shadows: string; tracks: string }): Plugin;
