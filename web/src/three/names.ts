// What the objects of a rig and their animated members are called.

/**
 * A node's name as track names have it: PropertyBinding.sanitizeNodeName, without the binding that
 * pages with rigcast's own engine never load.
 */
export const nodeName = (name: string): string => name.replace(/\s/g, '_').replace(/[[\].:/]/g, '');

/**
 * Names for tracks: without the characters that three's track names reserve, never empty, each
 * given once. The file's own spelling stays in `userData.name`.
 */
export class TrackNames {
  #used = new Set<string>();
  #next = new Map<string, number>();

  take(name: string, fallback: string): string {
    return this.#once(nodeName(name) || fallback);
  }

  /**
   * For what stands inside the brackets of a track name: anything but a line break, and nothing
   * that is special on an object.
   */
  takeKey(name: string, fallback: string): string {
    const key = name.replace(/[\r\n\u2028\u2029[\]]/g, '_') || fallback;
    return this.#once(key in Object.prototype ? `${key}_` : key);
  }

  #once(name: string): string {
    let unique = name;
    let next = this.#next.get(name) ?? 1;
    while (this.#used.has(unique)) unique = `${name}_${next++}`;
    this.#next.set(name, next);
    this.#used.add(unique);
    return unique;
  }
}

/** Keys of userData that belong to the builder. */
const RESERVED = new Set(['name', 'node', 'bone', 'renderer', 'mesh', 'features', 'properties', 'asset', '__proto__']);

/** The key in `userData` under which an animated property of that name appears. */
export function propertyKey(name: string): string {
  const key = name.replace(/[\r\n\u2028\u2029[\]]/g, '_');
  return RESERVED.has(key) ? `${key}_` : key;
}

/** Puts names beside the rows of an array, unless an array has something of that name already. */
export function addNames(rows: object, byName: object): void {
  for (const [name, value] of Object.entries(byName)) {
    if (!(name in rows) && !/^\d+$/.test(name)) Object.defineProperty(rows, name, { value, configurable: true, writable: true });
  }
}
