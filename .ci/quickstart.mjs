// `npm run quickstart [NAME…]`: from `npm init` to a picture, as docs/start.md says it, by other people's tools: seconds, and lines of code. Each block of code is taken word for word from that page; what a
// tool needs besides stands here and is counted, too. With --write their rows in that page's table are written. Tools are fetched from the registry, so this is not a part of `npm test`.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inPage, served, untilDrawn, untilShown } from './consumers.mjs';
import { Trouble, inRoot, npmCommand, run } from './lib.mjs';
import { programOf, serving } from './toolchains.mjs';

/** What is promised for each: seconds on a machine with nothing else to do and an ordinary network, lines of code. */
const budget = { seconds: 60, lines: 10 };

/** The first block below a heading of docs/start.md. */
function blockOf(heading) {
  const [, block] =
    new RegExp(`^## ${heading}\\n(?:(?!^## )[^])*?^\`\`\`\\w+\\n([^]*?)^\`\`\`$`, 'm').exec(
      readFileSync(inRoot('docs/start.md'), 'utf8'),
    ) ?? [];
  if (!block) throw new Trouble(`docs/start.md has no block below "${heading}".`);
  return block;
}

const script = name => `<script type="module" src="./${name}"></script>\n`;
const shell = name => `<div id="app" style="height: 100vh"></div>\n${script(name)}`;
const plugin = (name, call) => `import plugin from '${name}';\nexport default { plugins: [plugin(${call})] };\n`;
const vite = { build: ['vite', 'build'], dev: ['vite', '--host', '127.0.0.1', '--strictPort', '--port'], publicFolder: 'public' };

/** `files`: all that is typed. `dev` or `serve` get their port last; `build` leaves `site`. `print`: what node or a terminal say when it is done. */
const consumers = () => ({
  'a page without a bundler': {
    packages: [],
    files: {
      // A server of one's own stands for the CDN.
      'index.html': blockOf('A page without a bundler').replaceAll(
        /https:\/\/cdn.jsdelivr.net\/npm\/rigcast@[\d.]+\//g,
        './node_modules/rigcast/',
      ),
    },
    site: '.',
  },
  Vite: { ...vite, packages: ['vite@8', 'three'], files: { 'index.html': blockOf('Vite') } },
  webpack: {
    packages: ['webpack@5', 'webpack-cli', 'three'],
    files: {
      'main.js': blockOf('webpack'),
      'index.html': blockOf('Vite').replace(/<script[^]*?<\/script>/, '<script type="module" src="static/main.js"></script>'),
    },
    build: ['webpack', './main.js', '--mode', 'development', '-o', 'static'],
    site: '.',
  },
  esbuild: {
    packages: ['esbuild', 'three'],
    files: {
      'main.js': `import 'rigcast/element';\n${blockOf('esbuild, rollup')}`,
      'index.html': blockOf('Vite').replace(/<script[^]*?<\/script>/, '<script type="module" src="static/main.js"></script>'),
    },
    build: 'esbuild main.js worker=rigcast/worker --bundle --format=esm --splitting --outdir=static'.split(' '),
    copy: ['node_modules/rigcast/dist/core/wasm/rigcast.wasm', 'static/rigcast.wasm'],
    site: '.',
  },
  Next: {
    packages: ['next@16', 'react@19', 'react-dom@19', 'three'],
    files: {
      'app/page.jsx': blockOf('Next'),
      'app/layout.jsx': 'export default ({ children }) => <html><body>{children}</body></html>;\n',
    },
    dev: ['next', 'dev', '-H', '127.0.0.1', '-p'],
    publicFolder: 'public',
  },
  React: {
    ...vite,
    packages: ['vite@8', 'react@19', 'react-dom@19', 'three'],
    files: {
      'hero.jsx': blockOf('React'),
      'main.jsx':
        "import { createRoot } from 'react-dom/client';\nimport { Hero } from './hero.jsx';\ncreateRoot(document.querySelector('#app')).render(<Hero />);\n",
      'index.html': shell('main.jsx'),
    },
  },
  'react-three-fiber': {
    ...vite,
    packages: ['vite@8', 'react@19', 'react-dom@19', 'three', '@react-three/fiber@9'],
    files: { 'main.jsx': blockOf('react-three-fiber'), 'index.html': shell('main.jsx') },
  },
  Vue: {
    ...vite,
    packages: ['vite@8', '@vitejs/plugin-vue', 'vue@3', 'three'],
    files: {
      'Hero.vue': blockOf('Vue'),
      'main.js': "import { createApp } from 'vue';\nimport Hero from './Hero.vue';\ncreateApp(Hero).mount(document.body);\n",
      'index.html': script('main.js'),
      'vite.config.js': plugin(
        '@vitejs/plugin-vue',
        "{ template: { compilerOptions: { isCustomElement: tag => tag === 'rigcast-viewer' } } }",
      ),
    },
  },
  Svelte: {
    ...vite,
    packages: ['vite@8', '@sveltejs/vite-plugin-svelte', 'svelte@5', 'three'],
    files: {
      'Hero.svelte': blockOf('Svelte'),
      'main.js': "import { mount } from 'svelte';\nimport Hero from './Hero.svelte';\nmount(Hero, { target: document.body });\n",
      'index.html': script('main.js'),
      'vite.config.js': plugin('@sveltejs/vite-plugin-svelte', '').replace('import plugin', 'import { svelte as plugin }'),
    },
  },
  node: { packages: [], files: { 'main.mjs': blockOf('Node') }, print: [process.execPath, 'main.mjs'], says: /^psk 1 meshes, 0 errors/ },
  'a terminal': {
    packages: [],
    files: {},
    print: ['rigcast', 'convert', 'hero.psk', 'run.psa', '-o', 'hero.glb'],
    says: /hero\.glb\s+[\d,]+ bytes/,
    lines: 1,
  },
});

