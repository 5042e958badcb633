// Helper for browser tests of workers. On a busy machine, the first worker may not start in time to
// read a file.
import { open } from '../../web/src/core/index.ts';

/** Waits until files are read in a worker. */
export async function workersReady(): Promise<void> {
  while ((await open(new Uint8Array(1))).report.items.some(({ code }) => code === 'WORKER_REFUSED'))
    await new Promise(resolve => setTimeout(resolve, 50));
}
