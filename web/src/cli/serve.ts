// The child's side of a pool.
import { memoryUsage } from 'node:process';
import { Worker } from 'node:worker_threads';

export interface Done {
  answer: unknown;
  /** The process holds much more memory than a new one, and memory is limited: the next task gets a new process. */
  isSpent?: boolean;
}

/** MiB that the program itself may take beyond what it has at its start. */
export const OWN_MEMORY = 64;

const MEBIBYTE = 2 ** 20;
/** Milliseconds between two looks at the memory. */
const WATCH = 20;

/**
 * Answers tasks until the pool ends, or is gone. The first argument of the process limits its memory, in MiB beyond what it has at its start: typed arrays and the core's memory are
 * outside of V8's own limit, so a thread watches the size of the whole process and kills it.
 */
export function serve<T>(answer: (task: T) => Promise<unknown>): void {
  const limit = Number(process.argv[2]);
  const start = memoryUsage.rss();
  if (limit) watch(start + limit * MEBIBYTE);
  const isSpent = (): boolean => !!limit && memoryUsage.rss() > start + OWN_MEMORY * MEBIBYTE;
  process.on('disconnect', () => process.exit());
  process.on('message', (task: T) => {
    void answer(task).then(made => process.send?.({ answer: made, ...(isSpent() && { isSpent: true }) } satisfies Done));
  });
  process.send?.('ready');
}

function watch(most: number): void {
  const code = `setInterval(() => { if (process.memoryUsage.rss() > ${most}) process.kill(process.pid, 'SIGKILL'); }, ${WATCH});`;
  new Worker(code, { eval: true }).unref();
}
