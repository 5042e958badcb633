// What tests of the player share.
import { adviceFor } from '../../../web/src/session/advice.ts';
import type { GivenFile } from '../../../web/src/session/given.ts';
import { disposeModel, type Model } from '../../../web/src/session/model.ts';
import type { Opened, Opening, Step } from '../../../web/src/session/opened.ts';
import { openEntry, openGiven, reopen } from '../../../web/src/session/opening.ts';
import { renew } from '../../../web/src/session/renewal.ts';
import { Refusal } from '../../../web/src/session/problem.ts';
import { rowsOf, titleOf } from '../../../web/src/session/clipRows.ts';
import { emptySession, type Session } from '../../../web/src/session/session.ts';
import { type Action, reduce } from '../../../web/src/session/reduce.ts';

/** A page without a page: what it has open, drop after drop. */
export class Desk {
  session: Session = emptySession;
  actor: Model | null = null;
  steps: Step[] = [];

  opening(): Opening {
    return {
      signal: new AbortController().signal,
      onProgress: () => {},
      onPlaced: () => {},
      draws: () => false,
      strandWidth: 0,
      onStep: step => void this.steps.push(step),
    };
  }

  async drop(files: readonly GivenFile[]): Promise<this> {
    try {
      return this.#take(await openGiven(this.session, this.actor, files, [], this.opening()));
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

  /** Everything from where it came. */
  async renew(): Promise<this> {
    return this.#take(await renew(this.session, this.actor, this.opening()));
  }

  async undoTo(session: Session): Promise<this> {
    return this.#take(await reopen(session, this.actor, this.opening()));
  }

  #take({ action, model }: Opened): this {
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
