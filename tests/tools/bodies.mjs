// node tests/tools/bodies.mjs OUT FOLDER [MOST] [SITE]: drops a folder on the built viewer and
// steps through its models. For each model, takes a screenshot and adds a row with the bodies that
// the viewer shows to a table. MOST: maximum number of models (default: all). SITE: folder of the
// built viewer (default: dist/site).
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSite } from './openSite.mjs';

const [out, folder, most = '1000', site = fileURLToPath(new URL('../../dist/site', import.meta.url))] = process.argv.slice(2);
if (!out || !folder) throw new Error('usage: node tests/tools/bodies.mjs OUT FOLDER [MOST] [SITE]');
/** Maximum time until a model is shown, in milliseconds. */
const PATIENCE = 120_000;
const SIZE = { width: 1180, height: 700 };

mkdirSync(join(out, 'shots'), { recursive: true });
// With reduced motion, the viewer draws nothing between the steps.
const { page, address, close } = await openSite(site, { viewport: SIZE, reducedMotion: 'reduce' });
page.setDefaultTimeout(PATIENCE);
const problems = [];
page.on('pageerror', error => problems.push(error.message));
const title = () => page.locator('h1.title').textContent();
/**
 * Returns the path of the model that is shown. It is read from the list of files, which must be
 * open. The name of the model is not sufficient, because models in two folders may have the same
 * name.
 */
const path = () => page.locator('.files [aria-current]').getAttribute('data-path');

try {
  await page.goto(address);
  await page.locator('h1.title').filter({ hasText: /\S/ }).waitFor();
  const demo = await title();
  const cdp = await page.context().newCDPSession(page);
  const data = { items: [], files: [resolve(folder)], dragOperationsMask: 1 };
  const started = Date.now();
  for (const type of ['dragEnter', 'dragOver', 'drop']) await cdp.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
  await page.waitForFunction(before => document.querySelector('h1.title').textContent !== before, demo);
  await isQuiet();
  console.log(`first model after ${((Date.now() - started) / 1000).toFixed(1)} s`);
  const hint = await page.locator('.hint').textContent();
  const rows = [];
  let first;
  for (;;) {
    const row = await look(rows.length);
    const shown = await path();
    if (shown === first) break;
    first ??= shown;
    rows.push(row);
    write(rows, hint);
    if (rows.length >= Number(most)) break;
    await page.locator('h1.title').click();
    await page.keyboard.press('n');
    await page.waitForFunction(last => document.querySelector('.files [aria-current]')?.dataset.path !== last, shown);
    await isQuiet();
  }
} finally {
  await close();
}

/**
 * Writes the table after each model, so that an interrupted run leaves a table of the models so
 * far.
 */
function write(rows, hint) {
  const lines = rows.map(
    ({ model, bodies, offers, animation }) =>
      `| ${model} | ${bodies.length} | ${bodies.slice(1).join(', ')} | ${offers.join(', ')} | ${animation} |`,
  );
  const head = ['| model | bodies | parts | offered | animation |', '| --- | --- | --- | --- | --- |'];
  const sum = `${rows.length} models, ${rows.filter(({ bodies }) => bodies.length > 1).length} with parts, ${rows.filter(({ offers }) => offers.length > 0).length} with offers. Hint: ${hint}`;
  writeFileSync(
    join(out, 'table.md'),
    `${[...head, ...lines].join('\n')}\n\n${sum}\n${problems.map(problem => `\n- ${problem}`).join('')}`,
  );
  if (rows.length % 10 === 0) console.log(sum, problems);
}

/** Describes the model that is shown and takes a screenshot. */
async function look(at) {
  const model = await title();
  await page.getByRole('tab', { name: 'Files' }).click();
  // The list shows at most 200 files, so the model is searched by its name.
  const search = page.locator('.files input[type="search"]');
  if (await search.isVisible()) await search.fill(model);
  await page.waitForFunction(name => document.querySelector('.files [aria-current] .name')?.textContent === name, model);
  const labels = await page
    .locator('.files .parts label')
    .evaluateAll(all => all.map(label => [label.querySelector('.name').textContent, label.querySelector('input').checked]));
  await page.getByRole('tab', { name: 'Details' }).click();
  const report = await page
    .locator('.report')
    .evaluate(panel => panel.textContent)
    .catch(() => '');
  await page.getByRole('tab', { name: 'Animations' }).click();
  const animation =
    (await page
      .locator('.clips [aria-selected="true"] .name')
      .textContent({ timeout: 5_000 })
      .catch(() => '')) ?? '';
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.screenshot({
    path: join(out, 'shots', `${String(at + 1).padStart(3, '0')}-${model}.png`),
    clip: { x: 0, y: 0, width: 800, height: 700 },
  });
  const on = labels.filter(([, isOn]) => isOn).map(([name]) => name);
  const told = (report.match(/Part of /g) ?? []).length;
  if (told !== on.length) problems.push(`${model}: ${told} parts in the report, ${on.length} in Files`);
  return { model, bodies: [model, ...on], offers: labels.filter(([, isOn]) => !isOn).map(([name]) => name), animation };
}

/** Returns true if no file is being opened and the viewer has finished drawing. */
async function isQuiet() {
  await page.locator('.busy').waitFor({ state: 'hidden' });
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
}
