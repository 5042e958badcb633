// Vertex colours that show skin weights, for the shading mode `weights`.
import { BufferAttribute, Color, type Object3D, SkinnedMesh } from 'three';
import { Influences, type Skinning } from '../three/build/skinning.ts';

export const WEIGHT_COLORS = 'colorOfWeights';

type Skinned = SkinnedMesh & { skinning?: Skinning | null };

/** Golden ratio, used to give adjacent bones very different hues. */
const GOLDEN = 0.618034;

/**
 * Colours all skinned meshes below `content`. If `bone` is given, the colours show the weights of
 * this bone, from dark through green to red. If it is null, each bone has a colour, and vertices
 * mix these colours by weight.
 */
export function showWeights(content: Object3D, bone: Object3D | null): void {
  for (const mesh of skinnedBelow(content)) {
    const joint = bone ? mesh.skeleton.bones.indexOf(bone as never) : null;
    mesh.geometry.setAttribute(WEIGHT_COLORS, new BufferAttribute(joint === null ? mixedBoneColors(mesh) : heatColors(mesh, joint), 3));
  }
}

export function hideWeights(content: Object3D): void {
  for (const { geometry } of skinnedBelow(content)) geometry.deleteAttribute(WEIGHT_COLORS);
}

/** Returns the weight of a joint for each vertex. All weights are 0 if `joint` is −1. */
export function weightsOf(mesh: Skinned, joint: number): Float32Array {
  const weights = new Float32Array(mesh.geometry.attributes['position']!.count);
  forEachInfluence(mesh, (vertex, of, share) => {
    if (of === joint) weights[vertex]! += share;
  });
  return weights;
}

function heatColors(mesh: Skinned, joint: number): Float32Array {
  const weights = weightsOf(mesh, joint);
  const colors = new Float32Array(3 * weights.length);
  const clamp01 = (value: number): number => Math.min(Math.max(value, 0), 1);
  for (const [vertex, weight] of weights.entries()) {
    const heat = clamp01(weight);
    const color = heat > 0 ? [2 * heat - 0.6, 1.4 - Math.abs(2.8 * heat - 1.4), 1.2 - 2.4 * heat].map(clamp01) : [0.02, 0.03, 0.12];
    colors.set(color, 3 * vertex);
  }
  return colors;
}

/** Returns one RGB colour per vertex: the colours of its bones, mixed by weight. */
function mixedBoneColors(mesh: Skinned): Float32Array {
  const colors = new Float32Array(3 * mesh.geometry.attributes['position']!.count);
  const ofBones = mesh.skeleton.bones.map((_, joint) => new Color().setHSL((joint * GOLDEN) % 1, 0.6, 0.35 + 0.12 * (joint % 3)).toArray());
  forEachInfluence(mesh, (vertex, joint, share) => {
    const color = ofBones[joint];
    for (let c = 0; color && c < 3; c++) colors[3 * vertex + c]! += share * color[c]!;
  });
  return colors;
}

function forEachInfluence(mesh: Skinned, callback: (vertex: number, joint: number, share: number) => void): void {
  const { geometry } = mesh;
  if (!geometry.hasAttribute('skinIndex')) return;
  const influences = new Influences(geometry, mesh.skinning);
  const { count } = geometry.attributes['position']!;
  for (let vertex = 0; vertex < count; vertex++) {
    influences.read(vertex);
    for (let k = 0; k < influences.count; k++) callback(vertex, influences.joints[k]!, influences.weights[k]!);
  }
}

function skinnedBelow(content: Object3D): Skinned[] {
  const found: Skinned[] = [];
  content.traverse(object => {
    if (object instanceof SkinnedMesh) found.push(object); // `isSkinnedMesh` is false with WebGPU
  });
  return found;
}
