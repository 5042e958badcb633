// Fetches with errors that contain the address. Browsers omit it from network errors for privacy.
import { RigcastError } from './error.ts';

/** Same as fetch, but error messages contain the URL and can be shown to users. */
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

/** Returns the error of a response whose status is not 2xx. */
export function requestFailed(address: string, { status, statusText }: Response): RigcastError {
  return new RigcastError('REQUEST_FAILED', `${address ? `Request to ${address}` : 'The request'} failed: ${status} ${statusText}`.trim());
}

/**
 * Replaces the message of a network error by `words`. Other errors (an abort) are returned
 * unchanged.
 */
export function unreachable(error: unknown, words: string): unknown {
  return error instanceof TypeError ? new RigcastError('UNREACHABLE', `${words}. (${error.message})`, { cause: error }) : error;
}
