// Reads the attributes and properties that select the files of an element.
import type { FormatOptions } from '../core/types.ts';
import type { SharedRenderer } from '../view/sharedRenderer.ts';
import { invalidArgument } from '../core/error.ts';
import { ATTRIBUTES } from './attributes.ts';
import { parseNumber } from './cssValues.ts';
import type { LoadOptions } from './load.ts';
import type { PresenterHost } from './types.ts';
import { parseOrigins, splitWords } from './urls.ts';

/** Throws TypeError if the attribute `format-options` is not a JSON object. */
export function loadOptionsOf(host: PresenterHost, sharedRenderer: SharedRenderer): LoadOptions {
  const { element } = host;
  const { files: localFiles, fileResolver } = host.localInputs();
  return {
    src: element.getAttribute('src')?.trim() || null,
    files: splitWords(element.getAttribute('files')),
    localFiles,
    fileResolver,
    base: element.baseURI,
    credentials: credentialsOf(element),
    origins: parseOrigins(element.getAttribute('allow-origins')),
    maxFiles: parseNumber(element.getAttribute('max-files')) ?? ATTRIBUTES['max-files'],
    formatOptions: parseFormatOptions(element.getAttribute('format-options')),
    draws: extension => sharedRenderer.supportsTexture(extension),
    isWebGPU: sharedRenderer.isWebGPU,
  };
}

/** Returns the value of the attribute `credentials`. */
export function credentialsOf(element: Element): RequestCredentials {
  const wanted = element.getAttribute('credentials');
  return wanted === 'include' || wanted === 'omit' ? wanted : 'same-origin';
}

/** Parses the attribute `format-options`. Throws TypeError if the text is not a JSON object. */
function parseFormatOptions(text: string | null): FormatOptions {
  if (text === null || text.trim() === '') return {};
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    found = null;
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found)) throw invalidArgument('format-options must be a JSON object.');
  return found as FormatOptions;
}
