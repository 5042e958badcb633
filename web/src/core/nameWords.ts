// Splits bone names into words, and finds the side in them.

/** Splits a name into lower-case words: `mixamorig:LeftUpLeg` becomes mixamorig, left, up, leg. */
export function wordsOf(name: string): string[] {
  return (name.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\d+|\p{Lo}+/gu) ?? []).map(word => word.toLowerCase());
}

/**
 * Words for left and the corresponding words for right, which occur in names such as thigh_l, L
 * Thigh, LeftUpLeg and j_hip_le.
 */
export const OTHER_SIDE: Readonly<Record<string, string>> = { l: 'r', left: 'right', le: 'ri', lf: 'rt', lft: 'rgt' };

export const SIDES = ['left', 'right'] as const;
export type Side = (typeof SIDES)[number];

/**
 * Separates the side from the other words of a bone name. The side may also be the prefix of a body
 * part, as in `lthigh`.
 */
export function sideOf(words: readonly string[]): { side: Side | null; rest: string[] } {
  const rights = new Set(Object.values(OTHER_SIDE));
  const at = words.findIndex(word => Object.hasOwn(OTHER_SIDE, word) || rights.has(word));
  if (at >= 0) return { side: rights.has(words[at] ?? '') ? 'right' : 'left', rest: words.filter((_, i) => i !== at) };
  const pattern =
    /^(left|right|l|r)(?=(thigh|calf|shin|foot|toe|ball|hand|arm|fore|upper|lower|clav|collar|should|shldr|elbow|wrist|knee|ankle|hip|thumb|index|mid|ring|pinky|eye))/;
  for (const [i, word] of words.entries()) {
    const prefix = pattern.exec(word)?.[0];
    if (prefix) return { side: prefix.startsWith('l') ? 'left' : 'right', rest: words.with(i, word.slice(prefix.length)) };
  }
  return { side: null, rest: [...words] };
}
