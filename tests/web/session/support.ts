// Helpers for tests of the session.
import { adviceFor } from '../../../web/src/session/advice.ts';
import type { InputFile } from '../../../web/src/session/inputFile.ts';
import { disposeModel, type Model } from '../../../web/src/session/model.ts';
import type { OpenResult, OpeningContext, ProgressStep } from '../../../web/src/session/openResult.ts';
import { openEntry, openInputs, restoreModel } from '../../../web/src/session/openModel.ts';
import { reload } from '../../../web/src/session/reload.ts';
import { Refusal } from '../../../web/src/session/problem.ts';
import { rowsOf, titleOf } from '../../../web/src/session/animationRows.ts';
import { emptySession, type Session } from '../../../web/src/session/session.ts';
import { type Action, reduce } from '../../../web/src/session/reduce.ts';

/** A page without a page: what it has open, drop after drop. */
export class Desk {
  session: Session = emptySession;
  actor: Model | null = null;
  steps: ProgressStep[] = [];

  opening(): OpeningContext {
    return {
      signal: new AbortController().signal,
      onProgress: () => {},
      onInstanceLoaded: () => {},
      supportsTexture: () => false,
      strandWidth: 0,
      onStep: step => void this.steps.push(step),
    };
  }

  async drop(files: readonly InputFile[]): Promise<this> {
    try {
      return this.#take(await openInputs(this.session, this.actor, files, [], this.opening()));
    } catch (error) {
      if (error instanceof Refusal && error.action) this.do(error.action);
      throw error;
    }
  }

  /** Another model of the library. */
  async step(path: string): Promise<this> {
    const entry = this.session.library.find(({ given }) => given.path === path)!;
    return this.#take(await openEntry(this.session, this.actor, entry, this.opening()));
  }

  /** Reloads all files from their origin. */
  async renew(): Promise<this> {
    return this.#take(await reload(this.session, this.actor, this.opening()));
  }

  async undoTo(session: Session): Promise<this> {
    return this.#take(await restoreModel(session, this.actor, this.opening()));
  }

  #take({ action, model }: OpenResult): this {
    if (this.actor && this.actor !== model) disposeModel(this.actor);
    this.actor = model;
    return this.do(action);
  }

  do(action: Action): this {
    this.session = reduce(this.session, action);
    return this;
  }

  get list(): string[] {
    return rowsOf(this.session).map(titleOf);
  }

  get playing(): string {
    const row = rowsOf(this.session)[this.session.selected];
    return row ? titleOf(row) : 'the rest pose';
  }

  get advice(): string[] {
    return adviceFor(this.session, null, false).map(({ code }) => code);
  }
}
