// Validates options, so that invalid calls fail immediately with a clear message.
import { invalidArgument } from './error.ts';

/**
 * Throws TypeError if an option is unknown or has the wrong type. `kinds`: type of each known
 * option; `any` accepts every value. Options that are undefined are ignored.
 */
export function checkOptions(what: string, options: object, kinds: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(options)) {
    const kind = Object.hasOwn(kinds, key) ? kinds[key]! : undefined;
    if (kind === undefined) throw invalidArgument(`${what}: unknown option "${key}" (expected one of: ${Object.keys(kinds).join(', ')})`);
    if (value === undefined || kind === 'any') continue;
    const isRight =
      kind === 'function or Map'
        ? typeof value === 'function' || value instanceof Map
        : kind === 'list of strings'
          ? Array.isArray(value) && value.every(each => typeof each === 'string')
          : typeof value === kind && value !== null;
    if (!isRight) throw invalidArgument(`${what}: the option "${key}" must be ${kind === 'object' ? 'an' : 'a'} ${kind}`);
  }
}
