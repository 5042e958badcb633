// Progress and results of opening files.
import type { Model, OpenContext } from './model.ts';
import type { Action } from './reduce.ts';
import type { OpenedFile } from './openedFile.ts';

/** A step of opening files that is reported as progress. */
export type ProgressStep =
  | { code: 'opening'; name: string }
  | { code: 'opening-animations'; at: number; of: number }
  | { code: 'reading-models'; at: number; of: number }
  | { code: 'reading-keys'; at: number; of: number };

export interface OpeningContext extends Omit<OpenContext, 'companionFiles'> {
  onStep: (step: ProgressStep) => void;
}

/**
 * Result of opening files: the action to apply to the session, and the model to show, which can be
 * the model that is already shown.
 */
export interface OpenResult {
  action: Action;
  model: Model | null;
  /** Animation files that were added; null if another model is shown. */
  added: readonly OpenedFile[] | null;
}
