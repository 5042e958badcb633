// A small HTTP server for tests that uses a free local port.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Served {
  origin: string;
  close(): Promise<void>;
}

/**
 * Starts an HTTP server. `answer` handles every request; if it returns false, the server responds
 * with status 404.
 */
export async function serve(answer: (path: string, response: ServerResponse, headers: IncomingHttpHeaders) => boolean): Promise<Served> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    if (!answer(path, response, request.headers)) response.writeHead(404, { 'content-type': 'text/plain' }).end('not here');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise(resolve => server.close(() => resolve()));
    },
  };
}
