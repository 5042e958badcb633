// Small changes to three's built-in materials for WebGLRenderer. Several may meet in one material, and its clones keep them.
import type { Material, ShaderChunk, WebGLProgramParametersWithUniforms } from 'three';

export type Shader = Pick<WebGLProgramParametersWithUniforms, 'vertexShader' | 'fragmentShader' | 'uniforms'>;

export interface ShaderPatch {
  /** Tells programs apart: patches of one key and id make the same shader. */
  key: string;
  apply: (shader: Shader) => void;
}

const patchesOf = new WeakMap<Material, Map<string, ShaderPatch>>();

/** A patch of the same id takes the place of the one before. */
export function patchShader(material: Material, id: string, patch: ShaderPatch): void {
  const patches = patchesOf.get(material);
  if (patches) {
    patches.set(id, patch);
    return;
  }
  const made = new Map([[id, patch]]);
  patchesOf.set(material, made);
  material.onBeforeCompile = shader => {
    for (const { apply } of made.values()) apply(shader);
  };
  material.customProgramCacheKey = () => `rigcast ${[...made].map(([name, { key }]) => `${name} ${key}`).toSorted().join()}`;
  const clone = material.clone.bind(material);
  material.clone = () => {
    const copy = clone();
    for (const [name, each] of made) patchShader(copy, name, each);
    return copy as typeof material;
  };
}

type ChunkName = keyof typeof ShaderChunk;

/** The shader's text with the chunk's own text instead of its include, and that changed. */
export function replaceChunk(text: string, name: ChunkName, chunk: string): string {
  return text.replace(`#include <${name}>`, () => chunk);
}
