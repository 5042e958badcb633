// Many tasks, each in a process of its own that can be ended: one that hangs, or takes the memory of the machine, is an answer like the others.
import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OpenOptions } from '../core/open.ts';
import { failureReport } from '../core/report.ts';
import type { Answer, Task } from './child.ts';

export interface BatchOptions {
  /** Processes side by side. */
  jobs: number;
  /** Of one file; undefined: as long as it takes. */
  seconds: number | undefined;
  /** The options that `open` gets for every file. */
  open: OpenOptions;
}

export type Row = Answer & { file: string };

/** Reads all files and reports each as soon as it is done. A process reads one file after the other until a file ends it. */
export async function readAll(paths: readonly string[], options: BatchOptions, onRow: (row: Row, index: number) => void): Promise<void> {
  const { jobs, seconds, open } = options;
  const tasks = paths.map((path): Task => ({ path, options: open }));
  const lost = (code: string, detail: string): Answer => ({ format: null, report: failureReport(code, detail) });
  const limits = { jobs, seconds, maxMemory: open.maxMemory };
  await runAll<Task, Answer>('child', tasks, limits, lost, (answer, index) => onRow({ file: paths[index] ?? '', ...answer }, index));
}

export interface Limits {
  /** Processes side by side. */
  jobs: number;
  /** Of one task; undefined: as long as it takes. */
  seconds?: number | undefined;
  /** Bytes that `open` may take of one file, where that is limited. */
  maxMemory?: number | undefined;
}

/**
 * Gives tasks to processes that run the module `child` of this folder and tells of each answer as it comes. `lost`: the answer for a task that ended its process; TIME_LIMIT,
 * OUT_OF_MEMORY or INTERNAL_TRAP.
 */
export async function runAll<T extends object, A>(
  child: string,
  tasks: readonly T[],
  limits: Limits,
  lost: (code: string, detail: string) => A,
  onAnswer: (answer: A, index: number) => void,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    let helper: Helper<T, A> | null = null;
    for (let index = next++; index < tasks.length; index = next++) {
      const task = tasks[index];
      if (!task) break;
      helper ??= new Helper<T, A>(child, limits, lost);
      const answer = await helper.run(task);
      if (!helper.isAlive) helper = null;
      onAnswer(answer, index);
    }
    helper?.end();
  };
  await Promise.all(Array.from({ length: Math.min(limits.jobs, tasks.length) }, lane));
}

const MEBIBYTE = 2 ** 20;
/** Room for the program itself, in MiB of JavaScript's heap. */
const OWN_HEAP = 64;

class Helper<T extends object, A> {
  isAlive = true;
  readonly #child: ChildProcess;
  readonly #seconds: number | undefined;
  readonly #lost: (code: string, detail: string) => A;
  readonly #ready: Promise<void>;

  constructor(child: string, { seconds, maxMemory }: Limits, lost: (code: string, detail: string) => A) {
    this.#seconds = seconds;
    this.#lost = lost;
    // What a process says when it is out of memory is pages long: the answer says it in a line.
    this.#child = fork(fileURLToPath(new URL(`./${child}${extname(import.meta.url)}`, import.meta.url)), [], {
      stdio: ['inherit', 'inherit', 'ignore', 'ipc'],
      execArgv: maxMemory === undefined ? [] : [`--max-old-space-size=${OWN_HEAP + Math.ceil(maxMemory / MEBIBYTE)}`],
    });
    this.#ready = new Promise(resolve => {
      this.#child.once('message', () => resolve());
      this.#child.once('exit', () => resolve());
      this.#child.once('error', () => resolve());
    });
  }

  async run(task: T): Promise<A> {
    await this.#ready;
    const child = this.#child;
    const seconds = this.#seconds;
    return new Promise(resolve => {
      const settle = (answer: A): void => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve(answer);
      };
      const lose = (code: string, detail: string): void => {
        this.isAlive = false;
        settle(this.#lost(code, detail));
        child.on('error', () => {}); // what is ended may still complain
        child.kill('SIGKILL');
      };
      const timer = seconds === undefined ? undefined : setTimeout(() => lose('TIME_LIMIT', `more than ${seconds} s`), seconds * 1000);
      // V8 aborts when its heap is full; the system kills what takes its memory.
      const died = (code: number | null, signal: string | null): void =>
        lose(
          signal === 'SIGABRT' || signal === 'SIGKILL' ? 'OUT_OF_MEMORY' : 'INTERNAL_TRAP',
          `the process that read it ended (${signal ?? code})`,
        );
      child.once('message', answer => settle(answer as A));
      child.once('exit', died);
      child.once('error', error => lose('INTERNAL_TRAP', error.message));
      if (child.exitCode !== null || child.signalCode !== null) died(child.exitCode, child.signalCode);
      else child.send(task);
    });
  }

  end(): void {
    this.#child.disconnect();
  }
}
