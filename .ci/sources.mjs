// Imports TypeScript modules of web/src into the scripts, after bundling them in memory.
import { readFileSync } from 'node:fs';
import { inRoot } from './lib.mjs';
import { attributeManual } from './manifest.mjs';

/** Imports a module of web/src into a script. */
export async function sourceModule(file) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [inRoot('web/src', file)],
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
    plugins: [{ name: 'lazy', setup: lazyOutside }],
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

/** A bundler plugin that keeps dynamically imported modules out of the bundle. */
const lazyOutside = build => build.onResolve({ filter: /./ }, ({ kind }) => (kind === 'dynamic-import' ? { external: true } : null));

/** Returns the documentation of the element, including its attributes. */
export async function elementManual() {
  const { ATTRIBUTES } = await sourceModule('element/attributes.ts');
  const ATTRIBUTE_MANUAL = attributeManual(ATTRIBUTES, readFileSync(inRoot('web/src/element/attributes.ts'), 'utf8'));
  return { ...(await sourceModule('element/manual.ts')), ATTRIBUTE_MANUAL };
}
