// Patches built-in materials of three.js for WebGLRenderer. A material can have several patches,
// and clones keep them.
import type { Material, ShaderChunk, WebGLProgramParametersWithUniforms } from 'three';
import { RigcastError } from '../../core/error.ts';

export type Shader = Pick<WebGLProgramParametersWithUniforms, 'vertexShader' | 'fragmentShader' | 'uniforms'>;

export interface ShaderPatch {
  /** Cache key. Patches with the same key and id produce the same shader. */
  key: string;
  apply: (shader: Shader) => void;
}

const patchesOf = new WeakMap<Material, Map<string, ShaderPatch>>();
const plain = new WeakSet<Material>();

/** Prevents later patches of the material from being applied. They are still recorded. */
export function keepPlain(material: Material): void {
  plain.add(material);
}

export function isPlain(material: Material): boolean {
  return plain.has(material);
}

/** Returns the ids of applied and recorded patches. */
export function patchedIn(material: Material): string[] {
  return [...(patchesOf.get(material)?.keys() ?? [])];
}

/** Adds a patch, or replaces the patch with the same id. */
export function patchShader(material: Material, id: string, patch: ShaderPatch): void {
  const patches = patchesOf.get(material);
  if (patches) {
    patches.set(id, patch);
    return;
  }
  const made = new Map([[id, patch]]);
  patchesOf.set(material, made);
  if (isPlain(material)) return;
  material.onBeforeCompile = shader => {
    for (const [name, { apply }] of made) applyWhole(name, apply, shader);
  };
  material.customProgramCacheKey = () =>
    `rigcast ${[...made]
      .map(([name, { key }]) => `${name} ${key}`)
      .toSorted()
      .join()}`;
  const clone = material.clone.bind(material);
  material.clone = () => {
    const copy = clone();
    for (const [name, each] of made) patchShader(copy, name, each);
    return copy;
  };
}

const warned = new Set<string>();

/** Applies a patch completely or not at all, because a partial patch might not compile. */
function applyWhole(name: string, apply: ShaderPatch['apply'], shader: Shader): void {
  const { vertexShader, fragmentShader } = shader;
  try {
    apply(shader);
  } catch (error) {
    if (!(error instanceof RigcastError && error.code === 'SHADER_UNKNOWN')) throw error;
    Object.assign(shader, { vertexShader, fragmentShader });
    const words = `rigcast: the shaders of this three.js release are unknown (${JSON.stringify(error.message)} is missing): "${name}" is not drawn.`;
    if (!warned.has(words)) console.warn(words);
    warned.add(words);
  }
}

type ChunkName = keyof typeof ShaderChunk;

/**
 * Replaces the first occurrence of `from` by `to`. Throws SHADER_UNKNOWN if there is none. The
 * shaders of this release of three.js are then different, and the patch is not applied.
 */
export function replaceText(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new RigcastError('SHADER_UNKNOWN', from);
  return text.replace(from, () => to);
}

/** Replaces the `#include` of a chunk by the changed text of the chunk. */
export function replaceChunk(text: string, name: ChunkName, chunk: string): string {
  return replaceText(text, `#include <${name}>`, chunk);
}
