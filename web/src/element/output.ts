// Pictures, videos and files of the model that an element shows.
import type { EnvironmentController } from './environment.ts';
import type { LoadedModels } from './loadModels.ts';
import type { Player } from './player.ts';
import type { ExportedModel, Output, VideoOptions } from './types.ts';
import { RigcastError } from '../core/error.ts';
import { checkOptions } from '../core/options.ts';
import type { PictureOptions, SharedRenderer } from '../view/sharedRenderer.ts';
import type { View } from '../view/view.ts';
import { parseNumber } from './cssValues.ts';

const PICTURE_OPTIONS: Record<keyof PictureOptions, string> = {
  width: 'number',
  height: 'number',
  mime: 'string',
  quality: 'number',
  background: 'string',
  isCutOut: 'boolean',
};

/** The parts of an element that its output is made of. */
export interface OutputParts {
  readonly element: Element;
  readonly view: View;
  readonly sharedRenderer: SharedRenderer;
  readonly player: Player;
  readonly environment: EnvironmentController;
  /** The model with its animations; null while it is loading. */
  model(): LoadedModels | null;
  /** Returns a signal that is aborted when another model is loaded or the element is removed. */
  signal(): AbortSignal;
  /** The view draws no frames of its own while `isFilming` is true. */
  setFilming(isFilming: boolean): void;
}

export class ModelOutput implements Output {
  readonly #parts: OutputParts;

  constructor(parts: OutputParts) {
    this.#parts = parts;
  }

  async toBlob(options: PictureOptions = {}): Promise<Blob | null> {
    const { environment, model, sharedRenderer, view } = this.#parts;
    checkOptions('toBlob', options, PICTURE_OPTIONS);
    await environment.loaded;
    const picture = await sharedRenderer.toBlob(view, options);
    if (!picture && model())
      throw new RigcastError(
        'PICTURE_FAILED',
        'No picture can be drawn, because the graphics context is lost or the model is shown in AR.',
      );
    return picture;
  }

  async toVideo(options: VideoOptions = {}): Promise<Blob | null> {
    const { element, environment, model, player, setFilming, sharedRenderer, view } = this.#parts;
    const signals = [this.#parts.signal(), ...(options.signal ? [options.signal] : [])];
    const { renderVideo } = await import('./video.ts');
    await environment.loaded;
    const loaded = model();
    if (!loaded) return null;
    const { rig, extras } = loaded;
    const { action } = player.clock;
    player.pause();
    setFilming(true);
    try {
      const speed = parseNumber(element.getAttribute('speed')) ?? 1;
      return await renderVideo({ rig, view, sharedRenderer, action, speed, extras }, options, AbortSignal.any(signals));
    } finally {
      // Another model or animation may have been selected in the meantime.
      if (model() === loaded && player.clock.action === action) action?.seek(player.clock.time);
      model()?.rig.springs?.reset();
      setFilming(false);
      view.invalidate();
    }
  }

  async exportGlb(): Promise<ExportedModel | null> {
    const { element, model } = this.#parts;
    const signal = this.#parts.signal();
    const { exportGlb } = await import('./exportGlb.ts');
    const loaded = model();
    return loaded && exportGlb(loaded, element.getAttribute('additive'), signal);
  }

  async exportUsdz(): Promise<ExportedModel | null> {
    const { exportUsdz } = await import('./exportUsdz.ts');
    const { model, player } = this.#parts;
    const loaded = model();
    return loaded && exportUsdz(loaded.rig, player.list.length);
  }
}
