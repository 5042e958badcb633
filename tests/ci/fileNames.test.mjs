// One rule for the names of files (HACKING.md, "Edit and test"), for every file that is written by hand.
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inRoot, run } from '../../.ci/lib.mjs';

/** camelCase, then what kind of file it is. A declaration of a package has the package's name. */
const isNamedWell = name => /^[a-z][A-Za-z0-9]*(\.(test|bench|d|hot))?\.(ts|mts|mjs|js|cpp|hpp|def)$/.test(name) || /\.d\.m?ts$/.test(name);

const isSource = name => /\.(ts|mts|mjs|js|cpp|hpp|def)$/.test(name);

it('sources and tests are named in camelCase', () => {
  const wrong = ['.ci', 'wasm', 'web/src', 'web/examples', 'tests'].flatMap(top =>
    readdirSync(inRoot(top), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && isSource(entry.name) && !/[/\\](vendor|node_modules|consumers)([/\\]|$)/.test(entry.parentPath))
      .filter(entry => !isNamedWell(entry.name))
      .map(entry => `${entry.parentPath}/${entry.name}`),
  );
  expect(wrong).toEqual([]);
});

// Git, oxlint and Prettier skip what is ignored: a folder of sources may have the name of a folder for built output.
it('no source is ignored', () => {
  const { code, stdout } = run('git', ['ls-files', '--cached', '--ignored', '--exclude-standard'], { cwd: inRoot() });
  if (code === 0) expect(stdout).toBe(''); // no checkout of git: nothing to ask
});
