// Every name in the manual of the element occurs in a test in Chromium.
import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { elementManual } from '../../.ci/sources.mjs';
import { inRoot } from '../../.ci/lib.mjs';

const folder = inRoot('tests/web/browser/element');
const tests = readdirSync(folder)
  .filter(name => name.endsWith('.test.ts'))
  .map(name => readFileSync(`${folder}/${name}`, 'utf8'))
  .join('\n');

const camel = name => name.replace(/-./g, found => found[1].toUpperCase());

it('every attribute, property, method, event, slot and state of the element occurs in its tests', async () => {
  const manual = await elementManual();
  const attributes = Object.keys(manual.ATTRIBUTE_MANUAL);
  expect(attributes.length).toBeGreaterThan(30);
  const untested = [
    ...attributes.filter(name => !new RegExp(`['" {,]${name}['"]?(:|')|\\.${camel(name)} = |\\b${name}="`).test(tests)),
    ...manual.PROPERTIES.filter(({ name }) => !new RegExp(`\\.${name}\\b|\\b${name}[,: }]`).test(tests)).map(({ name }) => name),
    ...manual.METHODS.filter(({ name }) => !tests.includes(`.${name}(`)).map(({ name }) => `${name}()`),
    ...Object.keys(manual.EVENTS).filter(name => !new RegExp(`'${name}'`).test(tests)),
    ...Object.keys(manual.SLOTS).filter(name => !new RegExp(`'${name}\\b`).test(tests)),
    ...Object.keys(manual.STATES).filter(name => !new RegExp(`state\\(${name}\\)|'${name}'`).test(tests)),
  ];
  expect(untested).toEqual([]);
});
