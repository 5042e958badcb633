// Parses and validates the command line. Wrong usage is reported in one line.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { listFormatOptions, type OptionInfo } from '../core/formatOptions.ts';
import { ADDITIVE } from '../core/additiveDetection.ts';
import { RigcastError } from '../core/error.ts';
import type { FormatOptions } from '../core/types.ts';
import { type BoneMap, readBoneMap } from '../rig/boneMap.ts';

/** Thrown for wrong usage, or if a file cannot be read. The exit code is 2. */
export class UsageError extends RigcastError {
  constructor(message: string) {
    super('USAGE', message);
  }
}

type Specs = Record<string, { type: 'string' | 'boolean'; short?: string; multiple?: boolean }>;
type ValueOf<S extends Specs[string]> = S['type'] extends 'boolean' ? boolean : S['multiple'] extends true ? string[] : string;
type ValuesOf<S extends Specs> = { [name in keyof S]?: ValueOf<S[name]> };

/** Options of all commands. */
const common = { json: { type: 'boolean' }, format: { type: 'string' } } as const satisfies Specs;

/**
 * Returns the command-line name of a format option, such as `unreal.unit-scale` for `unitScale` in
 * the group `unreal`.
 */
export function flagOf(group: string, key: string, { flag = key }: OptionInfo): string {
  return `${group}.${flag.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
}

/** Parses the arguments of a command. Throws a UsageError if they are invalid. */
export function parseWords<S extends Specs>(
  words: string[],
  own: S,
): { values: ValuesOf<S & typeof common>; files: string[]; formatOptions: FormatOptions } {
  const flags = listFormatOptions().map(entry => ({ ...entry, flag: flagOf(entry.group, entry.key, entry.info) }));
  const specs: Specs = { ...common, ...own };
  for (const { flag, info } of flags) specs[flag] = { type: info.type === 'boolean' ? 'boolean' : 'string' };
  let parsed: { values: Record<string, unknown>; positionals: string[] };
  try {
    parsed = parseArgs({ args: withNegativeValues(words, specs), options: specs, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(explained(error as NodeJS.ErrnoException, specs));
  }
  const { values, positionals: files } = parsed;
  if (files.length === 0) throw new UsageError('no input file: give a file or a folder');
  const formatOptions: Record<string, Record<string, unknown>> = {};
  for (const { flag, group, key, info } of flags) {
    if (values[flag] !== undefined) (formatOptions[group] ??= {})[key] = valueOf(flag, info, values[flag] as string | boolean);
  }
  return { values: values as ValuesOf<S & typeof common>, files, formatOptions };
}

/**
 * Joins an option with a value that begins with a minus sign and a digit, as in `--time -1`. Node
 * would take this value for another option.
 */
function withNegativeValues(words: readonly string[], specs: Specs): string[] {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const joined: string[] = [];
  for (const [at, word] of words.entries()) {
    const name = at < end && /^-[\d.]/.test(word) ? /^--([^=]+)$/.exec(joined.at(-1) ?? '')?.[1] : undefined;
    if (name !== undefined && specs[name]?.type === 'string') joined.push(`${joined.pop()}=${word}`);
    else joined.push(word);
  }
  return joined;
}

/** Explains an error of `parseArgs` in one line. */
function explained({ code, message }: NodeJS.ErrnoException, specs: Specs): string {
  const first = message.split('\n', 1)[0]!;
  const [, flag = ''] = /'(-[^' ,]+)/.exec(first) ?? [];
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION')
    return `unknown option ${flag}. If this is the beginning of a file name, write ./ before it, such as ./-hero.psk`;
  if (code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE' || !/missing|ambiguous/.test(first)) return first;
  const name = Object.keys(specs).find(each => flag === `--${each}` || flag === `-${specs[each]!.short}`) ?? '';
  return `${flag}: no value. If the value begins with -, write --${name}=VALUE`;
}

function valueOf(flag: string, info: OptionInfo, text: string | boolean): unknown {
  if (typeof text === 'boolean') return text;
  if (info.type === 'choice' && !info.choices.includes(text))
    throw new UsageError(`--${flag} ${text}: expected one of ${info.choices.join(', ')}`);
  if (info.type !== 'number') return text;
  const value = numberOf(`--${flag}`, text);
  if (info.positive && value <= 0) throw new UsageError(`--${flag} ${text}: expected a number above 0`);
  return value;
}

export function numberOf(flag: string, text: string): number {
  const value = text.trim() === '' ? NaN : Number(text);
  if (!Number.isFinite(value)) throw new UsageError(`${flag} ${text}: expected a number`);
  return value;
}

/**
 * Parses a positive number. If `isWhole` is true, it must be an integer. Returns undefined if
 * `text` is undefined.
 */
export function positiveOf(flag: string, text: string | undefined, isWhole = false): number | undefined {
  if (text === undefined) return undefined;
  const value = numberOf(flag, text);
  if (value <= 0) throw new UsageError(`${flag} ${text}: expected a number above 0`);
  if (isWhole && !Number.isInteger(value)) throw new UsageError(`${flag} ${text}: expected a whole number`);
  return value;
}

/** Parses a list of numbers such as `0,0.5,1`. */
export function numbersOf(flag: string, text: string): number[] {
  return text.split(',').map(part => numberOf(flag, part));
}

/** Parses the value of `--additive`. Throws a UsageError if the value is invalid. */
export function additiveOf(text: string | undefined): (typeof ADDITIVE)[number] | undefined {
  const found = ADDITIVE.find(each => each === text);
  if (text !== undefined && !found) throw new UsageError(`--additive ${text}: expected one of ${ADDITIVE.join(', ')}`);
  return found;
}

/** Reads the file of `--bone-map`. Throws a UsageError if it can't be read or is not a bone map. */
export function boneMapIn(path: string | undefined): BoneMap | undefined {
  if (path === undefined) return undefined;
  try {
    return readBoneMap(readFileSync(path, 'utf8'));
  } catch (error) {
    const code = error instanceof RigcastError ? `${error.code}: ` : '';
    throw new UsageError(`--bone-map ${path}: ${code}${(error as Error).message}`);
  }
}
