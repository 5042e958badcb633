// A plugin of Vite's server for tests in Chromium. It delays or fails requests for files of the
// repository, as specified in the query of the URL: `?delay=1000` (milliseconds) and `?fail=1`
// (number of requests that fail). `/requests` returns the list of answered requests with `&log` and
// clears it. Test files that run at the same time share the list.
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** Times in milliseconds since 1970. */
export interface AnsweredRequest {
  path: string;
  start: number;
  end: number;
}

export function slowServer(): Plugin {
  let answered: AnsweredRequest[] = [];
  const failures = new Map<string, number>();
  return {
    name: 'slow server',
    configureServer({ middlewares, config: { root } }) {
      middlewares.use((request, response, next) => {
        const url = new URL(request.url ?? '/', 'http://localhost');
        if (url.pathname === '/requests') {
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify(answered));
          answered = [];
          return;
        }
        const [delay, fail] = ['delay', 'fail'].map(name => url.searchParams.get(name));
        if (!delay && !fail) return next();
        const start = Date.now();
        const failed = failures.get(url.href) ?? 0;
        failures.set(url.href, failed + 1);
        const body = failed < Number(fail) ? null : readFileSync(`${root}${decodeURIComponent(url.pathname)}`);
        const timer = setTimeout(() => {
          if (url.searchParams.has('log')) answered.push({ path: url.pathname, start, end: Date.now() });
          if (body) response.writeHead(200, { 'content-length': body.length, 'cache-control': 'no-store' }).end(body);
          else response.writeHead(503).end();
        }, Number(delay));
        response.on('close', () => clearTimeout(timer));
      });
    },
  };
}
