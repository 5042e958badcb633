// What the names of bones are made of.

/** `mixamorig:LeftUpLeg` is mixamorig, left, up, leg. */
export function wordsOf(name: string): string[] {
  return (name.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\d+|\p{Lo}+/gu) ?? []).map(word => word.toLowerCase());
}

/** The words for left that names have, as words of their own, and those for right that go with them: thigh_l, L Thigh, LeftUpLeg, j_hip_le. */
export const OTHER_SIDE: Readonly<Record<string, string>> = { l: 'r', left: 'right', le: 'ri', lf: 'rt', lft: 'rgt' };
