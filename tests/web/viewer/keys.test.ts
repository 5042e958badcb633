// Tests the names of keys on buttons and in the help dialog.
import { afterEach, expect, test, vi } from 'vitest';
import { keyName } from '../../../web/src/viewer/commands.ts';

afterEach(() => void vi.unstubAllGlobals());

test.each([
  ['Linux x86_64', 'Ctrl Z'],
  ['Win32', 'Ctrl Z'],
  ['MacIntel', '⌘Z'],
  ['iPad', '⌘Z'],
])('on %s the key for undo is %s', (platform, name) => {
  vi.stubGlobal('navigator', { platform });
  expect(keyName('ctrl+z')).toBe(name);
  expect(['e', ' ', 'arrowleft'].map(keyName)).toEqual(['E', 'Space', '←']);
});
