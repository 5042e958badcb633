// File and folder dialogs, and the files of the last visit.
import { signal } from '@preact/signals-core';
import { el } from './dom.ts';
import { prefetchReaders } from './drop.ts';
import type * as handlesModule from './fileHandles.ts';
import { filesOfList, type IncomingFiles } from './incomingFiles.ts';

type Kind = 'files' | 'folder';
type OnFiles = (incoming: IncomingFiles | (() => Promise<IncomingFiles>)) => void;

/**
 * Creates a hidden file input, for browsers without file handles. `attributes`: `multiple` or
 * `webkitdirectory`.
 */
function inputFor(attributes: Record<string, boolean>, onFiles: OnFiles): HTMLInputElement {
  const input = el('input', {
    type: 'file',
    hidden: true,
    'aria-hidden': 'true',
    ...attributes,
    onchange: () => {
      const incoming = filesOfList([...(input.files ?? [])]);
      input.value = '';
      if (incoming.files.length > 0) onFiles(incoming);
    },
  });
  return input;
}

export class FilePicker {
  /** File handles of the last visit. */
  readonly last = signal<readonly FileSystemHandle[]>([]);
  /** Hidden file inputs. The owner must add them to the page. */
  readonly inputs: Record<Kind, HTMLInputElement>;
  readonly #onFiles: OnFiles;
  /** Module for file handles; null until it is loaded. */
  #handles: typeof handlesModule | null = null;

  constructor(onFiles: OnFiles) {
    this.#onFiles = onFiles;
    this.inputs = { files: inputFor({ multiple: true }, onFiles), folder: inputFor({ webkitdirectory: true }, onFiles) };
  }

  /** Loads the module for file handles and the handles of the last visit. */
  async complete(): Promise<void> {
    if (this.#handles) return;
    const handles = await import('./fileHandles.ts');
    this.last.value = await handles.keptHandles();
    this.#handles = handles;
  }

  /** True if the module for file handles is loaded. */
  get isComplete(): boolean {
    return this.#handles !== null;
  }

  /**
   * Opens a file or folder dialog. Uses file handles if the browser supports them and their module
   * is already loaded; otherwise uses the file input. Waiting for the module is not possible,
   * because browsers only open a dialog during the click.
   */
  pick(kind: Kind): void {
    if (kind === 'files') prefetchReaders();
    const handles = this.#handles;
    if (!handles?.choosesHandles(kind)) return this.inputs[kind].click();
    handles.chooseHandles(kind).then(
      chosen => chosen.length > 0 && this.#onFiles(() => handles.filesOfHandles(chosen)),
      () => this.inputs[kind].click(),
    );
  }

  openLast(): void {
    const handles = this.#handles;
    if (handles) void handles.permitted(this.last.peek()).then(all => all.length > 0 && this.#onFiles(() => handles.filesOfHandles(all)));
  }
}
