// The errors that rigcast throws.
import type { Report } from './types.ts';

/**
 * Thrown if a request fails or a file cannot be read or shown. `code` does not change between
 * releases; docs/errors.md lists the codes. `message` is English text for developers.
 */
export class RigcastError extends Error {
  readonly code: string;
  /** Report of the file that could not be read; null if the error is not about a file. */
  readonly report: Report | null;

  constructor(code: string, message: string, { report = null, ...options }: ErrorOptions & { report?: Report | null } = {}) {
    super(message, options);
    this.name = 'RigcastError';
    this.code = code;
    this.report = report;
  }
}

/** Creates a TypeError for a wrong argument, with the code INVALID_ARGUMENT. */
export function invalidArgument(message: string, options?: ErrorOptions): TypeError & { code: 'INVALID_ARGUMENT' } {
  return Object.assign(new TypeError(message, options), { code: 'INVALID_ARGUMENT' as const });
}

/** Creates a RangeError for an index, size or name out of range, with the code OUT_OF_RANGE. */
export function outOfRange(message: string): RangeError & { code: 'OUT_OF_RANGE' } {
  return Object.assign(new RangeError(message), { code: 'OUT_OF_RANGE' as const });
}
