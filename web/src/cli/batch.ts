// Many files, each read in a process of its own that can be ended: one that hangs, or takes the memory of the machine, is a row like the others.
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
  /** What `open` is told of every file. */
  open: OpenOptions;
}

export type Row = Answer & { file: string };

/** Reads all files and tells of each as soon as it is done. A process reads one file after the other until one ends it. */
export async function readAll(paths: readonly string[], options: BatchOptions, onRow: (row: Row, index: number) => void): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    let reader: Reader | null = null;
    while (next < paths.length) {
      const index = next++;
      const file = paths[index]!;
      reader ??= new Reader(options);
      const answer = await reader.read(file);
      if (!reader.isAlive) reader = null;
      onRow({ file, ...answer }, index);
    }
    reader?.end();
  };
  await Promise.all(Array.from({ length: Math.min(options.jobs, paths.length) }, lane));
}

const childFile = fileURLToPath(new URL(`./child${extname(import.meta.url)}`, import.meta.url));
const MEBIBYTE = 2 ** 20;
/** Room for the program itself, in MiB of JavaScript's heap. */
const OWN_HEAP = 64;

class Reader {
  isAlive = true;
  #child: ChildProcess;
  #options: BatchOptions;
  #ready: Promise<void>;

  constructor(options: BatchOptions) {
    this.#options = options;
    const { maxMemory } = options.open;
    // What a process says when it is out of memory is pages long: the row says it in a line.
    this.#child = fork(childFile, [], {
      stdio: ['inherit', 'inherit', 'ignore', 'ipc'],
      execArgv: maxMemory === undefined ? [] : [`--max-old-space-size=${OWN_HEAP + Math.ceil(maxMemory / MEBIBYTE)}`],
    });
    this.#ready = new Promise(resolve => {
      this.#child.once('message', () => resolve());
      this.#child.once('exit', () => resolve());
      this.#child.once('error', () => resolve());
    });
  }

  async read(path: string): Promise<Answer> {
    await this.#ready;
    const child = this.#child;
    const { seconds, open } = this.#options;
    return new Promise(resolve => {
      const settle = (answer: Answer): void => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve(answer);
      };
      const lose = (code: string, detail: string): void => {
        this.isAlive = false;
        settle({ format: null, report: failureReport(code, detail) });
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
      child.once('message', answer => settle(answer as Answer));
      child.once('exit', died);
      child.once('error', error => lose('INTERNAL_TRAP', error.message));
      if (child.exitCode !== null || child.signalCode !== null) died(child.exitCode, child.signalCode);
      else child.send({ path, options: open } satisfies Task);
    });
  }

  end(): void {
    this.#child.disconnect();
  }
}
