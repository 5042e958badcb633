// Reports data that formats with only bones and meshes cannot store.
import { isBone, nameOf } from '../../core/tree.ts';
import { bind } from '../../core/bind.ts';
import type { Clip, Feature, Material, RigScene } from '../../core/types.ts';
import type { Body } from './bodies.ts';
import { correctedRows, scaledByTracks, scaledRows } from './scaleInheritance.ts';
import type { ReportBuilder } from './report.ts';

/** True if the material has a normal map whose green channel points down. */
export const hasGreenDown = ({ slots }: Material, { hints }: RigScene): boolean =>
  hints?.directXNormals === true && slots.some(({ slot, texture }) => slot === 'normal' && texture !== undefined);

/**
 * Reports nodes that are written as bones, hidden nodes and renderers that are visible in the
 * result, and vertex colours.
 */
export function reportBodies(scene: RigScene, bodies: readonly Body[], report: ReportBuilder): void {
  const { nodes } = scene;
  const rows = bodies.flatMap(body => body.bones);
  const plain = rows.filter(row => !isBone(nodes, row)).length;
  if (plain > 0) report.add('NODES_AS_BONES', '', plain);
  const hidden = rows.filter(row => !nodes.visible[row]).length + scene.renderers.filter(each => !each.visible).length;
  if (hidden > 0) report.add('HIDDEN_SHOWN', '', hidden);
  const tinted = scene.meshes.filter(({ colors, colorsAreMaterial }) => colors.length > 0 && colorsAreMaterial).length;
  if (tinted > 0) report.add('COLORS_AS_DATA', '', tinted);
}

/**
 * Reports non-uniformly scaled bones if the source multiplies scales per axis, because the target
 * multiplies matrices, which gives a different result.
 */
export function reportScaleInheritance(scene: RigScene, clips: readonly Clip[], report: ReportBuilder): void {
  if (scene.scaleInheritance !== 'axes') return;
  const [scaled, uneven] = [new Set<number>(), new Set<number>()];
  scaledRows(scene.nodes.scales, scene.nodes.length, scaled, uneven);
  for (const clip of clips) scaledByTracks(bind(clip, scene).tracks, scaled, uneven);
  const rows = correctedRows(scene, scaled, uneven, new Set());
  const [first] = rows;
  if (first !== undefined) report.add('SCALE_INHERITED', nameOf(scene.nodes, first), rows.size);
}

/**
 * Reports lights, cameras, expressions, and features and custom properties that the target cannot
 * store. `isSupported`: returns true for features that the target can store. `properties`:
 * names of properties that the target can store.
 */
export function reportUnsupported(
  scene: RigScene,
  isSupported: (feature: Feature) => boolean,
  report: ReportBuilder,
  properties: readonly string[] = [],
): void {
  const { lights, cameras, expressions, features, nodes, meshes, renderers, clips, asset } = scene;
  const counts = new Map<string, number>([
    ['lights', lights.length],
    ['cameras', cameras.length],
    ['expressions', expressions.length],
  ]);
  for (const feature of features)
    if (feature.kind !== 'animation' && !isSupported(feature)) counts.set(feature.kind, (counts.get(feature.kind) ?? 0) + 1);
  for (const [kind, count] of counts) if (count > 0) report.add('NOT_SAID', kind, count);
  const bags = [...nodes.properties.values(), ...[...meshes, ...renderers, ...clips].map(each => each.properties)];
  const own =
    bags.filter(bag => Object.keys(bag ?? {}).some(key => !DERIVED.has(key) && !properties.includes(key))).length +
    (asset.copyright ? 1 : 0);
  if (own > 0) report.add('PROPERTIES_LOST', '', own);
}

/** Names of properties that importers can derive from the keys and modes of a clip. */
const DERIVED = new Set(['firstFrame', 'animType']);
