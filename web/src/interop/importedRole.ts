// Detects whether a file of another format (FBX, OBJ, BVH, glTF, VRM) is a model, an animation or a
// companion file.
import { isOtherFormat, otherFormatOf } from '../core/otherFormats.ts';
import { extensionOf } from '../core/paths.ts';

/**
 * Detects the role of a file from its name and content. Files with a mesh are models, all other
 * files are animations. Returns null for unsupported formats.
 */
export async function importedRole(file: Blob, name: string): Promise<'model' | 'animation' | 'companion' | null> {
  const extension = extensionOf(name);
  if (extension === 'mtl') return 'companion'; // contains the materials of an OBJ
  if (!isOtherFormat(name)) return null;
  const kind = otherFormatOf(name, new Uint8Array(await file.slice(0, 32).arrayBuffer())) ?? extension;
  if (kind === 'obj') return 'model';
  if (kind === 'bvh' || kind === 'vrma') return 'animation';
  if (file.size === 0) return 'model'; // a placeholder for a file whose content isn't available
  if (kind === 'fbx') return hasGeometry(file);
  const json = kind === 'gltf' ? await file.slice(0, file.size).text() : await jsonOf(file);
  return /"meshes"\s*:\s*\[\s*\{/.test(json) ? 'model' : 'animation';
}

/** Returns the JSON text of a GLB or VRM. */
async function jsonOf(file: Blob): Promise<string> {
  const head = new DataView(await file.slice(0, 20).arrayBuffer());
  const length = head.byteLength === 20 ? head.getUint32(12, true) : 0;
  return file.slice(20, 20 + length).text();
}

const PIECE = 1 << 22;

/**
 * Returns `model` if an FBX contains a Geometry record. In binary files, a length byte precedes the
 * name `Geometry`; in text files, a colon follows it.
 */
async function hasGeometry(file: Blob): Promise<'model' | 'animation'> {
  const decoder = new TextDecoder('latin1');
  for (let at = 0; at < file.size; at += PIECE) {
    const text = decoder.decode(await file.slice(at, at + PIECE + 16).arrayBuffer());
    if (text.includes('\x08Geometry') || /\n\s*Geometry:/.test(text)) return 'model';
  }
  return 'animation';
}
