// What the address of embed.html asks for. Anybody may write such an address: whatever is not understood is left out, and said.
import { isBelow } from '../core/paths.ts';
import { ATTRIBUTES, type AttributeName, type Syntax } from '../element/attributes.ts';

/** Not for those who write a link: whose cookies are sent, and where a manifest may lead. An `<iframe>` has its own `loading`. */
const WITHHELD: ReadonlySet<string> = new Set<AttributeName>(['credentials', 'allow-origins', 'loading']);

/** Characters of one value. */
const LONGEST = 4096;

/** All names of parameters, those of the element's attributes. */
export const PARAMETERS: readonly AttributeName[] = (Object.keys(ATTRIBUTES) as AttributeName[]).filter(name => !WITHHELD.has(name));

export interface Parameters {
  /** Values of the element's attributes, checked. */
  attributes: ReadonlyMap<AttributeName, string>;
  /** What was left out and why, in words. They quote what was given: text, never markup. */
  wrong: readonly string[];
}

export interface Host {
  /** Relative addresses are relative to it. */
  base: string;
  /** Folders below which addresses are allowed, or schemes of which all addresses are. They are named in the page. */
  roots: readonly string[];
  isColor: (text: string) => boolean;
}

/** `search` is the query of an address. */
export function parametersOf(search: string, host: Host): Parameters {
  const attributes = new Map<AttributeName, string>();
  const wrong: string[] = [];
  for (const [name, value] of new URLSearchParams(search)) {
    if (!isParameter(name)) {
      wrong.push(`“${shortened(name)}” is no parameter of this page.`);
      continue;
    }
    const before = name === 'files' ? attributes.get(name) : undefined;
    if (attributes.has(name) && before === undefined) {
      wrong.push(`“${name}” is given twice.`);
      continue;
    }
    const syntax: Syntax = ATTRIBUTES[name];
    const checked = value.length > LONGEST ? null : check(syntax, value.trim(), host);
    if (checked === null) wrong.push(`${name}=${shortened(value)}: ${wantedOf(syntax, host)}`);
    else if (checked !== NOT) attributes.set(name, before === undefined ? checked : `${before} ${checked}`);
  }
  return { attributes, wrong };
}

const isParameter = (name: string): name is AttributeName => (PARAMETERS as readonly string[]).includes(name);

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** A flag that says no. */
const NOT = Symbol('not');

/** The value as the attribute shall have it; null where it is wrong. */
function check(syntax: Syntax, value: string, host: Host): string | typeof NOT | null {
  if (typeof syntax === 'object') return syntax.includes(value) ? value : null;
  if (isNumber(syntax)) return value !== '' && Number.isFinite(Number(value)) ? value : null;
  switch (syntax) {
    case 'flag':
      if (['0', 'false', 'no'].includes(value)) return NOT;
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

function wantedOf(syntax: Syntax, { base, roots }: Host): string {
  if (typeof syntax === 'object') return `one of ${syntax.join(', ')} is expected.`;
  if (isNumber(syntax)) return 'a number is expected.';
  const places = roots.map(root => (URL.canParse(root, base) && !/^https?:$/.test(root) ? new URL(root, base).href : root)).join(' or ');
  const kinds: Readonly<Record<string, string>> = {
    flag: 'one of 1, 0 or nothing is expected.',
    color: 'a colour of CSS is expected.',
    json: 'an object in JSON is expected.',
    address: `an http or https address below ${places} is expected.`,
    files: `http or https addresses below ${places}, with spaces between them, are expected.`,
  };
  return kinds[syntax] ?? `at most ${LONGEST} characters are expected.`;
}
