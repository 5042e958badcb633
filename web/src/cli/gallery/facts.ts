// Facts about a model and its animations, which the pages and the search index of a gallery show.
import { createHash } from 'node:crypto';
import { drawnMeshes, trianglesOf } from '../../core/drawnMeshes.ts';
import { match, type Match } from '../../core/match.ts';
import type { Clip, Report, RigScene } from '../../core/types.ts';
import { bodyOf } from '../../convert/vrm/body.ts';
import { humanoidOf } from '../../rig/humanoid.ts';

/** The contents of `model.json` in the folder of a page. Paths are relative to the folder of all models. */
export interface ModelFacts {
  file: string;
  format: string;
  byteLength: number;
  meshes: string[];
  vertices: number;
  triangles: number;
  /** Number of placed copies of other models. */
  instances: number;
  bones: string[];
  /** Hash of the names and parents of all bones; '' if there are no bones. */
  skeleton: string;
  morphs: string[];
  materials: MaterialFacts[];
  animations: AnimationFacts[];
  /** True if the model has meshes and all bones that VRM requires; otherwise the reason, or null if it is not a humanoid. */
  isBody: boolean;
  notBody: string | null;
  /** Reports of all files, starting with the model. */
  reports: FileReport[];
}

export interface MaterialFacts {
  name: string;
  /** Slots with the names of their images. */
  images: { slot: string; name: string }[];
}

export interface AnimationFacts {
  name: string;
  file: string;
  /** Seconds. */
  duration: number;
  frameRate: number;
  frames: number;
  match: Pick<Match, 'names' | 'found'>;
}

export interface FileReport {
  file: string;
  byteLength: number;
  report: Report;
}

/** Returns the facts about a scene that concern its model. */
export function sceneFacts(
  scene: RigScene,
): Pick<
  ModelFacts,
  'meshes' | 'vertices' | 'triangles' | 'instances' | 'bones' | 'skeleton' | 'morphs' | 'materials' | 'isBody' | 'notBody'
> {
  const { nodes, meshes, materials, textures, images } = scene;
  const rows = [...nodes.names.keys()].filter(row => nodes.bones[row]! >= 0);
  const drawn = drawnMeshes(scene);
  const nameOfImage = (texture: number): string => {
    const { image, name = '' } = textures[texture] ?? {};
    const found = image === undefined ? undefined : images[image];
    return found?.path ?? found?.name ?? name;
  };
  return {
    meshes: meshes.map(({ name }) => name),
    vertices: sum(drawn.map(({ vertexCount }) => vertexCount)),
    triangles: sum(drawn.map(trianglesOf)),
    instances: sum(scene.instances.map(({ transforms }) => transforms.length / 10)),
    bones: rows.map(row => nodes.names[row]!),
    skeleton: rows.length === 0 ? '' : hashOf(rows.map(row => [nodes.names[row], nodes.names[nodes.parents[row]!] ?? ''])),
    morphs: [...new Set(meshes.flatMap(({ morphs }) => morphs.map(({ name }) => name)))],
    materials: materials.map(({ name, slots }) => ({
      name,
      images: slots.flatMap(({ slot, texture }) => (texture === undefined ? [] : [{ slot, name: nameOfImage(texture) }])),
    })),
    ...bodyFacts(scene),
  };
}

/** Returns the facts about the animations of a file. `model`: the scene that they animate. */
export const animationFacts = (clips: readonly Clip[], file: string, model: RigScene): AnimationFacts[] =>
  clips.map(clip => {
    const { names, found } = match(clip, model);
    const { name, duration, frameRate, frameCount: frames } = clip;
    return { name, file, duration, frameRate, frames, match: { names, found } };
  });

function bodyFacts(scene: RigScene): Pick<ModelFacts, 'isBody' | 'notBody'> {
  if (scene.renderers.length === 0 || !humanoidOf(scene)) return { isBody: false, notBody: null };
  try {
    bodyOf(scene);
    return { isBody: true, notBody: null };
  } catch (error) {
    return { isBody: false, notBody: (error as Error).message };
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);
