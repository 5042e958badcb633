// A job in a worker, from its first message to the last.
import { type Hand, post } from './hand.ts';
import type { Job, Watch } from '../instance.ts';
import type { Family } from '../formats.ts';
import type { Wasm } from '../wasm.ts';
import type { Address, Flow } from '../flow.ts';
import type { WorkerAnswer } from './worker.ts';

const stopTime = 10_000; // ms that a worker has to stop in, where its end would not be noticed

export interface WorkerTask extends Watch {
  wasm: Wasm;
  job: Job;
  /** Bytes are handed over, see `onBytes`. A function is called once the worker is there; the flow's buffers are handed over for good. */
  input: Uint8Array | Blob | Address | (() => Promise<Flow>);
  /**
   * Called once where `input` is bytes: when the worker has read them and they are back, or was not given them; null where they are lost with their
   * worker. `isInUse`: the result is made of them where they lie. May come after the promise has rejected.
   */
  onBytes?: ((bytes: Uint8Array | null, isInUse: boolean) => void) | undefined;
  signal: AbortSignal | undefined;
}

export type WorkerResult = WorkerAnswer & { kind: 'done' };

/**
 * A job from its first message to the last. Settles the job's promise as soon as its outcome is known, and resolves when the worker has nothing to do
 * with it any more: to the size of its heap, or to null where the worker has to be ended.
 */
export function converse(
  hand: Hand,
  task: WorkerTask,
  resolve: (result: WorkerResult) => void,
  reject: (reason: unknown) => void,
): Promise<number | null> {
  const { worker } = hand;
  const { signal, input, onBytes } = task;
  let isRead = false;
  let isStopping = false;
  let isOver = false;
  let bytes = input instanceof Uint8Array ? input : null;
  let isBack = bytes === null;
  const giveBack = (given: Uint8Array | null, isInUse = false): void => {
    if (!isBack) onBytes?.(given, isInUse);
    isBack = true;
  };
  return new Promise(finish => {
    const settle = (heapSize: number | null): void => {
      if (isOver) return;
      isOver = true;
      worker.onmessage = worker.onerror = worker.onmessageerror = null;
      signal?.removeEventListener('abort', onAbort);
      hand.onEnded = () => {};
      giveBack(bytes);
      finish(heapSize);
    };
    const lose = (words: string): void => {
      reject(new Error(words));
      settle(null);
    };
    const giveUp = (reason: unknown): void => {
      reject(reason);
      if (isRead) return settle(null); // wasm is at work
      if (isStopping || isOver) return;
      isStopping = true;
      post(worker, { kind: 'stop' });
      if (!hand.lock) setTimeout(settle, stopTime, null);
    };
    const onAbort = (): void => giveUp(signal!.reason);
    const sendWith = async (family: Family): Promise<void> => {
      const module = await task.wasm.with(family);
      if (!isStopping && !isOver) post(worker, { kind: 'module', family, module });
    };
    worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
      if ('bytes' in data && data.bytes) giveBack(data.bytes, data.kind === 'done' && data.waiting !== null);
      if (data.kind === 'read') isRead = isBack; // bytes that are still there would be lost with the worker
      if (data.kind === 'stopped') settle(data.loaded);
      else if (isStopping) {
        if (isRead) settle(null);
      } else if (data.kind === 'progress') task.onProgress?.(data.loaded, data.total);
      else if (data.kind === 'wanted') sendWith(data.family).catch(giveUp);
      else if (data.kind === 'read') task.onRead?.(!isBack);
      else if (data.kind === 'done') {
        resolve(data);
        settle(data.heapSize);
      } else if (data.kind === 'failed') {
        reject(data.error instanceof Error ? data.error : Object.assign(new Error(), data.error));
        settle(data.loaded);
      }
    };
    worker.onerror = event => {
      event.preventDefault?.();
      lose(event.message || 'the worker failed');
    };
    worker.onmessageerror = () => lose('a message of the worker could not be read');
    hand.onEnded = () => lose('the worker that read the file was ended from outside');
    if (hand.isEnded) return hand.onEnded();
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    send(
      worker,
      task,
      () => (bytes = null),
      () => isStopping || isOver,
    ).catch(giveUp);
  });
}

/** A job and what follows it, until the worker has answered. */
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