const models = [
  ['hero.psk', 'Pip.psk'],
  ['run.psa', 'Pip.psa'],
  ['hero_D.png', 'Pip_D.png'],
];

const must = (root, program, args) => {
  const { code, output, stdout } = run(program, args, { cwd: root, env: { NEXT_TELEMETRY_DISABLED: '1' } });
  if (code !== 0) throw new Trouble(`${program} ${args.join(' ')} failed:\n${output}`);
  return stdout;
};

const npm = (root, ...args) => {
  const [program, ...before] = npmCommand();
  return must(root, program, [...before, ...args]);
};

/**
 * Calls `seen` as soon as a page shows its model, and throws where that is a picture of nothing: taking a picture of a page that plays costs a machine without a graphics card more time than all
 * the rest, and only react-three-fiber's page does not say by itself that it has drawn.
 */
const look = seen => address =>
  inPage(address, async (page, requests) => {
    const shown = await page.waitForSelector('rigcast-viewer, canvas');
    const isElement = await shown.evaluate(({ localName }) => localName === 'rigcast-viewer');
    if (isElement) await untilShown(page, requests).then(seen);
    await untilDrawn(page, address);
    if (!isElement) seen();
  });

/** Seconds until everything is installed, and until the model is seen. */
async function tryOne(root, archive, { packages, files, build, copy, dev, site, publicFolder = '', print, says }) {
  const begin = performance.now();
  const ends = [];
  const end = () => ends.push((performance.now() - begin) / 1000);
  mkdirSync(root);
  npm(root, 'init', '-y', '--init-type=module');
  npm(root, 'install', '--no-audit', '--no-fund', archive, ...packages);
  end();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  for (const [name, file] of models) {
    mkdirSync(join(root, publicFolder), { recursive: true });
    cpSync(inRoot('web/src/viewer/demo', file), join(root, publicFolder, name));
  }
  if (print) {
    const [program, ...args] = print;
    const said = must(root, program === process.execPath ? program : programOf(root, program), args);
    if (!says.test(said)) throw new Trouble(`It says: ${said}`);
    end();
  } else if (dev) await serving(root, dev, look(end));
  else {
    if (build) must(root, programOf(root, build[0]), build.slice(1));
    if (copy) cpSync(join(root, copy[0]), join(root, copy[1]));
    await served(join(root, site), look(end), {});
  }
  const [installed, seen] = ends;
  return { installed, seen };
}

const linesOf = text => text.split('\n').filter(line => line.trim() !== '').length;

/** Between the marks of docs/start.md: a row for each that was seen, in the place of the one before. */
function write(tried) {
  const page = readFileSync(inRoot('docs/start.md'), 'utf8');
  const before = Array.from(page.matchAll(/^\| (.+) \| (\d+) \| (\d+) \| (\d+) \|$/gm), ([, ...row]) => row);
  const rows = Object.keys(consumers()).flatMap(name => [...tried, ...before].filter(row => row[0] === name).slice(0, 1));
  const head = ['| | lines | seconds, all of it | of them `npm install` |', '|---|---|---|---|'];
  const table = [...head, ...rows.map(row => `| ${row.join(' | ')} |`)].join('\n');
  const marked = /(<!-- quickstart -->\n)[^]*(<!-- \/quickstart -->)/;
  if (!marked.test(page)) throw new Trouble('docs/start.md has no <!-- quickstart --> … <!-- /quickstart -->');
  writeFileSync(
    inRoot('docs/start.md'),
    page.replace(marked, (_, from, to) => `${from}${table}\n${to}`),
  );
}

export async function main(args) {
  const all = consumers();
  const names = args.filter(arg => !arg.startsWith('--'));
  const unknown = names.find(name => !all[name]);
  if (unknown) throw new Trouble(`There is no ${unknown}. There are: ${Object.keys(all).join(', ')}.`);
  const folder = mkdtempSync(join(tmpdir(), 'rigcast-quickstart-'));
  const rows = [];
  let failed = 0;
  try {
    const [{ filename }] = JSON.parse(npm(inRoot(), 'pack', '--json', '--pack-destination', folder));
    for (const name of names.length > 0 ? names : Object.keys(all)) {
      const { lines = Object.values(all[name].files).reduce((sum, text) => sum + linesOf(text), 0) } = all[name];
      try {
        const { installed, seen } = await tryOne(join(folder, name.replaceAll(' ', '-')), join(folder, filename), all[name]);
        const isOver = seen > budget.seconds || lines > budget.lines;
        rows.push([name, String(lines), seen.toFixed(0), installed.toFixed(0)]);
        console.log(
          `${name.padEnd(26)} ${String(lines).padStart(3)} lines ${seen.toFixed(1).padStart(7)} s, ${installed.toFixed(1)} of them npm install${isOver ? `  above ${budget.lines} lines or ${budget.seconds} s` : ''}`,
        );
        failed += isOver ? 1 : 0;
      } catch (error) {
        failed++;
        console.log(`${name.padEnd(26)} FAILED ${error.message}`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, maxRetries: 5 });
  }
  if (args.includes('--write')) write(rows);
  return failed === 0 ? 0 : 1;
}
