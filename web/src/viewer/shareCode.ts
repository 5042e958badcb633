// Creates the texts of the share dialog: a link to the viewer, and code for pages and documents.
import { isBelow } from '../core/paths.ts';
import { addViews, type LinkedViews } from './linkedViews.ts';

export const SHARE_KINDS = ['link', 'iframe', 'tag', 'markdown'] as const;

/**
 * Kind of text. `link`: URL of the viewer. `iframe`: HTML of a frame with embed.html. `tag`: HTML
 * with `<rigcast-viewer>`. `markdown`: a link in Markdown.
 */
export type ShareKind = (typeof SHARE_KINDS)[number];

/** The content that is shared. */
export interface SharedContent {
  /** URLs of the files. The first one is the model. */
  addresses: readonly string[];
  /** Title of the animation to play; '' for the default. */
  animation: string;
  /** Views for links to the viewer. */
  views?: LinkedViews;
}

/** Returns the URL of a file beside the viewer. */
const beside = (file: string): URL => new URL(file, new URL(location.pathname, location.origin));

const absolute = (address: string): string => new URL(address, document.baseURI).href;

/** Escapes text for an attribute value in double quotes. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Returns the file name in a URL, for people. */
export function nameIn(address: string): string {
  const name = new URL(address, document.baseURI).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(name) || '3D model';
  } catch {
    return name;
  }
}

/** Returns the URLs in a text, separated by white space. Returns null if one is not an http(s) URL. */
export function addressesIn(text: string): string[] | null {
  const words = text.split(/\s+/).filter(Boolean);
  const isAddress = (word: string): boolean => /^https?:\/\//i.test(word) && URL.canParse(word);
  return words.every(isAddress) ? words.map(absolute) : null;
}

const LINE: Record<ShareKind, (content: SharedContent) => string> = {
  link({ addresses, animation, views }) {
    const link = new URL(location.pathname, location.origin);
    for (const address of addresses) link.searchParams.append('src', absolute(address));
    if (animation) link.searchParams.set('animation', animation);
    if (views) addViews(link.searchParams, views);
    return link.href;
  },
  iframe({ addresses, animation }) {
    const frame = beside('embed.html');
    const [src = '', ...files] = addresses.map(absolute);
    frame.searchParams.set('src', src);
    for (const file of files) frame.searchParams.append('files', file);
    if (animation) frame.searchParams.set('animation', animation);
    frame.searchParams.set('autoplay', '1');
    frame.searchParams.set('controls', '1');
    return `<iframe src="${escaped(frame.href)}" width="640" height="400" loading="lazy" allow="fullscreen" title="${escaped(nameIn(src))}"></iframe>`;
  },
  tag({ addresses, animation }) {
    const [src = '', ...files] = addresses.map(absolute);
    const attributes = [
      `src="${escaped(src)}"`,
      ...(files.length > 0 ? [`files="${escaped(files.join(' '))}"`] : []),
      ...(animation ? [`animation="${escaped(animation)}"`] : []),
      'autoplay',
      'controls',
      `alt="${escaped(nameIn(src))}"`,
      'style="width: 100%; height: 400px"',
    ];
    return `<script type="module" src="${escaped(beside('browser/element.js').href)}"></script>\n<rigcast-viewer ${attributes.join(' ')}></rigcast-viewer>`;
  },
  markdown(content) {
    const name = nameIn(content.addresses[0] ?? '').replace(/[\\`*_{}[\]<>#!|~]/g, letter => `\\${letter}`);
    return `[${name}](<${LINE.link(content)}>)`;
  },
};

/** Returns the text of a kind. Every part is escaped for its language. */
export const shareCode = (kind: ShareKind, content: SharedContent): string => LINE[kind](content);

/**
 * Returns the first URL that this page can't read, because it is wrong or because its server does not
 * allow other sites (CORS); null if there is none. Requests send no cookies and read no content.
 */
export async function firstUnreadable(addresses: readonly string[]): Promise<string | null> {
  for (const address of addresses) {
    const response = await fetch(address, { method: 'HEAD', credentials: 'omit' }).catch(() => null);
    if (!response || response.status === 404 || response.status === 410) return address;
  }
  return null;
}

/**
 * Returns the first URL that embed.html is not allowed to read according to its meta element
 * `rigcast-root`; null if all are allowed.
 */
export async function outsideOfEmbed(addresses: readonly string[]): Promise<string | null> {
  const page = beside('embed.html');
  const response = await fetch(page);
  const [, roots = './'] = /name="rigcast-root"\s+content="([^"]*)"/.exec(await response.text()) ?? [];
  return addresses.map(absolute).find(address => !isBelow(address, roots.split(/\s+/).filter(Boolean), page.href)) ?? null;
}
