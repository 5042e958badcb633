// Helper for browser tests of workers. On a busy machine, the first worker may start too late to
// read a test's first file.
import { open } from '../../web/src/core/index.ts';

/** Waits until a worker has started and reads files. */
export async function workersReady(): Promise<void> {
  while ((await open(new Uint8Array(1))).report.items.some(({ code }) => code === 'WORKER_REFUSED'))
    await new Promise(resolve => setTimeout(resolve, 50));
}
