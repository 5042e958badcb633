// All dialogs, in small windows, in both languages and themes: layout and accessibility.
import { page } from 'vitest/browser';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import '../../../../web/src/viewer/drawer/boneMap.css';
import { chooseBone } from '../../../../web/src/viewer/drawer/boneChooser.ts';
import { showConvertFolder } from '../../../../web/src/viewer/library/convertDialog.ts';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { speak, words } from '../../../../web/src/viewer/words/index.ts';
import { findings, smallTargets } from './accessibility.ts';
import { dropOn, emulateTouch, fetchBlob, frames, makeViewer } from './support.ts';

declare global {
  interface ImportMeta {
    /** Vite replaces the call by the texts of the files. */
    glob(pattern: string, options: { query: '?raw'; import: 'default'; eager: true }): Record<string, string>;
  }
}

const wait = { timeout: 30_000 };
const SIZES = [
  [740, 360],
  [667, 375],
  [360, 640],
] as const;
const LONG_NAME = `${'a-very-long-name-of-a-file-'.repeat(4)}.psk`;

let viewer: Viewer;
const dialog = (): HTMLDialogElement => document.querySelector<HTMLDialogElement>('dialog[open]')!;
const find = <Kind extends HTMLElement>(selector: string): Kind => dialog().querySelector<Kind>(selector)!;
const choose = (list: HTMLSelectElement, value: string): void => {
  list.value = value;
  list.dispatchEvent(new Event('change', { bubbles: true }));
};
const enter = (row: number, value: number): void => {
  const input = dialog().querySelectorAll<HTMLInputElement>('.video input[type=number]')[row]!;
  input.value = String(value);
  input.dispatchEvent(new Event('change', { bubbles: true }));
};
const showVideo = async (): Promise<void> => {
  await viewer.picture();
  find('.switch label:nth-child(2) input').click();
  await vi.waitFor(() => expect(find('.video .primary').checkVisibility()).toBe(true), wait);
};

/** Shows a dialog. `module`: the module that creates it. */
interface State {
  name: string;
  module: string;
  show: () => unknown;
}

const STATES: readonly State[] = [
  { name: 'help', module: 'dialogs.ts', show: () => viewer.showHelp() },
  { name: 'shared files', module: 'dialogs.ts', show: () => void viewer.askShared([LONG_NAME, 'hero.psk', 'walk.psa']) },
  { name: 'link', module: 'dialogs.ts', show: () => viewer.askLink(`https://example.com/${LONG_NAME}`) },
  { name: 'save', module: 'saving.ts', show: () => viewer.save({ to: 'glb' }) },
  { name: 'save as several files', module: 'saving.ts', show: () => viewer.save({ to: 'gltf' }) },
  {
    name: 'save as VRM',
    module: 'saving.ts',
    show: async () => {
      await viewer.save({ to: 'vrm' });
      find<HTMLDetailsElement>('.vrm-meta').open = true;
    },
  },
  { name: 'picture', module: 'capture/dialog.ts', show: () => viewer.picture() },
  { name: 'video', module: 'capture/dialog.ts', show: showVideo },
  {
    name: 'finished video',
    module: 'capture/dialog.ts',
    show: async () => {
      await showVideo();
      [2, 64, 64].forEach((value, i) => enter(i + 1, value));
      find<HTMLFormElement>('.video').requestSubmit();
      await vi.waitFor(() => expect(find('a[download]')).toBeTruthy(), wait);
    },
  },
  { name: 'share', module: 'sharing.ts', show: () => viewer.share() },
  {
    name: 'share an iframe',
    module: 'sharing.ts',
    show: async () => {
      await viewer.share();
      choose(find('select'), 'iframe');
    },
  },
  { name: 'match images', module: 'matching/dialog.ts', show: () => viewer.matchImages() },
  {
    name: 'bone of a bone map',
    module: 'drawer/boneChooser.ts',
    show: () =>
      void chooseBone(viewer.root, {
        title: LONG_NAME,
        bones: viewer.model!.bones.map(({ name }, index) => ({ name, index })),
        current: null,
        none: 'none',
      }),
  },
  { name: 'convert folder', module: 'library/convertDialog.ts', show: () => showConvertFolder(viewer) },
  {
    name: 'converted folder',
    module: 'library/convertDialog.ts',
    show: async () => {
      showConvertFolder(viewer);
      find('.actions button:nth-last-child(2)').click();
      await vi.waitFor(() => expect(find('details')).toBeTruthy(), wait);
      for (const each of dialog().querySelectorAll('details')) each.open = true;
    },
  },
];

/** Returns what is wrong with the layout of the open dialog. */
function problems(): string[] {
  const found: string[] = [];
  const box = dialog().getBoundingClientRect();
  if (box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth) found.push('is outside the window');
  if (dialog().scrollWidth > dialog().clientWidth + 1) found.push('scrolls sideways');
  const actions = [...dialog().querySelectorAll<HTMLElement>('.actions')].find(
    each => each.checkVisibility() && !each.closest('.vrm-form'),
  )!;
  // The row of actions is visible at the start and at the end, where the rest is above it.
  for (const end of [0, dialog().scrollHeight]) {
    dialog().scrollTop = end;
    for (const button of actions.querySelectorAll<HTMLElement>('button, a')) {
      if (!button.checkVisibility()) continue;
      const { left, right, top, bottom } = button.getBoundingClientRect();
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      if (!button.contains(hit) || bottom > box.bottom || top < box.top) found.push(`${button.textContent} is not visible at ${end}`);
    }
  }
  const last = actions.previousElementSibling;
  if (last && last.getBoundingClientRect().bottom > actions.getBoundingClientRect().top + 1)
    found.push(`covers ${last.outerHTML.slice(0, 80)}`);
  dialog().scrollTop = 0;
  return found;
}

