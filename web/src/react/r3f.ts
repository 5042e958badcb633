'use client';
// Entry `rigcast/r3f`: `useRigcast`, a hook for react-three-fiber that loads a model and its
// animations. The component is suspended until they are loaded.
import { useEffect, useLayoutEffect } from 'react';
import type { AnimationAction, AnimationClip, Group } from 'three';
import { RigcastLoader } from '../three/loader.ts';
import type { RigcastLoaderOptions } from '../three/loaderOptions.ts';
import type { Rig } from '../three/rig.ts';
import type { RigClip } from '../three/animation/rigClip.ts';

export interface UseRigcastOptions {
  /**
   * Companion files and textures, as for `RigcastLoader.setFiles`: paths relative to the model, or
   * a Map of names to files.
   */
  files?: readonly string[] | ReadonlyMap<string, Uint8Array | Blob>;
  /** URL of a file whose animations are bound to the model by bone name, or a list of such URLs. */
  animations?: string | readonly string[];
  /** Options of the loader, as for `RigcastLoader.setOptions`. */
  loader?: RigcastLoaderOptions;
}

export interface UseRigcastResult {
  readonly rig: Rig;
  /** The model, for `<primitive object={scene} />`. */
  readonly scene: Group;
  /** Animations of the model and, after them, of the files in `animations`. */
  readonly animations: AnimationClip[];
  /** The same animations with their loop mode and frame rate, for animators. */
  readonly clips: readonly RigClip[];
  /** Names of the animations, which are unique. */
  readonly names: readonly string[];
  /**
   * Actions of `rig.mixer` by name, with the loop mode that the file declares. Each action is
   * created on first access. They play while `rig.update(seconds)` is called in `useFrame`.
   */
  readonly actions: Readonly<Record<string, AnimationAction>>;
}

interface Entry {
  readonly url: string;
  readonly promise: Promise<void>;
  result: UseRigcastResult | null;
  /** Set if loading has failed. */
  failure: { error: unknown } | null;
  /** Number of mounted components that use the result. */
  users: number;
  isCleared: boolean;
  isDisposed: boolean;
}

const cache = new Map<string, Entry>();

/**
 * Loads a model with its animations. The component is suspended until they are loaded. All
 * components that use the same URL and equal options receive the same result; use `<Clone>` of drei
 * to show a model twice. If loading fails, the error is thrown to the next error boundary.
 * `useRigcast.preload(url, options)` starts loading earlier. `useRigcast.clear(url)` forgets a model.
 */
export function useRigcast(url: string, options: UseRigcastOptions = {}): UseRigcastResult {
  const entry = entryFor(url, options);
  if (entry.failure) throw entry.failure.error;
  if (!entry.result) throw entry.promise; // suspends the component in React 18 and 19
  useCommitEffect(() => {
    entry.users++;
    return () => {
      entry.users--;
      disposeIfUnused(entry);
    };
  }, [entry]);
  return entry.result;
}

/**
 * Starts to load a model before a component needs it. `options` must be equal to those of the
 * component. Has no effect on a server.
 */
useRigcast.preload = (url: string, options: UseRigcastOptions = {}): void => {
  if (typeof document !== 'undefined') entryFor(url, options);
};

/**
 * Forgets the model of a URL, or all models, so that it is loaded again when a component is next
 * rendered. The rig is disposed when no mounted component uses it. Also needed to load a model
 * again after an error.
 */
useRigcast.clear = (url?: string): void => {
  for (const [key, entry] of cache) {
    if (url !== undefined && entry.url !== url) continue;
    cache.delete(key);
    entry.isCleared = true;
    disposeIfUnused(entry);
  }
};

/**
 * Runs an effect at once when a component appears. `useEffect` may run it later, and a model that was
 * cleared in between would be disposed while a component shows it. On a server, effects do not run,
 * and React 18 warns about `useLayoutEffect`.
 */
const useCommitEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

/**
 * Disposes the rig of a cleared model if no component uses it. In strict mode, React removes and
 * repeats each effect, so the decision waits until it has done this.
 */
function disposeIfUnused(entry: Entry): void {
  setTimeout(() => {
    if (!entry.isCleared || entry.users > 0 || entry.isDisposed || !entry.result) return;
    entry.isDisposed = true;
    entry.result.rig.dispose();
  });
}

function entryFor(url: string, options: UseRigcastOptions): Entry {
  const key = JSON.stringify([url, keyOf(options)]);
  const known = cache.get(key);
  if (known) return known;
  const entry: Entry = {
    url,
    result: null,
    failure: null,
    users: 0,
    isCleared: false,
    isDisposed: false,
    promise: load(url, options).then(
      result => {
        entry.result = result;
        disposeIfUnused(entry);
      },
      (error: unknown) => void (entry.failure = { error }),
    ),
  };
  cache.set(key, entry);
  return entry;
}

async function load(url: string, { files, animations = [], loader: options = {} }: UseRigcastOptions): Promise<UseRigcastResult> {
  const loader = new RigcastLoader().setOptions(options).setFiles(files ?? null);
  // Only the clips of these files are used.
  const others = new RigcastLoader().setOptions({ ...options, textures: false, instances: false }).setFiles(files ?? null);
  const urls = typeof animations === 'string' ? [animations] : animations;
  const [rig, ...sources] = await allOrNone([loader.loadAsync(url), ...urls.map(each => others.loadAsync(each))]);
  for (const source of sources) source.dispose(); // frees its objects; the clips stay usable
  const clips = [rig!, ...sources].flatMap(({ file }) => file.scene!.clips);
  return resultOf(rig!, sources.length > 0 ? rig!.bind(clips) : rig!);
}

/** Resolves with all rigs. If one fails, disposes the others and rejects. */
async function allOrNone(loading: Promise<Rig>[]): Promise<Rig[]> {
  const settled = await Promise.allSettled(loading);
  const failed = settled.find(each => each.status === 'rejected');
  const rigs = settled.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []));
  if (!failed) return rigs;
  for (const rig of rigs) rig.dispose();
  throw failed.reason;
}

function resultOf(rig: Rig, { animations, clips }: { animations: AnimationClip[]; clips: readonly RigClip[] }): UseRigcastResult {
  const actions = {};
  const made = new Map<RigClip, AnimationAction>();
  const actionOf = (clip: RigClip): AnimationAction => {
    if (!made.has(clip)) made.set(clip, clip.clipAction(rig.mixer));
    return made.get(clip)!;
  };
  for (const clip of clips) Object.defineProperty(actions, clip.name, { enumerable: true, get: () => actionOf(clip) });
  return { rig, scene: rig.scene, animations, clips, names: clips.map(({ name }) => name), actions };
}

/** Numbers of objects and functions that have no equivalent in JSON. */
const numbers = new WeakMap<object, number>();
let count = 0;

/**
 * Returns a value for JSON that is equal for equal options. Plain objects and lists are compared by
 * content, all other objects and functions by identity.
 */
function keyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keyOf);
  if (typeof value !== 'function' && (typeof value !== 'object' || value === null)) return value;
  if (Object.getPrototypeOf(value) === Object.prototype)
    return Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, keyOf(each)]);
  if (!numbers.has(value)) numbers.set(value, ++count);
  return { number: numbers.get(value) };
}
