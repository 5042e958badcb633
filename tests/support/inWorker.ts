// Helper for page tests of workers: on a busy machine the first worker may start too late for a
// file.
import { open } from '../../web/src/core/index.ts';

/** Resolves when files are read in a worker. */
export async function workersReady(): Promise<void> {
  while ((await open(new Uint8Array(1))).report.items.some(({ code }) => code === 'WORKER_REFUSED'))
    await new Promise(resolve => setTimeout(resolve, 50));
}
