// Draws thumbnails of the models in the library, one at a time while the page is idle. Imported when
// the library has several models.
import { batch, type Signal } from '@preact/signals-core';
import { DARK_BACKGROUND, isEmptyPicture } from '../encode/emptyPicture.ts';
import { choicesFor } from '../session/imageAssignments.ts';
import type { InputFile } from '../session/inputFile.ts';
import { type LibraryEntry, modelsIn } from '../session/library.ts';
import { formatOptionsOf } from '../session/join.ts';
import { valuesFor } from '../session/materialValues.ts';
import { appliedTextures, buildModel, disposeModel, openFile, type OpenContext, wholeCharacter } from '../session/model.ts';
import type { Session } from '../session/session.ts';
import { defaultPlacement } from '../session/viewSettings.ts';
import { isRecording, present, View } from '../view/index.ts';
import { keepThumbnail, keptThumbnail, type Thumbnail, thumbnailKey } from './library/thumbnailStore.ts';
import { defer } from './deferred.ts';
import { el } from './dom.ts';
import { rotationOf } from './modelPlacement.ts';
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
/**
 * Pause between two thumbnails while an animation plays, as a multiple of the time that the last one
 * took.
 */
const PAUSE = 2;

/** Choices of the visitor that change how models look. */
type Choices = Pick<Session, 'imageAssignments' | 'materialValues' | 'placement'>;

const NO_CHOICES: Choices = { imageAssignments: [], materialValues: [], placement: defaultPlacement };

/** Describes the choices that change how a model looks. Equal texts mean equal pictures. */
function lookOf({ input: { path }, companionFiles }: LibraryEntry, choices: Choices): string {
  const images = choicesFor(choices.imageAssignments, path, companionFiles).map(({ material, slot, image: { name, bytes } }) => [
    material,
    slot,
    name,
    bytes instanceof Blob ? bytes.size : 0,
  ]);
  const { up, yaw, isRootConjugated } = choices.placement;
  return JSON.stringify([images, valuesFor(choices.materialValues, path), up, yaw, isRootConjugated]);
}

/** The page whose signals receive the thumbnails, and whose renderer draws them. */
interface ThumbnailPage {
  /** Object URLs of the thumbnails; '' if a thumbnail could not be drawn. */
  readonly pictures: Signal<ReadonlyMap<InputFile, string>>;
  /** Number of textures of each model that has a thumbnail. */
  readonly textureCounts: Signal<ReadonlyMap<InputFile, number>>;
  readonly viewport: Viewport;
}

export class Thumbnails {
  readonly #page: ThumbnailPage;
  readonly #isBusy: () => boolean;
  readonly #isPlaying: () => boolean;
  readonly #list: () => Element | null;
  #library: readonly LibraryEntry[] = [];
  #choices = NO_CHOICES;
  /** Description of the choices for each model (see `lookOf`). */
  #looks: ReadonlyMap<InputFile, string> = new Map();
  /** Descriptions of the choices with which the thumbnails were drawn. */
  readonly #drawnLooks = new Map<InputFile, string>();
  #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Models whose kept thumbnails were looked up, with the choices at that time. */
  readonly #sought = new Map<InputFile, string>();
  #isDrawing = false;

  /**
   * `isBusy`: returns true while no thumbnail may be drawn, for example while a model is loaded.
   * `isPlaying`: returns true while an animation is visible, for which thumbnails are drawn with pauses,
   * and only those of visible rows. `list`: returns the element with the rows of the library. Call
   * `resume` when this element becomes visible or scrolls.
   */
  constructor(page: ThumbnailPage, isBusy: () => boolean, isPlaying: () => boolean, list: () => Element | null) {
    this.#page = page;
    this.#isBusy = isBusy;
    this.#isPlaying = isPlaying;
    this.#list = list;
  }

