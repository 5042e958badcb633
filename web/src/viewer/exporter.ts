// Opens the dialogs that save converted files, pictures and videos, and that share links and HTML.
import type { Page } from './page.ts';
import type { State } from './state.ts';
import { squarePicture } from './pictures.ts';
import type { SaveChoice, VrmChoice } from './saveChoice.ts';
import { words } from './words/index.ts';

export class Exporter {
  readonly #state: State & Page;
  /** Metadata and thumbnails that the visitor has entered, by path of the model. */
  readonly #vrm = new Map<string, VrmChoice>();
  /** Number of conversions for the save dialog. Only the latest one changes the dialog. */
  #attempts = 0;

  constructor(state: State & Page) {
    this.#state = state;
  }

  save(choice: Partial<SaveChoice> = {}): Promise<void> {
    const state = this.#state;
    return state.load(words.saving, async ({ signal, onStep }) => {
      const { closeSaving, convertShown, showSaving } = await import('./saving.ts');
      const path = state.session.value.shown?.input.path ?? '';
      if (choice.vrm) this.#vrm.set(path, choice.vrm);
      const vrm = this.#vrm.get(path) ?? null;
      const attempt = ++this.#attempts;
      const saved = await convertShown(
        state,
        { to: 'glb', animations: 'all', switches: new Set(), ...choice, vrm },
        { signal, onStep },
      ).catch((error: unknown) => {
        if (attempt === this.#attempts) closeSaving(state.root);
        throw error;
      });
      signal.throwIfAborted();
      state.dispatch({ type: 'update-reports' });
      showSaving(state.root, saved, {
        choose: next => void this.save(next),
        cancel: () => state.loads.cancel(),
        drawThumbnail: () => squarePicture(state.viewport),
      });
    });
  }

  async picture(): Promise<void> {
    const { showCapture } = await import('./capture/dialog.ts');
    showCapture(this.#state, work => this.#state.load(null, ({ signal }) => work(signal)));
  }

  async share(): Promise<void> {
    const { showSharing } = await import('./sharing.ts');
    showSharing(this.#state);
  }
}
