// Patches the shaders of built-in three.js materials: GLSL for WebGLRenderer, and nodes for
// WebGPURenderer if the page has imported them (nodeMaterials.ts). A material can have several
// patches, and its clones have the same patches.
import type { Material, ShaderChunk, WebGLProgramParametersWithUniforms } from 'three';
import { RigcastError } from '../../core/error.ts';
import { nodeMaterials } from '../nodeMaterials.ts';
import type { PatchValues } from './patchValues.ts';

export type Shader = Pick<WebGLProgramParametersWithUniforms, 'vertexShader' | 'fragmentShader' | 'uniforms'>;

export interface ShaderPatch {
  /** Cache key of the patch. Patches with the same key and id produce the same shader. */
  key: string;
  /** Changes the GLSL of a shader. */
  apply: (shader: Shader) => void;
  /** Values from which the nodes for WebGPURenderer are built. */
  values?: PatchValues[keyof PatchValues];
}

const patchesOf = new WeakMap<Material, Map<string, ShaderPatch>>();
const plain = new WeakSet<Material>();

/**
 * Keeps the shader of a material unpatched. Patches that are added later are recorded but not
 * applied.
 */
export function keepPlain(material: Material): void {
  plain.add(material);
}

export function isPlain(material: Material): boolean {
  return plain.has(material);
}

/** Returns the ids of all patches of a material, whether applied or only recorded. */
export function patchedIn(material: Material): string[] {
  return [...(patchesOf.get(material)?.keys() ?? [])];
}

/** Adds a patch to a material, or replaces the patch with the same id. */
export function patchShader(material: Material, id: string, patch: ShaderPatch): void {
  if (!isPlain(material) && patch.values !== undefined) nodeMaterials()?.patch(material, id, patch.values);
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
 * Replaces the first occurrence of `from` by `to`. Throws SHADER_UNKNOWN if `from` doesn't occur.
 * In that case, the shaders of this release of three.js differ from the expected ones, and the
 * patch is not applied.
 */
export function replaceText(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new RigcastError('SHADER_UNKNOWN', from);
  return text.replace(from, () => to);
}

/** Replaces the `#include` of a shader chunk by a changed version of the chunk. */
export function replaceChunk(text: string, name: ChunkName, chunk: string): string {
  return replaceText(text, `#include <${name}>`, chunk);
}
