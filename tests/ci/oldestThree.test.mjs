// Every name that the package imports from three.js exists in the oldest supported release. A bundler only warns of a name that is missing; a page without one loads nothing.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import * as oldest from 'three-160';
import { expect, it } from 'vitest';
import { inRoot } from '../../.ci/lib.mjs';

const modules = readdirSync(inRoot('web/src'), { recursive: true })
  .filter(file => file.endsWith('.ts') && !file.startsWith('viewer/')) // the site contains a three.js of its own
  .map(file => ({ file, text: readFileSync(inRoot('web/src', file), 'utf8') }));

it('imports no name of three.js that its oldest release has not', () => {
  const names = modules.flatMap(({ file, text }) =>
    [...text.matchAll(/import\s*\{([^}]*)\}\s*from\s*'three'/g)].flatMap(([, list]) =>
      list
        .split(',')
        .map(name => name.trim().split(' as ')[0])
        .filter(name => name && !name.startsWith('type '))
        .map(name => [file, name]),
    ),
  );
  expect(names.length).toBeGreaterThan(200);
  expect(names.filter(([, name]) => !(name in oldest))).toEqual([]);
});

it('imports no addon of three.js that its oldest release has not', () => {
  const addons = modules.flatMap(({ file, text }) =>
    // Pages with WebGPURenderer have a newer release, and the package contains the addons of vendor/.
    /^(three|view)\/webgpu\//.test(file) || file.includes('/vendor/')
      ? []
      : [...text.matchAll(/(?:from|import\()\s*'three\/addons\/([^']+)'/g)].map(([, path]) => [file, path]),
  );
  expect(addons.length).toBeGreaterThan(5);
  expect(addons.filter(([, path]) => !existsSync(inRoot('node_modules/three-160/examples/jsm', path)))).toEqual([]);
});
