// Progress and result of opening files.
import type { Model, OpenContext } from './model.ts';
import type { Action } from './reduce.ts';
import type { OpenedFile } from './openedFile.ts';

/** A step to show as progress. */
export type ProgressStep =
  | { code: 'opening'; name: string }
  | { code: 'opening-animations'; at: number; of: number }
  | { code: 'reading-models'; at: number; of: number };

export interface OpeningContext extends Omit<OpenContext, 'companionFiles'> {
  onStep: (step: ProgressStep) => void;
}

/** The action for the session, and the model to show: the same one or a new one. */
export interface OpenResult {
  action: Action;
  model: Model | null;
  /** Animation files that were added; null if another model is shown. */
  added: readonly OpenedFile[] | null;
}
