// Another recording beside the one that plays, to compare them: its hands, head and gaze at the same time, seen through.
import type { Object3D } from 'three';
import type { LibraryEntry } from '../../session/library.ts';
import { buildModel, disposeModel, type Model, openFile, type OpenContext } from '../../session/model.ts';
import { LayeredAction } from '../../session/layeredAction.ts';
import { handsOf, type Hand } from '../../three/xr/hands.ts';
import { isRecording, type RecordingColors, RecordingOverlay } from '../../view/index.ts';

/** Of the hands: what is behind them is seen too. */
const OPACITY = 0.55;

export class OtherTake {
  readonly entry: LibraryEntry;
  readonly duration: number;
  /** It is so many seconds ahead of what plays. */
  offset = 0;
  readonly #model: Model;
  readonly #motion: LayeredAction;
  readonly #overlay: RecordingOverlay;

  constructor(entry: LibraryEntry, model: Model, colors: RecordingColors) {
    this.entry = entry;
    this.#model = model;
    this.#motion = new LayeredAction(model, { given: model.given, file: model.file }, [0], 'file', false);
    this.duration = this.#motion.duration;
    this.#overlay = new RecordingOverlay(model.rig, colors);
    this.#overlay.object.add(model.rig.scene);
    this.update(0);
  }

  get object(): Object3D {
    return this.#overlay.object;
  }

  get hands(): readonly Hand[] {
    return handsOf(this.#model.rig);
  }

  /** It stands as it stood at that time of what plays. Before its start and after its end it stands still. */
  update(time: number): void {
    this.#motion.seek(Math.min(Math.max(time + this.offset, 0), this.duration));
    this.object.updateMatrixWorld(true);
    this.#overlay.settle();
    for (const { material } of this.#overlay.hands) {
      material.opacity *= OPACITY;
      material.depthWrite = false;
    }
  }

  dispose(): void {
    this.#overlay.dispose();
    disposeModel(this.#model);
  }
}

/** Null: the file is no recording, or holds no motion. */
export async function openTake(
  entry: LibraryEntry,
  context: Omit<OpenContext, 'companionFiles'>,
  colors: RecordingColors,
): Promise<OtherTake | null> {
  const whole = { ...context, companionFiles: entry.companionFiles };
  const file = await openFile(entry.given, whole);
  context.signal.throwIfAborted();
  if (!file.scene || !isRecording(file.scene) || file.scene.clips.length === 0) return null;
  return new OtherTake(entry, await buildModel(entry.given, file, whole), colors);
}
