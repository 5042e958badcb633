// The page in Japanese, with damaged files. Only the details of findings are in English. A change
// of language keeps the content.
import { page, userEvent } from 'vitest/browser';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { findings } from '../../../../web/src/viewer/words/jaFindings.ts';
import { speak } from '../../../../web/src/viewer/words/index.ts';
import { losses, refusals } from '../../../../web/src/viewer/words/jaLosses.ts';
import type { IncomingFiles } from '../../../../web/src/viewer/incomingFiles.ts';
import { addStyle, dropOn, fetchBlob } from './support.ts';

const address = location.href;
const wait = { timeout: 20_000 };
let main: { viewer: Viewer };
let psk: Blob;

beforeAll(async () => {
  await addStyle();
  await page.viewport(1000, 640);
  const app = document.createElement('div');
  app.id = 'app';
  document.body.append(app);
  history.replaceState(null, '', '?lang=ja');
  psk = await fetchBlob('web/src/viewer/demo/Pip.psk');
  main = await import('../../../../web/src/viewer/main.ts');
  await vi.waitFor(() => expect(main.viewer.model).not.toBeNull(), wait);
  await main.viewer.idle;
}, 120_000);

afterEach(() => document.querySelectorAll('dialog').forEach(dialog => dialog.close()));
afterAll(async () => {
  main.viewer.dispose();
  await speak('en'); // other files use the same page
  localStorage.removeItem('rigcast.language');
  document.documentElement.lang = '';
  history.replaceState(null, '', address);
});

const part = (selector: string): HTMLElement => main.viewer.root.querySelector<HTMLElement>(selector)!;
const half = (): File => new File([psk.slice(0, 150_000)], 'half.psk');

/**
 * Returns sequences of three or more English words, except details of findings and names from the
 * file.
 */
function english(element: HTMLElement): string[] {
  const items = [...main.viewer.sections.value.map(({ report }) => report), main.viewer.refusal.value?.report].flatMap(
    report => report?.items ?? [],
  );
  const told = items.flatMap(({ detail, path }) => [detail, path]).filter(text => text !== '');
  // The names of lost objects, which are details of the conversion report
  told.push(...[...element.querySelectorAll<HTMLElement>('.names bdi')].map(name => name.innerText));
  let text = element.innerText;
  for (const each of told.sort((a, b) => b.length - a.length)) text = text.replaceAll(each, '');
  return text.match(/[A-Za-z]{2,}(?:[ ,]+[A-Za-z]{2,}){2,}/g) ?? [];
}

it('describes a truncated file in Japanese in advice, report and save dialog', async () => {
  await dropOn(main.viewer, half());
  expect(part('.hint').innerText).toMatch(/^half\.psk は不完全です。150 KB で途切れて/);
  expect(english(part('.hint'))).toEqual([]);

  part('#panel-details-tab').click();
  part('#section-report-heading').click();
  await vi.waitFor(() => expect(part('.report .finding')).not.toBeNull(), wait);
  for (const line of main.viewer.root.querySelectorAll('details')) line.open = true;
  const codes = [...new Set(main.viewer.sections.value.flatMap(({ report }) => report.items.map(({ code }) => code)))];
  expect(codes).toContain('TRUNCATED');
  const lines = [...main.viewer.root.querySelectorAll('.finding .sentence')].map(line => line.textContent);
  expect(lines.toSorted()).toEqual(codes.map(code => findings[code]).toSorted());
  expect(english(part('.report'))).toEqual([]);
  // The detail is shown next to the finding.
  expect(part('.report').innerText).toContain(main.viewer.sections.value[0]!.report.items[0]!.detail);

  main.viewer.run('save');
  await vi.waitFor(() => expect(part('.saving .losses')).not.toBeNull(), wait);
  const costs = [...main.viewer.root.querySelectorAll('.losses li')].map(line => line.firstChild?.textContent ?? '');
  expect(costs).toContain(losses['SOURCE_DAMAGED']);
  expect(costs.filter(cost => !Object.values(losses).includes(cost))).toEqual([]);
  expect(english(part('.saving'))).toEqual([]);
  part('.saving .plain').click();
});

it('describes a file that cannot be read in Japanese, with the finding', async () => {
  const bytes = new Uint8Array(await psk.arrayBuffer());
  new DataView(bytes.buffer).setUint32(56, 8, true); // size of a point
  await dropOn(main.viewer, new File([bytes], 'short.psk'));
  part('.problem details').setAttribute('open', '');
  expect(part('.problem h2').innerText).toBe('short.psk を読み込めませんでした。');
  expect(part('.problem p').innerText).toContain(findings['BAD_CHUNK_HEADER']);
  expect(part('.problem li').innerText).toContain(findings['BAD_CHUNK_HEADER']);
  expect(english(part('.problem'))).toEqual([]);
});

