// Who writes what: one function for each target, all of the same kind, fetched when it is asked for.
import type { Breath } from './common/breath.ts';
import type { RigFile } from '../core/open.ts';
import type { Clip, RigScene } from '../core/types.ts';
import type { Dressed } from './common/dress.ts';
import type { FileNames } from './common/fileNames.ts';
import type { ImageSource } from './common/imageSource.ts';
import type { GltfPacking } from './gltf/write.ts';
import type { Ledger } from './common/ledger.ts';
import type { Target } from './targets.ts';
import type { VgoWriting } from './vgo/writing.ts';
import type { WrittenFile } from './common/written.ts';
import type { PlacedFile } from './common/worlds.ts';

/** One model, or a motion alone, that becomes files. */
export interface Writing {
  to: Target;
  names: FileNames;
  /** The model's. */
  file: RigFile;
  scene: RigScene;
  /** The wanted ones, the model's own first. */
  clips: readonly Clip[];
  /** What sampled curves may be off at the skin, metres. */
  tolerance: number;
  ledger: Ledger;
  breathe: Breath;
  images: ImageSource | undefined;
  vgo: VgoWriting;
  gltf: GltfPacking;
  /** The scene with the textures that the viewer would show. */
  dress(): Promise<Dressed>;
  /** What the scene places, opened; undefined where that is nothing. */
  world(): Promise<PlacedFile | undefined>;
}

/** The files, the first of them the one to open. What is lost goes to the ledger; rejects where nothing can be written at all. */
export type Writer = (writing: Writing) => Promise<WrittenFile[]>;

const formatOf = ({ file }: Writing): string => file.format ?? '';

const gltf: Writer = async writing => {
  const { writeGltf } = await import('./gltf/write.ts');
  const dressed = await writing.dress();
  return writeGltf(dressed, { ...writing, to: writing.to as 'glb', world: await writing.world(), packing: writing.gltf });
};

const actorX: Writer = async writing => {
  const { writeActorX } = await import('./unreal/write.ts');
  const dressed = writing.to === 'psa' ? { scene: writing.scene, imageOf: async () => null } : await writing.dress();
  return writeActorX(dressed, { ...writing, to: writing.to as 'psk', format: formatOf(writing) });
};

const recording: Writer = async writing => {
  const { writeRecording } = await import('./mrtk/write.ts');
  return writeRecording(writing.scene, { ...writing, name: writing.names.stem, to: writing.to as 'mrtk' });
};

const table: Writer = async writing => {
  const { writeTable } = await import('./table.ts');
  return writeTable(writing.scene, { ...writing, name: writing.names.stem, to: writing.to as 'csv' });
};

export const WRITERS: Readonly<Record<Target, Writer>> = {
  glb: gltf,
  gltf,
  vrm: gltf,
  cast: async writing => (await import('./cast/write.ts')).writeCast(await writing.dress(), { ...writing, format: formatOf(writing) }),
  se: async writing => (await import('./se/write.ts')).writeSe(await writing.dress(), { ...writing, format: formatOf(writing) }),
  psk: actorX,
  psa: actorX,
  vgo: async writing =>
    (await import('./vgo/write.ts')).writeVgo(await writing.dress(), { ...writing, name: writing.names.stem, writing: writing.vgo }),
  mrtk: recording,
  iwer: recording,
  csv: table,
  json: table,
};
