// A second recording that is compared with the current one. It is semitransparent and follows the
// playback time.
import type { Box3, Object3D } from 'three';
import type { RigScene } from '../../core/types.ts';
import type { LibraryEntry } from '../../session/library.ts';
import { buildModel, disposeModel, type Model, openFile, type OpenContext } from '../../session/model.ts';
import { LayeredAction } from '../../session/layeredAction.ts';
import { handsOf, type Hand } from '../../three/xr/hands.ts';
import { isRecording, type RecordingColors, RecordingOverlay, recordingView } from '../../view/index.ts';

/** Opacity of the hands in the compared recording. */
const OPACITY = 0.55;

export class ComparedRecording {
  readonly entry: LibraryEntry;
  readonly duration: number;
  /** Bounds over the whole recording. */
  readonly box: Box3;
  /** Offset in seconds that is added to the playback time. */
  offset = 0;
  readonly #model: Model;
  readonly #action: LayeredAction;
  readonly #overlay: RecordingOverlay;

  constructor(entry: LibraryEntry, model: Model, colors: RecordingColors) {
    this.entry = entry;
    this.#model = model;
    this.#action = new LayeredAction(model, { input: model.input, file: model.file }, [0], 'file', false);
    this.duration = this.#action.duration;
    this.#overlay = new RecordingOverlay(model.rig, colors);
    this.#overlay.object.add(model.rig.scene);
    this.box = recordingView(model.rig, this.duration, time => this.#action.seek(time)).box;
    this.update(0);
  }

  get object(): Object3D {
    return this.#overlay.object;
  }

  get scene(): RigScene {
    return this.#model.file.scene!;
  }

  get hands(): readonly Hand[] {
    return handsOf(this.#model.rig);
  }

  /**
   * Poses the recording at `time` plus `offset`, clamped to the duration of the recording. `time`:
   * playback time in seconds.
   */
  update(time: number): void {
    this.#action.seek(Math.min(Math.max(time + this.offset, 0), this.duration));
    this.object.updateMatrixWorld(true);
    this.#overlay.settle();
    for (const { material } of this.#overlay.hands) {
      material.opacity *= OPACITY;
      material.depthWrite = false;
    }
  }

  setColors(colors: RecordingColors): void {
    this.#overlay.setColors(colors);
  }

  dispose(): void {
    this.#overlay.dispose();
    disposeModel(this.#model);
  }
}

/**
 * Opens a recording for comparison. Resolves with null if the file is not a recording or has no
 * clip.
 */
export async function openRecording(
  entry: LibraryEntry,
  context: Omit<OpenContext, 'companionFiles'>,
  colors: RecordingColors,
): Promise<ComparedRecording | null> {
  const ownContext = { ...context, companionFiles: entry.companionFiles };
  const file = await openFile(entry.input, ownContext);
  context.signal.throwIfAborted();
  if (!file.scene || !isRecording(file.scene) || file.scene.clips.length === 0) return null;
  return new ComparedRecording(entry, await buildModel(entry.input, file, ownContext), colors);
}
