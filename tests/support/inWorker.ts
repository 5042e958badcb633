// For tests in a page that are about workers: on a busy machine the first one may take longer than a file waits for it.
import { open } from '../../web/src/core/index.ts';

/** Returns when a worker reads. */
export async function workersReady(): Promise<void> {
  while ((await open(new Uint8Array(1))).report.items.some(({ code }) => code === 'WORKER_REFUSED'))
    await new Promise(resolve => setTimeout(resolve, 50));
}
