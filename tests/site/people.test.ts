// Six users work with the built site through accessible names: buttons, rows, status texts. Files
// come from disk. If the variable PICTURES is a folder, screenshots of each step are written there: in
// both themes, in a wide and in a narrow window.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Download, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePsa, makePsk } from '../support/actorx.ts';
import { root } from '../support/buildOnce.ts';
import { type BuiltSite, serveSite } from './builtSite.ts';

const demo = (name: string): string => join(root, 'web/src/viewer/demo', name);
/** The modder's folder has this many models. */
const MODELS = 60;
const bodies = ['Pig', 'Barrel', 'Bird', 'Knight', 'Ghost', 'Spider', 'Owl', 'Toad'];
const bonesOf = (body: string): string[] => ['Root', 'Spine', 'Head', 'Arm', 'Leg', 'Tail'].map(bone => `${body} ${bone}`);

let site: BuiltSite;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rigcast-people-'));
  site = await serveSite({ 'files/fox.psk': readFileSync(demo('Pip.psk')), 'files/fox.psa': readFileSync(demo('Pip.psa')) });
}, 120_000);
afterAll(async () => {
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens the site. Errors of the page fail the test. */
async function visit(options: BrowserContextOptions, work: (page: Page) => Promise<void>, path = ''): Promise<void> {
  const context = await site.browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'], ...options });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const problems: string[] = [];
    page.on('pageerror', error => problems.push(error.message));
    page.on('request', request => {
      if (!request.url().startsWith(site.address) && !/^(blob|data):/.test(request.url())) problems.push(request.url());
    });
    await page.goto(site.address + path);
    await waitForStatus(page, /^Opened /);
    await work(page);
    expect(problems).toEqual([]);
  } finally {
    await context.close();
  }
}

const pictures = process.env['PICTURES'];

/** Takes screenshots of the page if they are requested. The window then has its former size again. */
async function picture(page: Page, name: string): Promise<void> {
  if (!pictures) return;
  const before = page.viewportSize()!;
  for (const [width, height] of before.width < 500
    ? [
        [before.width, before.height],
        [844, 390],
      ]
    : [
        [1440, 900],
        [390, 844],
      ]) {
    await page.setViewportSize({ width: width!, height: height! });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(400);
      await page.screenshot({ path: join(pictures, `${name}-${width}-${colorScheme}.png`) });
    }
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(before);
}

/** Heap of the page in bytes, after garbage was collected. */
async function heapOf(page: Page): Promise<number> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  await cdp.detach();
  return usedSize;
}

const heading = (page: Page): Promise<string | null> => page.getByRole('heading', { level: 1 }).textContent();

/** Waits for a status text that screen readers announce. */
const waitForStatus = (page: Page, text: RegExp): Promise<void> =>
  page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' });

/** Drops files and folders onto the page, as if dragged from a file manager. */
async function drop(page: Page, ...files: string[]): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) await cdp.send('Input.dispatchDragEvent', { type, x: 500, y: 400, data });
}

async function bytesOf(saving: Promise<Download>): Promise<{ name: string; start: string; size: number }> {
  const download = await saving;
  const bytes = readFileSync(await download.path());
  return { name: download.suggestedFilename(), start: bytes.subarray(0, 4).toString('latin1'), size: bytes.length };
}

