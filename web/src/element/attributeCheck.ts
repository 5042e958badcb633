// Warns about attributes of an element that have no effect (invalid values, misspelt names, and
// attributes of <model-viewer>) and about elements without an area.
import { ATTRIBUTES, type Syntax } from './attributes.ts';
import { expectationOf, isValid } from './syntax.ts';

/** Attributes of <model-viewer> without a replacement. */
const UNSUPPORTED = [
  'ar-placement',
  'ar-scale',
  'ar-usdz-max-texture-size',
  'auto-rotate-delay',
  'generate-schema',
  'interaction-prompt-style',
  'interaction-prompt-threshold',
  'orbit-sensitivity',
  'pan-sensitivity',
  'rotation-per-second',
  'shadow-softness',
  'xr-environment',
  'zoom-sensitivity',
];

/** Attributes of <model-viewer>, and what to use in their place. */
const OF_MODEL_VIEWER: Readonly<Record<string, string>> = {
  a11y: 'Use the property labels.',
  'animation-name': 'Use animation.',
  'animation-crossfade-duration': 'Use fade, in seconds.',
  'camera-controls': 'Visitors can always move the camera, unless interaction="none" is set.',
  'disable-pan': 'Use interaction.',
  'disable-tap': 'Use interaction.',
  'disable-zoom': 'Use interaction.',
  'shadow-intensity': 'Use shadow.',
  'touch-action': 'Use interaction.',
  'with-credentials': 'Use credentials="include".',
  ...Object.fromEntries(UNSUPPORTED.map(name => [name, 'It is not supported.'])),
};

/** Maximum length of a value that a message quotes, in characters. */
const MAX_QUOTED = 60;

/** Returns a message for each attribute of an element that has no effect. */
export function attributeProblems(element: HTMLElement): string[] {
  return [...element.attributes].flatMap(({ name, value }) => {
    const problem = Object.hasOwn(ATTRIBUTES, name)
      ? problemOfValue(ATTRIBUTES[name as keyof typeof ATTRIBUTES], value)
      : problemOfName(name, name in HTMLElement.prototype);
    const quoted = value === '' ? '' : `="${value.length > MAX_QUOTED ? `${value.slice(0, MAX_QUOTED)}…` : value}"`;
    return problem === null ? [] : [`${name}${quoted}: ${problem}`];
  });
}

/** Texts are ignored if they are empty. */
const problemOfValue = (syntax: Syntax, value: string): string | null =>
  value.trim() === '' || isValid(syntax, value) ? null : expectationOf(syntax);

/** `isStandard`: true if every HTML element has a property with this name. */
function problemOfName(name: string, isStandard: boolean): string | null {
  const hint = Object.hasOwn(OF_MODEL_VIEWER, name) ? OF_MODEL_VIEWER[name] : undefined;
  if (hint !== undefined) return `rigcast-viewer has no such attribute. ${hint}`;
  if (isStandard || !/^[a-z][a-z-]{3,}$/.test(name) || /^(on|data-|aria-)/.test(name)) return null;
  const near = Object.keys(ATTRIBUTES).find(known => isMisspelt(name, known));
  return near === undefined ? null : `rigcast-viewer has no such attribute. Did you mean ${near}?`;
}

/**
 * True if two names are equal without hyphens, or differ in one letter. Short names must be equal,
 * because many of them differ in one letter only.
 */
function isMisspelt(name: string, known: string): boolean {
  const [a, b] = [name.replaceAll('-', ''), known.replaceAll('-', '')];
  if (a === b) return true;
  if (Math.min(a.length, b.length) < 5 || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const isSwapped = left.length === 2 && left === [...right].reverse().join('');
  return isSwapped || Math.max(left.length, right.length) <= 1;
}

/** Messages that were already logged on this page. */
const logged = new Set<string>();

/** Logs a message once per page. */
function warn(element: HTMLElement, message: string): void {
  if (logged.has(message)) return;
  logged.add(message);
  console.warn(`<rigcast-viewer> ${message}`, element);
}

/** Logs a warning for each attribute that has no effect. */
export function warnAboutAttributes(element: HTMLElement): void {
  for (const problem of attributeProblems(element)) warn(element, problem);
}

/** Logs a warning if an element has no area although the page does not hide it. */
export function warnAboutSize(element: HTMLElement): void {
  if (element.getClientRects().length > 0 && element.offsetWidth * element.offsetHeight === 0)
    warn(element, 'Nothing is visible, because the element has no width or no height. A height in percent needs a parent with a height.');
}
