// Runs tasks in a child process of pool.ts.
import { memoryUsage } from 'node:process';
import { Worker } from 'node:worker_threads';

export interface Done {
  answer: unknown;
  /**
   * True if memory is limited and this process uses much more memory than a new process would. The
   * next task then runs in a new process.
   */
  isSpent?: boolean;
}

/** Memory, in MiB, that the program itself may use in addition to the memory at its start. */
export const OWN_MEMORY = 64;

const MEBIBYTE = 2 ** 20;
/** Interval, in milliseconds, at which the memory of the process is checked. */
const WATCH = 20;

/**
 * Answers tasks until the pool ends. The first argument of the process is its memory limit in MiB,
 * not counting the memory at its start. V8's own limit does not include typed arrays and the memory
 * of the core, so a thread watches the size of the process and kills it if it exceeds the limit.
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

function watch(maxBytes: number): void {
  const code = `setInterval(() => { if (process.memoryUsage.rss() > ${maxBytes}) process.kill(process.pid, 'SIGKILL'); }, ${WATCH});`;
  new Worker(code, { eval: true }).unref();
}
