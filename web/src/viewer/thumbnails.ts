// Draws thumbnails of the models in the library, one at a time while the page is idle.
import { signal } from '@preact/signals-core';
import { Vector3 } from 'three';
import type { InputFile } from '../session/inputFile.ts';
import { type LibraryEntry, modelsIn } from '../session/library.ts';
import { buildModel, disposeModel, openFile, type OpenContext } from '../session/model.ts';
import { isRecording, present, View } from '../view/index.ts';
import type { Viewport } from './viewport.ts';

/** Size of a thumbnail in CSS pixels. */
const SIZE = 44;
/**
 * Maximum number of thumbnails that are drawn in advance. If there are more models, only visible
 * rows get thumbnails.
 */
const MAX_COUNT = 60;
/** Maximum size of a file that is opened for a thumbnail, in bytes. */
const MAX_BYTES = 64e6;
/**
 * Pause between drawing two thumbnails, in milliseconds. The pause is longer during playback,
 * because drawing a thumbnail can interrupt playback.
 */
const PAUSE = 400;
const PAUSE_PLAYING = 1200;

export class Thumbnails {
  /** Object URLs of the thumbnails; '' if a thumbnail could not be drawn. */
  readonly pictures = signal<ReadonlyMap<InputFile, string>>(new Map());
  readonly #viewport: Viewport;
  readonly #isBusy: () => boolean;
  readonly #list: () => Element | null;
  #library: readonly LibraryEntry[] = [];
  #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * `isBusy`: returns true while a load is running. `list`: returns the element with the rows of
   * the library. Call `resume` when this element becomes visible or scrolls.
   */
  constructor(viewport: Viewport, isBusy: () => boolean, list: () => Element | null) {
    this.#viewport = viewport;
    this.#isBusy = isBusy;
    this.#list = list;
  }

  /**
   * Sets the library and releases the thumbnails of models that are no longer in it. Draws no
   * thumbnail if there is only one model.
   */
  setLibrary(library: readonly LibraryEntry[]): void {
    const models = modelsIn(library);
    this.#library = models.length > 1 ? models : [];
    const kept = new Map<InputFile, string>();
    for (const [input, address] of this.pictures.peek()) {
      if (library.some(entry => entry.input === input)) kept.set(input, address);
      else if (address) URL.revokeObjectURL(address);
    }
    if (kept.size !== this.pictures.peek().size) this.pictures.value = kept;
    this.resume();
  }

  resume(): void {
    if (this.#next()) this.#schedule();
  }

  dispose(): void {
    this.setLibrary([]);
    clearTimeout(this.#timer);
    this.#abort.abort();
  }

  #next(): LibraryEntry | undefined {
    const known = this.pictures.peek();
    const missing = this.#library.filter(({ input }) => !known.has(input));
    if (missing.length === 0) return undefined;
    const seen = this.#inSight();
    return missing.find(({ input }) => seen.has(input.path)) ?? (known.size < MAX_COUNT ? missing[0] : undefined);
  }

  /** Returns the paths of the visible rows. */
  #inSight(): ReadonlySet<string> {
    const list = this.#list();
    if (!list?.checkVisibility()) return new Set();
    const { top, bottom } = list.getBoundingClientRect();
    const rows = [...list.querySelectorAll<HTMLElement>('[data-path]')].filter(row => {
      const at = row.getBoundingClientRect();
      return at.height > 0 && at.bottom > top && at.top < bottom;
    });
    return new Set(rows.map(({ dataset }) => dataset['path']!));
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        if (!this.#list()?.checkVisibility()) return;
        if (this.#isBusy() || document.hidden) return this.#schedule();
        void this.#drawNext();
      },
      this.#viewport.playback.playing ? PAUSE_PLAYING : PAUSE,
    );
  }

  async #drawNext(): Promise<void> {
    const entry = this.#next();
    if (!entry) return;
    const { signal: ended } = this.#abort;
    const blob = entry.input.file.size > MAX_BYTES ? null : await this.#pictureOf(entry, ended).catch(() => null);
    if (ended.aborted) return;
    if (this.#library.includes(entry)) {
      this.pictures.value = new Map(this.pictures.peek()).set(entry.input, blob ? URL.createObjectURL(blob) : '');
    }
    this.resume();
  }

  async #pictureOf({ input, companionFiles }: LibraryEntry, ended: AbortSignal): Promise<Blob | null> {
    const { sharedRenderer } = this.#viewport;
    const context: OpenContext = {
      companionFiles,
      signal: ended,
      onProgress: () => {},
      onInstanceLoaded: () => {},
      supportsTexture: extension => sharedRenderer.renderer.extensions.has(extension),
      strandWidth: 0,
    };
    const file = await openFile(input, context);
    if (!file.scene || isRecording(file.scene)) return null;
    const model = await buildModel(input, file, context);
    const view = new View(document.createElement('div'));
    try {
      const colors = { skin: '', pinch: '', camera: '', gaze: '' };
      view.setSize(SIZE, SIZE);
      present(view, { rig: model.rig, sky: null, colors, firstClip: null, frame: true }, null);
      view.cameraRig.reset(new Vector3(0, 0.15, 1).applyAxisAngle(new Vector3(0, 1, 0), 0.4).normalize());
      view.ground.object.visible = false;
      view.isVisible = false; // the frame loop does not draw this view
      sharedRenderer.add(view, document.createElement('canvas'));
      return await sharedRenderer.toBlob(view, { width: 2 * SIZE, height: 2 * SIZE });
    } finally {
      sharedRenderer.remove(view);
      view.dispose();
      disposeModel(model);
      this.#viewport.view.invalidate();
    }
  }
}
