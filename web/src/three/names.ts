// Naming of objects and of their animated properties.

/**
 * Returns the name that a node has in track names, like PropertyBinding.sanitizeNodeName.
 * PropertyBinding itself isn't imported, because pages that use only the pose engine don't need it.
 */
export const nodeName = (name: string): string => name.replace(/\s/g, '_').replace(/[[\].:/]/g, '');

/**
 * Assigns unique, non-empty names without the characters that are reserved in track names. The
 * original name of an object in the file is in `userData.name`.
 */
export class TrackNames {
  #used = new Set<string>();
  #next = new Map<string, number>();

  take(name: string, fallback: string): string {
    return this.#once(nodeName(name) || fallback);
  }

  /**
   * Reserves a unique key for use in brackets in a track name. The key contains neither line breaks
   * nor brackets, and is not the name of a built-in property.
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

/** Keys of `userData` that rigcast uses for itself and that no animated property may overwrite. */
const RESERVED = new Set(['name', 'node', 'bone', 'renderer', 'mesh', 'features', 'properties', 'asset', '__proto__']);

/** Returns the key in `userData` that holds the value of an animated property. */
export function propertyKey(name: string): string {
  const key = name.replace(/[\r\n\u2028\u2029[\]]/g, '_');
  return RESERVED.has(key) ? `${key}_` : key;
}

/**
 * Adds the members of `byName` to the array `rows`, skipping array indices and names that already
 * exist in the array.
 */
export function addNames(rows: object, byName: object): void {
  for (const [name, value] of Object.entries(byName)) {
    if (!(name in rows) && !/^\d+$/.test(name)) Object.defineProperty(rows, name, { value, configurable: true, writable: true });
  }
}