it('describes a failed conversion in Japanese and what to do next', async () => {
  await main.viewer.save({ to: 'iwer' });
  expect(part('.saving[open] .refused strong').innerText).toBe('IWER では保存できませんでした。');
  expect(part('.saving[open] .refused').innerText).toContain(
    `変換できませんでした (${refusals['HANDS_MISSING']!.replace(/。$/, '')})。ほかの形式で試してください。`,
  );
  expect(english(part('.saving[open] .refused'))).toEqual([]);
  await main.viewer.save({ to: 'vrm' });
  expect(part('.saving[open] .refused').innerText).toMatch(/このモデルには \w+, \w+.*がありません/);
  part('.saving[open] .actions .plain').click();
});

it('shows all controls of the drawer beside the button that closes it, on a phone', async () => {
  await page.viewport(390, 844);
  main.viewer.isDrawerOpen.value = true;
  try {
    const tools = await vi.waitUntil(() => document.querySelector<HTMLElement>('.drawer-tools'), 20_000);
    await vi.waitFor(() => expect(tools.querySelectorAll('.pick')).not.toHaveLength(0), wait);
    const close = tools.querySelector('.icon-button:last-child')!.getBoundingClientRect();
    const covered = [...tools.querySelectorAll<HTMLElement>('.pick, .search, .plain')]
      .filter(control => control.checkVisibility())
      .filter(control => {
        const { right, top } = control.getBoundingClientRect();
        return right > close.left && top < close.bottom;
      });
    expect(covered.map(({ textContent }) => textContent)).toEqual([]);
  } finally {
    main.viewer.isDrawerOpen.value = false;
    await page.viewport(1000, 640);
  }
});

it('keeps the open files and the view when the language changes', async () => {
  await dropOn(main.viewer, new File([psk], 'Pip.psk'), new File([await fetchBlob('web/src/viewer/demo/Pip.psa')], 'Pip.psa'));
  const japanese = main.viewer;
  japanese.select(1);
  japanese.playback.pause();
  japanese.playback.seek(0.5);
  japanese.dispatch({ type: 'set-view', settings: { grid: false } });
  japanese.tab.value = 'details';
  japanese.view.cameraRig.orbitBy(0.7, 0.1, 0.5);
  const orbit = japanese.view.cameraRig.orbit;
  const button = page.getByRole('button', { name: '言語: English' });
  await userEvent.click(button);
  await vi.waitFor(() => expect(main.viewer).not.toBe(japanese), wait);
  const { viewer } = main;
  await vi.waitFor(() => expect(viewer.announcement.value.text).toBe('Language: English'), wait);
  expect([document.documentElement.lang, location.search, localStorage.getItem('rigcast.language')]).toEqual(['en', '', 'en']);
  expect(document.activeElement).toBe(page.getByRole('button', { name: 'Language: 日本語' }).element());
  expect(document.querySelectorAll('.canvas canvas')).toHaveLength(1);
  expect(part('.title').innerText).toBe('Pip.psk');
  expect([viewer.animationNames[viewer.selected], viewer.playback.time, viewer.playback.playing]).toEqual(['Hop', 0.5, false]);
  expect([viewer.tab.value, viewer.session.value.viewSettings.grid]).toEqual(['details', false]);
  const { radius, phi, theta } = viewer.view.cameraRig.orbit;
  expect([radius, phi, theta].map(value => value.toFixed(3))).toEqual(
    [orbit.radius, orbit.phi, orbit.theta].map(value => value.toFixed(3)),
  );
  // Undo still works.
  viewer.undo();
  await viewer.idle;
  expect(part('.hint').innerText).toMatch(/^half\.psk is incomplete: it ends after 150 KB/);
});

it('opens files that are dropped while the language changes', async () => {
  const { viewer } = main;
  let provide: (incoming: IncomingFiles) => void = () => {};
  const incoming = new Promise<IncomingFiles>(resolve => (provide = resolve));
  viewer.run('language');
  void viewer.open(incoming);
  await new Promise(resolve => setTimeout(resolve, 1000)); // the new language is loaded
  const file = new File([await fetchBlob('web/src/viewer/demo/Mushroom.cast')], 'Mushroom.cast');
  provide({ files: [{ path: file.name, file }], truncated: false });
  await vi.waitFor(() => expect(main.viewer).not.toBe(viewer), wait);
  await vi.waitFor(() => expect(main.viewer.model?.input.file.name).toBe('Mushroom.cast'), wait);
});
