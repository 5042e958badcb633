// Errors for conversions that cannot produce a result. Each has a code, so that pages can show the
// message in other languages.

/** Messages by code. Values fill in the words in braces. */
export type Refusals = Readonly<Record<string, string>>;

export const sharedRefusals = {
  NOTHING_GIVEN: 'there are no files to convert',
  NOTHING_CONVERTIBLE: 'nothing in {files} can be converted',
  KEY_MISSING: '{file} is encrypted: add its key',
  KEY_WRONG: '{file} is encrypted, and the key does not match',
  MODEL_MISSING: 'these files contain animations but no skeleton: add the model they were made for',
  WORK_LIMIT:
    'Converting this would take more than {limit} MB, out of proportion to the source. Choose fewer animations, or raise the limit.',
} as const;

/** Fills values into the braces of a message or its translation. */
export function refusalSentence(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (braces, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : braces));
}

/** The sources cannot be converted. The message says why, in English. */
export class ConversionError extends Error {
  readonly code: string;
  /** Values for the braces of the code's message. */
  readonly values: Readonly<Record<string, string>>;

  constructor(code: string, sentence: string, values: Readonly<Record<string, string>> = {}) {
    super(refusalSentence(sentence, values));
    this.name = 'ConversionError';
    this.code = code;
    this.values = values;
  }
}

/** Creates the error of a code from a table of messages. */
export function refusal<T extends Refusals>(table: T, code: keyof T & string, values?: Readonly<Record<string, string>>): ConversionError {
  return new ConversionError(code, table[code]!, values);
}

/** Gigabytes with one decimal, for messages. */
export const gigabytes = (byteLength: number): string => (byteLength / 2 ** 30).toFixed(1);
