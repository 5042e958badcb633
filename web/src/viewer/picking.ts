// The dialogs in which files and folders are chosen, and what was open on the last visit.
import { signal } from '@preact/signals-core';
import { el } from './dom.ts';
import { expectFiles } from './drop.ts';
import type * as handlesModule from './handles.ts';
import { filesOfList, type Given } from './intake.ts';

type Kind = 'files' | 'folder';
type Take = (given: Given | (() => Promise<Given>)) => void;

/** The dialog that every browser has; `attributes` say of which kind. */
function inputFor(attributes: Record<string, boolean>, take: Take): HTMLInputElement {
  const input = el('input', {
    type: 'file',
    hidden: true,
    'aria-hidden': 'true',
    ...attributes,
    onchange: () => {
      const given = filesOfList([...(input.files ?? [])]);
      input.value = '';
      if (given.files.length > 0) take(given);
    },
  });
  return input;
}

export class Picking {
  /** What was open on the last visit and can be had again. */
  readonly last = signal<readonly FileSystemHandle[]>([]);
  /** For the page, where nobody sees them. */
  readonly inputs: Record<Kind, HTMLInputElement>;
  readonly #take: Take;
  /** Files that can be read again; null until it is fetched. */
  #handles: typeof handlesModule | null = null;

  constructor(take: Take) {
    this.#take = take;
    this.inputs = { files: inputFor({ multiple: true }, take), folder: inputFor({ webkitdirectory: true }, take) };
  }

  /** Fetches what a visitor's first press needs. */
  async complete(): Promise<void> {
    if (this.#handles) return;
    const handles = await import('./handles.ts');
    this.last.value = await handles.keptHandles();
    this.#handles = handles;
  }

  /** Whether the dialogs whose files can be read again are there, where the browser has them. */
  get isComplete(): boolean {
    return this.#handles !== null;
  }

  /** By the dialog whose files can be read again, where the browser has it and its chunk is here: a press counts for a moment only. */
  pick(kind: Kind): void {
    if (kind === 'files') expectFiles();
    const handles = this.#handles;
    if (!handles?.choosesHandles(kind)) return this.inputs[kind].click();
    handles.chooseHandles(kind).then(
      chosen => chosen.length > 0 && this.#take(() => handles.filesOfHandles(chosen)),
      () => this.inputs[kind].click(),
    );
  }

  openLast(): void {
    const handles = this.#handles;
    if (handles) void handles.permitted(this.last.peek()).then(all => all.length > 0 && this.#take(() => handles.filesOfHandles(all)));
  }
}
