// Which addresses an element may fetch, and what lies there. Addresses on the page are the page's own choice; what a manifest names is not: it stays
// below the manifest's own folder, unless the page allows another origin.
import { fetched } from '../core/fetched.ts';
import { addressOf, isAbsolute, partsOf } from '../core/paths.ts';

/** How many files a manifest may name. */
const MOST_FILES = 10_000;
/** Characters of an entry that a message quotes. */
const LONGEST = 100;

export interface Place {
  /** Its name and folders, for telling files apart and for finding it by name. */
  path: string;
  url: string;
}

export interface Fetching {
  request: RequestInit;
  /** Origins that files may name beside their own folder. */
  origins: ReadonlySet<string>;
  signal: AbortSignal;
}

/** What somebody wrote as an address. Throws Error where it is none. */
export function urlOf(text: string, base: string): URL {
  if (!URL.canParse(text, base)) throw new Error(`“${text}” is no address.`);
  return new URL(text, base);
}

/** The response of a server that has what is asked for. Throws Error, or as the signal was aborted. */
export async function answered(url: string, request: RequestInit): Promise<Response> {
  const response = await fetched(url, request);
  if (!response.ok) throw new Error(`${url} answers ${response.status} ${response.statusText}`.trim());
  return response;
}

/** The folder of an address, with its slash at the end; '' where it has none (`blob:`, `data:`). */
export function folderOf(url: string): string {
  return URL.canParse('.', url) ? new URL('.', url).href : '';
}

/** `https://a.example https://b.example` as origins; what is no address is left out. */
export function originsOf(text: string | null): Set<string> {
  const found = new Set<string>();
  for (const word of wordsOf(text)) if (URL.canParse(word)) found.add(new URL(word).origin);
  return found;
}

export const wordsOf = (text: string | null): string[] => text?.split(/\s+/).filter(Boolean) ?? [];

/** Entries of a manifest that were left out. */
export interface Problem {
  name: string;
  error: Error;
}

interface Places {
  places: Place[];
  problems: Problem[];
}

/** The files that the words of `files` name: files, manifests (`….json`) and folders with a `manifest.json`. */
export async function placesOf(words: readonly string[], base: string, fetching: Fetching): Promise<Places> {
  const lists = await Promise.all(
    words.map(async word => {
      const { href: url, pathname } = urlOf(word, base);
      if (pathname.endsWith('/')) return manifestAt(new URL('manifest.json', url).href, fetching);
      if (/manifest\.json$/i.test(pathname)) return manifestAt(url, fetching);
      return { places: [placeOf(url)], problems: [] };
    }),
  );
  return { places: lists.flatMap(({ places }) => places), problems: lists.flatMap(({ problems }) => problems) };
}

const placeOf = (url: string): Place => ({ path: pathOf(new URL(url).pathname), url });

/** A path as people write it: percent signs that encode nothing stay. */
export const pathOf = (encoded: string): string => encoded.split('/').filter(Boolean).map(decode).join('/');

/** Reads a list of paths, or an object with such a list as `files`. Throws Error if there is no list. */
async function manifestAt(url: string, { request, origins, signal }: Fetching): Promise<Places> {
  const response = await answered(url, { ...request, signal });
  const text = await response.text();
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw new Error(`${url} is no JSON.`);
  }
  const list: unknown = Array.isArray(found) ? found : (found as { files?: unknown } | null)?.files;
  if (!Array.isArray(list)) throw new Error(`${url} has no list of files.`);
  const folder = folderOf(response.url || url);
  const problems: Problem[] = [];
  const note = (text: string): void => void problems.push({ name: url, error: new Error(`${url} ${text}`) });
  if (list.length > MOST_FILES) note(`names ${list.length} files: the first ${MOST_FILES} are used.`);
  const strangers: string[] = [];
  const places = list
    .slice(0, MOST_FILES)
    .filter(each => typeof each === 'string' && each !== '')
    .flatMap((entry: string) => {
      if (!isAbsolute(entry)) return [placeOf(new URL(addressOf(partsOf(entry)), folder).href)];
      const there = URL.canParse(entry) ? new URL(entry) : null;
      if (there && origins.has(there.origin)) return [placeOf(there.href)];
      strangers.push(entry);
      return [];
    });
  if (strangers.length > 0)
    note(
      `names ${strangers.length === 1 ? 'a file' : `${strangers.length} files`} outside of its folder, which allow-origins does not allow: ${strangers[0]!.slice(0, LONGEST)}`,
    );
  return { places, problems };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
