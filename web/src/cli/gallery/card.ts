// The facts on the card of a model, which the command writes into the first page and the script of
// the page adds for search results.
import type { Entry } from './terms.ts';

const LETTERS = 'en-US';

/** Line below the name of a model, such as `PSK · 4,213 triangles · 12 animations`. */
export const cardFacts = ({ format, triangles, instances, bones, animations }: Entry): string =>
  [
    format.toUpperCase(),
    triangles > 0 && amount(triangles, 'triangle'),
    instances > 0 && amount(instances, 'instance'),
    triangles + instances === 0 && bones > 0 && amount(bones, 'bone'),
    animations > 0 && amount(animations, 'animation'),
  ]
    .filter(Boolean)
    .join(' · ');

/** Returns a number with its noun, on one line. */
const amount = (number: number, noun: string): string => `${number.toLocaleString(LETTERS)}\u00a0${noun}${number === 1 ? '' : 's'}`;

/** Text of the badge of a model with findings; '' if there are none. */
export const badgeOf = ({ errors, warnings }: Entry): string => {
  if (errors > 0) return errors === 1 ? '1 error' : `${errors.toLocaleString(LETTERS)} errors`;
  if (warnings > 0) return warnings === 1 ? '1 warning' : `${warnings.toLocaleString(LETTERS)} warnings`;
  return '';
};
