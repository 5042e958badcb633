// Recognizes URLs in texts from files.

/** Maximum number of characters of a text from a file that are shown. */
export const MAX_TEXT = 2000;

/** Returns the URL if `text` is an http or https URL without credentials; otherwise null. */
export function linkOf(text: string): string | null {
  if (text.length > MAX_TEXT) return null;
  try {
    const url = new URL(text.trim());
    return (url.protocol === 'http:' || url.protocol === 'https:') && !url.username && !url.password ? url.href : null;
  } catch {
    return null;
  }
}
