// Draws thumbnails of the models in the library, one at a time while the page is idle.
import { batch, signal } from '@preact/signals-core';
import type { InputFile } from '../session/inputFile.ts';
import { type LibraryEntry, modelsIn } from '../session/library.ts';
import { appliedTextures, buildModel, disposeModel, openFile, type OpenContext, wholeCharacter } from '../session/model.ts';
import { isRecording, present, View } from '../view/index.ts';
import { keepThumbnail, keptThumbnail, type Thumbnail, thumbnailKey } from './library/thumbnailStore.ts';
import { el } from './dom.ts';
import { untilIdle } from './pause.ts';
import type { Viewport } from './viewport.ts';

/** Size of a thumbnail in CSS pixels. */
const SIZE = 128;
/**
 * Maximum number of thumbnails that are drawn in advance. If there are more models, only visible
 * rows get thumbnails.
 */
const MAX_COUNT = 200;
/** Maximum size of a file that is opened for a thumbnail, in bytes. */
const MAX_BYTES = 64e6;
/** Interval after which a busy page is asked again whether a thumbnail can be drawn, in milliseconds. */
const RETRY = 400;

/** Background of a model that only adds light to what is behind it, such as rays of light. */
const BACKGROUND = '#17181b';
/** A thumbnail is empty if less than this share of its pixels is visible. */
const MIN_VISIBLE = 0.001;

export class Thumbnails {
  /** Object URLs of the thumbnails; '' if a thumbnail could not be drawn. */
  readonly pictures = signal<ReadonlyMap<InputFile, string>>(new Map());
  /** Number of textures of each model that has a thumbnail. */
  readonly textureCounts = signal<ReadonlyMap<InputFile, number>>(new Map());
  readonly #viewport: Viewport;
  readonly #isBusy: () => boolean;
  readonly #list: () => Element | null;
  #library: readonly LibraryEntry[] = [];
  #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Models whose kept thumbnails were looked up. */
  #sought = new Set<InputFile>();
  #isDrawing = false;

  /**
   * `isBusy`: returns true while no thumbnail may be drawn, for example while a model is loaded or
   * plays. `list`: returns the element with the rows of the library. Call `resume` when this element
   * becomes visible or scrolls.
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

  /** Draws the next thumbnail as soon as the page is idle and nothing plays. */
  #schedule(delay = 0): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#proceed(), delay);
  }

  async #proceed(): Promise<void> {
    if (this.#isDrawing || !this.#list()?.checkVisibility()) return;
    if (document.hidden) return this.#schedule(RETRY);
    this.#isDrawing = true;
    try {
      await this.#showKept();
      const { signal: ended } = this.#abort;
      await untilIdle(this.#isBusy, ended);
      await this.#drawNext(ended);
    } catch {
      return; // the page was closed
    } finally {
      this.#isDrawing = false;
    }
    this.resume();
  }

  /** Shows the thumbnails that were kept on this device. */
  async #showKept(): Promise<void> {
    const sought = this.#library.filter(({ input }) => !this.#sought.has(input) && input.file.size <= MAX_BYTES);
    const found = new Map<InputFile, Thumbnail>();
    for (const entry of sought) {
      this.#sought.add(entry.input);
      const key = await thumbnailKey(entry).catch(() => null);
      const kept = key && (await keptThumbnail(key));
      if (kept) found.set(entry.input, kept);
    }
    this.#show(found);
  }

  #show(found: ReadonlyMap<InputFile, Thumbnail | null>): void {
    if (found.size === 0) return;
    const pictures = new Map(this.pictures.peek());
    const counts = new Map(this.textureCounts.peek());
    for (const [input, thumbnail] of found) {
      if (!this.#library.some(entry => entry.input === input)) continue;
      pictures.set(input, thumbnail ? URL.createObjectURL(thumbnail.picture) : '');
      if (thumbnail) counts.set(input, thumbnail.textures);
    }
    batch(() => {
      this.pictures.value = pictures;
      this.textureCounts.value = counts;
    });
  }

  async #drawNext(ended: AbortSignal): Promise<void> {
    const entry = this.#next();
    if (!entry) return;
    const drawn = entry.input.file.size > MAX_BYTES ? null : await this.#pictureOf(entry, ended).catch(() => null);
    ended.throwIfAborted();
    this.#show(new Map([[entry.input, drawn]]));
    const key = drawn && (await thumbnailKey(entry).catch(() => null));
    if (key) await keepThumbnail(key, drawn);
  }

  async #pictureOf({ input, companionFiles }: LibraryEntry, ended: AbortSignal): Promise<Thumbnail | null> {
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
    const { scene } = file;
    if (!scene || isRecording(scene) || scene.renderers.length + scene.instances.length === 0) return null;
    const model = await buildModel(input, file, context);
    const view = new View(document.createElement('div'));
    try {
      const colors = { skin: '', pinch: '', camera: '', gaze: '' };
      view.setSize(SIZE, SIZE);
      present(view, { rig: model.rig, sky: null, colors, firstClip: null, frame: true }, null);
      view.ground.object.visible = false;
      view.isVisible = false; // the frame loop does not draw this view
      sharedRenderer.add(view, document.createElement('canvas'));
      await sharedRenderer.prepare(view, model.rig.scene);
      ended.throwIfAborted();
      const canvas = el('canvas', { width: 2 * SIZE, height: 2 * SIZE });
      const drawing = canvas.getContext('2d', { willReadFrequently: true })!;
      if (!sharedRenderer.drawPicture(view, drawing, { light: 'available' })) return null;
      if (isEmpty(drawing)) sharedRenderer.drawPicture(view, drawing, { light: 'available', background: BACKGROUND });
      const picture = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/webp', 0.9));
      return picture && { picture, textures: appliedTextures(wholeCharacter(model)).size };
    } finally {
      sharedRenderer.remove(view);
      view.dispose();
      disposeModel(model);
      this.#viewport.view.invalidate();
    }
  }
}

function isEmpty(context: CanvasRenderingContext2D): boolean {
  const { data } = context.getImageData(0, 0, context.canvas.width, context.canvas.height);
  let visible = 0;
  for (let at = 3; at < data.length; at += 4) if (data[at]! > 8) ++visible;
  return visible < (MIN_VISIBLE * data.length) / 4;
}
