// The facts on the card of a model, which the command writes into the first page and the script of
// the page adds for search results.
import type { Entry } from './terms.ts';

const numbers = new Intl.NumberFormat('en-US');

/** Returns a number with commas between groups of digits. */
export const numberText = (number: number): string => numbers.format(number);

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
const amount = (number: number, noun: string): string => `${numberText(number)}\u00a0${noun}${number === 1 ? '' : 's'}`;

/**
 * Splits a name into pieces between which a line can break, such as `sk`, `Harry`, `Foot_` and `01`.
 */
export const breakable = (name: string): string[] => name.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=[_.-])(?=[^_.-])/u);

/** Text of the badge of a model with findings; '' if there are none. */
export const badgeOf = ({ errors, warnings }: Entry): string => {
  if (errors > 0) return errors === 1 ? '1 error' : `${numberText(errors)} errors`;
  if (warnings > 0) return warnings === 1 ? '1 warning' : `${numberText(warnings)} warnings`;
  return '';
};
