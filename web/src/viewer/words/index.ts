// What the page says, in the language that it speaks.
import { en, type Words } from './en.ts';

export type { Trouble, Words } from './en.ts';

/** Each language but English is fetched where it is spoken. */
const others: Record<string, () => Promise<Words>> = { ja: async () => (await import('./ja.ts')).ja };

/** What the page says. English before `speak` has ended: nothing may keep a word that was looked up while modules were loaded. */
export let words: Words = en;

/** The first of `wanted` (as browsers list them: "ja-JP") that the page speaks. */
export function languageOf(wanted: readonly string[]): string {
  const spoken = wanted.map(tag => tag.toLowerCase().split('-')[0]!).find(tag => tag === 'en' || Object.hasOwn(others, tag));
  return spoken ?? 'en';
}

/** Before anything is shown. A language that cannot be fetched leaves English. */
export async function speak(language: string): Promise<void> {
  const fetched = await others[language]?.().catch(() => null);
  if (!fetched) return;
  words = fetched;
  document.documentElement.lang = language;
}
