// What the page says, in the language that it speaks.
import { codes } from '../../core/codes.ts';
import { en, type Words } from './en.ts';

export type { Trouble, Words } from './en.ts';

/** A sentence for each code. */
type Meanings = Readonly<Record<string, string>>;

/** A language but English. Each part is fetched where it is spoken, when it is needed first. */
interface Language {
  words: () => Promise<Words>;
  /** What the codes of findings mean. */
  findings: () => Promise<Meanings>;
  /** What the codes of the ledger mean: what is lost when somebody saves. */
  losses: () => Promise<Meanings>;
  /** What the codes of what nothing can be saved of mean. */
  refusals: () => Promise<Meanings>;
}

const others: Readonly<Record<string, Language>> = {
  ja: {
    words: async () => (await import('./ja.ts')).ja,
    findings: async () => (await import('./jaFindings.ts')).findings,
    losses: async () => (await import('./jaLosses.ts')).losses,
    refusals: async () => (await import('./jaLosses.ts')).refusals,
  },
};

/** By tag: how each language calls itself. */
export const languages: Readonly<Record<string, string>> = { en: 'English', ja: '日本語' };

/** What the page says. English before `speak` has ended: nothing may keep a word that was looked up while modules were loaded. */
export let words: Words = en;
/** The language of `words`. */
export let spoken = 'en';

/** The first of `wanted` (as browsers list them: "ja-JP") that the page speaks. */
export function languageOf(wanted: readonly string[]): string {
  const first = wanted.map(tag => tag.toLowerCase().split('-')[0]!).find(tag => Object.hasOwn(languages, tag));
  return first ?? 'en';
}

/** Before anything is shown. A language that cannot be fetched leaves the words as they are; whether it could be. */
export async function speak(language: string): Promise<boolean> {
  const fetched = language === 'en' ? en : await others[language]?.words().catch(() => null);
  if (!fetched) return false;
  words = fetched;
  spoken = language;
  document.documentElement.lang = language;
  return true;
}

/** The meaning of each finding in the language of the page. Rejects if the table cannot be loaded. */
export async function findingMeanings(): Promise<ReadonlyMap<string, string>> {
  const [table, translations] = await Promise.all([codes(), others[spoken]?.findings()]);
  return translated(table, translations);
}

/** Sentences by code; the English one for a code that has no translation. */
export const translated = (
  table: readonly { code: string; sentence: string }[],
  translations: Meanings = {},
): ReadonlyMap<string, string> => new Map(table.map(({ code, sentence }) => [code, translations[code] ?? sentence]));

/** What each code of the ledger means; null: as the ledger says it, in English. */
export async function lossMeanings(): Promise<Meanings | null> {
  return (await others[spoken]?.losses().catch(() => null)) ?? null;
}

/** Why nothing can be saved, by code, with braces to be filled in; null: as converting says it, in English. */
export async function refusalMeanings(): Promise<Meanings | null> {
  return (await others[spoken]?.refusals().catch(() => null)) ?? null;
}
