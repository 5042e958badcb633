// What files of other kinds are for: their names tell the kind, and whether they hold a mesh what they are for.
import { isOtherFormat } from '../core/otherFormats.ts';
import { extensionOf } from '../core/paths.ts';

/** A file with a mesh is a model, one of bones and curves alone a motion. */
export async function foreignRole(file: File): Promise<'model' | 'motion' | 'companion' | null> {
  const kind = extensionOf(file.name);
  if (kind === 'mtl') return 'companion'; // the materials of an OBJ
  if (!isOtherFormat(file.name)) return null;
  if (kind === 'obj') return 'model';
  if (kind === 'bvh') return 'motion';
  if (file.size === 0) return 'model'; // only its name is known
  if (kind === 'fbx') return hasGeometry(file);
  const json = kind === 'gltf' ? await file.text() : await jsonOf(file);
  return /"meshes"\s*:\s*\[\s*\{/.test(json) ? 'model' : 'motion';
}

/** The first chunk of a GLB. */
async function jsonOf(file: File): Promise<string> {
  const head = new DataView(await file.slice(0, 20).arrayBuffer());
  const length = head.byteLength === 20 ? head.getUint32(12, true) : 0;
  return file.slice(20, 20 + length).text();
}

const PIECE = 1 << 22;

/** A record of that name, in binary files behind its length, in text ones before a colon. */
async function hasGeometry(file: File): Promise<'model' | 'motion'> {
  const decoder = new TextDecoder('latin1');
  for (let at = 0; at < file.size; at += PIECE) {
    const text = decoder.decode(await file.slice(at, at + PIECE + 16).arrayBuffer());
    if (text.includes('\x08Geometry') || /\n\s*Geometry:/.test(text)) return 'model';
  }
  return 'motion';
}
