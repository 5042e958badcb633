// `npm run toolchains [NAME…]`: the built package in other people's tools, as README says for each. They are fetched from the registry into a folder
// of their own (half a gigabyte), so this is not a part of `npm test`; run it before a release.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inPage, openFile, served, writePage } from './consumers.mjs';
import { Trouble, inRoot, npmCommand, run, seconds } from './lib.mjs';

const page = "import { open } from 'rigcast';\nglobalThis.openFile = open;\n";
const configured = `import { configure, open } from 'rigcast';
configure({ wasm: '/static/rigcast.wasm', worker: '/static/worker.js' });
globalThis.openFile = open;
`;
const wasm = 'node_modules/rigcast/dist/core/wasm/rigcast.wasm';

const framework = ({ packages, file, plugin, says, others = [] }) => ({
  packages: ['vite@8', 'three', ...packages],
  files: {
    [file]: readFileSync(inRoot('tests/consumers/frameworks', file), 'utf8'),
    ...Object.fromEntries(others.map(other => [other, readFileSync(inRoot('tests/consumers/frameworks', other), 'utf8')])),
    ...(plugin && {
      'vite.config.mjs': `import * as plugin from '${plugin}';\nexport default { plugins: [(plugin.default ?? plugin.svelte)()] };`,
    }),
  },
  build: ['vite', 'build'],
  site: 'dist',
  script: file,
  body: '<div id="app"></div><p id="says"></p>',
  says,
});

const vite = major => ({
  packages: [`vite@${major}`],
  dev: ['vite', '--host', '127.0.0.1', '--strictPort', '--port'],
  build: ['vite', 'build'],
  site: 'dist',
});

/** `build` leaves `site`, or what `serve` serves; `dev` serves the sources. Both take their port last. `says`: words of the served page. */
const toolchains = {
  'vite-5': vite(5),
  'vite-6': vite(6),
  'vite-7': vite(7),
  'vite-8': vite(8),
  webpack: {
    packages: ['webpack@5', 'webpack-cli'],
    build: ['webpack', './main.js', '--mode', 'production', '-o', 'static'],
    site: '.',
    script: 'static/main.js',
  },
  parcel: {
    packages: ['parcel@2'],
    files: { 'package.json': '{ "private": true, "@parcel/resolver-default": { "packageExports": true } }' },
    build: ['parcel', 'build', 'index.html'],
    site: 'dist',
    headers: {}, // its pages have inline scripts
  },
  rollup: {
    packages: ['rollup@4', '@rollup/plugin-node-resolve'],
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
    says: '1 mesh on the server',
  },
  react: framework({
    packages: ['react@19', 'react-dom@19', '@react-three/fiber@9', '@react-three/drei@10', '@vitejs/plugin-react'],
    file: 'react.jsx',
    plugin: '@vitejs/plugin-react',
    says: 'nodes of a rig of ',
  }),
  vue: framework({ packages: ['vue@3'], file: 'vue.js', says: ' nodes, 2 clips' }),
  svelte: framework({
    packages: ['svelte@5', '@sveltejs/vite-plugin-svelte'],
    file: 'svelte.js',
    others: ['Svelte.svelte'],
    plugin: '@sveltejs/vite-plugin-svelte',
    says: ' nodes, 2 clips',
  }),
};

const npm = (args, cwd) => {
  const [program, ...before] = npmCommand();
  const result = run(program, [...before, ...args], { cwd });
  if (result.code !== 0) throw new Trouble(`npm ${args.join(' ')} failed:\n${result.output}`);
  return result.stdout;
};

/** Starts a server of the tool's own, on some port, while `use` looks at it. */
async function serving(root, [command, ...args], use) {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const server = spawn(programOf(root, command), [...args, String(port)], { cwd: root, stdio: 'ignore' });
  try {
    const address = `http://127.0.0.1:${port}/`;
    for (let i = 0; i < 200 && !(await fetch(address).catch(() => null)); i++) await new Promise(resolve => setTimeout(resolve, 100));
    await use(address);
  } finally {
    server.kill();
  }
}

const programOf = (root, command) => join(root, 'node_modules/.bin', command);

async function tryOne(folder, archive, name) {
  const { packages, files = {}, dev, build, serve, says = '', copy, site, script = 'main.js', body, headers } = toolchains[name];
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

  const results = [];
  const look = (what, address) =>
    inPage(address, async opened => {
      await opened
        .waitForFunction(words => document.documentElement.textContent.includes(words), says)
        .catch(() => {
          throw new Trouble(`The page does not say "${says}".`);
        });
      results.push(`${what}: ${await openFile(opened, readFileSync(psk))} worker`);
    });
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
    rmSync(folder, { recursive: true });
  }
  console.log(`\n${chosen.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
