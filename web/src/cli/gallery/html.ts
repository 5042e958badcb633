// Markup of the pages. Texts from files are always escaped, so they cannot become markup.
import { clean } from '../print.ts';
import { breakable, numberText } from './card.ts';

/** Markup that is inserted without escaping. Only `html` creates it. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Markup | string | number | false | null | undefined | readonly Part[];

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Texts that need no escapes, such as most names of bones. */
const PLAIN = /^[\w .:/-]*$/;

/** Escapes a text for contents and quoted attributes. Invisible characters are shown as escapes. */
const escape = (text: string): string => (PLAIN.test(text) ? text : clean(text).replace(/[&<>"']/g, c => ESCAPES[c]!));

const textOf = (part: Part): string => {
  if (part instanceof Markup) return part.text;
  if (Array.isArray(part)) return (part as readonly Part[]).map(textOf).join('');
  return part === false || part === null || part === undefined ? '' : escape(String(part));
};

/** Template tag for markup. All values are escaped, except other markup. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Markup =>
  new Markup(strings.map((text, i) => (i === 0 ? text : textOf(parts[i - 1]) + text)).join(''));

/** Markup of a name that can break between its words. */
export const nameMarkup = (name: string): Markup =>
  html`<bdi>${breakable(name).map((piece, i) => html`${i > 0 && html`<wbr />`}${piece}`)}</bdi>`;

/** Returns a path as part of a URL: each name is percent-encoded. */
export const pathUrl = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

export const count = (number: number, one: string, many = `${one}s`): string => `${numberText(number)} ${number === 1 ? one : many}`;

/** Returns a number of bytes in kB or MB. */
export const size = (bytes: number): string =>
  bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

/**
 * Only the scripts of the site run, nothing is loaded from other servers, and texts cannot be
 * converted to markup or to addresses of scripts.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self' blob: data:",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types rigcast',
].join('; ');

export interface PageParts {
  title: string;
  /** Relative URL of the root of the site, with a trailing slash unless it is ''. */
  root: string;
  /** Further elements of the head. */
  head?: Part;
  body: Markup;
  /** Scripts in `rigcast/browser/`. */
  scripts: readonly string[];
}

/** Returns the text of a page. */
export const page = ({ title, root, head, body, scripts }: PageParts): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${new Markup(POLICY)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="stylesheet" href="${root}style.css" />
        <link rel="stylesheet" href="${root}theme.css" />
        <link rel="icon" href="data:," />
        ${head ?? ''}${scripts.map(name => html`<script type="module" src="${root}rigcast/browser/${name}"></script> `)}
      </head>
      ${body}
    </html> `.text;
