// Opens files of other formats with the loaders of three.js, in Node and in browsers. Images stay
// encoded: conversions store their bytes, and Node can't decode them.
import { LoadingManager } from 'three';
import { copyOf } from '../core/bytes.ts';
import type { RigFile } from '../core/open.ts';
import type { OtherFormat } from '../core/otherFormats.ts';
import { reportOf } from '../core/report.ts';
import type { RigScene } from '../core/types.ts';
import { placeholder, PlaceholderLoader, withImages, withPlaceholders } from './encodedImages.ts';
import { addDecoders } from './decoders.ts';
import { importedFile, type ImportedFile } from './file.ts';
import { countFromTop, loadWithThree, nameAfterFile, reportOfFailure } from './loaders.ts';
import { checkMemoryLimit } from './memoryLimit.ts';
import type { Read } from './read.ts';
import { factsOfGltf, rowsIn } from './vrm.ts';
import { vrmExtras } from './vrmExtras.ts';

/** Opens a file. `read` is called for files that it references. Never rejects for damaged files; the report lists the damage. */
export function openEncoded(format: OtherFormat, bytes: Uint8Array, name: string, read: Read): Promise<RigFile> {
  if (format === 'fbx' || format === 'obj' || format === 'bvh') return openOtherFormat(format, bytes, name, read);
  return format === 'gltf' ? openGltf(bytes, name, read) : openGlb(bytes, name);
}

/** Opens a .gltf. `read` is called for its buffers and images. Never rejects for damaged files; the report lists the damage. */
async function openGltf(bytes: Uint8Array, name: string, read: Read): Promise<RigFile> {
  const { joinedGltf } = await import('./joinedGltf.ts');
  return opened(name, 'gltf', bytes.length, async () => loadGlb(await joinedGltf(bytes, read), name, read));
}

/** Opens a GLB. Never rejects for damaged files; the report lists the damage. */
export const openGlb = (bytes: Uint8Array, name: string): Promise<RigFile> =>
  opened(name, 'glb', bytes.length, () => loadGlb(bytes, name, () => null));

/**
 * Opens an FBX, OBJ or BVH. `read` is called for the material file of an OBJ; images outside of the
 * file keep their paths. Never rejects for damaged files; the report lists the damage.
 */
export const openOtherFormat = (format: 'fbx' | 'obj' | 'bvh', bytes: Uint8Array, name: string, read: Read): Promise<RigFile> =>
  opened(name, format, bytes.length, async () => {
    await checkMemoryLimit(format, bytes, { decodesImages: false });
    const manager = new LoadingManager();
    manager.addHandler(/./, new PlaceholderLoader(manager));
    const text = async (path: string): Promise<string | null> => {
      const found = await read(path);
      return found && new TextDecoder().decode(found);
    };
    const { root, animations, unit } = await loadWithThree(format, copyOf(bytes).buffer, stemOf(name), manager, text);
    if (format !== 'bvh') countFromTop(root);
    const made = importedFile(root, animations, stemOf(name), unit);
    return { made, scene: await withPlaceholders(made) };
  });

async function loadGlb(bytes: Uint8Array, name: string, read: Read): Promise<{ made: ImportedFile; scene: RigScene }> {
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  const { MeshoptDecoder } = await import('three/addons/libs/meshopt_decoder.module.js');
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  // The first plugin that has a texture is used, so this one precedes that of KTX2.
  const { pluginCallbacks } = loader as unknown as { pluginCallbacks: unknown[] };
  pluginCallbacks.unshift(() => ({ name: 'encoded images', loadTexture: async (index: number) => placeholder(index) }));
  await checkMemoryLimit('glb', bytes, { decodesImages: false });
  const decoders = await addDecoders(loader, bytes, { decodesImages: false });
  const { scene, animations, parser } = await loader.parseAsync(copyOf(bytes).buffer, '').finally(decoders.dispose);
  nameAfterFile(animations, name);
  const made = importedFile(scene, animations, stemOf(name), 1, imported => {
    const facts = factsOfGltf(parser, imported);
    return (
      facts && { ...facts, features: [...facts.features, ...vrmExtras(parser.json, rowsIn(imported, parser.associations), imported.scene)] }
    );
  });
  return { made, scene: await withImages(made, parser, read) };
}

/** Returns the file that `load` loads, or a file without a scene if it rejects. */
async function opened(
  name: string,
  format: string,
  byteLength: number,
  load: () => Promise<{ made: ImportedFile; scene: RigScene }>,
): Promise<RigFile> {
  const file = { name, format, version: '', needs: [], byteLength };
  const fileWith = (scene: RigFile['scene'], report: RigFile['report']): RigFile => ({
    ...file,
    scene,
    report,
    outline: async () => ({ format, version: '', byteLength, outline: [], report }),
    supply: () => opened(name, format, byteLength, load),
  });
  try {
    const { made, scene } = await load();
    return fileWith(scene, reportOf(made.findings));
  } catch (error) {
    return fileWith(null, reportOfFailure(error));
  }
}

const stemOf = (name: string): string => name.replace(/\.[^.]*$/, '');
