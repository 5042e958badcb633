// Requests whose failure names its address: a browser says no more than that one has failed, so that neither this page nor its server shows the other's secrets.

/** As fetch. What an Error says of it can be shown to people. */
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

/** `words` in the place of those of the network; what ended otherwise (an abort) stays as it is. */
export function unreachable(error: unknown, words: string): unknown {
  return error instanceof TypeError ? new TypeError(`${words}. (${error.message})`, { cause: error }) : error;
}
