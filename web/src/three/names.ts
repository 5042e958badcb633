// Names of objects and of their animated properties.

/**
 * Returns the name of a node as used in track names, like PropertyBinding.sanitizeNodeName.
 * PropertyBinding itself isn't imported, because pages that use the pose engine don't need it.
 */
export const nodeName = (name: string): string => name.replace(/\s/g, '_').replace(/[[\].:/]/g, '');

/**
 * Assigns unique, non-empty names without the characters that are reserved in track names. Objects
 * keep their name in the file as `userData.name`.
 */
export class TrackNames {
  #used = new Set<string>();
  #next = new Map<string, number>();

  take(name: string, fallback: string): string {
    return this.#once(nodeName(name) || fallback);
  }

  /**
   * Assigns a unique key for the brackets of a track name. It contains neither line breaks nor
   * brackets, and is not the name of a built-in property.
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

/** Keys in `userData` that rigcast itself uses. */
const RESERVED = new Set(['name', 'node', 'bone', 'renderer', 'mesh', 'features', 'properties', 'asset', '__proto__']);

/** Returns the key in `userData` that holds the value of an animated property. */
export function propertyKey(name: string): string {
  const key = name.replace(/[\r\n\u2028\u2029[\]]/g, '_');
  return RESERVED.has(key) ? `${key}_` : key;
}

/**
 * Adds the members of `byName` to the array `rows`, except indices and names that the array already
 * has.
 */
export function addNames(rows: object, byName: object): void {
  for (const [name, value] of Object.entries(byName)) {
    if (!(name in rows) && !/^\d+$/.test(name)) Object.defineProperty(rows, name, { value, configurable: true, writable: true });
  }
}
