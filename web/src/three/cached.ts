// Files by way of three's `Cache`, where a page has turned it on. Fetched then: other pages read
// files where they are decoded, in a worker.
import { FileLoader, type Loader } from 'three';

/** As the loader that asks would fetch it. */
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
