// Patches the shaders of built-in three.js materials: GLSL for WebGLRenderer, and nodes for
// WebGPURenderer if the page has imported them (nodeMaterials.ts). A material can have several
// patches, and its clones have the same patches.
import type { Material, ShaderChunk, WebGLProgramParametersWithUniforms, WebGLRenderer } from 'three';
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

/** Returns true if the shader of a material has the patch with the id. */
export function hasPatch(material: Material, id: string): boolean {
  return !isPlain(material) && patchesOf.get(material)?.has(id) === true;
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
  applyAfterOthers(material, made);
  const clone = material.clone.bind(material);
  material.clone = () => {
    const copy = clone();
    for (const [name, each] of made) patchShader(copy, name, each);
    return copy;
  };
}

/**
 * Applies the patches of a material after the one that the page sets as `onBeforeCompile`, before this
 * call or later.
 */
function applyAfterOthers(material: Material, patches: ReadonlyMap<string, ShaderPatch>): void {
  const patched = new WeakSet<Shader>();
  const withPatches = (others: Material['onBeforeCompile']): Material['onBeforeCompile'] =>
    Object.assign(
      (shader: WebGLProgramParametersWithUniforms, renderer: WebGLRenderer) => {
        others.call(material, shader, renderer);
        if (patched.has(shader)) return; // the function of the page has called the one that it replaced
        patched.add(shader);
        for (const [name, { apply }] of patches) applyWhole(name, apply, shader);
      },
      { toString: () => others.toString() }, // three.js uses the text as cache key
    );
  const withKeys =
    (others: Material['customProgramCacheKey']): Material['customProgramCacheKey'] =>
    () =>
      `rigcast ${[...patches]
        .map(([name, { key }]) => `${name} ${key}`)
        .toSorted()
        .join()} ${nodesIn(material)} ${others.call(material)}`;
  wrap(material, 'onBeforeCompile', withPatches);
  wrap(material, 'customProgramCacheKey', withKeys);
}

/** Wraps the current and all later values of a property. */
function wrap<K extends 'onBeforeCompile' | 'customProgramCacheKey'>(
  material: Material,
  name: K,
  wrapped: (value: Material[K]) => Material[K],
): void {
  let value = wrapped(material[name]);
  Object.defineProperty(material, name, {
    configurable: true,
    enumerable: true,
    get: () => value,
    set: (next: Material[K]) => (value = wrapped(next)),
  });
}

/** Returns the ids of the nodes of a material, which three.js leaves out of the key of built-in materials. */
const nodesIn = (material: Material): number[] =>
  (Object.values(material) as ({ isNode?: boolean; id: number } | null)[]).flatMap(value => (value?.isNode ? value.id : []));

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
