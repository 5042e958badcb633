// Loads the model of an element and, in parallel, those of its attribute `extra-models`.
import type { DownloadProgress } from './downloads.ts';
import type { ExtraModel } from './extraModelList.ts';
import type { ExtraModels } from './extraModels.ts';
import { load, type LoadEvents, type LoadOptions, type LoadResult } from './load.ts';

export interface LoadedModels extends LoadResult {
  /** The models of `extra-models`; null if there are none. */
  extras: ExtraModels | null;
}

/**
 * Loads all models. `onProgress` is called with the sum of all downloads. Extra models that cannot be read are left out and listed in `failed`. Rejects if
 * the model of the element cannot be read or loading is aborted; then nothing is left to dispose.
 */
export async function loadModels(
  extra: readonly ExtraModel[],
  wanted: LoadOptions,
  signal: AbortSignal,
  { onProgress, onModel }: LoadEvents,
): Promise<LoadedModels> {
  if (extra.length === 0) return { ...(await load(wanted, signal, { onProgress, onModel })), extras: null };
  const progress = Array.from({ length: 1 + extra.length }, (): DownloadProgress => ({ fraction: 0, loaded: 0, total: null }));
  const onPart = (index: number, made: DownloadProgress): void => {
    progress[index] = made;
    onProgress(combined(progress));
  };
  const failure = new AbortController(); // ends the requests of the extra models
  const either = AbortSignal.any([signal, failure.signal]);
  const failed: LoadResult['failed'] = [];
  const loadingExtra = import('./extraModels.ts').then(async ({ ExtraModels, loadExtraModels }) => {
    const loaded = await loadExtraModels(extra, wanted, either, { failed, onProgress: (i, made) => onPart(1 + i, made) });
    return (main: LoadResult) => new ExtraModels(loaded, [main.rig, ...main.sources]);
  });
  loadingExtra.catch(() => {}); // reported below
  const main = await load(wanted, signal, { onProgress: made => onPart(0, made), onModel }).catch((error: unknown) => {
    failure.abort();
    throw error;
  });
  try {
    const extras = (await loadingExtra)(main);
    return { ...main, failed: [...main.failed, ...failed], extras };
  } catch (error) {
    disposeModels({ ...main, extras: null });
    throw error;
  }
}

export function disposeModels({ rig, sources, extras }: LoadedModels): void {
  extras?.dispose();
  for (const each of [rig, ...sources]) each.dispose();
}

/** Returns the progress of all downloads. */
function combined(progress: readonly DownloadProgress[]): DownloadProgress {
  const sum = (valueOf: (each: DownloadProgress) => number): number => progress.reduce((total, each) => total + valueOf(each), 0);
  return {
    fraction: sum(({ fraction }) => fraction) / progress.length,
    loaded: sum(({ loaded }) => loaded),
    total: progress.every(({ total }) => total !== null) ? sum(({ total }) => total ?? 0) : null,
  };
}
