// Files that a page has in hand: dropped, picked, made.

export type InHand = Iterable<File> | ReadonlyMap<string, Blob>;

/** By name or path. Throws TypeError where there is anything else among them. */
export function byName(files: InHand): Map<string, Blob> {
  if (typeof files !== 'object') throw wrong();
  const entries = 'get' in files ? files : Array.from(files, file => [file?.webkitRelativePath || file?.name, file] as const);
  const found = new Map(entries);
  for (const [name, file] of found) if (typeof name !== 'string' || !(file instanceof Blob)) throw wrong();
  return found;
}

const wrong = (): TypeError => new TypeError('files: a list of Files, a Map of names to Blobs, or addresses in one text');
