// Choices of the visitor in the library, and the models with a star. Kept on this device.
import { effect, signal } from '@preact/signals-core';
import type { InputFile } from '../../session/inputFile.ts';
import { COLUMNS, type Column } from './items.ts';

const KEY = 'rigcast.library';
/** Maximum number of stars that are kept. The oldest are deleted first. */
const MAX_STARS = 2000;

export type Layout = 'tiles' | 'list';

/** Key of a model, which is the same when its folder is opened again. */
const starKey = ({ file }: InputFile): string => `${file.name}:${file.size}`;

export class Preferences {
  readonly layout = signal<Layout>('tiles');
  readonly column = signal<Column>('name');
  readonly isDescending = signal(false);
  readonly #stars = signal<ReadonlySet<string>>(new Set());

  /** `ended`: ends the updates when it is aborted. */
  constructor(ended: AbortSignal) {
    this.#load();
    const end = effect(() => this.#store());
    ended.addEventListener('abort', end);
  }

  isStarred(input: InputFile): boolean {
    return this.#stars.value.has(starKey(input));
  }

  star(input: InputFile, isStarred: boolean): void {
    const stars = new Set(this.#stars.peek());
    if (isStarred) stars.add(starKey(input));
    else stars.delete(starKey(input));
    this.#stars.value = new Set([...stars].slice(-MAX_STARS));
  }

  #load(): void {
    try {
      const { layout, column, isDescending, stars } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, unknown>;
      if (layout === 'list') this.layout.value = layout;
      this.column.value = COLUMNS.find(one => one === column) ?? 'name';
      this.isDescending.value = isDescending === true;
      if (Array.isArray(stars)) this.#stars.value = new Set(stars.filter(star => typeof star === 'string'));
    } catch {
      // If storage is forbidden or its content is invalid, the defaults apply.
    }
  }

  #store(): void {
    const { layout, column, isDescending } = this;
    const text = JSON.stringify({
      layout: layout.value,
      column: column.value,
      isDescending: isDescending.value,
      stars: [...this.#stars.value],
    });
    try {
      localStorage.setItem(KEY, text);
    } catch {
      // Storage can be forbidden or full. The choices then last until the page is closed.
    }
  }
}