  /**
   * Sets the library and the visitor's choices. Releases the thumbnails of models that are no longer
   * in the library. Thumbnails of models with other choices are shown until they are drawn again.
   * Draws no thumbnail if there is only one model.
   */
  setLibrary(library: readonly LibraryEntry[], choices: Choices): void {
    const models = modelsIn(library);
    this.#library = models.length > 1 ? models : [];
    this.#choices = choices;
    this.#looks = new Map(this.#library.map(entry => [entry.input, lookOf(entry, choices)]));
    const kept = new Map<InputFile, string>();
    for (const [input, address] of this.#page.pictures.peek()) {
      if (library.some(entry => entry.input === input)) kept.set(input, address);
      else {
        if (address) URL.revokeObjectURL(address);
        this.#drawnLooks.delete(input);
        this.#sought.delete(input);
      }
    }
    if (kept.size !== this.#page.pictures.peek().size) this.#page.pictures.value = kept;
    this.resume();
  }

  resume(): void {
    if (this.#missing.length > 0) this.#schedule();
  }

  dispose(): void {
    this.setLibrary([], NO_CHOICES);
    clearTimeout(this.#timer);
    this.#abort.abort();
  }

  /** Models without a thumbnail, or whose thumbnail was drawn with other choices. */
  get #missing(): LibraryEntry[] {
    return this.#library.filter(({ input }) => this.#drawnLooks.get(input) !== this.#looks.get(input));
  }

  /** Returns the model to draw next, preferably a visible one. Reads the layout. */
  #next(): LibraryEntry | undefined {
    const known = this.#page.pictures.peek();
    const missing = this.#missing;
    if (missing.length === 0) return undefined;
    const seen = this.#inSight();
    const isAnyWanted = known.size < MAX_COUNT && !this.#isPlaying();
    return missing.find(({ input }) => seen.has(input.path)) ?? (isAnyWanted ? missing[0] : undefined);
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

  /** Draws the next thumbnail after a delay in milliseconds, as soon as the page is idle. */
  #schedule(delay = 0): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#proceed(), delay);
  }

  async #proceed(): Promise<void> {
    if (this.#isDrawing || !this.#list()?.checkVisibility()) return;
    if (document.hidden) return this.#schedule(RETRY);
    this.#isDrawing = true;
    let pause = 0;
    try {
      await this.#showKept();
      const { signal: ended } = this.#abort;
      await untilIdle(this.#isBusy, ended);
      const start = performance.now();
      const isDrawn = await this.#drawNext(ended);
      if (this.#isPlaying()) pause = isDrawn ? PAUSE * (performance.now() - start) : RETRY;
      else if (!isDrawn) return;
    } catch {
      return; // the page was closed
    } finally {
      this.#isDrawing = false;
    }
    if (this.#missing.length > 0) this.#schedule(pause);
  }

  /** Returns true if a kept thumbnail of a model was looked up, with the present choices. */
  #isSought(input: InputFile): boolean {
    return this.#sought.get(input) === this.#looks.get(input);
  }

  /** Shows the thumbnails that were kept on this device. */
  async #showKept(): Promise<void> {
    const looks = this.#looks;
    const found = new Map<InputFile, Thumbnail>();
    for (const entry of this.#library.filter(({ input }) => !this.#isSought(input))) {
      const look = looks.get(entry.input)!;
      this.#sought.set(entry.input, look);
      if (entry.input.file.size > MAX_BYTES) continue;
      const key = await thumbnailKey(entry, look).catch(() => null);
      const kept = key && (await keptThumbnail(key));
      if (kept) found.set(entry.input, kept);
    }
    this.#show(found, looks);
  }

  /** Shows thumbnails. `looks`: descriptions of the choices with which they were drawn. */
  #show(found: ReadonlyMap<InputFile, Thumbnail | null>, looks: ReadonlyMap<InputFile, string>): void {
    if (found.size === 0) return;
    const pictures = new Map(this.#page.pictures.peek());
    const counts = new Map(this.#page.textureCounts.peek());
    for (const [input, thumbnail] of found) {
      if (!this.#library.some(entry => entry.input === input)) continue;
      const old = pictures.get(input);
      if (old) URL.revokeObjectURL(old);
      this.#drawnLooks.set(input, looks.get(input)!);
      pictures.set(input, thumbnail ? URL.createObjectURL(thumbnail.picture) : '');
      if (thumbnail) counts.set(input, thumbnail.textures);
    }
    batch(() => {
      this.#page.pictures.value = pictures;
      this.#page.textureCounts.value = counts;
    });
  }

  /** Draws the next thumbnail. Returns false if no thumbnail has to be drawn now. */
  async #drawNext(ended: AbortSignal): Promise<boolean> {
    const entry = this.#next();
    if (!entry) return false;
    if (!this.#isSought(entry.input)) return true; // the library changed: kept thumbnails are looked up first
    const looks = this.#looks;
    const drawn = entry.input.file.size > MAX_BYTES ? null : await this.#pictureOf(entry, ended).catch(() => null);
    ended.throwIfAborted();
    const key = drawn && (await thumbnailKey(entry, looks.get(entry.input)!).catch(() => null));
    if (key) await keepThumbnail(key, drawn); // first, so that each picture that was shown is kept
    this.#show(new Map([[entry.input, drawn]]), looks);
    return true;
  }

  async #pictureOf({ input, companionFiles }: LibraryEntry, ended: AbortSignal): Promise<Thumbnail | null> {
    const { sharedRenderer } = this.#page.viewport;
    const { imageAssignments, materialValues, placement } = this.#choices;
    const context: OpenContext = {
      companionFiles,
      imageAssignments,
      materialValues,
      formatOptions: formatOptionsOf({ animationMode: 'auto', placement }),
      signal: ended,
      onProgress: () => {},
      onInstanceLoaded: () => {},
      graphics: sharedRenderer,
      strandWidth: 0,
    };
    const file = await openFile(input, context);
    const { scene } = file;
    if (!scene || isRecording(scene) || scene.renderers.length + scene.instances.length === 0) return null;
    const model = await buildModel(input, file, context);
    await new Promise<void>(defer); // building, framing and drawing are separate tasks
    const view = new View(document.createElement('div'));
    try {
      const colors = { skin: '', pinch: '', camera: '', gaze: '' };
      view.setSize(SIZE, SIZE);
      const { up, yaw } = placement;
      const isTurned = up !== defaultPlacement.up || yaw !== defaultPlacement.yaw;
      const transform = isTurned && { transform: { rotation: rotationOf(placement), scale: model.rig.scene.scale.clone() } };
      present(view, { rig: model.rig, sky: null, colors, firstClip: null, frame: true, ...transform }, null);
      view.ground.object.visible = false;
      view.isVisible = false; // the frame loop does not draw this view
      sharedRenderer.add(view, document.createElement('canvas'));
      await sharedRenderer.prepare(view, model.rig.scene);
      await new Promise<void>(defer);
      ended.throwIfAborted();
      const canvas = el('canvas', { width: 2 * SIZE, height: 2 * SIZE });
      const drawing = canvas.getContext('2d', { willReadFrequently: true })!;
      if (!sharedRenderer.drawPicture(view, drawing, { light: 'available' })) return null;
      await sharedRenderer.graphics.finished(); // reading pixels would block the page until then
      if (isEmptyPicture(drawing)) sharedRenderer.drawPicture(view, drawing, { light: 'available', background: DARK_BACKGROUND });
      const picture = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/webp', 0.9));
      return picture && { picture, textures: appliedTextures(wholeCharacter(model)).size };
    } finally {
      sharedRenderer.remove(view);
      view.dispose();
      disposeModel(model);
      this.#page.viewport.view.invalidate();
    }
  }
}
