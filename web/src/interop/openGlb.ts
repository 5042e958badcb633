// GLB, VRM and glTF as files of rigcast, opened by three's own loader without their images: in pages and elsewhere.
import { Texture } from 'three';
import { copyOf } from '../core/bytes.ts';
import type { RigFile } from '../core/open.ts';
import { failureReport, reportOf } from '../core/report.ts';
import { foreignFile } from './file.ts';
import { checkProportion, ProportionError } from './proportion.ts';
import { factsOfGltf } from './vrm.ts';

/** Opens a .gltf. `read` returns its buffers by their paths, or null. Bad bytes do not reject: they are in the report. */
export async function openGltf(bytes: Uint8Array, name: string, read: (path: string) => Uint8Array | null): Promise<RigFile> {
  const { joinedGltf } = await import('./joinedGltf.ts');
  return openBy(() => joinedGltf(bytes, read), bytes.length, name, 'gltf');
}

/** Bad bytes do not reject: they are in the report. */
export const openGlb = (bytes: Uint8Array, name: string): Promise<RigFile> => openBy(() => bytes, bytes.length, name, 'glb');

async function openBy(glb: () => Uint8Array, byteLength: number, name: string, format: string): Promise<RigFile> {
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  const { MeshoptDecoder } = await import('three/addons/libs/meshopt_decoder.module.js');
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  loader.register(() => ({ name: 'blank', loadTexture: async () => new Texture() }));
  const file = { name, format, version: '', needs: [], byteLength };
  const answer = (scene: RigFile['scene'], report: RigFile['report']): RigFile => ({
    ...file,
    scene,
    report,
    outline: async () => ({ format, version: '', byteLength, outline: [], report }),
    supply: () => openBy(glb, byteLength, name, format),
  });
  try {
    const bytes = glb();
    await checkProportion('glb', bytes, { hasPictures: false });
    const { scene, animations, parser } = await loader.parseAsync(copyOf(bytes).buffer, '');
    const made = foreignFile(scene, animations, name.replace(/\.[^.]*$/, ''), 1, foreign => factsOfGltf(parser, foreign));
    return answer(made.scene, reportOf(made.findings));
  } catch (error) {
    const code = error instanceof ProportionError ? 'OUT_OF_PROPORTION' : 'UNKNOWN_FORMAT';
    return answer(null, failureReport(code, error instanceof Error ? error.message : String(error)));
  }
}
