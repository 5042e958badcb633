// Helpers for tests of the session.
import { adviceFor } from '../../../web/src/session/advice.ts';
import { type Completion, openRemainingAnimations, readFacts } from '../../../web/src/session/completeLibrary.ts';
import type { InputFile } from '../../../web/src/session/inputFile.ts';
import { disposeModel, type Model } from '../../../web/src/session/model.ts';
import type { OpenResult, OpeningContext, ProgressStep } from '../../../web/src/session/openResult.ts';
import { completeCharacter, openLibraryEntry, openInputs, restoreModel } from '../../../web/src/session/openModel.ts';
import { reload } from '../../../web/src/session/reload.ts';
import { Refusal } from '../../../web/src/session/problem.ts';
import { rowsOf, titleOf } from '../../../web/src/session/animationRows.ts';
import { emptySession, type Session } from '../../../web/src/session/session.ts';
import { type Action, reduce } from '../../../web/src/session/reduce.ts';

/** The state of a page without its user interface. Files can be dropped one after the other. */
export class TestSession {
  session: Session = emptySession;
  model: Model | null = null;
  steps: ProgressStep[] = [];

  openingContext(): OpeningContext {
    return {
      signal: new AbortController().signal,
      onProgress: () => {},
      onInstanceLoaded: () => {},
      graphics: { isWebGPU: false, supportsTexture: () => false },
      strandWidth: 0,
      imageAssignments: this.session.imageAssignments,
      onStep: step => void this.steps.push(step),
    };
  }

  /** Drops files, and reads those that a page reads in the background. */
  async drop(files: readonly InputFile[]): Promise<this> {
    await this.dropFirst(files);
    return this.complete();
  }

  /** Reads the files that a page reads in the background. */
  async complete(): Promise<this> {
    const completion: Completion = {
      session: () => this.session,
      dispatch: action => void this.dispatch(action),
      pause: () => Promise.resolve(),
      opening: this.openingContext(),
      done: new Set(),
    };
    await openRemainingAnimations(completion);
    await readFacts(completion);
    const completed = completion.done.size > 0 && (await completeCharacter(this.session, this.model, completion.opening));
    if (completed) this.#take(completed);
    return this;
  }

  /** Drops files, and reads only those that are needed to show a model. */
  async dropFirst(files: readonly InputFile[]): Promise<this> {
    try {
      return this.#take(await openInputs(this.session, this.model, files, [], this.openingContext()));
    } catch (error) {
      if (error instanceof Refusal && error.action) this.dispatch(error.action);
      throw error;
    }
  }

  /** Shows another model of the library. */
  async openEntry(path: string): Promise<this> {
    const entry = this.session.library.find(({ input }) => input.path === path)!;
    return this.#take(await openLibraryEntry(this.session, this.model, entry, this.openingContext()));
  }

  /** Reads all files again. */
  async reload(): Promise<this> {
    return this.#take(await reload(this.session, this.model, this.openingContext()));
  }

  async undoTo(session: Session): Promise<this> {
    return this.#take(await restoreModel(session, this.model, this.openingContext()));
  }

  #take({ action, model }: OpenResult): this {
    if (this.model && this.model !== model) disposeModel(this.model);
    this.model = model;
    return this.dispatch(action);
  }

  dispatch(action: Action): this {
    this.session = reduce(this.session, action);
    return this;
  }

  get titles(): string[] {
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
