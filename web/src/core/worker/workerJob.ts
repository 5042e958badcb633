// Runs one job in a worker.
import { type WorkerHandle, post } from './workerHandle.ts';
import type { Job, Watch } from '../instance.ts';
import type { Family } from '../formats.ts';
import type { Wasm } from '../wasm.ts';
import type { Address, ByteStream } from '../byteStream.ts';
import type { WorkerAnswer } from './worker.ts';
import { RigcastError } from '../error.ts';

const stopTime = 10_000; // ms within which a worker must stop, if the page cannot detect that the worker has ended

export interface WorkerTask extends Watch {
  wasm: Wasm;
  job: Job;
  /**
   * The input. Bytes are transferred to the worker and returned through `onBytes`. A function is
   * called when the worker is ready; the buffers of its stream are transferred and not returned.
   */
  input: Uint8Array | Blob | Address | (() => Promise<ByteStream>);
  /**
   * Called once if `input` is bytes, when the worker returns them. `bytes`: the bytes, or null if
   * they were lost with the worker. `isInUse`: true if the result refers to the bytes. May be
   * called after the promise has rejected.
   */
  onBytes?: ((bytes: Uint8Array | null, isInUse: boolean) => void) | undefined;
  signal: AbortSignal | undefined;
}

export type WorkerResult = WorkerAnswer & { kind: 'done' };

/**
 * Runs a job. Calls `resolve` or `reject` as soon as the outcome is known. The returned promise
 * resolves when the worker has finished with the job: with the size of the worker's heap in bytes,
 * or with null if the worker must be terminated.
 */
export function runJobIn(
  handle: WorkerHandle,
  task: WorkerTask,
  resolve: (result: WorkerResult) => void,
  reject: (reason: unknown) => void,
): Promise<number | null> {
  const { worker } = handle;
  const { signal, input, onBytes } = task;
  let isRead = false;
  let isStopping = false;
  let isOver = false;
  let bytes = input instanceof Uint8Array ? input : null;
  let isReturned = bytes === null;
  const returnBytes = (returned: Uint8Array | null, isInUse = false): void => {
    if (!isReturned) onBytes?.(returned, isInUse);
    isReturned = true;
  };
  return new Promise(finish => {
    const settle = (heapSize: number | null): void => {
      if (isOver) return;
      isOver = true;
      worker.onmessage = worker.onerror = worker.onmessageerror = null;
      signal?.removeEventListener('abort', onAbort);
      handle.onEnded = () => {};
      returnBytes(bytes);
      finish(heapSize);
    };
    const fail = (words: string): void => {
      reject(new RigcastError('WORKER_LOST', words));
      settle(null);
    };
    const stop = (reason: unknown): void => {
      reject(reason);
      if (isRead) return settle(null); // wasm is running and cannot be interrupted
      if (isStopping || isOver) return;
      isStopping = true;
      post(worker, { kind: 'stop' });
      if (!handle.lock) setTimeout(settle, stopTime, null);
    };
    const onAbort = (): void => stop(signal!.reason);
    const sendWith = async (family: Family): Promise<void> => {
      const module = await task.wasm.with(family);
      if (!isStopping && !isOver) post(worker, { kind: 'module', family, module });
    };
    worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
      if ('bytes' in data && data.bytes) returnBytes(data.bytes, data.kind === 'done' && data.deferred !== null);
      if (data.kind === 'read') isRead = isReturned; // if the worker still has the bytes, it must not be terminated: they would be lost
      if (data.kind === 'stopped') settle(data.loaded);
      else if (isStopping) {
        if (isRead) settle(null);
      } else if (data.kind === 'progress') task.onProgress?.(data.loaded, data.total);
      else if (data.kind === 'moduleNeeded') sendWith(data.family).catch(stop);
      else if (data.kind === 'read') task.onRead?.(!isReturned);
      else if (data.kind === 'done') {
        resolve(data);
        settle(data.heapSize);
      } else if (data.kind === 'failed') {
        reject(restored(data.error, data.code));
        settle(data.loaded);
      }
    };
    worker.onerror = event => {
      event.preventDefault?.();
      fail(event.message || 'the worker failed');
    };
    worker.onmessageerror = () => fail('a message of the worker could not be read');
    handle.onEnded = () => fail('the worker that read the file was ended from outside');
    if (handle.isEnded) return handle.onEnded();
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    send(
      worker,
      task,
      () => (bytes = null),
      () => isStopping || isOver,
    ).catch(stop);
  });
}

/**
 * Restores the class and code of an error from the worker, which structured cloning does not
 * preserve.
 */
function restored(error: unknown, code: string | null): unknown {
  const clone = error instanceof Error ? error : Object.assign(new Error(), error);
  if (code === null) return clone;
  if (clone.name !== 'Error') return Object.assign(clone, { code });
  return Object.assign(new RigcastError(code, clone.message, { cause: clone.cause }), { stack: clone.stack });
}

/** Sends a job and its data to a worker. Stops sending when the worker has answered. */
async function send(
  worker: Worker,
  { wasm, job, input, onProgress }: WorkerTask,
  onHandedOver: () => void,
  isOver: () => boolean,
): Promise<void> {
  const sendModule = async (): Promise<void> => {
    const module = await wasm.first;
    if (!isOver()) post(worker, { kind: 'module', family: '', module });
  };
  if (typeof input !== 'function') {
    post(
      worker,
      { kind: 'job', job, input, isWatched: onProgress !== undefined },
      input instanceof Uint8Array ? [input.buffer as ArrayBuffer] : [],
    );
    onHandedOver();
    return sendModule();
  }
  const { pieces, ...flow } = await input();
  if (isOver()) return;
  post(worker, { kind: 'job', job, input: flow, isWatched: false });
  const sendPieces = async (): Promise<void> => {
    let loaded = 0;
    for await (const piece of pieces) {
      if (isOver()) return;
      loaded += piece.length;
      post(worker, { kind: 'piece', piece }, [piece.buffer as ArrayBuffer]);
      onProgress?.(loaded, flow.byteLength);
    }
    if (!isOver()) post(worker, { kind: 'end' });
  };
  await Promise.all([sendModule(), sendPieces()]);
}
