// Errors that are thrown if a conversion cannot produce a result. Each error has a code, so that
// pages can show its message in other languages.
import { RigcastError } from '../../core/error.ts';

/** Maps error codes to messages. A word in braces is replaced by the value with that name. */
export type Refusals = Readonly<Record<string, string>>;

export const sharedRefusals = {
  NOTHING_GIVEN: 'There are no files to convert. Add a model.',
  NOTHING_CONVERTIBLE: 'Nothing in {files} can be converted. Add a file with a model or an animation.',
  SOURCES_UNREADABLE: 'Nothing in {files} can be read ({findings}). Add a file with a model or an animation.',
  KEY_MISSING: '{file} is encrypted. Add its key.',
  KEY_WRONG: '{file} is encrypted, and the key does not match. Add the right key.',
  MODEL_MISSING: 'These files contain animations but no skeleton. Add the model that they were made for.',
  BODY_MISSING: 'The target needs a mesh or a bone, and the sources contain none. Add a model, or convert instances to GLB or Cast.',
  MERGE_FORMATS: '{file} cannot be merged with {lead}. Only models of one format can be merged: PSK, UEFormat, Cast or SEModel.',
  MERGE_SPACES: '{file} cannot be merged with {lead}, because its up axis, unit or scaling of bones differs.',
  MERGE_BONES: '{file} cannot be merged, because it has no bone of the other models.',
  WORK_LIMIT: 'The result would exceed the limit of {limit} MB. Choose fewer animations, or raise the limit.',
} as const;

/** Replaces the words in braces of a message, or of its translation, with values. */
export function refusalSentence(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (braces, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : braces));
}

/**
 * Error that is thrown if the sources cannot be converted. The message gives the reason in English.
 */
export class ConversionError extends RigcastError {
  /** Values for the words in braces of the message. */
  readonly values: Readonly<Record<string, string>>;

  constructor(code: string, sentence: string, values: Readonly<Record<string, string>> = {}) {
    super(code, refusalSentence(sentence, values));
    this.name = 'ConversionError';
    this.values = values;
  }
}

/** Creates a ConversionError. `table`: the messages that contain `code`. */
export function refusal<T extends Refusals>(table: T, code: keyof T & string, values?: Readonly<Record<string, string>>): ConversionError {
  return new ConversionError(code, table[code]!, values);
}

/** Formats a number of bytes as gigabytes with one decimal. */
export const gigabytes = (byteLength: number): string => (byteLength / 2 ** 30).toFixed(1);
