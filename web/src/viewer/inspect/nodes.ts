// Creates the tree of bones and other nodes, with their components.
import { Euler, MathUtils, Quaternion, Vector3 } from 'three';
import type { RigScene } from '../../core/types.ts';
import type { Rig } from '../../three/index.ts';
import { lengthText, unitOf } from '../lengths.ts';
import { words } from '../words/index.ts';
import { type Branch, type Fact, factsIn, numbers } from './branch.ts';
import { componentsOf } from './components.ts';

/**
 * Returns the node hierarchy. The components of a node, such as lights, sockets and meshes, precede
 * its child nodes.
 */
export function nodeBranches(rig: Rig, scene: RigScene): Branch[] {
  const { nodes } = scene;
  const components = componentsOf(rig, scene);
  const children = new Map<number, number[]>();
  for (let row = 1; row < nodes.length; row++) {
    const parent = nodes.parents[row]!;
    const siblings = children.get(parent);
    if (siblings) siblings.push(row);
    else children.set(parent, [row]);
  }
  const make = (row: number): Branch => {
    const below = children.get(row) ?? [];
    const own = components.get(row) ?? [];
    let made: Branch[] | null = null;
    return {
      kind: nodes.bones[row]! >= 0 ? 'bone' : 'node',
      name: nodes.names[row]!,
      detail: nodes.bones[row]! >= 0 ? `#${nodes.bones[row]!}` : '',
      object: rig.nodes[row]!,
      facts: () => nodeFacts(rig, nodes, row, below),
      ...(below.length + own.length > 0 && { children: () => (made ??= [...own, ...below.map(make)]) }),
    };
  };
  return (children.get(0) ?? []).map(make);
}

/** Maximum number of children to which the length of a bone is shown. */
const MAX_LENGTHS = 5;

/** `below`: rows of the children. */
function nodeFacts(rig: Rig, nodes: RigScene['nodes'], row: number, below: readonly number[]): Fact[] {
  const { inspect } = words;
  const now = rig.nodes[row]!;
  const parent = nodes.parents[row]!;
  const at = (columns: Float32Array, width: number): number[] => Array.from(columns.subarray(row * width, row * width + width));
  return [
    ...(parent > 0 ? [{ label: inspect.parent, text: nodes.names[parent]! || words.noName }] : []),
    ...boneLengths(rig, nodes, row, below),
    { label: inspect.localPosition, text: lengths(now.position.toArray()) },
    { label: inspect.localRotation, text: degrees(now.quaternion) },
    { label: inspect.localScale, text: numbers(now.scale.toArray()) },
    { label: inspect.restPosition, text: lengths(at(nodes.translations, 3)) },
    { label: inspect.restRotation, text: degrees(new Quaternion().fromArray(at(nodes.rotations, 4))) },
    { label: inspect.restScale, text: numbers(at(nodes.scales, 3)) },
    { label: inspect.worldPosition, text: lengths(now.getWorldPosition(new Vector3()).toArray()) },
    ...(nodes.segmentScaleCompensate[row] ? [{ label: inspect.segmentScale, text: inspect.yes }] : []),
    ...factsIn(nodes.properties.get(row)),
  ];
}

/** Returns the distances from a bone to its child bones in the current pose. */
function boneLengths(rig: Rig, nodes: RigScene['nodes'], row: number, below: readonly number[]): Fact[] {
  if (nodes.bones[row]! < 0) return [];
  const from = rig.nodes[row]!.getWorldPosition(new Vector3());
  return below
    .filter(child => nodes.bones[child]! >= 0)
    .slice(0, MAX_LENGTHS)
    .map(child => {
      const distance = rig.nodes[child]!.getWorldPosition(new Vector3()).distanceTo(from);
      const text = lengthText(distance, unitOf({ rig }, rig.scene.scale.x));
      return { label: words.inspect.length, text: words.inspect.lengthTo(text, nodes.names[child]! || words.noName) };
    });
}

const lengths = (values: readonly number[]): string => `${numbers(values)} m`;

/** Formats a rotation as Euler angles in degrees, XYZ order. */
function degrees(rotation: Quaternion): string {
  const { x, y, z } = new Euler().setFromQuaternion(rotation);
  return [x, y, z].map(angle => `${Number(MathUtils.radToDeg(angle).toFixed(2))}°`).join('  ');
}
