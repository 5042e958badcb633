// Resolves the URLs in `src`, `files` and manifests. URLs in attributes are always allowed. The
// entries of a manifest must be below its folder, or their origin must be listed in
// `allow-origins`.
import { fetched, requestFailed } from '../core/fetched.ts';
import { addressOf, isAbsolute, partsOf, percentDecoded } from '../core/paths.ts';
import { RigcastError } from '../core/error.ts';

/** Maximum number of manifest entries. Further entries are ignored. */
const MAX_FILES = 10_000;
/** Maximum length, in characters, of the excerpt of a manifest entry that a message quotes. */
const MAX_QUOTED = 100;

export interface FileLocation {
  /** Path of the file, percent-decoded. Used to compare names. */
  path: string;
  url: string;
}

export interface FetchContext {
  request: RequestInit;
  /** Origins from which a manifest may list files, in addition to the folder of the manifest. */
  origins: ReadonlySet<string>;
  signal: AbortSignal;
}

/** Parses a URL. Throws BAD_URL if `text` is not a valid URL. */
export function parseUrl(text: string, base: string): URL {
  if (!URL.canParse(text, base)) throw new RigcastError('BAD_URL', `“${text}” is not a valid URL.`);
  return new URL(text, base);
}

/** True if a URL in the attribute `files` is a manifest, or a folder that contains one. */
export const isManifest = ({ pathname }: URL): boolean => /(\/|manifest\.json)$/i.test(pathname);

/**
 * Fetches a URL. Throws REQUEST_FAILED if the response status is not 2xx, and an AbortError if the
 * request is aborted.
 */
export async function fetchOk(url: string, request: RequestInit): Promise<Response> {
  const response = await fetched(url, request);
  if (!response.ok) throw requestFailed(url, response);
  return response;
}

/**
 * Returns the folder of a URL with a trailing slash, or '' if the URL has no folder (`blob:`,
 * `data:`).
 */
export function folderOf(url: string): string {
  return URL.canParse('.', url) ? new URL('.', url).href : '';
}

/** Parses a space-separated list of origins. Ignores invalid entries. */
export function parseOrigins(text: string | null): Set<string> {
  const found = new Set<string>();
  for (const word of splitWords(text)) if (URL.canParse(word)) found.add(new URL(word).origin);
  return found;
}

export const splitWords = (text: string | null): string[] => text?.split(/\s+/).filter(Boolean) ?? [];

/** A problem in a manifest, such as an entry that is not allowed. */
export interface Problem {
  name: string;
  error: Error;
}

interface FileLocations {
  locations: FileLocation[];
  problems: Problem[];
}

/**
 * Returns the files to which the URLs in the attribute `files` refer. Each URL may refer to a file,
 * to a manifest (`…manifest.json`), or to a folder that contains a `manifest.json`.
 */
export async function locateFiles(words: readonly string[], base: string, fetching: FetchContext): Promise<FileLocations> {
  const lists = await Promise.all(
    words.map(async word => {
      const url = parseUrl(word, base);
      if (!isManifest(url)) return { locations: [locationOf(url.href)], problems: [] };
      return readManifest(url.pathname.endsWith('/') ? new URL('manifest.json', url).href : url.href, fetching);
    }),
  );
  return { locations: lists.flatMap(({ locations }) => locations), problems: lists.flatMap(({ problems }) => problems) };
}

const locationOf = (url: string): FileLocation => ({ path: decodePath(new URL(url).pathname), url });

/** Percent-decodes a URL path. Invalid escapes remain unchanged. */
export const decodePath = (encoded: string): string => encoded.split('/').filter(Boolean).map(percentDecoded).join('/');

/**
 * Reads a manifest, which is a JSON list of paths, or an object whose member `files` is such a
 * list. Throws BAD_MANIFEST if there is no list.
 */
async function readManifest(url: string, { request, origins, signal }: FetchContext): Promise<FileLocations> {
  const response = await fetchOk(url, { ...request, signal });
  const text = await response.text();
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw new RigcastError('BAD_MANIFEST', `${url} is not valid JSON.`);
  }
  const list: unknown = Array.isArray(found) ? found : (found as { files?: unknown } | null)?.files;
  if (!Array.isArray(list)) throw new RigcastError('BAD_MANIFEST', `${url} contains no list of files.`);
  const folder = folderOf(response.url || url);
  const problems: Problem[] = [];
  const addProblem = (text: string): void =>
    void problems.push({ name: url, error: new RigcastError('MANIFEST_LIMITED', `${url} ${text}`) });
  if (list.length > MAX_FILES) addProblem(`lists ${list.length} files; only the first ${MAX_FILES} are used.`);
  const disallowed: string[] = [];
  const locations = list
    .slice(0, MAX_FILES)
    .filter(each => typeof each === 'string' && each !== '')
    .flatMap((entry: string) => {
      if (!isAbsolute(entry)) return [locationOf(new URL(addressOf(partsOf(entry)), folder).href)];
      const there = URL.canParse(entry) ? new URL(entry) : null;
      if (there && origins.has(there.origin)) return [locationOf(there.href)];
      disallowed.push(entry);
      return [];
    });
  if (disallowed.length > 0)
    addProblem(
      `lists ${disallowed.length === 1 ? 'a file' : `${disallowed.length} files`} outside its folder that allow-origins does not permit: ${disallowed[0]!.slice(0, MAX_QUOTED)}`,
    );
  return { locations, problems };
}
