// The server from which the page of `rigcast render` loads its scripts and the files of a result. It
// listens on this computer only, and all URLs contain a random token.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Need } from '../core/types.ts';
import { findBeside, readBelow } from './files.ts';
import { searchedFolders } from './images.ts';
import { readWhole } from './reading.ts';

/** The folder `dist` of the package. */
const dist = fileURLToPath(new URL('..', import.meta.url));

/** Files of the package that the page may load. */
const SCRIPTS = /^(?:browser\/[\w.-]+\.js|core\/wasm\/[\w.-]+\.wasm|(?:cli|core|element|encode)\/\w+\.js)$/;

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  wasm: 'application/wasm',
  html: 'text/html',
  json: 'application/json',
};

/** Only scripts of the package run, and nothing is loaded from other servers. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "connect-src 'self' blob: data:",
  "img-src 'self' blob: data:",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const PAGE = [
  '<!doctype html><meta charset="utf-8"><title>rigcast render</title>',
  ...['browser/element.js', 'cli/renderPage.js'].map(name => `<script type="module" src="dist/${name}"></script>`),
].join('\n');

/** The files of one result. */
export interface ServedFiles {
  /** Paths of the model and its animations, starting with the model. */
  files: readonly string[];
  /** Folders on the command line, which are searched for images. */
  folders: readonly string[];
  /** Returns the paths that the manifest lists, relative to a folder. */
  listed(folder: string): Promise<readonly string[]>;
  /** Other files, by path, such as panoramas. */
  others: readonly string[];
  /** Called with each request, so that the caller notices progress. */
  onRequest(): void;
}

export class RenderServer {
  readonly #token = randomBytes(16).toString('hex');
  readonly #server: Server;
  #origin = '';
  /** Number of the current result. Requests for earlier results are refused. */
  #number = 0;
  #current: (ServedFiles & { roots: readonly string[]; urls: ReadonlyMap<string, string> }) | null = null;
  #result: Uint8Array<ArrayBuffer> | null = null;

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#answer(request, response).catch(() => void response.writeHead(500).end());
    });
  }

  static async start(): Promise<RenderServer> {
    const made = new RenderServer();
    await new Promise<void>((done, fail) => made.#server.once('error', fail).listen(0, '127.0.0.1', done));
    made.#origin = `http://127.0.0.1:${(made.#server.address() as AddressInfo).port}/${made.#token}/`;
    return made;
  }

  /** URL of the page, in whose folder `dist/` is. */
  get page(): string {
    return `${this.#origin}page.html`;
  }

  /**
   * Serves the files of a result instead of those of the last one. Returns the URLs of the files,
   * of the others, and of the requests that the page makes.
   */
  serve(files: ServedFiles): { urls: string[]; others: string[]; manifest: string; companions: string; result: string; progress: string } {
    this.#number++;
    this.#result = null;
    const roots = searchedFolders(files.files, files.folders);
    const urls = new Map<string, string>();
    const base = `${this.#origin}${this.#number}/`;
    const urlOf = (path: string): string => {
      const root = roots.findIndex(folder => isIn(folder, path));
      const local = `files/${root}/${relative(roots[root]!, resolve(path)).split(sep).map(encodeURIComponent).join('/')}`;
      urls.set(local, path);
      return base + local;
    };
    const otherUrl = (path: string, i: number): string => {
      const local = `others/${i}/${encodeURIComponent(basename(path))}`;
      urls.set(local, path);
      return base + local;
    };
    this.#current = { ...files, roots, urls };
    return {
      urls: files.files.map(urlOf),
      others: files.others.map(otherUrl),
      manifest: `${base}manifest.json`,
      companions: `${base}companions`,
      result: `${base}result`,
      progress: `${base}progress`,
    };
  }

  /** Returns the bytes that the page has sent for the current result, or null. */
  take(): Uint8Array<ArrayBuffer> | null {
    return this.#result;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://page');
    const [, token, ...rest] = url.pathname.split('/');
    if (token !== this.#token) return void response.writeHead(404).end();
    const path = rest.join('/');
    if (path === 'page.html') return send(response, PAGE, 'html');
    if (path.startsWith('dist/')) {
      const name = path.slice('dist/'.length);
      return SCRIPTS.test(name) ? send(response, readFileSync(join(dist, name)), name) : void response.writeHead(404).end();
    }
    const [number, ...parts] = rest;
    const current = this.#current;
    if (!current || number !== `${this.#number}`) return void response.writeHead(410).end();
    current.onRequest();
    const local = parts.join('/');
    if (request.method === 'POST') {
      const body = await bodyOf(request);
      if (local === 'result' && number === `${this.#number}`) this.#result = body;
      return void response.writeHead(204).end();
    }
    const bytes = local === 'manifest.json' ? await this.#manifest() : this.#fileAt(local, url.searchParams);
    if (bytes === null) return void response.writeHead(404).end();
    send(response, bytes, local);
  }

  /** Lists the files below all folders, with paths relative to the manifest. */
  async #manifest(): Promise<string> {
    const { roots, listed } = this.#current!;
    const lists = await Promise.all(roots.map(async (root, i) => (await listed(root)).map(name => `files/${i}/${name}`)));
    return JSON.stringify(lists.flat());
  }

  #fileAt(local: string, query: URLSearchParams): Uint8Array | null {
    const { urls, roots, files } = this.#current!;
    const own = urls.get(local);
    if (own !== undefined) return readOrNull(own);
    if (local === 'companions') {
      const need = { kind: query.get('kind') ?? '', name: query.get('name') ?? '' };
      return findBeside(dirname(files[0]!), need as Need);
    }
    const [kind, index, ...parts] = local.split('/').map(decodePart);
    const root = kind === 'files' ? roots[Number(index)] : undefined;
    const isPlain = parts.every(part => part !== '' && !/^\.\.?$|[/\\\0]/.test(part));
    return root !== undefined && isPlain ? readBelow(root, parts.join('/')) : null;
  }
}

const isIn = (folder: string, path: string): boolean => resolve(path).startsWith(folder.endsWith(sep) ? folder : folder + sep);

function readOrNull(path: string): Uint8Array | null {
  try {
    return readWhole(path);
  } catch {
    return null;
  }
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function send(response: ServerResponse, body: string | Uint8Array, name: string): void {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  response
    .writeHead(200, {
      'content-type': type,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': POLICY,
    })
    .end(body);
}
