// The language of the page: as the address or the browser says, until somebody chooses.
import { languageOf, languages, spoken } from './words/index.ts';

const KEY = 'rigcast.language';

export function languageWanted(): string {
  return languageOf([...new URLSearchParams(location.search).getAll('lang'), kept(), ...navigator.languages]);
}

/** The one that a visitor may change to now, in a ring. */
export function nextLanguage(): string {
  const all = Object.keys(languages);
  return all[(all.indexOf(spoken) + 1) % all.length]!;
}

/** Somebody has chosen: for this visit and the next ones, whatever the address said. */
export function keepLanguage(language: string): void {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // Storage can be forbidden; the choice then lasts as long as the page.
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
