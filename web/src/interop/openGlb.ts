// Opens GLB, VRM and glTF files with three's GLTFLoader. Images are left out, because Node can't
// decode them.
import { Texture } from 'three';
import { copyOf } from '../core/bytes.ts';
import type { RigFile } from '../core/open.ts';
import { failureReport, reportOf } from '../core/report.ts';
import { importedFile } from './file.ts';
import { checkMemoryLimit, isMemoryLimitError } from './memoryLimit.ts';
import { factsOfGltf } from './vrm.ts';

/**
 * Opens a .gltf. `read`: function that returns the bytes of a buffer by its path, or null. Never
 * rejects for damaged files; the report lists the damage.
 */
export async function openGltf(bytes: Uint8Array, name: string, read: (path: string) => Uint8Array | null): Promise<RigFile> {
  const { joinedGltf } = await import('./joinedGltf.ts');
  return openBy(() => joinedGltf(bytes, read), bytes.length, name, 'gltf');
}

/** Opens a GLB. Never rejects for damaged files; the report lists the damage. */
export const openGlb = (bytes: Uint8Array, name: string): Promise<RigFile> => openBy(() => bytes, bytes.length, name, 'glb');

async function openBy(glb: () => Uint8Array, byteLength: number, name: string, format: string): Promise<RigFile> {
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  const { MeshoptDecoder } = await import('three/addons/libs/meshopt_decoder.module.js');
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  loader.register(() => ({ name: 'blank', loadTexture: async () => new Texture() }));
  const file = { name, format, version: '', needs: [], byteLength };
  const fileWith = (scene: RigFile['scene'], report: RigFile['report']): RigFile => ({
    ...file,
    scene,
    report,
    outline: async () => ({ format, version: '', byteLength, outline: [], report }),
    supply: () => openBy(glb, byteLength, name, format),
  });
  try {
    const bytes = glb();
    await checkMemoryLimit('glb', bytes, { decodesImages: false });
    const { scene, animations, parser } = await loader.parseAsync(copyOf(bytes).buffer, '');
    const made = importedFile(scene, animations, name.replace(/\.[^.]*$/, ''), 1, imported => factsOfGltf(parser, imported));
    return fileWith(made.scene, reportOf(made.findings));
  } catch (error) {
    const code = isMemoryLimitError(error) ? 'OUT_OF_PROPORTION' : 'UNKNOWN_FORMAT';
    return fileWith(null, failureReport(code, error instanceof Error ? error.message : String(error)));
  }
}
