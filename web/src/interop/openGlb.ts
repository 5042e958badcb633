// Opens GLB, VRM and glTF files with three's GLTFLoader, for Node. Images stay encoded, because Node
// can't decode them.
import { copyOf } from '../core/bytes.ts';
import type { RigFile } from '../core/open.ts';
import { failureReport, reportOf } from '../core/report.ts';
import { placeholder, withImages } from './encodedImages.ts';
import { importedFile } from './file.ts';
import { checkMemoryLimit, isMemoryLimitError } from './memoryLimit.ts';
import { factsOfGltf, rowsIn } from './vrm.ts';
import { vrmExtras } from './vrmExtras.ts';

/**
 * Opens a .gltf. `read`: function that returns the bytes of a buffer or an image by its path, or
 * null. Never rejects for damaged files; the report lists the damage.
 */
export async function openGltf(bytes: Uint8Array, name: string, read: (path: string) => Uint8Array | null): Promise<RigFile> {
  const { joinedGltf } = await import('./joinedGltf.ts');
  return openBy(() => joinedGltf(bytes, read), bytes.length, name, 'gltf', read);
}

/** Opens a GLB. Never rejects for damaged files; the report lists the damage. */
export const openGlb = (bytes: Uint8Array, name: string): Promise<RigFile> =>
  openBy(
    () => bytes,
    bytes.length,
    name,
    'glb',
    () => null,
  );

async function openBy(
  glb: () => Uint8Array,
  byteLength: number,
  name: string,
  format: string,
  read: (path: string) => Uint8Array | null,
): Promise<RigFile> {
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  const { MeshoptDecoder } = await import('three/addons/libs/meshopt_decoder.module.js');
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  loader.register(() => ({ name: 'encoded images', loadTexture: async (index: number) => placeholder(index) }));
  const file = { name, format, version: '', needs: [], byteLength };
  const fileWith = (scene: RigFile['scene'], report: RigFile['report']): RigFile => ({
    ...file,
    scene,
    report,
    outline: async () => ({ format, version: '', byteLength, outline: [], report }),
    supply: () => openBy(glb, byteLength, name, format, read),
  });
  try {
    const bytes = glb();
    await checkMemoryLimit('glb', bytes, { decodesImages: false });
    const { scene, animations, parser } = await loader.parseAsync(copyOf(bytes).buffer, '');
    const made = importedFile(scene, animations, name.replace(/\.[^.]*$/, ''), 1, imported => {
      const facts = factsOfGltf(parser, imported);
      return (
        facts && {
          ...facts,
          features: [...facts.features, ...vrmExtras(parser.json, rowsIn(imported, parser.associations), imported.scene)],
        }
      );
    });
    return fileWith(await withImages(made, parser, read), reportOf(made.findings));
  } catch (error) {
    const code = isMemoryLimitError(error) ? 'OUT_OF_PROPORTION' : 'UNKNOWN_FORMAT';
    return fileWith(null, failureReport(code, error instanceof Error ? error.message : String(error)));
  }
}
