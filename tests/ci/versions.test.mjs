// docs/versions.md states the requirements that follow from the code and from package.json.
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inRoot } from '../../.ci/lib.mjs';

const read = path => readFileSync(inRoot(path), 'utf8');
const page = read('docs/versions.md');

/** Rows of the table whose first heading is `heading`, as lists of cells. */
function tableOf(heading) {
  const rows = page
    .slice(page.indexOf(`| ${heading} |`))
    .split('\n\n')[0]
    .split('\n')
    .slice(2);
  return rows.filter(row => row.startsWith('|')).map(row => row.slice(2, -2).split(' | '));
}

const sourcesIn = room =>
  readdirSync(inRoot('web/src', room), { recursive: true })
    .filter(name => name.endsWith('.ts'))
    .map(name => read(`web/src/${room}/${name}`))
    .join('\n');

/** Text in the sources that uses each feature, in the room of its entry. */
const FEATURES = {
  '`URL.canParse`': /URL\.canParse\(/,
  '`toSorted`': /\.toSorted\(/,
  'module workers': /type: 'module'/,
  '`AbortSignal.any`': /AbortSignal\.any\(/,
  '`light-dark()`': /light-dark\(/,
  '`:state()`': /states\.add\(/,
  'nested CSS rules': /\{\n {2}[^{}\n]*\n {2}&:focus-visible \{/,
  '`color-mix()`': /color-mix\(/,
};
const ROOMS = { '`rigcast`': 'core', '`rigcast/three`': 'three', '`rigcast/element`': 'element' };

describe('docs/versions.md', () => {
  it('derives the browsers of each entry from the features that the entry uses', () => {
    const features = tableOf('feature');
    const layers = Object.keys(ROOMS); // each entry also needs the features of the entries before it
    const needed = layers.map((_, i) => {
      const rows = features.filter(([, entry]) => layers.slice(0, i + 1).includes(entry));
      return [0, 1, 2].map(browser => Math.max(...rows.map(row => Number(row[2 + browser]))));
    });
    const stated = tableOf('entry').map(row => row.slice(1).map(Number));
    expect(stated).toEqual(needed);
  });

  it('lists features that the sources use', () => {
    const rows = tableOf('feature').filter(([feature]) => feature !== 'WebAssembly SIMD');
    expect(rows.map(([feature]) => feature).toSorted()).toEqual(Object.keys(FEATURES).toSorted());
    for (const [feature, entry] of rows) expect(sourcesIn(ROOMS[entry]), feature).toMatch(FEATURES[feature]);
    expect(read('CMakeLists.txt')).toContain('-msimd128');
    // Built-in objects newer than toSorted do not compile.
    expect(JSON.parse(read('tsconfig.json')).compilerOptions.lib).toEqual(['es2023', 'dom', 'dom.iterable', 'dom.asynciterable']);
  });

  it('states the versions of package.json and of the tests', () => {
    const { engines, peerDependencies } = JSON.parse(read('package.json'));
    const versions = Object.fromEntries(tableOf('software'));
    expect(`>=${versions['Node'].split(' ')[0]}`).toBe(engines.node);
    expect(peerDependencies.three.split(' ')[0]).toBe(`>=${versions['three.js'].split(' ')[0]}`);
    expect(versions['React']).toBe(`${peerDependencies.react.slice('>='.length)} or newer`);
    expect(read('.ci/consumers.mjs')).toContain(`'TypeScript ${versions['TypeScript'].split(' ')[0]}'`);
  });
});
