// Splits bone names into words.

/** Splits a name into lower-case words: `mixamorig:LeftUpLeg` becomes mixamorig, left, up, leg. */
export function wordsOf(name: string): string[] {
  return (name.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\d+|\p{Lo}+/gu) ?? []).map(word => word.toLowerCase());
}

/**
 * Words for left and the corresponding words for right, which occur in names such as thigh_l, L
 * Thigh, LeftUpLeg and j_hip_le.
 */
export const OTHER_SIDE: Readonly<Record<string, string>> = { l: 'r', left: 'right', le: 'ri', lf: 'rt', lft: 'rgt' };
