// Reads property bags. Types are checked, because a file can contain any names and values.
import type { PropertyValue } from './types.ts';

/**
 * Returns the member of a property bag with a given name, or undefined. Ignores inherited members
 * such as `__proto__`.
 */
export function member(value: PropertyValue | undefined, name: string): PropertyValue | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function numberIn(value: PropertyValue | undefined, name: string, otherwise: number): number {
  const found = member(value, name);
  return typeof found === 'number' ? found : otherwise;
}

export function listIn(value: PropertyValue | undefined, name: string): PropertyValue[] {
  const found = member(value, name);
  return Array.isArray(found) ? found : [];
}

export function numbersIn(value: PropertyValue | undefined, name: string, otherwise: readonly number[]): number[] {
  const found = listIn(value, name);
  return otherwise.map((each, i) => (typeof found[i] === 'number' ? found[i] : each));
}

export function textIn(value: PropertyValue | undefined, name: string): string {
  const found = member(value, name);
  return typeof found === 'string' ? found : '';
}
