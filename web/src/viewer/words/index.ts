// Texts of the page in its current language.
import { codes } from '../../core/codes.ts';
import { en, type Words } from './en.ts';

export type { Trouble, Words } from './en.ts';

/** Sentences that explain findings or losses, by code. */
type Meanings = Readonly<Record<string, string>>;

/** A language other than English. Its texts are fetched when they are first needed. */
interface Language {
  words: () => Promise<Words>;
  /** Explanations of findings, by finding code. */
  findings: () => Promise<Meanings>;
  /** Explanations of losses, by code in the conversion report. */
  losses: () => Promise<Meanings>;
  /** Reasons why a conversion is refused, by code. */
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

/** Names of the languages, by language tag. */
export const languages: Readonly<Record<string, string>> = { en: 'English', ja: '日本語' };

/**
 * Texts of the page in its current language. They are English until `speak` has resolved, so
 * modules must not copy texts at load time.
 */
export let words: Words = en;
/** Language tag of `words`. */
export let spoken = 'en';

/** Returns the first of `wanted` (tags such as "ja-JP") that is available; English by default. */
export function languageOf(wanted: readonly string[]): string {
  const first = wanted.map(tag => tag.toLowerCase().split('-')[0]!).find(tag => Object.hasOwn(languages, tag));
  return first ?? 'en';
}

/**
 * Switches the language. Call this before anything is shown. Resolves with false and changes
 * nothing if the texts can't be fetched.
 */
export async function speak(language: string): Promise<boolean> {
  const fetched = language === 'en' ? en : await others[language]?.words().catch(() => null);
  if (!fetched) return false;
  words = fetched;
  spoken = language;
  document.documentElement.lang = language;
  return true;
}

/** Returns the explanations of finding codes. Rejects if the table can't be loaded. */
export async function findingMeanings(): Promise<ReadonlyMap<string, string>> {
  const [table, translations] = await Promise.all([codes(), others[spoken]?.findings()]);
  return translated(table, translations);
}

/** Maps each code to its translation, or to its English sentence if there is no translation. */
export const translated = (
  table: readonly { code: string; sentence: string }[],
  translations: Meanings = {},
): ReadonlyMap<string, string> => new Map(table.map(({ code, sentence }) => [code, translations[code] ?? sentence]));

/**
 * Returns the translated explanations of losses. Resolves with null if the page is in English or
 * they can't be fetched.
 */
export async function lossMeanings(): Promise<Meanings | null> {
  return (await others[spoken]?.losses().catch(() => null)) ?? null;
}

/**
 * Returns the translated reasons why a conversion is refused, with placeholders in braces. Resolves
 * with null if the page is in English or they can't be fetched.
 */
export async function refusalMeanings(): Promise<Meanings | null> {
  return (await others[spoken]?.refusals().catch(() => null)) ?? null;
}
