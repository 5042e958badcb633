// npm run living [-- FOLDER [NAME …] [--dark] [--narrow]]: pictures of characters that live, taken of the viewer, for people to look at: limbs on steps, eyes that follow, breath on top of a run, motions of
// one body on another, hands on fingers, particles. Without names all of them; what needs files beside the repository is left out where they are not there.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { createServer } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values: look, positionals } = parseArgs({
  options: { dark: { type: 'boolean' }, narrow: { type: 'boolean' } },
  allowPositionals: true,
});
const [folder = join(root, 'build/living'), ...wanted] = positionals;
const viewport = look.narrow ? { width: 390, height: 780 } : { width: 1100, height: 720 };
const colorScheme = look.dark ? 'dark' : 'light';
const demo = name => join(root, 'web/src/viewer/demo', name);
const corpus = name => join(root, '../shared/corpus', name);

const server = await createServer({
  configFile: join(root, 'vite.config.ts'),
  server: { port: 0, fs: { allow: [root] } },
  logLevel: 'error',
});
await server.listen();
const made = await server.ssrLoadModule(join(root, 'tests/support/livingFiles.ts'));

const file = path => ({ name: basename(path), mimeType: 'application/octet-stream', buffer: readFileSync(path) });
const bytes = (name, content) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
const frames = count => async page => {
  for (let i = 0; i < count; i++) await page.keyboard.press('ArrowRight');
};
const choose = name => async page => {
  await page.click('#panel-motions-tab');
  await page.click(`.row:has-text("${name}")`);
};
const onTop = name => async page => {
  await page.click('details.layers summary');
  await page.selectOption('details.layers select >> nth=0', { label: name });
};

const images = ['albedo', 'emissive', 'metal', 'normal', 'roughness'].map(name => `Tock_${name}.png`);

/** Files in the order in which they are dropped, and what is done before the picture is taken. */
const PICTURES = {
  step: { files: () => [bytes('step.cast', made.stepFile())], steps: [] },
  eyesAhead: { files: () => [bytes('eyes.cast', made.eyesFile())], steps: [] },
  eyesAside: { files: () => [bytes('eyes.cast', made.eyesFile())], steps: [choose('Look'), frames(15)] },
  run: { files: () => [bytes('runner.cast', made.breathFile())], steps: [choose('Run'), frames(8)] },
  breath: { files: () => [bytes('runner.cast', made.breathFile())], steps: [choose('Run'), onTop('Breath'), frames(22)] },
  foxOnRobot: {
    files: () => ['Tock.cast', 'Pip.psa', 'Pip.psk', ...images].map(name => file(demo(name))),
    steps: [choose('Wave'), frames(20)],
  },
  axolotl: { files: () => [file(demo('Lotl.vgo')), bytes('walk.fbx', made.mixamoWalk())], steps: [choose('walk'), frames(10)] },
  axolotlLater: { files: () => [file(demo('Lotl.vgo')), bytes('walk.fbx', made.mixamoWalk())], steps: [choose('walk'), frames(25)] },
  fingers: {
    files: () => [bytes('fingers.cast', made.fingersFile(/^right(Hand|Thumb|Index|Middle|Ring|Little)/)), file(demo('wavingHands.bin'))],
    steps: [choose('wavingHands'), frames(40)],
  },
  particles: { needs: corpus('vgo/real/VGO_2_5.vgo'), files: () => [file(corpus('vgo/real/VGO_2_5.vgo'))], steps: [] },
};

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
mkdirSync(folder, { recursive: true });
try {
  for (const [name, { files, steps, needs }] of Object.entries(PICTURES)) {
    if ((wanted.length > 0 && !wanted.includes(name)) || (needs && !existsSync(needs))) continue;
    // Without motion nothing plays by itself: the picture is the same every time.
    const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' });
    page.setDefaultTimeout(60_000);
    page.on('pageerror', error => console.error(`${name}: ${error}`));
    await page.goto(`http://127.0.0.1:${server.httpServer.address().port}/`);
    await page.waitForFunction(() => document.querySelector('.title')?.textContent && document.querySelectorAll('.row').length > 1);
    if (await page.isVisible('.welcome > button')) await page.click('.welcome > button');
    await page.setInputFiles('input[type=file]:not([webkitdirectory])', files());
    await page.waitForFunction(
      before => document.querySelector('.title')?.textContent !== before && !document.querySelector('.card.loading:not([hidden])'),
      'Pip.psk',
    );
    await page.waitForTimeout(1500);
    for (const step of steps) await step(page);
    await page.waitForTimeout(2500);
    await page.screenshot({ path: join(folder, `${name}.png`) });
    await page.close();
    console.log(join(folder, `${name}.png`));
  }
} finally {
  await browser.close();
  await server.close();
}
