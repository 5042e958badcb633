// Exports converted files, pictures, videos, links and HTML.
import { titleOf } from '../session/animationRows.ts';
import { Refusal } from '../session/problem.ts';
import { embedOf, linkTo, outsideOfEmbed } from './fetching.ts';
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
    const { showPictures } = await import('./pictures.ts');
    showPictures(this.#state, (text, work) => this.#state.load(text, ({ signal }) => work(signal)));
  }

  /**
   * Copies the HTML of an iframe to the clipboard. Shows an error if embed.html is not allowed to
   * read one of the URLs.
   */
  async copyEmbed(): Promise<void> {
    const { addresses } = this.#state;
    const outside = await outsideOfEmbed(addresses.value).catch(() => null);
    await this.#copy(embedOf, words.embedCopied);
    if (outside) this.#state.refusal.value = new Refusal({ code: 'embedding-not-allowed', address: outside });
  }

  copyLink(): Promise<void> {
    return this.#copy(linkTo, words.linkCopied);
  }

  async #copy(make: (addresses: readonly string[], animation: string) => string, announcement: string): Promise<void> {
    const { addresses, rows, session } = this.#state;
    const row = rows.value[session.value.selected];
    await navigator.clipboard.writeText(make(addresses.value, row ? titleOf(row) : ''));
    this.#state.announce(announcement);
  }
}