test('a modder drops a folder of sixty models, steps through it, and saves a model with its animations', { timeout: 240_000 }, async () => {
  const game = join(folder, 'Game');
  for (const part of ['Meshes', 'Animations', 'Textures']) mkdirSync(join(game, part), { recursive: true });
  const all = Array.from(
    { length: MODELS },
    (_, at) => `${bodies[at % bodies.length]}${at < bodies.length ? '' : Math.floor(at / bodies.length)}`,
  );
  for (const body of all) {
    writeFileSync(join(game, 'Meshes', `sk${body}Mesh.psk`), makePsk({ bones: bonesOf(body), side: 6 }));
    writeFileSync(
      join(game, 'Animations', `sk${body}Anims.psa`),
      makePsa({ bones: bonesOf(body), sequences: ['Idle', 'Run'], frames: 40 }),
    );
    writeFileSync(join(game, 'Textures', `${body}.png`), readFileSync(demo('Pip_D.png')));
    writeFileSync(join(game, 'Meshes', `sk${body}Mesh.uasset`), 'cooked');
    writeFileSync(join(game, `${body}.txt`), 'notes');
  }
  await visit({ viewport: { width: 1280, height: 800 } }, async page => {
    const began = performance.now();
    await drop(page, game);
    await expect.poll(() => heading(page)).toMatch(/^sk\w+Mesh\.psk$/);
    if (pictures) console.log(`${MODELS} models: first model after ${Math.round(performance.now() - began)} ms`);
    const body = /^sk(\w+)Mesh/.exec((await heading(page))!)![1]!;
    // A folder with many models starts with their pictures.
    await page.getByRole('heading', { name: 'Library' }).waitFor();
    await picture(page, 'modder-library');
    await page.getByRole('button', { name: 'Back to model' }).click();
    // The animation of the model plays, although others are open.
    await page.getByRole('tab', { name: /^Animations/ }).click();
    const chosen = page.getByRole('listbox', { name: 'Animations' }).getByRole('option', { selected: true });
    await expect.poll(() => chosen.textContent()).toContain('6 of 6 bones');
    await page.getByRole('button', { name: /^Pause/ }).waitFor();
    await page.getByRole('tab', { name: /^Files/ }).click();
    const rows = page.getByRole('tabpanel', { name: /^Files/ });
    await rows.getByText(`sk${body}Mesh.psk`, { exact: true }).waitFor();
    await picture(page, 'modder-files');
    // The next model is shown with its own animation; undo returns to the first one.
    await page.keyboard.press('n');
    await expect.poll(() => heading(page)).not.toBe(`sk${body}Mesh.psk`);
    const next = (await heading(page))!;
    expect(all.map(each => `sk${each}Mesh.psk`)).toContain(next);
    await page.keyboard.press('p');
    await expect.poll(() => heading(page)).toBe(`sk${body}Mesh.psk`);
    await page.keyboard.press('Control+z');
    await expect.poll(() => heading(page)).toBe(next);
    await picture(page, 'modder-model');
    await page.keyboard.press('s');
    const link = page.getByRole('dialog').getByRole('link', { name: /^Save .*\.glb/ });
    await link.waitFor();
    await picture(page, 'modder-save');
    const saving = page.waitForEvent('download');
    await link.click();
    const { name, start, size } = await bytesOf(saving);
    expect([name, start]).toEqual([next.replace('.psk', '.glb'), 'glTF']);
    expect(size).toBeGreaterThan(10_000);
    await page.keyboard.press('Escape');
    // Models that are no longer shown are freed.
    const step = async (times: number): Promise<number> => {
      for (let at = 0; at < times; at++) {
        const before = await heading(page);
        await page.keyboard.press('n');
        await expect.poll(() => heading(page)).not.toBe(before);
      }
      return heapOf(page);
    };
    const early = await step(5);
    const late = await step(25);
    if (pictures) console.log(`heap: ${(early / 1e6).toFixed(1)} MB after 5 models, ${(late / 1e6).toFixed(1)} MB after 30`);
    expect(late - early).toBeLessThan(12e6);
  });
});

test('an animator steps by frames, plays a range, and sees the curves of a bone', { timeout: 240_000 }, async () => {
  await visit({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' }, async page => {
    await drop(page, demo('Tock.cast'));
    await expect.poll(() => heading(page)).toBe('Tock.cast');
    await page.keyboard.press('Home');
    const time = page.getByRole('slider', { name: 'Time' });
    const frame = async (): Promise<string> => (await time.getAttribute('aria-valuetext')) ?? '';
    const first = await frame();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect.poll(frame).not.toBe(first);
    const here = await frame();
    await page.keyboard.press('[');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press(']');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Home');
    await expect.poll(frame).toBe(here); // start of the range
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('0.25×');
    await page.keyboard.press('q');
    const drawer = page.getByRole('region', { name: 'Timeline' });
    await drawer.getByRole('radio', { name: 'Curves' }).check();
    await drawer.getByRole('searchbox').fill('head');
    await drawer.getByRole('option', { name: /head/i }).last().click();
    await drawer.getByText(/^X −?[\d.]+°$/).waitFor();
    await picture(page, 'animator-curves');
    await drawer.getByRole('radio', { name: 'Keys' }).check();
    await picture(page, 'animator-keys');
    await drawer.getByRole('radio', { name: 'Edit' }).check();
    await drawer
      .getByText(/last frame/)
      .first()
      .waitFor();
    await picture(page, 'animator-edit');
  });
});

