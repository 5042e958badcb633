// Parses and validates the query of embed.html's URL. Anyone can write such a URL, so invalid
// parameters are ignored and reported.
import { isBelow } from '../core/paths.ts';
import { ATTRIBUTES, type AttributeName, type Syntax } from '../element/attributes.ts';

/**
 * Attributes that a link must not set: which cookies are sent, and which origins a manifest may
 * use. An `<iframe>` has its own `loading`.
 */
const WITHHELD: ReadonlySet<string> = new Set<AttributeName>(['credentials', 'allow-origins', 'loading']);

/** Maximum length of a value in characters. */
const MAX_LENGTH = 4096;

/** Names of all parameters. They equal the element's attributes. */
export const PARAMETERS: readonly AttributeName[] = (Object.keys(ATTRIBUTES) as AttributeName[]).filter(name => !WITHHELD.has(name));

export interface Parameters {
  /** Validated attribute values. */
  attributes: ReadonlyMap<AttributeName, string>;
  /**
   * Messages about ignored parameters. They contain text from the address and must be inserted as
   * text, never as markup.
   */
  problems: readonly string[];
}

export interface Host {
  /** Base of relative addresses. */
  base: string;
  /**
   * Folders below which addresses are allowed, or schemes that are allowed as a whole. Declared by
   * the page.
   */
  roots: readonly string[];
  isColor: (text: string) => boolean;
}

/** `search` is the query of an address. */
export function parametersOf(search: string, host: Host): Parameters {
  const attributes = new Map<AttributeName, string>();
  const problems: string[] = [];
  for (const [name, value] of new URLSearchParams(search)) {
    if (!isParameter(name)) {
      problems.push(`“${shortened(name)}” is not a parameter of this page.`);
      continue;
    }
    const before = name === 'files' ? attributes.get(name) : undefined;
    if (attributes.has(name) && before === undefined) {
      problems.push(`“${name}” appears twice.`);
      continue;
    }
    const syntax: Syntax = ATTRIBUTES[name];
    const checked = value.length > MAX_LENGTH ? null : check(syntax, value.trim(), host);
    if (checked === null) problems.push(`${name}=${shortened(value)}: ${expectationOf(syntax, host)}`);
    else if (checked !== OMITTED) attributes.set(name, before === undefined ? checked : `${before} ${checked}`);
  }
  return { attributes, problems };
}

const isParameter = (name: string): name is AttributeName => (PARAMETERS as readonly string[]).includes(name);

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** A flag that is set to false. */
const OMITTED = Symbol('not');

/** Returns the attribute value, OMITTED for a false flag, or null if the value is invalid. */
function check(syntax: Syntax, value: string, host: Host): string | typeof OMITTED | null {
  if (typeof syntax === 'object') return syntax.includes(value) ? value : null;
  if (isNumber(syntax)) return value !== '' && Number.isFinite(Number(value)) ? value : null;
  switch (syntax) {
    case 'flag':
      if (['0', 'false', 'no'].includes(value)) return OMITTED;
      return ['', '1', 'true', 'yes'].includes(value) ? '' : null;
    case 'color':
      return host.isColor(value) ? value : null;
    case 'json':
      return isObject(value) ? value : null;
    case 'address':
      return addressOf(value, host);
    case 'files': {
      const addresses = value.split(/\s+/).map(word => addressOf(word, host));
      return addresses.includes(null) ? null : addresses.join(' ');
    }
    default:
      return value;
  }
}

const isNumber = (syntax: Syntax): boolean => syntax === 'start' || typeof syntax === 'number';

function addressOf(text: string, { base, roots }: Host): string | null {
  if (text === '' || !URL.canParse(text, base)) return null;
  const { protocol, username, password, href } = new URL(text, base);
  return /^https?:$/.test(protocol) && username === '' && password === '' && isBelow(href, roots, base) ? href : null;
}

function isObject(text: string): boolean {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'object' && found !== null && !Array.isArray(found);
  } catch {
    return false;
  }
}

function expectationOf(syntax: Syntax, { base, roots }: Host): string {
  if (typeof syntax === 'object') return `one of ${syntax.join(', ')} is expected.`;
  if (isNumber(syntax)) return 'a number is expected.';
  const places = roots.map(root => (URL.canParse(root, base) && !/^https?:$/.test(root) ? new URL(root, base).href : root)).join(' or ');
  const kinds: Readonly<Record<string, string>> = {
    flag: '1, 0 or no value is expected.',
    color: 'a CSS colour is expected.',
    json: 'a JSON object is expected.',
    address: `an http or https address below ${places} is expected.`,
    files: `http or https addresses below ${places}, separated by spaces, are expected.`,
  };
  return kinds[syntax] ?? `at most ${MAX_LENGTH} characters are expected.`;
}
