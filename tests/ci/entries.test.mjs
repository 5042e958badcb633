// The names that the entry points of the package export.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportsOf } from '../../.ci/api.mjs';
import { inRoot } from '../../.ci/lib.mjs';
import { typesOf } from '../../.ci/types.mjs';

/** Names that two entries export with different declarations, with the reason. */
const BOTH = {
  bind: 'rigcast/rig binds one clip to a scene; rigcast/three binds all animations of a source to objects. Arguments and options are the same.',
  BindOptions: 'The options of rigcast/three also accept files, rigs and objects of other loaders as `retargetFrom`.',
};

const { exports } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
// The exports of rigcast/worker are the messages between the page and the worker; no page uses them.
const sources = typesOf(inRoot(), exports)
  .map(file => inRoot('web/src', relative(inRoot('dist'), file).replace(/\.d\.ts$/, '.ts')))
  .filter(source => !source.endsWith('/worker.ts'));

/** Returns the declarations of each exported name, as `path: name`. */
async function declarationsByName() {
  const found = new Map();
  for (const source of sources)
    for (const { name, module, node } of await exportsOf(source)) {
      const of = found.get(name) ?? new Set();
      found.set(name, of.add(`${relative(inRoot('web/src'), module.path)}: ${node.id?.name ?? name}`));
    }
  return found;
}

describe('the entries of the package', () => {
  it('have a source file each', () => {
    expect(sources.length).toBeGreaterThan(7);
    expect(sources.filter(source => !existsSync(source))).toEqual([]);
  });

  it('give each name one meaning, except for a listed few', async () => {
    const declarations = await declarationsByName();
    expect(declarations.size).toBeGreaterThan(200);
    const ambiguous = [...declarations].filter(([, of]) => of.size > 1);
    expect(Object.fromEntries(ambiguous.map(([name, of]) => [name, BOTH[name] ?? [...of]]))).toEqual(BOTH);
  });

  it('export bind from rigcast/rig and rigcast/three only', async () => {
    const of = async entry => (await exportsOf(inRoot('web/src', entry, 'index.ts'))).some(({ name }) => name === 'bind');
    const entries = ['core', 'three', 'rig', 'convert', 'element'];
    const exported = await Promise.all(entries.map(of));
    expect(entries.filter((_, i) => exported[i])).toEqual(['three', 'rig']);
  });

  it('are all in docs/api.md, with every name and without internal members', async () => {
    const page = readFileSync(inRoot('docs/api.md'), 'utf8');
    const missing = [];
    for (const source of sources)
      for (const { name } of await exportsOf(source))
        if (!page.includes(`\n### ${name}\n`)) missing.push(`${relative(inRoot(), source)}: ${name}`);
    expect(missing).toEqual([]);
    expect(page).not.toContain('@internal');
    expect(page).not.toMatch(/^ {2}(touch|reach|weightRow|propertyRow)\(/m);
  });
});
