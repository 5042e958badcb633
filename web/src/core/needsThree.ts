// Explains the failure of modules that import three.js, which is an optional dependency.
import { RigcastError } from './error.ts';

/**
 * Awaits the import of a module that uses three.js. Rejects with THREE_MISSING if three.js is not
 * installed.
 */
export async function needsThree<T>(loading: Promise<T>): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes("'three'")) throw error;
    throw new RigcastError('THREE_MISSING', 'three.js is not installed: run npm install three', { cause: error });
  }
}
