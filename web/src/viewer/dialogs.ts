// Questions and help, above everything else.
import type { GivenFile } from '../player/given.ts';
import { commands, keyName } from './commands.ts';
import { bytes, el, fill } from './dom.ts';
import type { Page } from './page.ts';
import { words } from './words/index.ts';

/** Rows of a question; a search finds the others. */
const MOST_CHOICES = 300;

function show(root: HTMLElement, dialog: HTMLDialogElement): void {
  dialog.addEventListener('close', () => dialog.remove());
  root.append(dialog);
  dialog.showModal();
}

/** Which of several models? Null: none. Rejects when the signal says so. */
export function chooseModel(root: HTMLElement, candidates: readonly GivenFile[], signal: AbortSignal): Promise<GivenFile | null> {
  return new Promise<GivenFile | null>((resolve, reject) => {
    const dialog = el('dialog', { class: 'choose', 'aria-label': words.chooseModel });
    // Gone at once: the browser tells of a closed dialog only with its next frame.
    const leave = (): void => {
      dialog.close();
      dialog.remove();
    };
    const settle = (given: GivenFile | null): void => {
      resolve(given);
      leave();
    };
    const list = el('div', { class: 'choices' });
    const search = el('input', { type: 'search', placeholder: words.search, 'aria-label': words.searchModels, oninput: () => filter() });
    const filter = (): void => {
      const text = search.value.trim().toLowerCase();
      const found = candidates.filter(({ path }) => path.toLowerCase().includes(text));
      fill(
        list,
        ...found
          .slice(0, MOST_CHOICES)
          .map(given =>
            el(
              'button',
              { type: 'button', class: 'choice', onclick: () => settle(given) },
              el('span', { class: 'name' }, given.file.name),
              el('span', { class: 'small' }, given.path === given.file.name ? '' : given.path),
              el('span', { class: 'detail' }, bytes(given.file.size)),
            ),
          ),
        found.length > MOST_CHOICES && el('p', { class: 'note' }, words.moreToSearch(found.length - MOST_CHOICES)),
      );
    };
    filter();
    dialog.append(
      el('h2', {}, words.whichModel(candidates.length)),
      candidates.length > 8 ? search : '',
      list,
      el('div', { class: 'actions' }, el('button', { type: 'button', class: 'plain', onclick: () => settle(null) }, words.noneOfThem)),
    );
    dialog.addEventListener('close', () => resolve(null)); // Escape
    signal.addEventListener(
      'abort',
      () => {
        reject(signal.reason as Error);
        leave();
      },
      { once: true },
    );
    show(root, dialog);
  });
}

export function showHelp(page: Page): void {
  const rows = commands.filter(({ id }) => words.commands[id].help !== '');
  const dialog = el(
    'dialog',
    { class: 'help', 'aria-label': words.commands.help.title },
    el('h2', {}, words.keys),
    el(
      'dl',
      { class: 'keys' },
      ...rows.map(({ id, keys }) =>
        el('div', {}, el('dt', {}, el('kbd', {}, keys.map(keyName).join(' '))), el('dd', {}, words.commands[id].help)),
      ),
    ),
    el('p', { class: 'quiet' }, words.mouse),
    el(
      'div',
      { class: 'actions' },
      el('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, words.close),
      el(
        'button',
        {
          type: 'button',
          class: 'plain',
          onclick: () => {
            dialog.close();
            void page.openDemo();
          },
        },
        words.showDemo,
      ),
    ),
  );
  show(page.root, dialog);
}

/** Nothing is opened before somebody has seen where it leads. `address` is http or https. */
export function askLink(root: HTMLElement, address: string): void {
  const dialog = el(
    'dialog',
    { 'aria-label': words.openLink },
    el('h2', {}, words.openLinkTitle),
    el('p', { class: 'quiet' }, words.openLinkText),
    el('code', { class: 'address' }, address),
    el(
      'div',
      { class: 'actions' },
      el(
        'a',
        { class: 'button', href: address, target: '_blank', rel: 'noopener noreferrer', onclick: () => dialog.close() },
        words.openTab,
      ),
      el('button', { type: 'button', class: 'plain', onclick: () => dialog.close() }, words.doNotOpen),
    ),
  );
  show(root, dialog);
}
