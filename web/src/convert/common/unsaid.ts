// What formats of bones and meshes alone do not say, told once for all of them.
import { isBone, nameOf } from '../../core/tree.ts';
import { bind } from '../../core/bind.ts';
import type { Clip, Feature, Material, RigScene } from '../../core/types.ts';
import type { Body } from './bodies.ts';
import { correctedRows, scaledByTracks, scaledRows } from '../gltf/locals.ts';
import type { Ledger } from './report.ts';

/** It has a map of normals of the way that the target does not name. */
export const hasGreenDown = ({ slots }: Material, { hints }: RigScene): boolean =>
  hints?.directXNormals === true && slots.some(({ slot, texture }) => slot === 'normal' && texture !== undefined);

/** Of nodes and what they show. */
export function tellBodies(scene: RigScene, bodies: readonly Body[], ledger: Ledger): void {
  const { nodes } = scene;
  const rows = bodies.flatMap(body => body.bones);
  const plain = rows.filter(row => !isBone(nodes, row)).length;
  if (plain > 0) ledger.add('NODES_AS_BONES', '', plain);
  const hidden = rows.filter(row => !nodes.visible[row]).length + scene.renderers.filter(each => !each.visible).length;
  if (hidden > 0) ledger.add('HIDDEN_SHOWN', '', hidden);
  const tinted = scene.meshes.filter(({ colors, colorsAreMaterial }) => colors.length > 0 && colorsAreMaterial).length;
  if (tinted > 0) ledger.add('COLORS_AS_DATA', '', tinted);
}

/** Bones below one whose scale, at rest or in a clip, differs by axis, if the source multiplies scales axis by axis and the target multiplies matrices. */
export function tellAxes(scene: RigScene, clips: readonly Clip[], ledger: Ledger): void {
  if (scene.scaleInheritance !== 'axes') return;
  const [scaled, uneven] = [new Set<number>(), new Set<number>()];
  scaledRows(scene.nodes.scales, scene.nodes.count, scaled, uneven);
  for (const clip of clips) scaledByTracks(bind(clip, scene).tracks, scaled, uneven);
  const rows = correctedRows(scene, scaled, uneven, new Set());
  const [first] = rows;
  if (first !== undefined) ledger.add('SCALE_INHERITED', nameOf(scene.nodes, first), rows.size);
}

/** Of all the rest. `said`: names of properties that the target has a place for. */
export function tellRest(scene: RigScene, isSaid: (feature: Feature) => boolean, ledger: Ledger, said: readonly string[] = []): void {
  const { lights, cameras, expressions, features, nodes, meshes, renderers, clips, asset } = scene;
  const counts = new Map<string, number>([
    ['lights', lights.length],
    ['cameras', cameras.length],
    ['expressions', expressions.length],
  ]);
  for (const feature of features)
    if (feature.kind !== 'animation' && !isSaid(feature)) counts.set(feature.kind, (counts.get(feature.kind) ?? 0) + 1);
  for (const [kind, count] of counts) if (count > 0) ledger.add('NOT_SAID', kind, count);
  const bags = [...nodes.properties.values(), ...[...meshes, ...renderers, ...clips].map(({ properties }) => properties)];
  const own =
    bags.filter(bag => Object.keys(bag ?? {}).some(key => !DERIVED.has(key) && !said.includes(key))).length + (asset.copyright ? 1 : 0);
  if (own > 0) ledger.add('PROPERTIES_LOST', '', own);
}

/** What readers say of a motion that its keys and modes say as well. */
const DERIVED = new Set(['firstFrame', 'animType']);
