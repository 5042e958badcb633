// Converts codes with arguments to sentences.
import type { PartDoubt } from '../core/characters.ts';
import type { Advice } from '../session/advice.ts';
import { baseName } from '../core/paths.ts';
import type { Compatibility } from '../session/layeredAction.ts';
import type { ProgressStep } from '../session/openResult.ts';
import type { UnopenedFile, Problem } from '../session/problem.ts';
import { rowsOf, compatibilityIn } from '../session/animationRows.ts';
import type { Session } from '../session/session.ts';
import { type Trouble, words } from './words/index.ts';

/** Returns the sentence of a piece of advice. `meanings`: explanations by finding code. */
export function sentenceOf(advice: Advice, meanings: ReadonlyMap<string, string>): string {
  if (advice.code === 'damage') return words.advice.damage(advice, meanings.get(advice.finding) ?? '');
  return (words.advice[advice.code] as (thing: Advice) => string)(advice);
}

export function problemText(problem: Problem, meanings: ReadonlyMap<string, string>): Trouble {
  if (problem.code === 'damaged') return words.problems.damaged(problem, meanings.get(problem.finding) ?? '');
  return (words.problems[problem.code] as (thing: Problem) => Trouble)(problem);
}

/** Returns the reason why a file can't be shown. */
export const reasonOf = (file: UnopenedFile, meanings: ReadonlyMap<string, string>): string =>
  words.closed(file, meanings.get(file.finding) ?? '');

/** Returns the reason why a part is only suggested. */
export function doubtText(doubt: PartDoubt): string {
  const named = 'name' in doubt ? { ...doubt, name: baseName(doubt.name) } : doubt;
  return (words.partDoubts[doubt.code] as (thing: PartDoubt) => string)(named);
}

export const stepText = (step: ProgressStep): string => (words.steps[step.code] as (thing: ProgressStep) => string)(step);

/**
 * Counts animations: `own` is the number of those that match the model, `all` their total number. A
 * row that plays several clips together is not counted.
 */
export function animationCounts(session: Session): { own: number; all: number } {
  const single = rowsOf(session).filter(({ indices }) => indices.length === 1);
  const own = single.filter(({ source }) => compatibilityIn(session, source)?.fits ?? true).length;
  return { own, all: single.length };
}

/**
 * Returns a text about how well an animation matches the model, as `fit` if it matches and as
 * `misfit` if it does not. The other text is ''.
 */
export function fitText(suit: Compatibility | null): { fit: string; misfit: string } {
  if (!suit) return { fit: '', misfit: '' };
  if (suit.fits) return { fit: suit.moved > 0 ? words.bonesMoved(suit.moved, suit.bones) : '', misfit: '' };
  return { fit: '', misfit: suit.found === 0 ? words.noMatchingBones : words.bonesMatching(suit.found, suit.names) };
}
