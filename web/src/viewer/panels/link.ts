// Addresses in texts of files.

/** Letters of a text of the file; nobody reads more of one. */
export const MOST_TEXT = 2000;

/** The address, where a text is one that may be opened: http and https only. */
export function linkOf(text: string): string | null {
  if (text.length > MOST_TEXT) return null;
  try {
    const url = new URL(text.trim());
    return (url.protocol === 'http:' || url.protocol === 'https:') && !url.username && !url.password ? url.href : null;
  } catch {
    return null;
  }
}
