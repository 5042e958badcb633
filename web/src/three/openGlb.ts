// A GLB or VRM as a file of ours, opened by three's own loader without its pictures: where a page is, and where none is.
import { Texture } from 'three';
import { copyOf } from '../core/bytes.ts';
import type { RigFile } from '../core/open.ts';
import { failureReport, reportOf } from '../core/report.ts';
import { foreignFile } from './foreignFile.ts';
import { factsOfGltf } from './foreignVrm.ts';

/** Never rejects because of what the bytes are: the report says so. */
export async function openGlb(bytes: Uint8Array, name: string): Promise<RigFile> {
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  const { MeshoptDecoder } = await import('three/addons/libs/meshopt_decoder.module.js');
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  loader.register(() => ({ name: 'blank', loadTexture: async () => new Texture() }));
  const file = { name, format: 'glb', version: '', needs: [], byteLength: bytes.byteLength };
  const answer = (scene: RigFile['scene'], report: RigFile['report']): RigFile => ({
    ...file,
    scene,
    report,
    outline: async () => ({ format: 'glb', version: '', byteLength: bytes.byteLength, outline: [], report }),
    supply: () => openGlb(bytes, name),
  });
  try {
    const { scene, animations, parser } = await loader.parseAsync(copyOf(bytes).buffer, '');
    const made = foreignFile(scene, animations, name.replace(/\.[^.]*$/, ''), 1, foreign => factsOfGltf(parser, foreign));
    return answer(made.scene, reportOf(made.findings));
  } catch (error) {
    return answer(null, failureReport('UNKNOWN_FORMAT', error instanceof Error ? error.message : String(error)));
  }
}
