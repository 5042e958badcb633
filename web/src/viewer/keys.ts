// Runs the command of a pressed key, unless the focused control uses that key.
import { CAMERA_KEYS } from '../view/cameraKeys.ts';
import { commands, runCommand } from './commands.ts';
import type { Page, KeyPress } from './page.ts';

export function onKey(page: Page, event: KeyboardEvent): void {
  // An open menu uses the keys itself, for example Escape to close.
  if (event.defaultPrevented || document.querySelector('dialog[open], :popover-open')) return;
  const target = event.target as HTMLElement | null;
  const tag = target?.tagName;
  const type = tag === 'INPUT' ? (target as HTMLInputElement).type : '';
  if (tag === 'TEXTAREA' || tag === 'SELECT' || (tag === 'INPUT' && !['range', 'checkbox', 'radio'].includes(type))) return;
  if (page.viewport.fly.peek()?.onKey(event)) return event.preventDefault();
  // With Alt, the arrow keys orbit the camera. Without it, they step through frames and animations.
  const movement = event.ctrlKey || event.metaKey ? undefined : CAMERA_KEYS[event.key];
  if (movement && event.altKey === event.key.startsWith('Arrow')) {
    event.preventDefault();
    page.viewport.view.cameraRig.orbitBy(...movement);
    return;
  }
  if (event.altKey) return;
  // Shift changes the character of a digit key, so the command is found by the place of the key. On
  // keyboards whose digits require Shift, these keys are digits.
  const [, digit] = (event.shiftKey && !/^\d$/.test(event.key) && /^Digit([1-9])$/.exec(event.code)) || [];
  const key = digit ? `shift+${digit}` : `${event.ctrlKey || event.metaKey ? 'ctrl+' : ''}${event.key.toLowerCase()}`;
  // Sliders and radio buttons use the arrow keys; buttons and checkboxes use the space bar.
  if (type === 'range' && /^(arrow|home$|end$)/.test(key)) return;
  if (type === 'radio' && key.startsWith('arrow')) return;
  if (target?.getAttribute('role') === 'listbox' && /^(home|end)$/.test(key)) return;
  if (key === ' ' && (tag === 'BUTTON' || tag === 'SUMMARY' || type === 'checkbox' || type === 'radio')) return;
  const command = commands.find(({ keys }) => keys.includes(key));
  // Ctrl+Shift+Z keeps its meaning in the browser.
  if (!command || (key.startsWith('ctrl+') && event.shiftKey)) return;
  event.preventDefault();
  runCommand(page, command, { key, isShift: event.shiftKey } satisfies KeyPress);
}
