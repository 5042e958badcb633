// Reads the shader properties of a Unity material by name.
import { member } from '../../core/properties.ts';
import type { Material, Properties } from '../../core/types.ts';

/**
 * Reads the shader properties of a Unity material. Exporters store booleans as integers or as
 * floats.
 */
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

  /** Returns true if a shader keyword is enabled; undefined if the file doesn't list keywords. */
  keyword(name: string): boolean | undefined {
    const value = member(member(this.#properties, 'keywordMap'), name);
    return typeof value === 'boolean' ? value : undefined;
  }

  /** Returns a color property in linear space, or `otherwise` if the material doesn't have it. */
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

  /**
   * Returns the index of a texture property in `scene.textures`, or -1 if the material has no such
   * texture.
   */
  texture(name: string): number {
    const index = member(member(this.#properties, 'textureIndexProperties'), name);
    return typeof index === 'number' ? index : -1;
  }
}

/** Formats a number as a GLSL literal. */
export function glslNumber(value: number): string {
  return Number.isFinite(value) ? value.toFixed(6) : '0.0';
}
