// Determines the language of the page from the URL, from the visitor's earlier choice, or from the
// browser.
import { languageOf, languages, spoken } from './words/index.ts';

const KEY = 'rigcast.language';

export function languageWanted(): string {
  return languageOf([...new URLSearchParams(location.search).getAll('lang'), kept(), ...navigator.languages]);
}

/** Returns the language after the current one; after the last language, the first. */
export function nextLanguage(): string {
  const all = Object.keys(languages);
  return all[(all.indexOf(spoken) + 1) % all.length]!;
}

/** Stores the visitor's choice and removes the language from the URL. */
export function keepLanguage(language: string): void {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // If storage is forbidden, the choice lasts until the page is closed.
  }
  const address = new URL(location.href);
  if (!address.searchParams.has('lang')) return;
  address.searchParams.delete('lang');
  history.replaceState(history.state, '', address);
}

function kept(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}
