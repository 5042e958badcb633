// Reads the rest of a large drop in the background: animation files, facts of models, and parts of
// the shown character.
import { batch } from '@preact/signals-core';
import { openRemainingAnimations, readFacts, type Completion } from '../session/completeLibrary.ts';
import type { InputFile } from '../session/inputFile.ts';
import { disposeModel } from '../session/model.ts';
import { completeCharacter } from '../session/openModel.ts';
import type { OpenResult, OpeningContext } from '../session/openResult.ts';
import type { Action } from '../session/reduce.ts';
import { untilIdle } from './pause.ts';
import { prefersReducedMotion, type PlaybackController } from './playbackController.ts';
import type { State } from './state.ts';

type Show = (opened: OpenResult, opening: OpeningContext) => Promise<void>;

export class LibraryReader {
  readonly #state: State;
  readonly #playbackController: PlaybackController;
  readonly #show: Show;
  #abort = new AbortController();

  /** `show`: shows the result of opening files. */
  constructor(state: State, playbackController: PlaybackController, show: Show) {
    this.#state = state;
    this.#playbackController = playbackController;
    this.#show = show;
  }

  /** Starts to read, or starts again after the library has changed. */
  start(): void {
    this.stop();
    const { signal: ended } = (this.#abort = new AbortController());
    this.#read(ended).catch((error: unknown) => {
      if (!ended.aborted) throw error;
    });
  }

  stop(): void {
    this.#abort.abort();
  }

  async #read(ended: AbortSignal): Promise<void> {
    const { session, loads } = this.#state;
    const pause = (): Promise<void> => untilIdle(() => loads.isBusy, ended);
    await pause();
    if (session.peek().demo !== null) return;
    const completion: Completion = {
      session: () => session.peek(),
      dispatch: action => this.#dispatch(action),
      pause,
      opening: loads.inBackground(ended),
      done: new Set<InputFile>(),
    };
    await openRemainingAnimations(completion);
    await readFacts(completion);
    if (completion.done.size > 0) await this.#completeCharacter(completion);
  }

  /** Changes the session. Plays an animation if none could be selected before. */
  #dispatch(action: Action): void {
    const { session, dispatch } = this.#state;
    const before = session.peek().selected;
    batch(() => {
      dispatch(action);
      if (before < 0 && session.peek().selected >= 0) this.#playbackController.playSelected(!prefersReducedMotion());
    });
  }

  async #completeCharacter({ pause, opening }: Completion): Promise<void> {
    const { session, shownModel } = this.#state;
    for (;;) {
      await pause();
      const before = session.peek();
      const opened = await completeCharacter(before, shownModel.peek(), opening);
      if (!opened) return;
      // If the visitor has changed the session in the meantime, the result is out of date.
      if (session.peek() === before) return this.#state.load(null, loading => this.#show(opened, loading));
      if (opened.model && opened.model !== shownModel.peek()) disposeModel(opened.model);
    }
  }
}
