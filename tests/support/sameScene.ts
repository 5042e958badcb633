// Compares two scenes that should be equal. Each difference is listed with its path and both
// values.
import { uniqueNames } from '../../web/src/core/names.ts';
import type { RigFile } from '../../web/src/core/index.ts';
import type { Mesh, RigScene } from '../../web/src/core/types.ts';
import { materialOf } from '../../web/src/textures/drawnMaterials.ts';
import { Rig } from '../../web/src/three/index.ts';
import { drawnPositions } from '../../web/src/three/build/skinning.ts';

type Tree = { [key: string]: unknown };

/** Relative tolerance for numbers, which corresponds to a few float32 steps. */
const NEARLY = 4e-6;

const isColumn = (value: unknown): value is ArrayLike<number> =>
  ArrayBuffer.isView(value) || (Array.isArray(value) && value.length > 0 && value.every(each => typeof each === 'number'));

/**
 * Returns a list of the differences between two values of any type. `skip`: names of members that
 * are ignored.
 */
export function differences(a: unknown, b: unknown, skip: ReadonlySet<string> = new Set(), path = ''): string[] {
  if (isColumn(a) && isColumn(b)) {
    if (a.length !== b.length) return [`${path}: ${a.length} and ${b.length} numbers`];
    let size = 1;
    for (let i = 0; i < a.length; i++) if (Number.isFinite(a[i])) size = Math.max(size, Math.abs(a[i]!));
    for (let i = 0; i < a.length; i++)
      if (a[i] !== b[i] && !(Math.abs(a[i]! - b[i]!) <= NEARLY * size)) return [`${path}[${i}]: ${a[i]} and ${b[i]}`];
    return [];
  }
  if (typeof a === 'number' && typeof b === 'number')
    return a === b || Math.abs(a - b) <= NEARLY * Math.max(1, Math.abs(a)) ? [] : [`${path}: ${a} and ${b}`];
  if (a instanceof Map && b instanceof Map) return differences(Object.fromEntries(a), Object.fromEntries(b), skip, path);
  if (a && b && typeof a === 'object' && typeof b === 'object') {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].flatMap(key => (skip.has(key) ? [] : differences((a as Tree)[key], (b as Tree)[key], skip, `${path}.${key}`)));
  }
  return Object.is(a, b) || (isNothing(a) && isNothing(b)) ? [] : [`${path}: ${JSON.stringify(a)} and ${JSON.stringify(b)}`];
}

/** Returns true for missing and for empty members. They count as equal. */
const isNothing = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/** Returns a copy of a scene that can be compared: its tracks are lists. */
export function plain(scene: RigScene): object {
  // Written files don't record whether normals were computed.
  const meshes = scene.meshes.map(mesh => ({ ...mesh, normalsComputed: undefined }));
  return { ...scene, meshes, clips: scene.clips.map(clip => ({ ...clip, tracks: [...clip.tracks] })) };
}

/**
 * Returns the corners of all triangles (for strands, the vertices), grouped by mesh and material.
 */
function cornersOf(scene: RigScene): Map<string, { row: number; mesh: Mesh; corners: number[] }> {
  const runs = new Map<string, { row: number; mesh: Mesh; corners: number[] }>();
  const found: { row: number; mesh: Mesh; label: string; corners: number[] }[] = [];
  for (const [row, renderer] of scene.renderers.entries()) {
    const mesh = scene.meshes[renderer.mesh]!;
    const byMaterial = new Map<number, number[]>();
    for (const [g, { start, count }] of mesh.groups.entries()) {
      const list = byMaterial.get(materialOf(mesh, renderer, g)) ?? [];
      for (let i = start; i < start + count; i++) list.push(mesh.topology === 'strands' ? i : (mesh.indices?.[i] ?? i));
      byMaterial.set(materialOf(mesh, renderer, g), list);
    }
    for (const [material, corners] of byMaterial)
      if (corners.length > 0)
        found.push({ row, mesh, label: `${renderer.name || mesh.name} ${scene.materials[material]?.name ?? ''}`, corners });
  }
  const names = uniqueNames(found.map(({ label }) => label));
  for (const [i, each] of found.entries()) runs.set(names[i]!, each);
  return runs;
}

