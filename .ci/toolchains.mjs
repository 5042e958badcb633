// `npm run toolchains [NAME…]`: the built package in other people's tools, as README says for each. They are fetched from the registry into a folder
// of their own (half a gigabyte), so this is not a part of `npm test`; run it before a release.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inPage, openFile, served, untilDrawn, writePage } from './consumers.mjs';
import { Trouble, inRoot, npmCommand, run, seconds } from './lib.mjs';

const page = "import { open } from 'rigcast';\nimport 'rigcast/element';\nglobalThis.openFile = open;\n";
const configured = `import { configure, open } from 'rigcast';
import 'rigcast/element';
configure({ wasm: '/static/rigcast.wasm', worker: '/static/worker.js' });
globalThis.openFile = open;
`;
const wasm = 'node_modules/rigcast/dist/core/wasm/rigcast.wasm';

/** Strict, and read as Vite bundles. */
const strict = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  jsx: 'preserve',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
};

const framework = ({ packages, file, others = [], plugin, options = '', compiler, check, wrong, says }) => ({
  packages: ['vite@8', 'three', '@types/three', ...packages],
  files: {
    ...Object.fromEntries([file, ...others].map(name => [name, readFileSync(inRoot('tests/consumers/frameworks', name), 'utf8')])),
    'vite.config.mjs': `import * as plugin from '${plugin}';\nexport default { plugins: [(plugin.default ?? plugin.svelte)(${options})] };`,
    ...(check && {
      'tsconfig.json': JSON.stringify({ compilerOptions: { ...strict, ...compiler }, include: ['*.ts', '*.tsx', '*.vue', '*.svelte'] }),
    }),
  },
  check,
  wrong,
  build: ['vite', 'build'],
  site: 'dist',
  script: file,
  body: '<div id="app"></div><p id="says"></p>',
  says,
});

const inReact = major =>
  framework({
    packages: [
      `react@${major}`,
      `react-dom@${major}`,
      `@types/react@${major}`,
      `@types/react-dom@${major}`,
      '@vitejs/plugin-react',
      'typescript@5',
    ],
    file: 'element.tsx',
    plugin: '@vitejs/plugin-react',
    compiler: { jsx: 'react-jsx' },
    check: ['tsc', '-p', '.'],
    wrong: ['wrong.tsx', 'import \'rigcast/element/react\';\nexport const wrong = <rigcast-viewer loop="forever" />;\n'],
    says: [' motions plays'],
  });

const vite = major => ({
  packages: [`vite@${major}`, 'three'],
  dev: ['vite', '--host', '127.0.0.1', '--strictPort', '--port'],
  build: ['vite', 'build'],
  site: 'dist',
});

/** Types of the package alone: all of its own declarations, as strict as they can be read. */
const inTypes = major => ({
  packages: [`typescript@${major}`, 'three', '@types/three', '@types/node@20'],
  files: {
    'main.mts': readFileSync(inRoot('tests/consumers/types.mts'), 'utf8'),
    'node.mts': "import { open } from 'rigcast';\nexport const errors: number = (await open(new Uint8Array(3))).report.errors;\n",
  },
  types: ['bundler', 'node16', 'nodenext'],
});

/**
 * `build` leaves `site`, or what `serve` serves; `dev` serves the sources. Both take their port last. `check` compiles types, and finds the mistake in the
 * file of `wrong`. `says`: words of the served page.
 */
