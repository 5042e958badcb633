// Pictures of the models of the library, made one after the other while nobody waits for anything.
import { signal } from '@preact/signals-core';
import { Vector3 } from 'three';
import type { InputFile } from '../session/inputFile.ts';
import { type LibraryEntry, modelsIn } from '../session/library.ts';
import { buildModel, disposeModel, openFile, type OpenContext } from '../session/model.ts';
import { isRecording, present, View } from '../view/index.ts';
import type { Scenery } from './scenery.ts';

/** Pixels. */
const SIZE = 44;
/** Models that get a picture while nobody has scrolled to them. */
const MOST = 60;
/** Bytes of a file that is opened for its picture alone. */
const MOST_BYTES = 64e6;
/** Milliseconds between two, at least; longer where something plays, which each picture may make stumble. */
const PAUSE = 400;
const PAUSE_PLAYING = 1200;

export class Thumbnails {
  /** Addresses of pictures; '' of what gave none. */
  readonly pictures = signal<ReadonlyMap<InputFile, string>>(new Map());
  readonly #scenery: Scenery;
  readonly #isBusy: () => boolean;
  readonly #list: () => Element | null;
  #library: readonly LibraryEntry[] = [];
  #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `isBusy`: somebody waits for something else. `list`: the library with its rows; `wake` says that somebody looks at it now, or at other rows. */
  constructor(scenery: Scenery, isBusy: () => boolean, list: () => Element | null) {
    this.#scenery = scenery;
    this.#isBusy = isBusy;
    this.#list = list;
  }

  /** Pictures of these models, those in sight first; those of others are forgotten. A single model is seen as it is. */
  want(library: readonly LibraryEntry[]): void {
    const models = modelsIn(library);
    this.#library = models.length > 1 ? models : [];
    const kept = new Map<InputFile, string>();
    for (const [given, address] of this.pictures.peek()) {
      if (library.some(entry => entry.given === given)) kept.set(given, address);
      else if (address) URL.revokeObjectURL(address);
    }
    if (kept.size !== this.pictures.peek().size) this.pictures.value = kept;
    this.wake();
  }

  wake(): void {
    if (this.#next()) this.#wait();
  }

  dispose(): void {
    this.want([]);
    clearTimeout(this.#timer);
    this.#abort.abort();
  }

  #next(): LibraryEntry | undefined {
    const known = this.pictures.peek();
    const missing = this.#library.filter(({ given }) => !known.has(given));
    if (missing.length === 0) return undefined;
    const seen = this.#inSight();
    return missing.find(({ given }) => seen.has(given.path)) ?? (known.size < MOST ? missing[0] : undefined);
  }

  /** Paths of the files whose rows are in sight. */
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

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        if (!this.#list()?.checkVisibility()) return;
        if (this.#isBusy() || document.hidden) return this.#wait();
        void this.#make();
      },
      this.#scenery.playback.playing ? PAUSE_PLAYING : PAUSE,
    );
  }

  async #make(): Promise<void> {
    const entry = this.#next();
    if (!entry) return;
    const { signal: ended } = this.#abort;
    const blob = entry.given.file.size > MOST_BYTES ? null : await this.#pictureOf(entry, ended).catch(() => null);
    if (ended.aborted) return;
    if (this.#library.includes(entry)) {
      this.pictures.value = new Map(this.pictures.peek()).set(entry.given, blob ? URL.createObjectURL(blob) : '');
    }
    this.wake();
  }

  async #pictureOf({ given, companionFiles }: LibraryEntry, ended: AbortSignal): Promise<Blob | null> {
    const { sharedRenderer } = this.#scenery;
    const context: OpenContext = {
      companionFiles,
      signal: ended,
      onProgress: () => {},
      onInstanceLoaded: () => {},
      supportsTexture: extension => sharedRenderer.renderer.extensions.has(extension),
      strandWidth: 0,
    };
    const file = await openFile(given, context);
    if (!file.scene || isRecording(file.scene)) return null;
    const model = await buildModel(given, file, context);
    const view = new View(document.createElement('div'));
    try {
      const colors = { skin: '', pinch: '', camera: '', gaze: '' };
      view.setSize(SIZE, SIZE);
      present(view, { rig: model.rig, sky: null, colors, firstClip: null, frame: true }, null);
      view.cameraRig.reset(new Vector3(0, 0.15, 1).applyAxisAngle(new Vector3(0, 1, 0), 0.4).normalize());
      view.ground.object.visible = false;
      view.isVisible = false; // for its picture alone
      sharedRenderer.add(view, document.createElement('canvas'));
      return await sharedRenderer.toBlob(view, { width: 2 * SIZE, height: 2 * SIZE });
    } finally {
      sharedRenderer.remove(view);
      view.dispose();
      disposeModel(model);
      this.#scenery.view.invalidate();
    }
  }
}
