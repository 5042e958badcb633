// Texts of the element in the language of the surrounding part of the page.
import type { Labels } from './en.ts';

export { en, type Labels } from './en.ts';

let japanese: Labels | null = null;

/**
 * Returns the texts in the language of an element, which is that of its nearest attribute `lang`.
 * Returns null if they are English. `onFetched`: called if other texts arrive later.
 */
export function translationFor(element: Element, onFetched: () => void): Labels | null {
  if (!element.matches(':lang(ja)')) return null;
  if (!japanese)
    import('./ja.ts').then(
      ({ ja }) => {
        japanese = ja;
        onFetched();
      },
      () => {}, // the texts stay English
    );
  return japanese;
}
