// Buttons and checkboxes for commands.
import { effect } from '@preact/signals-core';
import { button as press, commands, isAvailable, keyName, nameOf, runCommand, titleOf } from './commands.ts';
import { el, icon, iconButton, setIcon } from './dom.ts';
import type { Command, Page } from './page.ts';
import { words } from './words/index.ts';

export function buttonsOf(page: Page, place: Command['place']): HTMLButtonElement[] {
  return commands.filter(command => command.place === place).map(command => buttonOf(page, command));
}

/**
 * Creates a button that opens a menu with the commands of a group, and the menu. Each row has icon
 * and name.
 */
export function menuOf(page: Page, place: Command['place'], label: string): HTMLElement[] {
  const rows = commands.filter(command => command.place === place).map(command => menuRow(page, command));
  const menu = el('div', { class: 'menu', id: `menu-${place}`, popover: 'auto', onclick: () => menu.hidePopover() }, ...rows);
  const button = iconButton('more', label, () => {}, { popovertarget: menu.id });
  button.classList.add('menu-button');
  return [button, menu];
}

function menuRow(page: Page, command: Command): HTMLElement {
  const { icon: iconName = 'info' } = command;
  const currentIcon = typeof iconName === 'function' ? iconName : () => iconName;
  const text = el('span', {});
  const row = el(
    'button',
    { type: 'button', 'data-command': command.id, onclick: () => command.run(page, press) },
    icon(currentIcon(page)),
    text,
  );
  effect(() => {
    setIcon(row, currentIcon(page));
    text.textContent = nameOf(command, page);
    row.disabled = !isAvailable(page, command);
  });
  return row;
}

function buttonOf(page: Page, command: Command): HTMLButtonElement {
  const { id, isOn, run, icon: iconName = 'info' } = command;
  const currentIcon = typeof iconName === 'function' ? iconName : () => iconName;
  const { label } = words.commands[id];
  const act = (): void => run(page, press);
  const button = label
    ? el('button', { type: 'button', class: 'button', onclick: act }, command.icon && icon(currentIcon(page)), el('span', {}, label))
    : iconButton(currentIcon(page), titleOf(command, page), act);
  button.dataset.command = id;
  effect(() => {
    button.title = titleOf(command, page);
    if (!label) button.setAttribute('aria-label', button.title);
    button.disabled = !isAvailable(page, command);
    button.hidden = button.disabled && command.place === 'tools'; // the other groups keep their layout
    if (isOn) button.setAttribute('aria-pressed', String(isOn(page)));
    if (typeof iconName === 'function') setIcon(button, iconName(page));
  });
  return button;
}

/**
 * Creates the checkbox of a command that turns something on or off. It is hidden while the command is
 * not available.
 */
export function checkOf(page: Page, id: Command['id']): HTMLElement {
  const command = commands.find(one => one.id === id)!;
  const box = el('input', { type: 'checkbox', onchange: () => runCommand(page, command) });
  const label = el(
    'label',
    { class: 'check', 'data-command': id },
    box,
    el('span', { class: 'name' }, words.commands[id].title),
    ...command.keys.map(key => el('kbd', {}, keyName(key))),
  );
  effect(() => {
    box.checked = command.isOn?.(page) ?? false;
    label.hidden = !isAvailable(page, command);
  });
  return label;
}
