// Runs tasks in child processes. If a task takes too long or uses too much memory, its process is
// ended and the result of the task is a `Loss` instead of an answer.
import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Done, OWN_MEMORY } from './serve.ts';

export interface Limits {
  /** Maximum number of parallel processes. */
  jobs: number;
  /** Maximum time per task in seconds. No limit if undefined. */
  seconds?: number | undefined;
  /**
   * Memory limit per file in bytes, applied to the core and to the process separately. No limit if
   * undefined.
   */
  maxMemory?: number | undefined;
}

/** The reason why a task was ended without an answer. */
export interface Loss {
  code: 'TIME_LIMIT' | 'OUT_OF_MEMORY' | 'INTERNAL_TRAP';
  detail: string;
}

/**
 * A pool of child processes that run a module of this folder. Later calls of `run` reuse the
 * processes until `end` is called.
 */
export class Pool {
  readonly #module: string;
  readonly #limits: Limits;
  readonly #idle: Helper[] = [];

  constructor(module: string, limits: Limits) {
    this.#module = module;
    this.#limits = limits;
  }

  /**
   * Runs tasks in parallel and calls `onAnswer` with each answer as soon as it arrives. `lost`
   * creates the answer for a task whose process was ended.
   */
  async run<T extends object, A>(tasks: readonly T[], lost: (why: Loss) => A, onAnswer: (answer: A, index: number) => void): Promise<void> {
    let next = 0;
    const lane = async (): Promise<void> => {
      let helper = this.#idle.pop() ?? null;
      for (let index = next++; index < tasks.length; index = next++) {
        const task = tasks[index];
        if (!task) break;
        helper ??= new Helper(this.#module, this.#limits);
        const done = await helper.run(task);
        if (!helper.isAlive) helper = null;
        onAnswer('lost' in done ? lost(done.lost) : (done.answer as A), index);
      }
      if (helper) this.#idle.push(helper);
    };
    await Promise.all(Array.from({ length: Math.min(this.#limits.jobs, tasks.length) }, lane));
  }

  end(): void {
    for (const helper of this.#idle.splice(0)) helper.end();
  }
}

const MEBIBYTE = 2 ** 20;

class Helper {
  isAlive = true;
  readonly #child: ChildProcess;
  readonly #seconds: number | undefined;
  readonly #ready: Promise<void>;

  constructor(module: string, { seconds, maxMemory }: Limits) {
    this.#seconds = seconds;
    const room = maxMemory === undefined ? undefined : OWN_MEMORY + Math.ceil(maxMemory / MEBIBYTE);
    // Ignore stderr, because Node prints long texts when it runs out of memory.
    this.#child = fork(
      fileURLToPath(new URL(`./${module}${extname(import.meta.url)}`, import.meta.url)),
      room === undefined ? [] : [`${room}`],
      {
        stdio: ['inherit', 'inherit', 'ignore', 'ipc'],
        serialization: 'advanced',
        execArgv: room === undefined ? [] : [`--max-old-space-size=${room}`],
      },
    );
    this.#ready = new Promise(resolve => {
      this.#child.once('message', () => resolve());
      this.#child.once('exit', () => resolve());
      this.#child.once('error', () => resolve());
    });
  }

  async run(task: object): Promise<{ answer: unknown } | { lost: Loss }> {
    await this.#ready;
    const child = this.#child;
    const seconds = this.#seconds;
    return new Promise(resolve => {
      const settle = (outcome: { answer: unknown } | { lost: Loss }): void => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve(outcome);
      };
      const lose = (code: Loss['code'], detail: string): void => {
        this.isAlive = false;
        settle({ lost: { code, detail } });
        child.on('error', () => {}); // a killed process may still emit errors
        child.kill('SIGKILL');
      };
      const timer = seconds === undefined ? undefined : setTimeout(() => lose('TIME_LIMIT', `more than ${seconds} s`), seconds * 1000);
      // V8 aborts the process (SIGABRT) if its heap is full. The operating system and the watcher
      // for `--max-memory` kill the process (SIGKILL).
      const died = (code: number | null, signal: string | null): void =>
        lose(signal === 'SIGABRT' || signal === 'SIGKILL' ? 'OUT_OF_MEMORY' : 'INTERNAL_TRAP', `the process ended (${signal ?? code})`);
      child.once('message', (done: Done) => {
        settle({ answer: done.answer });
        if (!done.isSpent) return;
        this.isAlive = false;
        this.end();
      });
      child.once('exit', died);
      child.once('error', error => lose('INTERNAL_TRAP', error.message));
      if (child.exitCode !== null || child.signalCode !== null) died(child.exitCode, child.signalCode);
      else child.send(task);
    });
  }

  end(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}
