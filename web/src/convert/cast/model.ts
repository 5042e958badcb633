// Writes models to Cast: skeletons, constraints, and meshes in the rest pose.
import { add, cross, dot, subtract, vectorAt } from '../../core/math/vector.ts';
import { numberAt } from '../../core/math/column.ts';
import { entry } from '../../core/entry.ts';
import { listIn, member, numberIn, numbersIn, textIn } from '../../core/properties.ts';
import type { Feature, Properties, RigScene } from '../../core/types.ts';
import type { Body } from '../common/bodies.ts';
import type { ReportBuilder } from '../common/report.ts';
import type { Part } from '../common/parts.ts';
import type { CastNode, CastTree } from './tree.ts';

/**
 * Writes the local transform of a node. `names`: names of the Cast properties for position,
 * rotation and scale.
 */
function transform(node: CastNode, { nodes }: RigScene, row: number, names: readonly [string, string, string]): void {
  const { translations: t, rotations: q, scales: s } = nodes;
  node.floats(names[0], '3v', t.slice(3 * row, 3 * row + 3)).floats(names[1], '4v', q.slice(4 * row, 4 * row + 4));
  node.floats(names[2], '3v', s.slice(3 * row, 3 * row + 3));
}

export function writeModel(tree: CastTree, scene: RigScene, body: Body): CastNode {
  const model = tree.make('modl', tree.root).text('n', body.name);
  if (body.owner > 0) transform(model, scene, body.owner, ['p', 'r', 's']);
  return model;
}

/**
 * Writes a skeleton with its constraints. Returns the Cast nodes of the bones, or an empty list for
 * a body without bones.
 */
export function writeSkeleton(tree: CastTree, scene: RigScene, body: Body, features: readonly Feature[], parent: CastNode): CastNode[] {
  const { names, segmentScaleCompensate } = scene.nodes;
  if (body.bones.length === 0) return [];
  const skeleton = tree.make('skel', parent);
  const bones = body.bones.map((row, i) => {
    const bone = tree.make('bone', skeleton).text('n', names[row] ?? '');
    bone.integers('p', [numberAt(body.parents, i) >>> 0], 'i').flag('ssc', segmentScaleCompensate[row] !== 0);
    transform(bone, scene, row, ['lp', 'lr', 's']);
    return bone;
  });
  for (const feature of features) writeFeature(tree, skeleton, feature, body, bones);
  return bones;
}

/** Returns the features that Cast can store, grouped by the body that contains their bones. */
export function featuresByBody({ features }: RigScene, bodies: readonly Body[]): Map<Body, Feature[]> {
  const owners = new Map(bodies.flatMap(body => body.bones.map(row => [row, body] as const)));
  const found = new Map<Body, Feature[]>();
  for (const feature of features) {
    const { kind, node, properties } = feature;
    if (kind !== 'ik' && kind !== 'constraint') continue;
    const body = owners.get(rowOf(properties, kind === 'ik' ? 'endBone' : 'constrainedBone', node));
    if (body) entry(found, body, () => []).push(feature);
  }
  return found;
}

const rowOf = (properties: Properties | undefined, name: string, node = -1): number => numberIn(member(properties, name), 'node', node);

function writeFeature(tree: CastTree, skeleton: CastNode, feature: Feature, body: Body, bones: readonly CastNode[]): void {
  const { kind, name, properties } = feature;
  const made = tree.make(kind === 'ik' ? 'ikhd' : 'cnst', skeleton);
  if (name) made.text('n', name);
  const link = (property: string, member: string): void => {
    const bone = bones[body.places.get(rowOf(properties, member)) ?? -1];
    if (bone) made.link(property, bone);
  };
  const flag = (property: string, name: string): void => void made.flag(property, member(properties, name) === true);
  if (kind === 'ik') {
    for (const [property, name] of [
      ['sb', 'startBone'],
      ['eb', 'endBone'],
      ['tb', 'targetBone'],
      ['pv', 'poleVectorBone'],
      ['pb', 'poleBone'],
    ] as const)
      link(property, name);
    made.floats('to', '3v', numbersIn(properties, 'targetOffset', [0, 0, 0]));
    flag('tr', 'targetRotation');
    return;
  }
  const type = textIn(properties, 'type');
  made.text('ct', { translation: 'pt', rotation: 'or', scale: 'sc' }[type] ?? type);
  link('cb', 'constrainedBone');
  link('tb', 'targetBone');
  flag('mo', 'maintainOffset');
  made.floats('wt', 'f', [numberIn(properties, 'weight', 1)]);
  const offset = listIn(properties, 'offset').length;
  if (offset === 3) made.floats('co', '3v', numbersIn(properties, 'offset', [0, 0, 0]));
  if (offset === 4) made.floats('co', '4v', numbersIn(properties, 'offset', [0, 0, 0, 1]));
  for (const [i, axis] of ['sx', 'sy', 'sz'].entries()) made.flag(axis, listIn(properties, 'skip')[i] === true);
}