/** Returns the controls that the row of actions covers when they have the focus. */
function coveredControls(): string[] {
  const found: string[] = [];
  const actions = dialog().querySelectorAll<HTMLElement>('.actions');
  for (const control of dialog().querySelectorAll<HTMLElement>('button, input, select, textarea, a[href], summary, [tabindex="0"]')) {
    if (!control.checkVisibility() || control.matches(':disabled') || control.closest('.actions')) continue;
    dialog().scrollTop = 0;
    control.focus();
    const box = control.getBoundingClientRect();
    const edge = control.tagName === 'TEXTAREA' ? 8 : 1; // the browser scrolls to the caret, not to the edge
    for (const row of actions) {
      if (!row.checkVisibility()) continue;
      const { top, bottom } = row.getBoundingClientRect();
      const fits = box.height < top - dialog().getBoundingClientRect().top;
      if (fits && box.bottom > top + edge && box.top < bottom) found.push(`covers the focused ${control.outerHTML.slice(0, 80)}`);
    }
  }
  dialog().scrollTop = 0;
  return found;
}

it('are all in the list of this test', () => {
  const sources = import.meta.glob('../../../../web/src/viewer/**/*.ts', { query: '?raw', import: 'default', eager: true });
  const modules = Object.entries(sources)
    .filter(([, text]) => /\bel\(\s*'dialog'/.test(text))
    .map(([path]) => path.split('/viewer/').at(-1));
  expect(modules.toSorted()).toEqual([...new Set(STATES.map(({ module }) => module))].sort());
  // One function shows them all.
  const showing = Object.keys(sources).filter(path => sources[path]!.includes('.showModal('));
  expect(showing.map(path => path.split('/viewer/').at(-1))).toEqual(['showDialog.ts']);
});

describe.each(['en', 'ja'])('in the language %s', language => {
  beforeAll(async () => {
    await speak(language);
    await page.viewport(1200, 800);
    viewer = await makeViewer();
    const names = [
      'Lotl.vgo',
      'Tock.cast',
      'Mushroom.cast',
      'Rock.cast',
      'Tree.cast',
      'Pine.cast',
      'Pip.psk',
      'Pip_D.png',
      'Tock_metal.png',
    ];
    await dropOn(viewer, ...(await Promise.all(names.map(async name => new File([await fetchBlob(`web/src/viewer/demo/${name}`)], name)))));
    const avatar = viewer.session.value.library.find(({ input }) => input.file.name === 'Lotl.vgo')!;
    viewer.showEntry(avatar);
    await viewer.idle;
    expect(viewer.model!.input.file.name).toBe('Lotl.vgo');
    viewer.playback.pause();
  }, 120_000);
  afterEach(() => dialog()?.close());
  afterAll(async () => {
    viewer.dispose();
    viewer.root.remove();
    await speak('en');
  });

  it.each(STATES)(
    '$name fits into small windows, with visible actions and no accessibility problem',
    { timeout: 60_000 },
    async ({ show }) => {
      await page.viewport(...SIZES[0]);
      await frames(2);
      await show();
      await vi.waitFor(() => expect(dialog()).toBeTruthy(), wait);
      const found: string[] = [];
      for (const [width, height] of SIZES) {
        await page.viewport(width, height);
        await frames(2);
        found.push(...[...problems(), ...coveredControls()].map(each => `${width} × ${height}: ${each}`), ...smallTargets(dialog()));
      }
      for (const [theme, rules] of [
        ['light', 'all'],
        ['dark', 'colors'],
      ] as const) {
        if (viewer.theme.value !== theme) viewer.toggleTheme();
        await frames(1);
        await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
        found.push(...(await findings(dialog(), rules)).map(each => `${theme}: ${each}`));
      }
      expect(found).toEqual([]);
    },
  );
});

describe('the help', () => {
  beforeAll(async () => {
    await page.viewport(1200, 800);
    viewer = await makeViewer();
  }, 120_000);
  afterEach(() => dialog()?.close());
  afterAll(() => viewer.dispose());

  it('lists no command that the device does not support', async () => {
    const names = (): (string | null)[] =>
      [...dialog().querySelectorAll('.commands .name')].map(({ firstChild }) => firstChild!.textContent);
    viewer.showHelp();
    await vi.waitFor(() => expect(dialog()).toBeTruthy(), wait);
    expect(names()).not.toContain(words.commands.vr.title);
    expect(names().length).toBeGreaterThan(40);
    dialog().close();
    viewer.viewport.immersive.modes.value = ['vr'];
    viewer.showHelp();
    await vi.waitFor(() => expect(names()).toContain(words.commands.vr.title), wait);
    expect(names()).not.toContain(words.commands.ar.title);
    viewer.viewport.immersive.modes.value = [];
  });

  it('and the start card use the words for the primary pointer', async () => {
    viewer.showHelp();
    await vi.waitFor(() => expect(dialog()).toBeTruthy(), wait);
    const texts = (): string[] => ['.help', '.welcome'].map(name => viewer.root.querySelector<HTMLElement>(name)!.innerText);
    expect(texts()).toEqual([expect.stringContaining('right-drag to pan'), expect.stringContaining('Drop a rig.')]);
    await emulateTouch(true);
    expect(texts()).toEqual([expect.stringContaining('two fingers to pan'), expect.stringContaining('Open a rig.')]);
    for (const text of texts()) expect(text).not.toMatch(/right-drag|Drop /);
    await emulateTouch(false);
  });
});
