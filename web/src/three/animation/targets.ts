// Determines which properties of three.js objects are animated by a track.
import type { Object3D } from 'three';
import type { BoundPath, BoundTrack } from '../../core/bound.ts';
import type { NodeTable, RigScene } from '../../core/types.ts';
import type { Built } from '../build/build.ts';
import type { Target } from './keyframes.ts';
import { nodeName, propertyKey } from '../names.ts';
import { registerProperty } from './animatedProperties.ts';

const IDENTITY: Record<BoundPath, readonly number[]> = {
  translation: [0, 0, 0],
  rotation: [0, 0, 0, 1],
  scale: [1, 1, 1],
  weight: [0],
  visible: [1],
  property: [0],
  shown: [1],
  material: [0],
};

const PROPERTIES = { translation: 'position', rotation: 'quaternion', scale: 'scale', visible: 'visible', shown: 'visible' } as const;

/**
 * Returns the properties that a track animates if there is no model. Node names are sanitized as in
 * three's other loaders.
 */
export function looseTargets(track: BoundTrack & { target: string }): Target[] {
  const node = nodeName(track.target);
  const name = track.path === 'weight' ? `${node}.morphTargetInfluences[${track.morph}]` : nodeTrack(node, track);
  return [{ name, rest: IDENTITY[track.path] }];
}

function nodeTrack(node: string, { path, morph }: BoundTrack): string {
  if (path === 'material') return `${node}.shader[${propertyKey(morph)}]`;
  if (path !== 'property' && path !== 'weight') return `${node}.${PROPERTIES[path]}`;
  return `${node}.userData[${propertyKey(morph)}]`;
}

/** Returns the properties that a track animates on the objects built from a scene. */
export function boundTargets(track: BoundTrack, scene: RigScene, built: Built): Target[] {
  const { nodes, meshes, shaders } = built;
  const { path, morph } = track;
  const drawn = track.renderers.flatMap(r => (meshes[r] ? [{ r, mesh: meshes[r] }] : []));
  if (path === 'weight') return drawn.flatMap(({ r, mesh }) => morphTarget(morph, scene, r, mesh));
  if (path === 'shown' || (path === 'visible' && track.node < 0))
    return drawn.map(({ mesh }) => ({ name: `${mesh.name}.visible`, rest: IDENTITY.shown }));
  if (path === 'material')
    return drawn.flatMap(({ r, mesh }) => {
      const shader = shaders(r);
      const key = shader?.key(morph);
      if (!shader || !key) return [];
      Object.assign(mesh, { shader });
      return [{ name: `${mesh.name}.shader[${key}]`, rest: [shader.read(morph) ?? 0] }];
    });
  const node = nodes[track.node];
  if (!node) return [];
  if (path === 'property') {
    registerProperty(built, track.node, morph);
    node.userData[propertyKey(morph)] ??= track.values[0] ?? 0;
  }
  return [{ name: nodeTrack(node.name, track), rest: restOf(scene.nodes, track) }];
}

function morphTarget(name: string, scene: RigScene, renderer: number, mesh: Object3D): Target[] {
  const morphs = scene.meshes[scene.renderers[renderer]?.mesh ?? -1]?.morphs ?? [];
  const exact = morphs.findIndex(morph => morph.name === name);
  const index = exact >= 0 ? exact : morphs.findIndex(morph => morph.name.toLowerCase() === name.toLowerCase());
  const { morphTargetDictionary = {} } = mesh as { morphTargetDictionary?: Record<string, number> };
  const key = Object.keys(morphTargetDictionary).find(each => morphTargetDictionary[each] === index);
  return key === undefined ? [] : [{ name: `${mesh.name}.morphTargetInfluences[${key}]`, rest: IDENTITY.weight }];
}

/** Returns the value of a node's property in the rest pose. */
export function restOf(nodes: NodeTable, { node, path }: Pick<BoundTrack, 'node' | 'path'>): readonly number[] {
  if (path === 'translation') return [...nodes.translations.subarray(3 * node, 3 * node + 3)];
  if (path === 'rotation') return [...nodes.rotations.subarray(4 * node, 4 * node + 4)];
  if (path === 'scale') return [...nodes.scales.subarray(3 * node, 3 * node + 3)];
  return IDENTITY[path];
}