test('a web developer enters URLs, and shares a link and code that show the same model', { timeout: 240_000 }, async () => {
  const query = `?${new URLSearchParams([
    ['src', 'files/fox.psk'],
    ['src', 'files/fox.psa'],
    ['animation', 'Hop'],
  ])}`;
  await visit(
    { viewport: { width: 1280, height: 800 } },
    async page => {
      const isThere = async (): Promise<void> => {
        await expect.poll(() => heading(page)).toBe('fox.psk');
        const chosen = page.getByRole('listbox', { name: 'Animations' }).getByRole('option', { selected: true });
        await expect.poll(() => chosen.textContent()).toMatch(/^Hop/);
      };
      const copied = async (kind: string): Promise<string> => {
        await page.getByRole('button', { name: /^Share/ }).click();
        const dialog = page.getByRole('dialog', { name: /^Share/ });
        await dialog.getByRole('combobox', { name: 'Share as' }).selectOption(kind);
        await dialog.getByRole('button', { name: 'Copy' }).click();
        await waitForStatus(page, /^Copied/);
        await page.keyboard.press('Escape');
        return page.evaluate(() => navigator.clipboard.readText());
      };
      await isThere();
      const frame = await copied('HTML: iframe');
      const link = await copied('Link');
      expect(await copied('Markdown')).toBe(`[fox.psk](<${link}>)`);
      const tag = await copied('HTML: <rigcast-viewer>');
      await page.goto('about:blank');
      await page.goto(link);
      await isThere();
      // embed.html is built separately; the check of the package tests its content.
      await page.goto('about:blank');
      await page.setContent(tag);
      expect(
        await page.locator('rigcast-viewer').evaluate(each => ['src', 'files', 'animation'].map(name => each.getAttribute(name))),
      ).toEqual([`${site.address}files/fox.psk`, `${site.address}files/fox.psa`, 'Hop']);
      expect(await page.locator('script').getAttribute('src')).toBe(`${site.address}browser/element.js`);
      await page.setContent(frame);
      const address = new URL((await page.locator('iframe').getAttribute('src'))!);
      expect([address.pathname, address.searchParams.get('animation')]).toEqual(['/embed.html', 'Hop']);
      expect([address.searchParams.get('src'), address.searchParams.get('files')]).toEqual([
        `${site.address}files/fox.psk`,
        `${site.address}files/fox.psa`,
      ]);
    },
    query,
  );
});

test('the owner of an avatar makes it smile, saves a picture, and saves it as VRM', { timeout: 240_000 }, async () => {
  await visit({ viewport: { width: 1280, height: 800 } }, async page => {
    await drop(page, demo('Lotl.vgo'));
    await expect.poll(() => heading(page)).toBe('Lotl.vgo');
    await page.getByRole('tab', { name: /^Look/ }).click();
    const happy = page.getByRole('button', { name: 'Happy', exact: true });
    await happy.click();
    expect(await happy.getAttribute('aria-pressed')).toBe('true');
    await picture(page, 'avatar-face');
    await page.keyboard.press('e');
    const savingPicture = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Save PNG' }).click();
    const png = await bytesOf(savingPicture);
    expect([png.name.endsWith('.png'), png.start.slice(1)]).toEqual([true, 'PNG']);
    await page.keyboard.press('Escape');
    await page.keyboard.press('s');
    await page.getByRole('dialog').getByRole('combobox', { name: 'Format' }).selectOption({ label: 'VRM 1.0 (avatar)' });
    const link = page.getByRole('dialog').getByRole('link', { name: /^Save Lotl\.vrm/ });
    await link.waitFor();
    await picture(page, 'avatar-vrm');
    const saving = page.waitForEvent('download');
    await link.click();
    expect(await bytesOf(saving)).toMatchObject({ name: 'Lotl.vrm', start: 'glTF' });
  });
});

