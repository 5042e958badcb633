// Opens the dialogs that save converted files, pictures and videos, and that share links and HTML.
import type { Page } from './page.ts';
import type { State } from './state.ts';
import type { SaveChoice } from './saveChoice.ts';
import { words } from './words/index.ts';

export class Exporter {
  readonly #state: State & Page;

  constructor(state: State & Page) {
    this.#state = state;
  }

  save(choice: Partial<SaveChoice> = {}): Promise<void> {
    const state = this.#state;
    return state.load(words.saving, async ({ signal }) => {
      const { convertShown, showSaving } = await import('./saving.ts');
      const saved = await convertShown(state, { to: 'glb', animations: 'all', switches: new Set(), ...choice }, signal);
      signal.throwIfAborted();
      showSaving(state.root, saved, next => void this.save(next));
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
