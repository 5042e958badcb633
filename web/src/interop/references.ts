// Lists and fetches the files that a glTF or OBJ refers to.
import { extensionOf, percentDecoded } from '../core/paths.ts';
import { listIn, textIn } from '../core/properties.ts';
import { gltfOf } from './memoryLimit.ts';

/** Maximum number of files that are fetched for a model. */
const MAX_FILES = 1000;

/**
 * Fetches the files that a glTF or OBJ refers to, and the textures of MTL files. Returns them by the
 * path in the file. `fetchFile`: returns the file at a path, or null. FBX files name no paths that
 * could be fetched, but those of the author's computer.
 */
export async function fetchReferences(
  name: string,
  model: Blob,
  fetchFile: (path: string) => Promise<Blob | null>,
): Promise<Map<string, Blob>> {
  const found = new Map<string, Blob>();
  const fetchAll = async (paths: readonly string[]): Promise<void> => {
    const others = [...new Set(paths)].filter(path => !found.has(path)).slice(0, MAX_FILES - found.size);
    const files = await Promise.all(others.map(async path => [path, await fetchFile(path)] as const));
    for (const [path, file] of files) if (file) found.set(path, file);
  };
  const format = extensionOf(name);
  if (format === 'obj') {
    await fetchAll(namesAfter(/^[ \t]*mtllib[ \t]+(.+)$/gm, await model.text()));
    const materials = await Promise.all(Array.from(found.values(), file => file.text()));
    await fetchAll(materials.flatMap(text => namesAfter(/^[ \t]*(?:map_\w+|bump|disp|norm|refl)[ \t]+(.+)$/gim, text)));
  } else if (format === 'gltf' || format === 'glb' || format === 'vrm') await fetchAll(urisOf(new Uint8Array(await model.arrayBuffer())));
  return found;
}

/** Returns the decoded URIs of the buffers and images of a glTF; none if it is damaged, which the loader reports. */
function urisOf(bytes: Uint8Array): string[] {
  try {
    const { json } = gltfOf(bytes);
    const uris = [...listIn(json, 'buffers'), ...listIn(json, 'images')].map(each => textIn(each, 'uri'));
    return uris.filter(uri => uri !== '' && !/^(data|blob):/i.test(uri)).map(percentDecoded);
  } catch {
    return [];
  }
}

/** Returns the file names in lines of an OBJ or MTL file, without the options that MTLLoader reads. */
const namesAfter = (lines: RegExp, text: string): string[] =>
  Array.from(text.matchAll(lines), ([, words = '']) => words.replace(/-(?:bm|[so])(?:[ \t]+[-+.\d]\S*)+[ \t]+/g, '').trim());
