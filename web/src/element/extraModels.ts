// The models of the attribute `extra-models`: loads them, places them in the scene or attaches them
// to bones, and plays their animations.
import type { Object3D } from 'three';
import type { ClipAction } from '../session/clipAction.ts';
import type { Rig } from '../three/rig.ts';
import { orientUpright, transformModel } from '../view/present.ts';
import { AnimationList } from './animations.ts';
import type { DownloadProgress } from './downloads.ts';
import type { ExtraModel } from './extraModelList.ts';
import { load, type LoadOptions } from './load.ts';
import { modelTransformOf } from './modelTransform.ts';
import { nameOf } from './names.ts';
import { parseLength } from './quantities.ts';
import { splitWords } from './urls.ts';

interface Member {
  readonly model: ExtraModel;
  readonly rig: Rig;
  /** Rigs of companion files, of which only the animations are used. */
  readonly sources: readonly Rig[];
  readonly animations: AnimationList;
  action: ClipAction | null;
  /** True if the action plays the animations that are selected for the element. */
  isFollowing: boolean;
  /** Time of an action that does not follow the element, in seconds. */
  time: number;
}

interface Failure {
  name: string;
  error: unknown;
}

/** A group of models that is loaded. */
type LoadedExtraModels = Omit<Member, 'animations' | 'action' | 'isFollowing' | 'time'>[];

/**
 * Loads models. `wanted`: how the model of the element is loaded. A model that cannot be read is
 * left out and added to `failed`. Rejects only if loading is aborted; then nothing is left to
 * dispose.
 */
export async function loadExtraModels(
  models: readonly ExtraModel[],
  wanted: LoadOptions,
  signal: AbortSignal,
  { failed, onProgress }: { failed: Failure[]; onProgress(index: number, progress: DownloadProgress): void },
): Promise<LoadedExtraModels> {
  const made = await Promise.all(
    models.map(async (model, i) => {
      try {
        const result = await load(optionsFor(model, wanted), signal, { onProgress: progress => onProgress(i, progress), onModel() {} });
        if (model.files !== undefined) failed.push(...result.failed);
        return { model, rig: result.rig, sources: result.sources };
      } catch (error) {
        if (!signal.aborted) failed.push({ name: model.src, error });
        return null;
      }
    }),
  );
  const loaded = made.filter(each => each !== null);
  if (signal.aborted) for (const { rig, sources } of loaded) for (const each of [rig, ...sources]) each.dispose();
  signal.throwIfAborted();
  return loaded;
}

/**
 * Returns the options for a model. A model without `files` finds its textures among the files of
 * the element, and uses the animations that the element has opened.
 */
const optionsFor = ({ src, files }: ExtraModel, wanted: LoadOptions): LoadOptions =>
  files === undefined ? { ...wanted, src, maxFiles: 0 } : { ...wanted, src, files: splitWords(files), localFiles: null };

export class ExtraModels {
  readonly #members: readonly Member[];

  /** `main`: rigs of the element, of which the first is that of its model. */
  constructor(loaded: LoadedExtraModels, main: readonly Rig[]) {
    this.#members = loaded.map(each => ({
      ...each,
      animations: new AnimationList(each.rig, [...each.sources, ...main]),
      action: null,
      isFollowing: false,
      time: 0,
    }));
    for (const { rig, model } of this.#members) {
      const transform = modelTransformOf(model.orientation ?? null, model.scale ?? null);
      if (model.bone === undefined) orientUpright(rig);
      if (transform) transformModel(rig, transform);
      const [x = 0, y = 0, z = 0] = splitWords(model.position ?? null).map(word => parseLength(word) ?? 0);
      rig.scene.position.set(x, y, z);
      rig.scene.updateMatrixWorld(true); // the bounds of skinned meshes depend on it
    }
  }

  get rigs(): Rig[] {
    return this.#members.map(({ rig }) => rig);
  }

  /** Rigs of all files. */
  get files(): Rig[] {
    return this.#members.flatMap(({ rig, sources }) => [rig, ...sources]);
  }

  /**
   * Attaches models to the bones of the model of the element. Returns the rigs that are not
   * attached, and the names of the bones that do not exist.
   */
  attach(main: Rig): { free: Rig[]; missing: string[] } {
    const free: Rig[] = [];
    const missing: string[] = [];
    for (const { rig, model } of this.#members) {
      const bone = model.bone === undefined ? null : (main.nodes.find(node => nameOf(node as Object3D) === model.bone) ?? null);
      if (bone) (bone as Object3D).add(rig.scene);
      else free.push(rig);
      if (!bone && model.bone !== undefined) missing.push(model.bone);
    }
    return { free, missing };
  }

  /**
   * Selects the animations of the models. `names`: animations that are selected for the element. A
   * model with `animation` plays that one; another model follows the element if one of these
   * animations moves it, and otherwise plays its default animation. Returns the names of animations
   * that do not exist.
   */
  async select(names: readonly string[], additive: string | null, fade: number, signal: AbortSignal): Promise<string[]> {
    const missing: string[] = [];
    await Promise.all(
      this.#members.map(async member => {
        const { model, animations } = member;
        const followed = (animations.find(JSON.stringify(names)) ?? []).filter(row => animations.list[row]!.matched > 0);
        const wanted = model.animation === undefined ? null : animations.find(model.animation);
        if (model.animation !== undefined && !wanted) missing.push(model.animation);
        const isFollowing = model.animation === undefined && (followed.length > 0 || (names.length === 0 && member.isFollowing));
        const rows = wanted ?? (isFollowing ? followed : animations.preferred());
        if (animations.isUnread(rows)) await animations.load(rows, signal);
        signal.throwIfAborted();
        const action = animations.actionFor(rows, additive);
        const begin = fade > 0 ? action.prepareCrossFade(fade) : null;
        Object.assign(member, { action, isFollowing });
        action.seek(isFollowing ? 0 : member.time);
        begin?.();
        member.rig.springs?.reset();
      }),
    );
    return missing;
  }

  /** Shows the time `seconds` of all animations. Those that are shorter are repeated. */
  seek(seconds: number): void {
    for (const member of this.#members) {
      member.time = seconds;
      pose(member, seconds, 0);
    }
  }

  /**
   * Advances animations and spring bones. `time`: time of the element. `played`: seconds by which
   * playback has advanced. Returns true if a model moves while playback is paused.
   */
  tick(seconds: number, time: number, played: number): boolean {
    let isMoving = false;
    for (const member of this.#members) {
      member.time += played;
      if (played !== 0 || member.action?.isFading) pose(member, time, seconds);
      isMoving = member.rig.update(seconds) || member.action?.isFading || isMoving;
    }
    return isMoving;
  }

  dispose(): void {
    for (const { action, rig, sources } of this.#members) {
      action?.stop();
      rig.scene.removeFromParent();
      for (const each of [rig, ...sources]) each.dispose();
    }
  }
}

function pose({ action, isFollowing, time }: Member, elementTime: number, seconds: number): void {
  if (!action) return;
  const { start, duration } = action;
  const length = duration - start;
  const wrapped = length > 0 ? start + ((((time - start) % length) + length) % length) : start;
  action.seek(isFollowing ? elementTime : wrapped, seconds);
}
