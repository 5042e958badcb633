// Tests the inspector's tree of nodes with their components.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RigcastLoader } from '../../../web/src/three/index.ts';
import type { Branch } from '../../../web/src/viewer/inspect/branch.ts';
import { nodeBranches } from '../../../web/src/viewer/inspect/nodes.ts';

async function treeOf(path: string): Promise<Branch[]> {
  const bytes = readFileSync(new URL(`../../../${path}`, import.meta.url));
  const rig = await new RigcastLoader().setOptions({ worker: false }).parseAsync(bytes, '', path);
  return nodeBranches(rig, rig.file.scene!);
}

function find(branches: readonly Branch[], name: string): Branch | undefined {
  for (const branch of branches) {
    const found = branch.name === name ? branch : find(branch.children?.() ?? [], name);
    if (found) return found;
  }
  return undefined;
}

const rows = (branch: Branch | undefined): string[][] => (branch?.children?.() ?? []).map(({ kind, name, detail }) => [kind, name, detail]);

it('lists the components of a VGO node before its children', async () => {
  const hips = find(await treeOf('web/src/viewer/demo/Lotl.vgo'), 'Hips');
  expect(rows(hips).slice(0, 3)).toEqual([
    ['component', 'Gills', 'springBone'],
    ['component', 'Tail', 'springBone'],
    ['component', 'Hop', 'animation'],
  ]);
  expect(rows(hips).at(-1)![0]).toMatch(/^(bone|node)$/);
  expect(rows(find(await treeOf('web/src/viewer/demo/Lotl.vgo'), 'Face'))).toContainEqual(['component', 'Face', 'mesh']);
  expect(find([hips!], 'Gills')!.facts!().length).toBeGreaterThan(3);
});

it('lists sockets', async () => {
  const tree = await treeOf('tests/data/unreal/arm.psk');
  expect(rows(find(tree, 'Grip'))).toEqual([['component', 'Grip', 'socket']]);
});