const toolchains = {
  'vite-5': vite(5),
  'vite-6': vite(6),
  'vite-7': vite(7),
  'vite-8': vite(8),
  webpack: {
    packages: ['webpack@5', 'webpack-cli', 'three'],
    build: ['webpack', './main.js', '--mode', 'production', '-o', 'static'],
    site: '.',
    script: 'static/main.js',
  },
  parcel: {
    packages: ['parcel@2', 'three'],
    files: { 'package.json': '{ "private": true, "@parcel/resolver-default": { "packageExports": true } }' },
    build: ['parcel', 'build', 'index.html'],
    site: 'dist',
    headers: {}, // its pages have inline scripts
  },
  rollup: {
    packages: ['rollup@4', '@rollup/plugin-node-resolve', 'three'],
    files: {
      'main.js': configured,
      'rollup.config.mjs': `import resolve from '@rollup/plugin-node-resolve';
        export default { input: { main: 'main.js', worker: 'rigcast/worker' }, output: { dir: 'static' }, plugins: [resolve({ browser: true })] };`,
    },
    build: ['rollup', '-c'],
    copy: 'static/rigcast.wasm',
    site: '.',
    script: 'static/main.js',
  },
  next: {
    packages: ['next@16', 'react@19', 'react-dom@19'],
    files: {
      'next.config.mjs': "export default { serverExternalPackages: ['rigcast'] };",
      'app/layout.js': 'export default ({ children }) => <html><body>{children}</body></html>;',
      'app/client.js': `'use client';
        import { open } from 'rigcast';
        import { useEffect } from 'react';
        export default function Client() { useEffect(() => { globalThis.openFile = open; }, []); return null; }`,
      'app/page.js': `import { readFile } from 'node:fs/promises';
        import { open } from 'rigcast';
        import Client from './client.js';
        export const dynamic = 'force-dynamic';
        export default async function Page() {
          const { scene } = await open(await readFile('hero.psk'), { name: 'hero.psk' });
          return <main>{scene.meshes.length + ' mesh on the server'}<Client /></main>;
        }`,
    },
    build: ['next', 'build'],
    serve: ['next', 'start', '-H', '127.0.0.1', '-p'],
    says: ['1 mesh on the server'],
  },
  'typescript-5.4': inTypes('5.4'),
  'typescript-5.9': inTypes('5.9'),
  'react-18': inReact(18),
  'react-19': inReact(19),
  fiber: framework({
    packages: ['react@19', 'react-dom@19', '@react-three/fiber@9', '@react-three/drei@10', '@vitejs/plugin-react'],
    file: 'fiber.jsx',
    plugin: '@vitejs/plugin-react',
    says: ['nodes of a rig of '],
  }),
  vue: framework({
    packages: ['vue@3', '@vitejs/plugin-vue', 'vue-tsc@3', 'typescript@5'],
    file: 'vue.js',
    others: ['Viewer.vue'],
    plugin: '@vitejs/plugin-vue',
    options: "{ template: { compilerOptions: { isCustomElement: tag => tag === 'rigcast-viewer' } } }",
    check: ['vue-tsc', '-p', '.'],
    wrong: [
      'Wrong.vue',
      '<script setup lang="ts">\nimport \'rigcast/element/vue\';\n</script>\n<template><rigcast-viewer loop="forever" /></template>\n',
    ],
    says: [' nodes, 2 clips', ' bones and more', ' plays'],
  }),
  svelte: framework({
    packages: ['svelte@5', '@sveltejs/vite-plugin-svelte', 'svelte-check@4', 'typescript@5'],
    file: 'svelte.js',
    others: ['Svelte.svelte', 'Viewer.svelte'],
    plugin: '@sveltejs/vite-plugin-svelte',
    check: ['svelte-check', '--tsconfig', './tsconfig.json', '--fail-on-warnings'],
    wrong: [
      'Wrong.svelte',
      '<script lang="ts">\n  import \'rigcast/element/svelte\';\n</script>\n\n<rigcast-viewer loop="forever"></rigcast-viewer>\n',
    ],
    says: [' nodes, 2 clips', ' bones and more', ' plays'],
  }),
};

const npm = (args, cwd) => {
  const [program, ...before] = npmCommand();
  const result = run(program, [...before, ...args], { cwd });
  if (result.code !== 0) throw new Trouble(`npm ${args.join(' ')} failed:\n${result.output}`);
  return result.stdout;
};

/** Starts a server of the tool's own, on some port, while `use` looks at it. */
export async function serving(root, [command, ...args], use) {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  // A group of its own: some start others that do the work.
  const server = spawn(programOf(root, command), [...args, String(port)], { cwd: root, stdio: 'ignore', detached: true });
  const ended = once(server, 'exit');
  try {
    const address = `http://127.0.0.1:${port}/`;
    for (let i = 0; i < 200 && !(await fetch(address).catch(() => null)); i++) await new Promise(resolve => setTimeout(resolve, 100));
    await use(address);
  } finally {
    if (server.exitCode === null) process.kill(-server.pid);
    await ended;
  }
}

export const programOf = (root, command) => join(root, 'node_modules/.bin', command);

/** Types of a template are right, and one that is wrong is found. */
function checkTypes(root, [command, ...args], [file, text]) {
  const checked = () => run(programOf(root, command), args, { cwd: root });
  const right = checked();
  if (right.code !== 0) throw new Trouble(`${command} says:\n${right.output}`);
  writeFileSync(join(root, file), text);
  const { code, output } = checked();
  if (code === 0 || !output.includes('forever')) throw new Trouble(`${command} takes ${file} for right:\n${output}`);
  rmSync(join(root, file));
  return `types by ${command}`;
}

/**
 * Every way of finding modules that looks at `exports`, and a project that knows no page. What is wrong in the declarations of three, whose range is its own, is not ours.
 */
