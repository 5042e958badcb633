// Loads files through three's `Cache`. This module is imported only if the page has enabled the
// cache. Otherwise, the worker that decodes a file also fetches it.
import { FileLoader, type Loader } from 'three';

/** Loads a file with the request options that are set on `loader`. */
export function fetchCached(
  { manager, path, requestHeader, withCredentials, priority, cache }: Loader,
  url: string,
  signal: AbortSignal,
  onProgress?: (event: ProgressEvent) => void,
): Promise<Blob> {
  const loader = new FileLoader(manager);
  loader.setPath(path);
  loader.setResponseType('blob');
  loader.setRequestHeader(requestHeader);
  loader.setWithCredentials(withCredentials);
  loader.setPriority?.(priority);
  loader.setCache?.(cache);
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      loader.abort();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', stop, { once: true });
    const settled =
      <T>(settle: (value: T) => void) =>
      (value: T): void => {
        signal.removeEventListener('abort', stop);
        settle(value);
      };
    loader.load(
      url,
      settled(data => resolve(data as unknown as Blob)),
      onProgress,
      settled(reject),
    );
  });
}
