// Checks which folders import each other, in TypeScript and in C++, and that no files import each
// other in a cycle. An import of a type counts as an import.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inRoot } from '../../.ci/lib.mjs';

/** Maps each folder of web/src to the folders that it may import. */
const web = {
  core: [],
  textures: ['core'],
  rig: ['core'],
  three: ['core', 'textures', 'rig'],
  interop: ['core', 'rig', 'three'],
  convert: ['core', 'textures', 'rig', 'three'], // three: decoders of images, and where the files of a world are
  session: ['core', 'textures', 'rig', 'three', 'interop'],
  view: ['core', 'rig', 'three'],
  encode: ['core'],
  element: ['core', 'textures', 'rig', 'three', 'interop', 'convert', 'session', 'view', 'encode'], // convert, encode: only in modules that are imported on demand
  react: ['core', 'element', 'three'],
  embed: ['core', 'element'],
  viewer: ['core', 'textures', 'rig', 'three', 'interop', 'convert', 'session', 'view', 'encode'],
  cli: ['core', 'textures', 'rig', 'three', 'interop', 'convert', 'element', 'encode'], // three: only in modules that need it; element: attributes and their syntax; encode: formats, ZIP
};

/**
 * Exceptions: the entry module of a folder may re-export from a folder that depends on it. `rigcast/three` re-exports `bindTo` from `interop`.
 * Two modules of `convert` open sources with the loaders of three.js.
 */
const entries = { 'three/index.ts': ['interop'], 'convert/openOther.ts': ['interop'], 'convert/conversion.ts': ['interop'] };

/** By room of wasm. A format knows no other; `formats` itself is the list of all. */
const native = { core: [], scene: ['core'], formats: ['core', 'scene'], bindings: ['core', 'scene', 'formats'] };

const filesOf = (folder, ends) =>
  readdirSync(inRoot(folder), { recursive: true })
    .filter(file => ends.test(file))
    .sort();

/** Imports inside a folder, as [file, file]; `resolve` gives the file that a specifier means, null outside. */
function importsOf(folder, ends, pattern, resolve) {
  return filesOf(folder, ends).flatMap(file =>
    [...readFileSync(inRoot(folder, file), 'utf8').matchAll(pattern)].flatMap(([, specifier]) => {
      const target = resolve(file, specifier);
      return target === null ? [] : [[file, target]];
    }),
  );
}

const scripts = importsOf('web/src', /\.ts$/, /(?:from|import)\s*\(?\s*'(\.[^']+)'/g, (file, specifier) => {
  const target = relative('.', join(dirname(file), specifier.replace(/\?.*$/, '')));
  return target.endsWith('.ts') ? target : null;
});
const sources = importsOf('wasm', /\.(cpp|hpp|def)$/, /#include "([^"]+)"/g, (_, target) => target);

const roomOf = file => file.split('/')[0];

/** Files that know each other, in a ring; the shortest ring through the first that is found. */
function ringOf(edges) {
  const next = new Map();
  for (const [from, to] of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const state = new Map();
  const walk = (file, path) => {
    if (state.get(file) === 'done') return null;
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    for (const to of next.get(file) ?? []) {
      const ring = walk(to, [...path, file]);
      if (ring) return ring;
    }
    state.set(file, 'done');
    return null;
  };
  for (const file of next.keys()) {
    const ring = walk(file, []);
    if (ring) return ring;
  }
  return null;
}

const against = (edges, allowed) =>
  edges
    .filter(
      ([from, to]) => roomOf(from) !== roomOf(to) && !allowed[roomOf(from)]?.includes(roomOf(to)) && !entries[from]?.includes(roomOf(to)),
    )
    .map(([from, to]) => `${from} knows ${to}`);

describe('rooms of web/src', () => {
  it('are all listed in this test', () => {
    const rooms = readdirSync(inRoot('web/src'), { withFileTypes: true }).filter(entry => entry.isDirectory());
    expect(rooms.map(({ name }) => name).sort()).toEqual(Object.keys(web).sort());
  });

  it('import only the rooms that the design allows', () => {
    expect(scripts.length).toBeGreaterThan(1000);
    expect(against(scripts, web)).toEqual([]);
  });

  it('have no import cycles', () => {
    expect(ringOf(scripts)).toBeNull();
  });
});

describe('benches and tools of tests', () => {
  const built = importsOf('tests', /\.(mjs|ts)$/, /(?:from|import)\s*\(?\s*'((?:\.\.\/)+dist\/[^']+)'/g, (file, specifier) =>
    relative('dist', join('tests', dirname(file), specifier)),
  );

  it('import modules of the package that have a source', () => {
    expect(built.length).toBeGreaterThan(5);
    const missing = built.filter(([, module]) => !existsSync(inRoot('web/src', module.replace(/js$/, 'ts'))));
    expect(missing.map(([file, module]) => `${file} imports ${module}`)).toEqual([]);
  });
});

describe('rooms of wasm', () => {
  it('import only the rooms that the design allows', () => {
    expect(sources.length).toBeGreaterThan(300);
    expect(against(sources, native)).toEqual([]);
  });

  it('keep formats independent of each other', () => {
    const formatOf = file => /^formats\/(\w+)\//.exec(file)?.[1];
    const crossed = sources.filter(([from, to]) => formatOf(from) && formatOf(to) && formatOf(from) !== formatOf(to));
    expect(crossed.map(([from, to]) => `${from} knows ${to}`)).toEqual([]);
  });

  it('have no import cycles', () => {
    expect(ringOf(sources)).toBeNull();
  });
});
