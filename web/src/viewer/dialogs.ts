// Questions and help, above everything else.
import { commands, keyName } from './commands.ts';
import { el } from './dom.ts';
import type { Page } from './page.ts';
import { words } from './words/index.ts';

function show(root: HTMLElement, dialog: HTMLDialogElement): void {
  dialog.addEventListener('close', () => dialog.remove());
  root.append(dialog);
  dialog.showModal();
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
