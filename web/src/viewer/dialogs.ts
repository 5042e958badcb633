// Modal dialogs: help, and questions that are asked before shared files or links are opened.
import { commands, isAvailable, keyName, runCommand } from './commands.ts';
import { byPointer, el } from './dom.ts';
import type { Command, Page } from './page.ts';
import { showDialog } from './showDialog.ts';
import { words } from './words/index.ts';

/** Commands whose explanation describes keys. */
const KEY_HELP: ReadonlySet<string> = new Set(['stepBack', 'stepOn', 'fly']);

/**
 * Shows a searchable list of all commands that the device supports. A click on a row runs its command.
 * Devices without a mouse show no keys. The search field has the focus only with a mouse, because it
 * would open the keyboard of a touch screen.
 */
export function showHelp(page: Page): void {
  const rows: HTMLElement[] = [];
  const groups = Object.entries(words.commandGroups).map(([group, title]) => {
    const ofGroup = commands
      .filter(command => command.group === group && command.id !== 'help' && (command.isSupported?.(page) ?? true))
      .map(command => commandRow(page, command, () => dialog.close()));
    rows.push(...ofGroup);
    return el('section', {}, el('h3', {}, title), el('ul', {}, ...ofGroup));
  });
  const nothing = el('p', { class: 'quiet', hidden: true }, words.noResults);
  const search = el('input', {
    type: 'search',
    placeholder: words.searchCommands,
    'aria-label': words.searchCommands,
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => {
      const typed = search.value.trim().toLowerCase();
      for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(typed);
      for (const group of groups) group.hidden = ![...group.querySelectorAll('li')].some(row => !row.hidden);
      nothing.hidden = rows.some(row => !row.hidden);
    },
  });
  const dialog = el(
    'dialog',
    { class: 'help', 'aria-label': words.commands.help.title, tabindex: -1 },
    el('h2', {}, ...byPointer(words.commandsTitle, words.touchCommandsTitle)),
    el('p', { class: 'quiet' }, ...byPointer(words.mouseHelp, words.touchHelp)),
    search,
    el('div', { class: 'commands' }, el('div', { class: 'groups' }, ...groups)),
    nothing,
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
  showDialog(page.root, dialog);
  if (matchMedia('(pointer: coarse)').matches) dialog.focus();
}

function commandRow(page: Page, command: Command, close: () => void): HTMLElement {
  const { id, keys, isOn } = command;
  const { title, help } = words.commands[id];
  const isMore = help && help.toLowerCase() !== title.toLowerCase();
  const press = (): void => {
    // Keep the dialog open only for commands that turn something on or off.
    if (!isOn) close();
    runCommand(page, command);
    if (isOn) button.setAttribute('aria-pressed', String(isOn(page)));
  };
  const button = el(
    'button',
    { type: 'button', 'aria-pressed': isOn ? String(isOn(page)) : null, disabled: !isAvailable(page, command), onclick: press },
    el(
      'span',
      { class: 'name' },
      title,
      ...(isMore ? [el('span', KEY_HELP.has(id) ? { class: 'for-mouse' } : {}, ' ', el('span', { class: 'small' }, help))] : []),
    ),
    ...shownKeys(keys).map(key => el('kbd', { class: 'for-mouse' }, key)),
  );
  return el('li', {}, button);
}

/** Returns the names of keys. If there are more than four, names only the first and the last. */
const shownKeys = (keys: readonly string[]): string[] =>
  keys.length > 4 ? [`${keyName(keys[0]!)} – ${keyName(keys.at(-1)!)}`] : keys.map(keyName);

/** Asks the visitor whether to open shared files. Resolves with true if the visitor agrees. */
export function askShared(root: HTMLElement, names: readonly string[]): Promise<boolean> {
  return new Promise(resolve => {
    const answer = (isWanted: boolean) => (): void => {
      resolve(isWanted);
      dialog.close();
    };
    const dialog = el(
      'dialog',
      { class: 'shared', 'aria-label': words.sharedTitle },
      el('h2', {}, words.sharedTitle),
      el('p', { class: 'quiet' }, words.sharedText(names)),
      el(
        'div',
        { class: 'actions' },
        el('button', { type: 'button', class: 'button primary', onclick: answer(true) }, words.openShared),
        el('button', { type: 'button', class: 'plain', onclick: answer(false) }, words.cancel),
      ),
    );
    showDialog(root, dialog, () => resolve(false));
  });
}

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
      el('button', { type: 'button', class: 'plain', onclick: () => dialog.close() }, words.cancel),
    ),
  );
  showDialog(root, dialog);
}
