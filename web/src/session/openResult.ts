// What whoever opens something is told meanwhile, and gets in the end.
import type { Model, OpenContext } from './model.ts';
import type { Action } from './reduce.ts';
import type { OpenedFile } from './openedFile.ts';

/** What is being done, for people who wait. */
export type ProgressStep =
  | { code: 'opening'; name: string }
  | { code: 'opening-motions'; at: number; of: number }
  | { code: 'looking-at-models'; at: number; of: number };

export interface OpeningContext extends Omit<OpenContext, 'companionFiles'> {
  onStep: (step: ProgressStep) => void;
}

/** What changes, for the session as it is by then, and the model that stands for it: the one given, or a new one. */
export interface OpenResult {
  action: Action;
  model: Model | null;
  /** What has just joined; null where a model has taken the stage. */
  added: readonly OpenedFile[] | null;
}
