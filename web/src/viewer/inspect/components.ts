// Creates branches for the components of nodes (features, lights, cameras, meshes), grouped by kind
// or by node.
import { MathUtils } from 'three';
import type { Feature, RigScene } from '../../core/types.ts';
import type { Rig } from '../../three/index.ts';
import { words } from '../words/index.ts';
import { type Branch, colorFact, type Fact, factsIn, group, MAX_ROWS, numberText } from './branch.ts';

const factsOf = ({ properties }: Feature, node: string): Fact[] => [
  ...(node ? [{ label: words.inspect.node, text: node }] : []),
  ...factsIn(properties),
];

/** Returns the components of each node, by node index. */
export function componentsOf(rig: Rig, scene: RigScene): ReadonlyMap<number, readonly Branch[]> {
  const { features, lights, cameras, renderers, meshes } = scene;
  const components = new Map<number, Branch[]>();
  const add = (row: number, branch: Branch): void => {
    const others = components.get(row);
    if (others) others.push(branch);
    else components.set(row, [branch]);
  };
  for (const { node, mesh } of renderers)
    add(node, { kind: 'component', name: meshes[mesh]?.name ?? '', detail: words.inspect.mesh, object: rig.nodes[node]! });
  for (const [row, branch] of lightBranches(rig, scene).entries()) add(lights[row]!.node, branch);
  for (const [row, branch] of cameraBranches(rig, scene).entries()) add(cameras[row]!.node, branch);
  for (const feature of features.slice(0, MAX_ROWS))
    if (feature.node !== undefined)
      add(feature.node, { kind: 'component', name: feature.name || feature.kind, detail: feature.kind, facts: () => factsOf(feature, '') });
  return components;
}

/** Returns a group for each kind of feature: constraints, IK handles, sockets, colliders, … */
export function featureGroups({ features, nodes }: RigScene): (Branch | null)[] {
  const kinds = new Map<string, Feature[]>();
  for (const feature of features) kinds.set(feature.kind, [...(kinds.get(feature.kind) ?? []), feature]);
  return [...kinds].map(([kind, all]) =>
    group(
      kind,
      all.slice(0, MAX_ROWS).map((feature): Branch => {
        const node = feature.node === undefined ? '' : nodes.names[feature.node]!;
        return {
          kind: 'feature',
          name: feature.name || node || kind,
          detail: feature.name ? node : '',
          facts: () => factsOf(feature, node),
        };
      }),
      all.length,
    ),
  );
}

export const lightBranches = (rig: Rig, { lights, nodes }: RigScene): Branch[] =>
  lights
    .slice(0, MAX_ROWS)
    .map((light): Branch => ({
      kind: 'light',
      name: light.name || nodes.names[light.node]!,
      detail: light.type,
      object: rig.nodes[light.node]!,
      facts: () => [
        { label: words.inspect.kind, text: light.type },
        colorFact(words.inspect.color, light.color),
        { label: words.inspect.intensity, text: numberText(light.intensity) },
        ...(light.range > 0 ? [{ label: words.inspect.range, text: `${numberText(light.range)} m` }] : []),
        { label: words.inspect.enabled, text: light.enabled ? words.inspect.yes : words.inspect.no },
        ...factsIn(light.properties),
      ],
    }));

export const cameraBranches = (rig: Rig, { cameras, nodes }: RigScene): Branch[] =>
  cameras
    .slice(0, MAX_ROWS)
    .map((camera): Branch => ({
      kind: 'camera',
      name: camera.name || nodes.names[camera.node]!,
      detail: `${numberText(MathUtils.radToDeg(camera.verticalFov))}°`,
      object: rig.nodes[camera.node]!,
      facts: () => [
        { label: words.fieldOfView, text: `${numberText(MathUtils.radToDeg(camera.verticalFov))}°` },
        { label: words.inspect.nearFar, text: `${numberText(camera.near)} – ${numberText(camera.far)} m` },
        ...factsIn(camera.properties),
      ],
    }));
