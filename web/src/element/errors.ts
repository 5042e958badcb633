// Messages of the event `error`.
import type { PresenterHost } from './types.ts';

/** Fires `error`. `error`: what was thrown, or null. */
export function reportError({ emit }: PresenterHost, message: string, error: unknown = null): void {
  emit('error', { message, error, report: null });
}

/**
 * Returns the message of an error. Puts the file name in front of the message, unless the message
 * already contains it.
 */
export function messageOf(name: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.includes(name) ? message : `${name}: ${message}`;
}
