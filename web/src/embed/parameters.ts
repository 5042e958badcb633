// Parses and validates the parameters in the URL of embed.html. Invalid parameters are ignored and
// reported, because anyone can create a link to this page.
import { isBelow } from '../core/paths.ts';
import { ATTRIBUTES, type AttributeName, type Syntax } from '../element/attributes.ts';
import { parseExtraModels } from '../element/extraModelList.ts';
import { expectationOf, isValid } from '../element/syntax.ts';

/**
 * Attributes that are not parameters. A link must not control which requests contain cookies, or
 * which origins a manifest may use. `loading` is an attribute of the `<iframe>` instead.
 */
const EXCLUDED: ReadonlySet<string> = new Set<AttributeName>(['credentials', 'allow-origins', 'loading']);

/** Maximum length of a value in characters. */
const MAX_LENGTH = 4096;

/** Syntax of a language: its code, and optional subtags such as a region. */
const LANGUAGE = /^[a-z]{2,3}(-[a-z0-9]{1,8})*$/i;

/** Names of all parameters, which are the attributes of the element except those in EXCLUDED. The parameter `lang` is added to them. */
export const PARAMETERS: readonly AttributeName[] = (Object.keys(ATTRIBUTES) as AttributeName[]).filter(name => !EXCLUDED.has(name));

export interface Parameters {
  /** Validated attribute values. */
  attributes: ReadonlyMap<AttributeName, string>;
  /**
   * Messages about ignored parameters. Insert them as text, never as markup, because they quote the
   * URL.
   */
  problems: readonly string[];
  /** Language of the element: the parameter `lang`, or null. */
  language: string | null;
}

export interface ParameterRules {
  /** Base URL for relative URLs. */
  base: string;
  /**
   * Locations to which the parameters may refer, as declared by the page: URLs of folders, or
   * schemes (`https:`).
   */
  roots: readonly string[];
  /** Returns true if the text is a CSS colour. */
  isColor: (text: string) => boolean;
}

/** Parses the query of a URL, such as `?src=hero.psk&autoplay`. */
export function parametersOf(search: string, rules: ParameterRules): Parameters {
  const attributes = new Map<AttributeName, string>();
  const problems: string[] = [];
  let language: string | null = null;
  for (const [name, value] of new URLSearchParams(search)) {
    if (name === 'lang' && language === null) {
      if (LANGUAGE.test(value)) language = value;
      else problems.push(`lang=${shortened(value)}: a language such as en or ja is expected.`);
      continue;
    }
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
    const checked = value.length > MAX_LENGTH ? null : check(syntax, value.trim(), rules);
    if (checked === null) problems.push(`${name}=${shortened(value)}: ${describe(syntax, rules)}`);
    else if (checked !== OMITTED) attributes.set(name, before === undefined ? checked : `${before} ${checked}`);
  }
  return { attributes, problems, language };
}

const isParameter = (name: string): name is AttributeName => (PARAMETERS as readonly string[]).includes(name);

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** Result of `check` for a flag whose value is false. */
const OMITTED = Symbol('omitted');

/**
 * Validates the value of a parameter. Returns the value of the attribute, OMITTED for a flag that
 * is false, or null if the value is invalid.
 */
function check(syntax: Syntax, value: string, rules: ParameterRules): string | typeof OMITTED | null {
  switch (syntax) {
    case 'flag':
      if (['0', 'false', 'no'].includes(value)) return OMITTED;
      return ['', '1', 'true', 'yes'].includes(value) ? '' : null;
    case 'color':
      return rules.isColor(value) ? value : null;
    case 'url':
      return urlOf(value, rules);
    case 'files':
      return urlsOf(value, rules);
    case 'models': {
      if (!isValid(syntax, value)) return null;
      const models = parseExtraModels(value)?.map(model => ({
        ...model,
        src: urlOf(model.src, rules),
        ...(model.files !== undefined && { files: urlsOf(model.files, rules) }),
      }));
      return models?.every(({ src, files }) => src !== null && files !== null) ? JSON.stringify(models) : null;
    }
    default:
      return isValid(syntax, value) ? value : null;
  }
}

/** Validates URLs that are separated by spaces. Returns null if one of them is invalid. */
function urlsOf(text: string, rules: ParameterRules): string | null {
  const urls = text
    .trim()
    .split(/\s+/)
    .map(word => urlOf(word, rules));
  return urls.includes(null) ? null : urls.join(' ');
}

function urlOf(text: string, { base, roots }: ParameterRules): string | null {
  if (text === '' || !URL.canParse(text, base)) return null;
  const { protocol, username, password, href } = new URL(text, base);
  return /^https?:$/.test(protocol) && username === '' && password === '' && isBelow(href, roots, base) ? href : null;
}

function describe(syntax: Syntax, { base, roots }: ParameterRules): string {
  const folders = roots.map(root => (URL.canParse(root, base) && !/^https?:$/.test(root) ? new URL(root, base).href : root)).join(' or ');
  switch (syntax) {
    case 'flag':
      return '1, 0 or no value is expected.';
    case 'url':
      return `an http or https URL below ${folders} is expected.`;
    case 'files':
      return `http or https URLs below ${folders}, separated by spaces, are expected.`;
    case 'models':
      return `${expectationOf(syntax)} Its URLs must be http or https URLs below ${folders}.`;
    case 'text':
    case 'names':
      return `at most ${MAX_LENGTH} characters are expected.`;
    default:
      return expectationOf(syntax);
  }
}
