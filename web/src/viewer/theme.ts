// Light or dark theme of the page. Follows the theme of the system until the visitor selects one.

export type Theme = 'light' | 'dark';

const KEY = 'rigcast.theme';

export class ThemeSwitch {
  #root: HTMLElement;
  #media = matchMedia('(prefers-color-scheme: dark)');
  #chosen: Theme | null = null;
  #onChange: (theme: Theme) => void;
  #listener = (): void => this.#apply();

  constructor(root: HTMLElement, onChange: (theme: Theme) => void) {
    this.#root = root;
    this.#onChange = onChange;
    try {
      const kept = localStorage.getItem(KEY);
      if (kept === 'light' || kept === 'dark') this.#chosen = kept;
    } catch {
      // If storage is forbidden, the choice lasts until the page is closed.
    }
    this.#media.addEventListener('change', this.#listener);
    this.#apply();
  }

  get theme(): Theme {
    return this.#chosen ?? (this.#media.matches ? 'dark' : 'light');
  }

  toggle(): void {
    this.#chosen = this.theme === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem(KEY, this.#chosen);
    } catch {
      // storage is forbidden
    }
    this.#apply();
  }

  dispose(): void {
    this.#media.removeEventListener('change', this.#listener);
  }

  #apply(): void {
    this.#root.dataset.theme = this.theme;
    this.#onChange(this.theme);
  }
}
