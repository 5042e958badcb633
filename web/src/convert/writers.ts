// The one list of conversion targets. Help, documentation, the viewer's menu and the types follow from a row; its writer is imported when it is used.
import type { Breath } from './common/breath.ts';
import type { RigFile } from '../core/open.ts';
import type { Clip, RigScene } from '../core/types.ts';
import type { Dressed } from './common/dress.ts';
import type { FileNames } from './common/fileNames.ts';
import type { ImageSource } from './common/imageSource.ts';
import type { GltfPacking } from './gltf/write.ts';
import type { Ledger } from './common/ledger.ts';
import type { VgoWriting } from './vgo/writing.ts';
import type { WrittenFile } from './common/written.ts';
import type { PlacedFile } from './common/worlds.ts';

/** One model, or a motion alone, that becomes files. */
export interface Writing {
  /** The name of the target. */
  to: string;
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

/** Options of some targets, with the text for `--help`. */
const CHOICE_TEXTS = {
  split: 'Write the model and each animation to separate files',
  meshopt: 'Compress losslessly with EXT_meshopt_compression; needs a reader that supports it',
  webp: 'Write images as lossless WebP; outside browsers this needs the package sharp',
  bson: 'Write BSON instead of JSON',
} as const;

export type ChoiceId = keyof typeof CHOICE_TEXTS;

interface TargetRow {
  /** Name in menus. */
  label: string;
  /** The files that are written, for documentation. */
  text: string;
  /** Extensions: that of models, then others that its files may have. Default: the name of the target. */
  extensions?: readonly [string, ...string[]];
  mime?: string;
  choices?: readonly ChoiceId[];
  /** Files of the target cannot contain meshes. */
  hasNoMeshes?: boolean;
  /** Files of the target cannot declare which keys are additive. Their readers guess. */
  hasNoModes?: boolean;
  /** Instances of a world become part of the file, which else only names them. */
  holdsWorlds?: boolean;
  /** Tangents that the source does not have are computed and written. Readers of the target would compute others. */
  wantsTangents?: boolean;
  /** Animations without a skeleton can be written: all, or only those from files of one format. */
  holdsAnimations?: true | string;
  write: Writer;
}

const formatOf = ({ file }: Writing): string => file.format ?? '';

const GLTF = {
  holdsWorlds: true,
  wantsTangents: true,
  write: async (writing: Writing) => {
    const { writeGltf } = await import('./gltf/write.ts');
    const dressed = await writing.dress();
    return writeGltf(dressed, { ...writing, to: writing.to as 'glb', world: await writing.world(), packing: writing.gltf });
  },
};

const ACTOR_X = {
  hasNoModes: true,
  write: async (writing: Writing) => {
    const { writeActorX } = await import('./unreal/write.ts');
    const dressed = writing.to === 'psa' ? { scene: writing.scene, imageOf: async () => null } : await writing.dress();
    return writeActorX(dressed, { ...writing, to: writing.to as 'psk', format: formatOf(writing) });
  },
};

const RECORDING = {
  hasNoMeshes: true,
  write: async (writing: Writing) => {
    const { writeRecording } = await import('./mrtk/write.ts');
    return writeRecording(writing.scene, { ...writing, name: writing.names.stem, to: writing.to as 'mrtk' });
  },
};

const TABLE = {
  choices: ['split'],
  hasNoMeshes: true,
  write: async (writing: Writing) => {
    const { writeTable } = await import('./table.ts');
    return writeTable(writing.scene, { ...writing, name: writing.names.stem, to: writing.to as 'csv' });
  },
} as const;

const rows = {
  glb: { label: 'glTF binary (.glb)', text: 'one file', mime: 'model/gltf-binary', choices: ['split', 'meshopt', 'webp'], ...GLTF },
  gltf: { label: 'glTF + .bin + images', text: 'JSON, a .bin file and images', choices: ['split', 'meshopt', 'webp'], ...GLTF },
  vrm: { label: 'VRM 1.0 (avatar)', text: 'a VRM 1.0 avatar', mime: 'model/gltf-binary', choices: ['split'], ...GLTF },
  cast: {
    label: 'Cast',
    text: 'one file, and the images of the source',
    choices: ['split'],
    holdsAnimations: true,
    write: async writing => (await import('./cast/write.ts')).writeCast(await writing.dress(), { ...writing, format: formatOf(writing) }),
  },
  se: {
    label: 'SEModel and SEAnim',
    text: 'a .semodel file per model, a .seanim file per animation',
    extensions: ['semodel', 'seanim'],
    holdsAnimations: true,
    write: async writing => (await import('./se/write.ts')).writeSe(await writing.dress(), { ...writing, format: formatOf(writing) }),
  },
  psk: {
    label: 'PSK and PSA (Unreal)',
    text: 'a .psk file per model, and one .psa file with its animations',
    extensions: ['psk', 'pskx'],
    ...ACTOR_X,
  },
  // Only a PSA states the space of its root without a model.
  psa: { label: 'PSA (animations only)', text: 'the animations without the model', hasNoMeshes: true, holdsAnimations: 'psa', ...ACTOR_X },
  vgo: {
    label: 'VGO 2.5 (UniVGO)',
    text: 'one file',
    choices: ['split', 'bson'],
    write: async writing =>
      (await import('./vgo/write.ts')).writeVgo(await writing.dress(), { ...writing, name: writing.names.stem, writing: writing.vgo }),
  },
  mrtk: { label: 'MRTK (hand recording)', text: 'a hand recording', extensions: ['bin'], ...RECORDING },
  iwer: {
    label: 'IWER (WebXR without a headset)',
    text: 'a hand recording as JSON for IWER, the WebXR emulator',
    extensions: ['iwer.json'],
    ...RECORDING,
  },
  csv: { label: 'CSV, bone positions over time', text: 'a table of bone positions over time', ...TABLE },
  json: { label: 'JSON, bone positions over time', text: 'a table of bone positions over time', ...TABLE },
} as const satisfies Readonly<Record<string, TargetRow>>;

/** A format that files can be converted to, by its name in the table of docs/convert.md. */
export type Target = keyof typeof rows;

export const WRITERS: Readonly<Record<Target, TargetRow>> = rows;

/** All targets. docs/convert.md describes them. */
export const TARGETS: readonly Target[] = Object.keys(rows) as Target[];

export interface Choice {
  id: ChoiceId;
  targets: readonly Target[];
  text: string;
}

export const CHOICES: readonly Choice[] = Object.entries(CHOICE_TEXTS).map(([id, text]) => ({
  id: id as ChoiceId,
  targets: TARGETS.filter(to => WRITERS[to].choices?.includes(id as ChoiceId)),
  text,
}));

/** The first choice that the target does not offer. */
export const misplaced = (to: Target, chosen: Partial<Record<ChoiceId, boolean | undefined>>): Choice | undefined =>
  CHOICES.find(({ id, targets }) => chosen[id] && !targets.includes(to));

/** True if the target can hold animations without a skeleton from a file of this format. */
export function holdsAnimations(to: Target, format: string | null): boolean {
  const { holdsAnimations: from } = WRITERS[to];
  return from === true || (from !== undefined && from === format);
}

export const extensionsOf = (to: Target): readonly [string, ...string[]] => WRITERS[to].extensions ?? [to];

/** The extension of the target that a file name has; '' if it has none. */
export const extensionIn = (name: string, to: Target): string =>
  extensionsOf(to).find(each => name.toLowerCase().endsWith(`.${each}`)) ?? '';

/** The target that a file name states by its extension; undefined for the name of a folder. */
export const targetIn = (name: string): Target | undefined => TARGETS.find(each => extensionIn(name, each));
