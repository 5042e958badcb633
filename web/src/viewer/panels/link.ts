// URLs in texts of files.

/** Longest text from a file that is shown, characters. */
export const MAX_TEXT = 2000;

/** Returns the URL if a text is an http or https URL without credentials, otherwise null. */
export function linkOf(text: string): string | null {
  if (text.length > MAX_TEXT) return null;
  try {
    const url = new URL(text.trim());
    return (url.protocol === 'http:' || url.protocol === 'https:') && !url.username && !url.password ? url.href : null;
  } catch {
    return null;
  }
}
