// Watches folders and files that were opened with file handles. Reads them again after a change.
import { effect } from '@preact/signals-core';
import type { InputFile } from '../session/inputFile.ts';
import { Refusal } from '../session/problem.ts';
import { roleByName } from '../session/role.ts';
import { chooseHandles, choosesHandles, filesOfHandles } from './fileHandles.ts';
import type { FileSource } from './opener.ts';
import type { State } from './state.ts';
import { words } from './words/index.ts';

/** Time between two checks in milliseconds, for browsers that do not report changes. */
const INTERVAL = 1000;
/** Time without a change after which files are read, in milliseconds. A program may write in several steps. */
const SETTLE = 400;
/** Listing the files of a large folder takes at most this fraction of the time. */
const MAX_LOAD = 0.1;

/** Reports changes of files. Some browsers do not have it, and TypeScript's DOM types lack it. */
interface Observer {
  observe(handle: FileSystemHandle, options: { recursive: boolean }): Promise<void>;
  disconnect(): void;
}
type ObserverClass = new (onChange: () => void) => Observer;

/** Size and time of the last change of each file, by path. */
type Stamps = ReadonlyMap<string, string>;

const stampsOf = (files: readonly InputFile[]): Stamps =>
  new Map(files.map(({ path, file }) => [path, `${file.size} ${file.lastModified}`]));

export interface WatchedPage {
  /** Reads all open files again. */
  reload(): void;
  open(source: FileSource): Promise<void>;
}

export class Watch {
  readonly #state: State;
  readonly #page: WatchedPage;
  #end: AbortController | null = null;
  /** Time to list the files, in milliseconds. */
  #listingTime = 0;
  /** The watched files and folders. */
  #handles: readonly FileSystemHandle[] = [];

  constructor(state: State, page: WatchedPage) {
    this.#state = state;
    this.#page = page;
    // The watch ends when other files are open.
    effect(() => {
      const { library, demo } = state.session.value;
      if (library.length === 0 || demo !== null || state.openHandles.value !== this.#handles) this.stop();
    });
  }

  /** Starts or stops watching. Shows a message if the browser cannot watch folders. */
  toggle(): void {
    const { isWatching, refusal } = this.#state;
    const fail = (message: string): void => void (refusal.value = new Refusal({ code: 'failed', message }));
    if (isWatching.peek()) this.stop();
    else if (!choosesHandles('folder')) fail(words.watch.unavailable);
    else
      this.#start().catch((error: unknown) => {
        this.stop();
        fail(error instanceof Error ? error.message : String(error));
      });
  }

  /** Starts to watch the open folder. If none is open, the visitor chooses one, which is opened. */
  async #start(): Promise<void> {
    let handles = this.#state.session.peek().demo === null ? this.#state.openHandles.peek() : [];
    if (handles.length === 0) {
      const chosen = await chooseHandles('folder');
      if (chosen.length === 0) return;
      await this.#page.open(() => filesOfHandles(chosen));
      handles = this.#state.openHandles.peek();
    }
    if (this.#state.session.peek().library.length > 0) await this.#watch(handles);
  }

  stop(): void {
    if (!this.#end) return;
    this.#end.abort();
    this.#end = null;
    this.#state.isWatching.value = false;
    this.#state.announce(words.watch.ended);
  }

  async #watch(handles: readonly FileSystemHandle[]): Promise<void> {
    this.#end?.abort();
    const { signal: ended } = (this.#end = new AbortController());
    this.#handles = handles;
    this.#state.isWatching.value = true;
    this.#state.announce(words.watch.started(handles.map(({ name }) => name).join(', ')));
    let known = stampsOf((await filesOfHandles(handles)).files);
    let isChecking = false;
    let isWanted = false;
    const check = async (): Promise<void> => {
      isWanted = true;
      if (isChecking) return;
      isChecking = true;
      while (isWanted && !ended.aborted) {
        isWanted = false;
        known = await this.#update(handles, known, ended);
      }
      isChecking = false;
    };
    const ObserverOf = (globalThis as { FileSystemObserver?: ObserverClass }).FileSystemObserver;
    const observer = ObserverOf && new ObserverOf(() => void check());
    try {
      if (!observer) throw new DOMException('', 'NotSupportedError');
      for (const handle of handles) await observer.observe(handle, { recursive: true });
      ended.addEventListener('abort', () => observer.disconnect());
      void check(); // finds changes since the files were listed
    } catch {
      observer?.disconnect();
      const poll = async (): Promise<void> => {
        if (ended.aborted) return;
        if (!document.hidden) await check();
        setTimeout(() => void poll(), Math.max(INTERVAL, this.#listingTime / MAX_LOAD));
      };
      void poll();
    }
    if (ended.aborted) observer?.disconnect();
  }

  /** Reads changed files again, and opens new ones. Resolves with the new state of the files. */
  async #update(handles: readonly FileSystemHandle[], known: Stamps, ended: AbortSignal): Promise<Stamps> {
    const began = performance.now();
    let { files } = await filesOfHandles(handles);
    this.#listingTime = performance.now() - began;
    let now = stampsOf(files);
    if (isEqual(known, now)) return now;
    for (;;) {
      await new Promise(resolve => setTimeout(resolve, SETTLE));
      if (ended.aborted) return now;
      ({ files } = await filesOfHandles(handles));
      const later = stampsOf(files);
      if (isEqual(now, later)) break;
      now = later;
    }
    // A program may delete a file before it writes it again. Missing files stay open.
    const hasChanged = [...now].some(([path, stamp]) => known.has(path) && known.get(path) !== stamp);
    const added: InputFile[] = [];
    for (const input of files) if (!known.has(input.path) && (await roleByName(input.file.name)) !== 'unknown') added.push(input);
    await this.#state.idle;
    if (ended.aborted) return now;
    if (hasChanged) {
      this.#page.reload();
      await this.#state.idle;
    }
    if (added.length > 0 && !ended.aborted) await this.#page.open({ files: added, truncated: false });
    return new Map([...known, ...now]);
  }
}

const isEqual = (a: Stamps, b: Stamps): boolean => a.size === b.size && [...b].every(([path, stamp]) => a.get(path) === stamp);
