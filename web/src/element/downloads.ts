// Fetches the files of an element and counts their bytes. Listed files are requested at once, before
// a reader needs them.
import { fetched, requestFailed, unreachable } from '../core/fetched.ts';
import { limitConcurrency } from '../textures/concurrency.ts';

/** Maximum number of listed files that are fetched at the same time. */
export const CONCURRENCY = 6;

export interface DownloadProgress {
  /** Progress from 0 to 1. Never decreases. */
  fraction: number;
  /** Number of bytes received so far, of all files. */
  loaded: number;
  /** Size of all files in bytes; null while the size of a file is unknown. */
  total: number | null;
}

/** A file that was received completely. */
interface Download {
  status: number;
  statusText: string;
  /** Empty if the status is not 2xx. */
  blob: Blob;
}

interface Counted {
  loaded: number;
  total: number | null;
}

/** Reports the bytes of one file. `total`: null if the size is unknown. */
type OnBytes = (loaded: number, total: number | null) => void;

export class Downloads {
  /** Runs requests in order, a limited number at a time. */
  readonly #run = limitConcurrency(CONCURRENCY);
  readonly #request: RequestInit;
  #onProgress: (progress: DownloadProgress) => void;
  readonly #counted: Counted[] = [];
  readonly #started = new Map<string, Promise<Download>>();
  #fraction = 0;

  constructor(request: RequestInit, onProgress: (progress: DownloadProgress) => void) {
    this.#request = request;
    this.#onProgress = onProgress;
  }

  /** Requests a file unless it is already requested. `blob` and `response` then wait for it. */
  start(url: string): void {
    if (this.#started.has(url)) return;
    const onBytes = this.count();
    const download = this.#run(() => this.#fetch(url, onBytes));
    download.catch(() => {}); // reported to the reader of the file
    this.#started.set(url, download);
  }

  hasStarted(url: string): boolean {
    return this.#started.has(url);
  }

  /** Returns a file. Rejects if the request fails or its status is not 2xx. */
  async blob(url: string): Promise<Blob> {
    this.start(url);
    const { status, statusText, blob } = await this.#started.get(url)!;
    if (!isSuccess(status)) throw requestFailed(url, new Response(null, { status, statusText }));
    return blob;
  }

  /** Replaces `fetch`: returns a file that was requested earlier, or requests it now. */
  async response(url: string): Promise<Response> {
    // A file that is not listed is requested without waiting, because a reader may need it that
    // other requests wait for.
    const { status, statusText, blob } = await (this.#started.get(url) ?? this.#fetch(url, this.count()));
    return isSuccess(status) ? new Response(blob) : new Response(null, { status, statusText });
  }

  /**
   * Frees all files. They are requested again if they are needed later. Progress is no longer
   * reported.
   */
  clear(): void {
    this.#started.clear();
    this.#onProgress = () => {};
  }

  /** Adds a file to the progress. Returns a function that reports its bytes. */
  count(): OnBytes {
    const file: Counted = { loaded: 0, total: null };
    this.#counted.push(file);
    return (loaded, total) => {
      Object.assign(file, { loaded, total });
      this.#report();
    };
  }

  async #fetch(url: string, onBytes: OnBytes): Promise<Download> {
    const { ok, status, statusText, headers, body } = await fetched(url, this.#request);
    if (!ok) {
      body?.cancel().catch(() => {});
      onBytes(0, 0);
      return { status, statusText, blob: new Blob() };
    }
    const length = Number(headers.get('content-length') ?? Number.NaN);
    const total = Number.isFinite(length) && !headers.has('content-encoding') ? length : null;
    let loaded = 0;
    const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        onBytes((loaded += chunk.byteLength), total);
        controller.enqueue(chunk);
      },
    });
    const blob = await new Response(body?.pipeThrough(counter)).blob().catch((error: unknown) => {
      throw unreachable(error, `${url} broke off before its end`);
    });
    onBytes(blob.size, blob.size);
    return { status, statusText, blob };
  }

  #report(): void {
    const files = this.#counted;
    const loaded = files.reduce((sum, file) => sum + file.loaded, 0);
    const total = files.reduce<number | null>((sum, file) => (sum === null || file.total === null ? null : sum + file.total), 0);
    // If the size of a file is unknown, every file has the same weight.
    const shares = files.map(file => (file.total === null ? 0 : file.total === 0 ? 1 : file.loaded / file.total));
    const share = total ? loaded / total : shares.reduce((sum, each) => sum + each, 0) / files.length;
    this.#fraction = Math.max(this.#fraction, Math.min(share, 1));
    this.#onProgress({ fraction: this.#fraction, loaded, total });
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;
