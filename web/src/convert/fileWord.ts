/** A name out of a file as a part of a file's name. */
export const fileWord = (text: string): string => text.replace(/[^\p{L}\p{N} ._()+-]+/gu, '_').slice(0, 100);