/**
 * Compares every corner of every face of two files, in the rest pose and in all animations. Returns
 * the largest distance in units of the first file. Throws if UVs, colours, morph targets or
 * anything else differs. `unit`: length of one unit of the second file in units of the first.
 */
export function farthestCorner(a: RigFile, b: RigFile, unit = 1): number {
  const [left, right] = [cornersOf(a.scene!), cornersOf(b.scene!)];
  const missing = [...left.keys()].filter(key => !right.has(key));
  if (missing.length > 0 || left.size !== right.size)
    throw new Error(`not drawn: ${missing.join(', ')}; drawn: ${[...right.keys()].join(', ')}`);
  const rigs = [new Rig(a), new Rig(b)] as const;
  for (const rig of rigs) rig.scene.updateMatrixWorld(true);
  for (const [key, { row }] of left) if (rigs[0].meshes[row]!.matrixWorld.determinant() < 0) turnOver(right.get(key)!.corners);
  for (const [key, { mesh, corners }] of left) compareColumns(key, mesh, corners, right.get(key)!);
  let worst = compare();
  // The animators are created while the rigs are in the rest pose. Animators start from the current
  // pose, so additive clips would otherwise accumulate.
  const animators = new Map(rigs.map(rig => [rig, rig.createAnimator()]));
  for (const [i, motion] of rigs[0].clips.entries()) {
    const other = rigs[1].clips[i]!;
    for (const share of [0, 0.3, 0.77, 1]) {
      for (const [rig, own] of [
        [rigs[0], motion],
        [rigs[1], other],
      ] as const) {
        const animator = animators.get(rig)!;
        const layer = animator.layer(own);
        layer.time = share * motion.duration;
        animator.layers.splice(0, animator.layers.length, layer);
        animator.apply();
        rig.scene.updateMatrixWorld(true);
      }
      worst = Math.max(worst, compare());
    }
    for (const rig of rigs) rig.createAnimator().stop();
  }
  return worst;

  function compare(): number {
    let most = 0;
    for (const [key, { row, mesh, corners }] of left) {
      const other = right.get(key)!;
      const ours = drawnPositions(rigs[0].meshes[row]!, mesh);
      const theirs = drawnPositions(rigs[1].meshes[other.row]!, other.mesh);
      for (const [i, corner] of corners.entries())
        for (let c = 0; c < 3; c++) most = Math.max(most, Math.abs(ours[3 * corner + c]! - unit * theirs[3 * other.corners[i]! + c]!) || 0);
    }
    return most;
  }
}

/** Reverses the winding order of triangles, for mirrored nodes. */
function turnOver(corners: number[]): void {
  for (let i = 0; i + 2 < corners.length; i += 3) [corners[i + 1], corners[i + 2]] = [corners[i + 2]!, corners[i + 1]!];
}

function compareColumns(key: string, mesh: Mesh, corners: readonly number[], other: { mesh: Mesh; corners: number[] }): void {
  const differ = (what: string): never => {
    throw new Error(`${key}: ${what}`);
  };
  if (other.corners.length !== corners.length) differ(`${corners.length} corners and ${other.corners.length}`);
  const columns = ({ uvs, colors }: Mesh) => [
    ...uvs.map(values => ({ values, width: 2 })),
    ...colors.map(({ values }) => ({ values, width: 4 })),
  ];
  const [own, theirs] = [columns(mesh), columns(other.mesh)];
  if (mesh.topology !== 'strands' && own.length !== theirs.length) differ(`${own.length} columns and ${theirs.length}`);
  for (const [k, { values, width }] of own.entries())
    for (const [i, corner] of corners.entries())
      for (let c = 0; c < width; c++)
        if (mesh.topology !== 'strands' && values[width * corner + c] !== theirs[k]!.values[width * other.corners[i]! + c])
          differ(`column ${k}`);
  const shapes = ({ morphs }: Mesh) => morphs.map(({ name, maximum }) => `${name} ${maximum}`).join();
  if (shapes(mesh) !== shapes(other.mesh)) differ(`shapes ${shapes(mesh)} and ${shapes(other.mesh)}`);
  if (mesh.topology !== 'strands' && mesh.groups.length < 2 && mesh.maxInfluences > other.mesh.maxInfluences) differ('fewer influences');
}
