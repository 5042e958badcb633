// Small changes to three's built-in materials for WebGLRenderer. Several may meet in one material,
// and its clones keep them.
import type { Material, ShaderChunk, WebGLProgramParametersWithUniforms } from 'three';

export type Shader = Pick<WebGLProgramParametersWithUniforms, 'vertexShader' | 'fragmentShader' | 'uniforms'>;

export interface ShaderPatch {
  /** Tells programs apart: patches of one key and id make the same shader. */
  key: string;
  apply: (shader: Shader) => void;
}

const patchesOf = new WeakMap<Material, Map<string, ShaderPatch>>();
const plain = new WeakSet<Material>();

/** From now on patches of that material are noted and not made. */
export function keepPlain(material: Material): void {
  plain.add(material);
}

export function isPlain(material: Material): boolean {
  return plain.has(material);
}

/** Ids of the patches that a material has, or has only noted. */
export function patchedIn(material: Material): string[] {
  return [...(patchesOf.get(material)?.keys() ?? [])];
}

/** A patch of the same id takes the place of the one before. */
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

/** The shaders of the installed three.js do not have what a patch changes. */
class MissingAnchor extends Error {}

const warned = new Set<string>();

/** Half a patch might not compile: where one does not fit, the shader stays as it was. */
function applyWhole(name: string, apply: ShaderPatch['apply'], shader: Shader): void {
  const { vertexShader, fragmentShader } = shader;
  try {
    apply(shader);
  } catch (error) {
    if (!(error instanceof MissingAnchor)) throw error;
    Object.assign(shader, { vertexShader, fragmentShader });
    const words = `rigcast: the shaders of this three.js are not known (${JSON.stringify(error.message)} is missing): "${name}" is not drawn.`;
    if (!warned.has(words)) console.warn(words);
    warned.add(words);
  }
}

type ChunkName = keyof typeof ShaderChunk;

/** The text with `to` for the first `from`. Without one the patch that asks for it is left out. */
export function replaceText(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new MissingAnchor(from);
  return text.replace(from, () => to);
}

/** The shader's text with the chunk's own text instead of its include, and that changed. */
export function replaceChunk(text: string, name: ChunkName, chunk: string): string {
  return replaceText(text, `#include <${name}>`, chunk);
}
