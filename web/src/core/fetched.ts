// Fetches with errors that contain the address. Browsers omit it from network errors for privacy.

/** Like fetch. Messages of its errors can be shown to users. */
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

/**
 * Replaces the message of a network error by `words`. Other errors (an abort) are returned
 * unchanged.
 */
export function unreachable(error: unknown, words: string): unknown {
  return error instanceof TypeError ? new TypeError(`${words}. (${error.message})`, { cause: error }) : error;
}
