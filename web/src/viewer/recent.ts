// Stores the names of recently opened files on this device. The files themselves are not stored.

const KEY = 'rigcast.recent';
const MAX_COUNT = 5;
const MAX_LETTERS = 80;

/** Returns the names of recently opened files, latest first. Empty if storage is forbidden. */
export function recentNames(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(name => typeof name === 'string').slice(0, MAX_COUNT) : [];
  } catch {
    return [];
  }
}

export function keepRecent(name: string): void {
  const kept = [name.slice(0, MAX_LETTERS), ...recentNames().filter(other => other !== name)].slice(0, MAX_COUNT);
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Storage can be forbidden or full.
  }
}