function checkAllTypes(root, resolutions) {
  const options = { ...strict, skipLibCheck: false, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  const pages = resolutions.map(resolution => ({
    files: ['main.mts'],
    compilerOptions: { ...options, module: resolution === 'bundler' ? 'esnext' : resolution, moduleResolution: resolution },
  }));
  const node = {
    files: ['node.mts'],
    compilerOptions: { ...options, module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2022'], types: ['node'] },
  };
  for (const project of [...pages, node]) {
    writeFileSync(join(root, 'tsconfig.json'), JSON.stringify(project));
    const { output } = run(programOf(root, 'tsc'), ['-p', '.'], { cwd: root });
    const wrong = output.split('\n').filter(line => /^(error|\w+\.mts|node_modules\/rigcast\/)/.test(line));
    if (wrong.length > 0) throw new Trouble(`tsc says with ${JSON.stringify(project)}:\n${wrong.join('\n')}`);
  }
  return `types by ${resolutions.join(', ')} and without a page`;
}

/** The element of the page, where it has one without a source, draws files in hand. */
async function show(page, what) {
  const files = ['Pip.psk', 'Pip_D.png'].map(name => [name, [...readFileSync(inRoot('web/src/viewer/demo', name))]]);
  const isThere = await page.evaluate(async given => {
    const viewer = document.querySelector('rigcast-viewer:not([src])');
    if (!viewer) return false;
    viewer.files = new Map(given.map(([name, numbers]) => [name, new Blob([new Uint8Array(numbers)])]));
    await viewer.ready;
    return true;
  }, files);
  if (isThere) await untilDrawn(page, what);
}

async function tryOne(folder, archive, name) {
  const {
    packages,
    files = {},
    check,
    wrong,
    dev,
    build,
    serve,
    says = [],
    copy,
    site,
    script = 'main.js',
    body = '<rigcast-viewer></rigcast-viewer>',
    headers,
    types,
  } = toolchains[name];
  const root = join(folder, name);
  const psk = inRoot('web/src/viewer/demo/Pip.psk');
  for (const [file, text] of Object.entries({ 'package.json': '{ "private": true }', 'main.js': page, ...files })) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  writePage(root, {
    script,
    body,
    publicFiles: [
      ['hero.psk', psk],
      ['hero.psa', inRoot('web/src/viewer/demo/Pip.psa')],
      ['Pip_D.png', inRoot('web/src/viewer/demo/Pip_D.png')],
    ],
  });
  cpSync(psk, join(root, 'hero.psk'));
  npm(['install', '--no-audit', '--no-fund', archive, ...packages], root);

  if (types) return checkAllTypes(root, types);
  const results = [];
  const look = (what, address) =>
    inPage(address, async opened => {
      for (const words of says)
        await opened
          .waitForFunction(wanted => document.body.innerText.includes(wanted), words)
          .catch(() => {
            throw new Trouble(`The page does not say "${words}".`);
          });
      results.push(`${what}: ${await openFile(opened, readFileSync(psk))} worker`);
      await show(opened, what);
    });
  if (check) results.push(checkTypes(root, check, wrong));
  if (dev) await serving(root, dev, address => look('dev', address));
  execFileSync(programOf(root, build[0]), build.slice(1), {
    cwd: root,
    stdio: 'pipe',
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', PARCEL_WORKERS: '1' },
  });
  if (copy) cpSync(join(root, wasm), join(root, copy));
  if (serve) await serving(root, serve, address => look('build', address));
  else await served(join(root, site), address => look('build', address), headers);
  return results.join(', ');
}

export async function main(names) {
  const chosen = names.length > 0 ? names : Object.keys(toolchains);
  const unknown = chosen.find(name => !toolchains[name]);
  if (unknown) throw new Trouble(`There is no ${unknown}. Toolchains: ${Object.keys(toolchains).join(', ')}.`);
  const folder = mkdtempSync(join(tmpdir(), 'rigcast-toolchains-'));
  let failed = 0;
  try {
    const [{ filename }] = JSON.parse(npm(['pack', '--json', '--pack-destination', folder], inRoot()));
    for (const name of chosen) {
      const begin = performance.now();
      const words = await tryOne(folder, join(folder, filename), name).catch(
        error => (failed++, `FAILED ${error.message}\n${error.stderr ?? ''}`),
      );
      console.log(`${name.padEnd(10)} ${seconds(begin).padStart(7)}  ${words}`);
    }
  } finally {
    rmSync(folder, { recursive: true, maxRetries: 5 });
  }
  console.log(`\n${chosen.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
