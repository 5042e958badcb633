// Views of the camera that the visitor has saved for a model. Kept on this device. Imported after the
// first picture.
import { signal } from '@preact/signals-core';
import type { InputFile } from '../session/inputFile.ts';
import type { CameraPose } from '../view/index.ts';

const KEY = 'rigcast.bookmarks';
/** Maximum number of models whose views are kept. The oldest are deleted first. */
const MAX_MODELS = 500;
/** Maximum number of views of a model. */
export const MAX_BOOKMARKS = 30;
const MAX_NAME = 80;

export interface Bookmark extends CameraPose {
  name: string;
  isOrthographic: boolean;
}

type Kept = ReadonlyMap<string, readonly Bookmark[]>;

/** Key of a model, which is the same when its folder is opened again. */
const keyOf = ({ file }: InputFile): string => `${file.name}:${file.size}`;

export class Bookmarks {
  readonly #kept = signal<Kept>(load());

  of(input: InputFile): readonly Bookmark[] {
    return this.#kept.value.get(keyOf(input)) ?? [];
  }

  /** Adds a view. It replaces the view with the same name. */
  add(input: InputFile, added: Bookmark): void {
    const bookmark = { ...added, name: added.name.slice(0, MAX_NAME) };
    const before = this.of(input);
    const at = before.findIndex(({ name }) => name === bookmark.name);
    this.#set(input, at < 0 ? [...before, bookmark].slice(-MAX_BOOKMARKS) : before.with(at, bookmark));
  }

  remove(input: InputFile, name: string): void {
    this.#set(
      input,
      this.of(input).filter(each => each.name !== name),
    );
  }

  #set(input: InputFile, views: readonly Bookmark[]): void {
    const kept = new Map(this.#kept.peek());
    kept.delete(keyOf(input));
    if (views.length > 0) kept.set(keyOf(input), views);
    this.#kept.value = new Map([...kept].slice(-MAX_MODELS));
    try {
      localStorage.setItem(KEY, JSON.stringify([...this.#kept.value]));
    } catch {
      // Storage can be forbidden or full. The views then last until the page is closed.
    }
  }
}

function load(): Kept {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    if (!Array.isArray(kept)) return new Map();
    return new Map(
      kept.filter(
        (entry: unknown): entry is [string, Bookmark[]] =>
          Array.isArray(entry) && typeof entry[0] === 'string' && Array.isArray(entry[1]) && entry[1].every(isBookmark),
      ),
    );
  } catch {
    return new Map();
  }
}

const isPoint = (value: unknown): boolean => Array.isArray(value) && value.length === 3 && value.every(Number.isFinite);

/** Returns true if a value, such as one from storage, is a valid view. */
export function isBookmark(value: unknown): value is Bookmark {
  const { name, position, target, fieldOfView, isOrthographic } = (value ?? {}) as Record<string, unknown>;
  const isAngle = typeof fieldOfView === 'number' && fieldOfView > 0 && fieldOfView < 180;
  return typeof name === 'string' && isPoint(position) && isPoint(target) && isAngle && typeof isOrthographic === 'boolean';
}
