// Names of what was opened last, on this device only: a page keeps no files, but it may remind of them.

const KEY = 'rigcast.recent';
const MOST = 5;
const MOST_LETTERS = 80;

/** The last one first. Empty where the browser lets the page keep nothing. */
export function recentNames(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(name => typeof name === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function keepRecent(name: string): void {
  const kept = [name.slice(0, MOST_LETTERS), ...recentNames().filter(other => other !== name)].slice(0, MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Storage can be forbidden, or full.
  }
}
