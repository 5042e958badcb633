// Fetches files with error messages that contain the URL, which browsers omit from network errors
// for privacy.
import { RigcastError } from './error.ts';

/** Calls `fetch`. The messages of its errors contain the URL and can be shown to users. */
export async function fetched(address: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    throw unreachable(
      error,
      `${address} cannot be fetched: the server is unreachable, or it does not allow this page to read the file (CORS)`,
    );
  }
}

/** Thrown if the status of a response is not 2xx. */
export class RequestFailed extends RigcastError {
  readonly status: number;

  constructor(address: string, { status, statusText }: Response) {
    super('REQUEST_FAILED', `${address ? `Request to ${address}` : 'The request'} failed: ${status} ${statusText}`.trim());
    this.status = status;
  }
}

/** Creates the error for a response whose status is not 2xx. */
export const requestFailed = (address: string, response: Response): RequestFailed => new RequestFailed(address, response);

/**
 * Converts a network error to a RigcastError with the message `words`. Returns other errors, such
 * as an abort, unchanged.
 */
export function unreachable(error: unknown, words: string): unknown {
  return error instanceof TypeError ? new RigcastError('UNREACHABLE', `${words}. (${error.message})`, { cause: error }) : error;
}
