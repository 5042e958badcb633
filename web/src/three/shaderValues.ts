// What a Unity material says, by the names of its shader's properties.
import type { Material, Properties, PropertyValue } from '../core/types.ts';

/** A switch may be in the int or the float map of a material: who wrote it decided. */
export class ShaderValues {
  readonly shader: string;
  readonly #properties: Properties | undefined;

  constructor({ properties }: Pick<Material, 'properties'>) {
    this.#properties = properties;
    const name = member(properties, 'shaderName');
    this.shader = typeof name === 'string' ? name : '';
  }

  number(name: string, otherwise: number): number {
    const value = member(member(this.#properties, 'floatProperties'), name) ?? member(member(this.#properties, 'intProperties'), name);
    return typeof value === 'number' ? value : otherwise;
  }

  isOn(name: string, otherwise = false): boolean {
    return this.number(name, otherwise ? 1 : 0) !== 0;
  }

  /** Linear. */
  color(name: string, otherwise: readonly [number, number, number]): [number, number, number] {
    const value = member(member(this.#properties, 'colorProperties'), name);
    if (!Array.isArray(value)) return [...otherwise];
    const at = (i: number): number => (typeof value[i] === 'number' ? value[i] : otherwise[i]!);
    return [at(0), at(1), at(2)];
  }

  hasTexture(name: string): boolean {
    const index = member(member(this.#properties, 'textureIndexProperties'), name);
    return typeof index === 'number' && index >= 0;
  }

  /** Row of the scene's textures, -1 for none. */
  texture(name: string): number {
    const index = member(member(this.#properties, 'textureIndexProperties'), name);
    return typeof index === 'number' ? index : -1;
  }
}

/** An own member of a bag, whatever its name. */
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