export function writePart(tree: CastTree, model: CastNode, part: Part, material: CastNode | null): void {
  if (part.strands) return writeHair(tree, model, part, part.strands, material);
  const { name, positions, normals, tangents, uvs, colors, influences, indices } = part;
  const mesh = tree.make('mesh', model).text('n', name).floats('vp', '3v', positions);
  if (normals) mesh.floats('vn', '3v', normals);
  if (tangents)
    mesh.floats(
      'vt',
      '3v',
      Float32Array.from({ length: 3 * part.count }, (_, i) => numberAt(tangents, 4 * Math.floor(i / 3) + (i % 3))),
    );
  if (colors.length > 0) mesh.integers('cl', [colors.length]);
  for (const [i, values] of colors.entries())
    if (values instanceof Uint8Array) mesh.packed(`c${i}`, values);
    else mesh.floats(`c${i}`, '4v', values);
  if (uvs.length > 0) mesh.integers('ul', [uvs.length]);
  for (const [i, values] of uvs.entries()) mesh.floats(`u${i}`, '2v', values);
  if (influences) {
    mesh.integers('wb', influences.bones).floats('wv', 'f', influences.weights).integers('mi', [influences.each]);
    mesh.text('sm', part.isDual ? 'quaternion' : 'linear');
  }
  mesh.integers('f', indices);
  if (material) mesh.link('m', material);
  for (const shape of part.shapes) writeShape(tree, model, mesh, shape, positions);
}

/**
 * Writes a morph target as absolute positions. Because Cast requires at least one vertex, an empty
 * morph target gets one vertex at its base position.
 */
function writeShape(tree: CastTree, model: CastNode, mesh: CastNode, shape: Part['shapes'][number], base: Float32Array): void {
  const { name, maximum, vertices, positions } = shape;
  const rows = vertices.length > 0 ? vertices : Uint32Array.of(0);
  const final = new Float32Array(3 * rows.length);
  for (const [i, vertex] of rows.entries())
    for (let c = 0; c < 3; c++)
      final[3 * i + c] = numberAt(base, 3 * vertex + c) + (vertices.length > 0 ? numberAt(positions, 3 * i + c) : 0);
  const made = tree.make('blsh', model).text('n', name).link('b', mesh);
  made.integers('vi', rows).floats('vp', '3v', final).floats('ts', 'f', [maximum]);
}

function writeHair(tree: CastTree, model: CastNode, { name, positions }: Part, strands: Uint32Array, material: CastNode | null): void {
  const segments = Uint32Array.from(strands.subarray(1), (end, i) => end - numberAt(strands, i) - 1);
  const hair = tree.make('hair', model).text('n', name).integers('se', segments).floats('pt', '3v', positions);
  if (material) hair.link('m', material);
}

/**
 * Reports meshes whose faces point in the opposite direction of their normals. Some importers flip
 * such faces, because an old exporter wrote flipped faces by mistake.
 */
export function reportWinding(parts: readonly Part[], report: ReportBuilder): void {
  for (const { name, strands, normals, positions, indices } of parts) {
    if (strands || !normals) continue;
    let against = 0;
    for (let i = 0; i + 2 < indices.length; i += 3) {
      const [a, b, c] = [3 * numberAt(indices, i), 3 * numberAt(indices, i + 1), 3 * numberAt(indices, i + 2)];
      const corner = vectorAt(positions, a);
      const facing = cross(subtract(vectorAt(positions, b), corner), subtract(vectorAt(positions, c), corner));
      if (dot(facing, add(add(vectorAt(normals, a), vectorAt(normals, b)), vectorAt(normals, c))) < 0) against++;
    }
    if (against > MAX_SHARE_AGAINST * (indices.length / 3)) report.add('FACES_AGAINST_NORMALS', name, against);
  }
}

const MAX_SHARE_AGAINST = 0.95;

export function reportShapes(parts: readonly Part[], report: ReportBuilder): void {
  for (const { name, shapes } of parts) if (shapes.some(({ normals }) => normals)) report.add('MORPH_NORMALS_LOST', name, shapes.length);
}

export function reportHair(parts: readonly Part[], report: ReportBuilder): void {
  for (const { strands, influences, name, uvs, colors } of parts)
    if (strands && (influences || uvs.length + colors.length > 0)) report.add('HAIR_REDUCED', name, strands.length - 1);
}
