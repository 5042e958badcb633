// Scenes as matching a folder of files asks for them. Thousands of motions move the same bones, and thousands of bodies have them: what is alike is kept, and compared, once.
import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';
import { lookedAt } from '../core/match.ts';
import type { Mesh, RigScene } from '../core/types.ts';

export class Scenes {
  readonly #known = new Map<string, RigScene>();

  /** The first scene that has the same names in it, without vertices and images. `path`: where it lies; what is called as its file is called alike. */
  shared(scene: RigScene, path: string): RigScene {
    const signature = signatureOf(scene, basename(path, extname(path)));
    let shared = this.#known.get(signature);
    if (!shared) this.#known.set(signature, (shared = light(scene)));
    return shared;
  }
}

/** All that decides whether motions and models fit: who is there, and what is moved. */
function signatureOf(scene: RigScene, own: string): string {
  const { nodes, meshes, renderers, materials, expressions, features, instances, lights, cameras, clips } = scene;
  const hash = createHash('sha256');
  const called = (name: string | undefined): string | null => (name === own ? null : (name ?? ''));
  const say = (...words: unknown[]): void => void hash.update(JSON.stringify(words));
  say(nodes.names.map(called), [...nodes.parents], [...nodes.bones]);
  say(renderers.map(({ name, mesh, node, skin }) => [called(name), mesh, node, skin]));
  say(meshes.map(({ name, morphs }) => [called(name), morphs.map(each => [each.name, each.maximum])]));
  say(materials.map(({ name }) => called(name)));
  say(expressions.map(({ name }) => name));
  say(features.map(({ kind, name, node }) => [kind, called(name), node]));
  say(instances.length > 0, lights.length + cameras.length > 0, clips.length);
  for (const { tracks } of lookedAt(clips))
    for (const { path, target, occurrence, property, node } of tracks) say(path, target, occurrence, property, node);
  return hash.digest('base64');
}

/** Its vertices and images are let go. */
function light(scene: RigScene): RigScene {
  const nothing = new Float32Array(0);
  const meshes = scene.meshes.map(({ name, topology, skinning, morphs, min, max, center }): Mesh => ({
    name,
    topology,
    skinning,
    min,
    max,
    center,
    radius: 0,
    vertexCount: 0,
    positions: nothing,
    uvs: [],
    colors: [],
    colorsAreMaterial: false,
    maxInfluences: 0,
    sourceVertexCount: 0,
    groups: [],
    morphs: morphs.map(each => ({ ...each, vertices: new Uint32Array(0), positions: nothing, normals: nothing })),
  }));
  return { ...scene, meshes, images: [] };
}