test('a researcher plays a recording of hands, reads its plots, and saves them as CSV', { timeout: 240_000 }, async () => {
  await visit({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' }, async page => {
    await drop(page, demo('wavingHands.bin'));
    await expect.poll(() => heading(page)).toBe('wavingHands.bin');
    await page.getByRole('tab', { name: /^Animations/ }).click();
    await page
      .getByText(/bend of the joints/)
      .first()
      .waitFor();
    await picture(page, 'researcher-panel');
    await page.keyboard.press('q');
    const drawer = page.getByRole('region', { name: 'Timeline' });
    await drawer.getByRole('radio', { name: 'Hands' }).check();
    await drawer.getByText('Pinch strength').first().waitFor();
    await picture(page, 'researcher-plots');
    const saving = page.waitForEvent('download');
    await drawer.getByRole('button', { name: 'Export CSV' }).click();
    const download = await saving;
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
    const [head, ...lines] = readFileSync(await download.path(), 'utf8')
      .trim()
      .split(/\r?\n/);
    expect(head).toMatch(/^time/i);
    expect(lines.length).toBeGreaterThan(50);
    expect(new Set(lines.map(line => line.split(',').length))).toEqual(new Set([head!.split(',').length]));
  });
});

test('a phone user with a screen reader opens another demo, selects an animation, plays and pauses', { timeout: 240_000 }, async () => {
  const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
  await visit(phone, async page => {
    await page.getByRole('application', { name: /^3D view of Pip\.psk\. Drag or use/ }).waitFor();
    await page.getByRole('group', { name: 'Demos' }).getByRole('button', { name: 'Tock the robot' }).tap();
    await waitForStatus(page, /^Opened Tock\.cast with \d+ animations\.$/);
    const pause = page.getByRole('button', { name: /^Pause/ });
    await picture(page, 'phone-scene');
    await pause.tap();
    await page.getByRole('button', { name: /^Play/ }).first().waitFor();
    const time = page.getByRole('slider', { name: 'Time' });
    const before = await time.getAttribute('aria-valuetext');
    await page.getByRole('button', { name: /^Next frame/ }).tap();
    await expect.poll(() => time.getAttribute('aria-valuetext')).not.toBe(before);
    // Panels are closed at first, and the tab of an open panel closes it.
    await expect.poll(() => page.getByRole('tabpanel').count()).toBe(0);
    const tabs = await page.getByRole('tab').all();
    expect(tabs).toHaveLength(4);
    for (const tab of tabs) {
      await tab.tap();
      expect(await tab.getAttribute('aria-selected')).toBe('true');
      await page.getByRole('tabpanel').first().waitFor();
      await picture(page, `phone-${(await tab.textContent())!.replace(/\d+/, '')}`);
    }
    await tabs.at(-1)!.tap();
    await expect.poll(() => page.getByRole('tabpanel').count()).toBe(0);
    await tabs.at(-1)!.tap();
    // Every control has an accessible name.
    const unnamed = await page.locator('button:visible, input:visible, select:visible, a:visible').evaluateAll(all =>
      all
        .filter(each => {
          const labels = (each as HTMLInputElement).labels;
          const text = each.getAttribute('aria-label') ?? each.textContent ?? '';
          return text.trim() === '' && !each.getAttribute('title') && !labels?.length && !each.getAttribute('aria-labelledby');
        })
        .map(each => each.outerHTML.slice(0, 120)),
    );
    expect(unnamed).toEqual([]);
    // The list of commands names no keys, and the search field does not open the keyboard of the screen.
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Help' });
    await help.getByRole('heading', { name: 'Commands', exact: true }).waitFor();
    await picture(page, 'phone-help');
    expect(await help.locator('kbd:visible').count()).toBe(0);
    expect(await help.getByText(/Shift/).filter({ visible: true }).count()).toBe(0);
    expect(await help.getByRole('searchbox').evaluate(field => field === document.activeElement)).toBe(false);
    await help.getByRole('button', { name: 'Close', exact: true }).tap();
    // The drawer takes the place of the panels. All of its controls are within the window.
    await tabs.at(-1)!.tap();
    await page.getByRole('button', { name: /^Timeline/ }).tap();
    const drawer = page.getByRole('region', { name: 'Timeline' });
    for (const view of ['Keys', 'Curves', 'Edit']) {
      await drawer.getByRole('combobox', { name: 'View of the timeline' }).selectOption(view);
      await picture(page, `phone-drawer-${view}`);
      const outside = await drawer
        .locator('button:visible, input:visible, select:visible')
        .evaluateAll(all => all.filter(each => each.getBoundingClientRect().right > innerWidth).map(each => each.outerHTML.slice(0, 80)));
      expect(outside).toEqual([]);
    }
  });
});
