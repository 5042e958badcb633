// What visitors take away: files of what is shown, pictures and films, links.
import { titleOf } from '../session/animationRows.ts';
import { Refusal } from '../session/problem.ts';
import { embedOf, linkTo, outsideOfEmbed } from './fetching.ts';
import type { Page } from './page.ts';
import type { State } from './state.ts';
import type { SaveWish } from './wish.ts';
import { words } from './words/index.ts';

export class Taking {
  readonly #state: State & Page;

  constructor(state: State & Page) {
    this.#state = state;
  }

  save(wish: Partial<SaveWish> = {}): Promise<void> {
    const state = this.#state;
    return state.load(words.saving, async ({ signal }) => {
      const { convertShown, showSaving } = await import('./saving.ts');
      const saved = await convertShown(state, { to: 'glb', motions: 'all', switches: new Set(), ...wish }, signal);
      signal.throwIfAborted();
      showSaving(state.root, saved, next => void this.save(next));
    });
  }

  async picture(): Promise<void> {
    const { showPictures } = await import('./pictures.ts');
    showPictures(this.#state, (text, work) => this.#state.load(text, ({ signal }) => work(signal)));
  }

  /** Says so if the page for frames does not read one of the addresses. */
  async copyEmbed(): Promise<void> {
    const { addresses } = this.#state;
    const outside = await outsideOfEmbed(addresses.value).catch(() => null);
    await this.#copy(embedOf, words.embedCopied);
    if (outside) this.#state.trouble.value = new Refusal({ code: 'not-embedded', address: outside });
  }

  copyLink(): Promise<void> {
    return this.#copy(linkTo, words.linkCopied);
  }

  async #copy(make: (addresses: readonly string[], motion: string) => string, said: string): Promise<void> {
    const { addresses, rows, session } = this.#state;
    const row = rows.value[session.value.selected];
    await navigator.clipboard.writeText(make(addresses.value, row ? titleOf(row) : ''));
    this.#state.announce(said);
  }
}
