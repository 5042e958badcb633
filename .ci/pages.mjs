// The package in pages without a bundler, and in those that take one file: rigcast/inline and dist/browser, as docs/package.md says.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectWorker, inPage, lightEnough, linkPackages, openFile, served, untilShown, writePage } from './consumers.mjs';
import { Trouble, inRoot, run } from './lib.mjs';

const demo = name => inRoot('web/src/viewer/demo', name);

/** One file, which reads in a worker and asks for nothing else; and the same in node. */
export async function checkInline(folder) {
  const { build } = await import('esbuild');
  const root = join(folder, 'inline');
  writePage(root, { script: 'main.js' });
  const source = "import { open } from 'rigcast/inline';\nglobalThis.openFile = open;\n";
  writeFileSync(join(root, 'page.js'), source);
  await build({
    entryPoints: [join(root, 'page.js')],
    bundle: true,
    format: 'esm',
    outfile: join(root, 'main.js'),
    logLevel: 'error',
    external: ['node:*'],
  });
  const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:";
  await served(
    root,
    address =>
      inPage(address, async page => {
        const workers = await openFile(page, readFileSync(demo('Pip.psk')));
        if (workers !== 1) throw new Trouble(`rigcast/inline reads in ${workers} workers.`);
        const asked = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
        const others = asked.filter(name => !name.endsWith('/main.js') && !name.startsWith('blob:'));
        if (others.length > 0) throw new Trouble(`rigcast/inline asks for ${others.join(', ')}`);
      }),
    { 'content-security-policy': policy },
  );
  writeFileSync(
    join(folder, 'inline.js'),
    `import { readFile } from 'node:fs/promises';
     import { open } from 'rigcast/inline';
     const { scene } = await open(await readFile(process.argv[2]), { name: 'Pip.psk' });
     if (scene?.meshes.length !== 1) process.exit(1);`,
  );
  const result = run(process.execPath, ['inline.js', demo('Pip.psk')], { cwd: folder });
  if (result.code !== 0) throw new Trouble(`rigcast/inline does not work in node:\n\n${result.output}`);
}

/** dist/browser by plain tags: the element, and the loader with three of an import map. */
export async function checkBrowser(folder) {
  linkPackages(folder, ['three']);
  const root = join(folder, 'cdn');
  mkdirSync(root);
  for (const [name, path] of [
    ['rigcast', join(folder, 'node_modules/rigcast')],
    ['elsewhere.wasm', join(folder, 'node_modules/rigcast/dist/core/wasm/rigcast.wasm')],
    ['three', inRoot('node_modules/three')],
    ['hero.psk', demo('Pip.psk')],
    ['hero_D.png', demo('Pip_D.png')],
    ['run.psa', demo('Pip.psa')],
  ])
    cpSync(path, join(root, name), { recursive: true, dereference: true });
  const hashes = JSON.parse(readFileSync(join(root, 'rigcast/dist/browser/integrity.json'), 'utf8'));
  // Of what a first model needs: hashes weigh, too.
  const first = Object.entries(hashes).filter(([name]) => /^(show|read)-/.test(name));
  const integrity = Object.fromEntries(first.map(([name, hash]) => [`/rigcast/dist/browser/${name}`, hash]));
  writeFileSync(
    join(root, 'index.html'),
    `<!doctype html><title>no bundler</title><script type="importmap">${JSON.stringify({ integrity })}</script>
     <script type="module" src="/rigcast/dist/browser/element.js" integrity="${hashes['element.js']}"></script>
     <rigcast-viewer src="hero.psk" files="run.psa hero_D.png" autoplay controls alt="Hero"></rigcast-viewer>`,
  );
  writeFileSync(
    join(root, 'loader.html'),
    `<!doctype html><title>no bundler</title>
     <script type="importmap">{ "imports": { "three": "/three/build/three.module.js", "three/addons/": "/three/examples/jsm/" } }</script>
     <script type="module">
       import { configure } from '/rigcast/dist/browser/element.js';
       import { RigcastLoader } from '/rigcast/dist/browser/three.js';
       configure({ wasm: '/elsewhere.wasm' }); // holds for all of these files
       import { SkinnedMesh } from 'three';
       const loader = new RigcastLoader();
       loader.setFiles(['hero.psk', 'hero_D.png']);
       const rig = await loader.loadAsync('hero.psk');
       let count = 0;
       rig.scene.traverse(object => { if (object instanceof SkinnedMesh) count++; });
       const places = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.wasm')).map(({ name }) => new URL(name).pathname);
       document.title = count + ' skinned mesh of the page’s own three, read by ' + places;
     </script>`,
  );
  return served(
    root,
    async address => {
      const light = await inPage(address, async (page, requests) => {
        await page.waitForFunction(() => customElements.get('rigcast-viewer'));
        const said = lightEnough('browser', root, await untilShown(page, requests));
        await page.waitForSelector('rigcast-viewer:state(playing)');
        const size = await page.evaluate(async () => (await document.querySelector('rigcast-viewer').toBlob()).size);
        if (size < 2000) throw new Trouble(`dist/browser/element.js draws nothing: a picture of ${size} bytes.`);
        await expectWorker(page, 'dist/browser/element.js');
        return said;
      });
      await inPage(`${address}loader.html`, page =>
        page.waitForFunction(() => document.title === '1 skinned mesh of the page’s own three, read by /elsewhere.wasm'),
      );
      return light;
    },
    {},
  );
}
