// First-person view: hides the head of an avatar, so that a camera between its eyes doesn't see it.
// A VRM file can declare in which view each mesh is drawn. If it doesn't, the triangles that are
// skinned to the head are hidden.
import { BufferAttribute, BufferGeometry } from 'three';
import { numberIn, textIn } from '../../core/properties.ts';
import type { Mesh, RigScene } from '../../core/types.ts';
import { humanoidOf } from '../../rig/humanoid.ts';
import type { RigMesh } from '../build/build.ts';

type View = 'auto' | 'both' | 'thirdPersonOnly' | 'firstPersonOnly';

interface Shown {
  mesh: RigMesh;
  view: View;
  complete: BufferGeometry;
  headless: BufferGeometry | null;
  isShown: boolean;
}

/**
 * Switches between third-person and first-person view. Switch first-person view off while you
 * render a mirror.
 */
export class FirstPerson {
  readonly #meshes: readonly Shown[];
  #isOn = false;

  /**
   * Creates the first-person view of an avatar; returns null if no head was recognized.
   *
   * @internal
   */
  static of(scene: RigScene, meshes: readonly (RigMesh | null)[]): FirstPerson | null {
    const head = humanoidOf(scene)?.bones.get('head');
    return head === undefined ? null : new FirstPerson(scene, meshes, head);
  }

  private constructor(scene: RigScene, meshes: readonly (RigMesh | null)[], head: number) {
    const views = new Map(
      scene.features
        .filter(({ kind }) => kind === 'firstPerson')
        .map(each => [numberIn(each.properties, 'renderer', -1), textIn(each.properties, 'view')]),
    );
    const { parents, length: count } = scene.nodes;
    const isHead = new Uint8Array(count);
    isHead[head] = 1;
    for (let row = head + 1; row < count; row++) isHead[row] = isHead[parents[row]!]!;
    this.#meshes = meshes.flatMap((mesh, r): Shown[] => {
      const renderer = scene.renderers[r];
      const source = scene.meshes[renderer?.mesh ?? -1];
      if (!mesh || !renderer || !source) return [];
      const view = viewIn(views.get(r));
      const complete = mesh.geometry;
      if (view !== 'auto') return [{ mesh, view, complete, headless: null, isShown: mesh.visible }];
      const joints = renderer.skin === undefined ? undefined : scene.skins[renderer.skin]?.joints;
      if (!joints) return isHead[renderer.node] ? [{ mesh, view: 'thirdPersonOnly', complete, headless: null, isShown: mesh.visible }] : [];
      const headless = withoutHead(
        complete,
        source,
        Uint8Array.from(joints, row => isHead[row] ?? 0),
      );
      return headless ? [{ mesh, view, complete, headless, isShown: mesh.visible }] : [];
    });
    for (const each of this.#meshes) if (each.view === 'firstPersonOnly') each.mesh.visible = false;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  set isOn(on: boolean) {
    if (on === this.#isOn) return;
    this.#isOn = on;
    for (const each of this.#meshes) {
      const { mesh, view, complete, headless } = each;
      if (headless) mesh.geometry = on ? headless : complete;
      else if (view === 'thirdPersonOnly') {
        if (on) each.isShown = mesh.visible;
        mesh.visible = on ? false : each.isShown;
      } else if (view === 'firstPersonOnly') mesh.visible = on;
    }
  }

  dispose(): void {
    this.isOn = false;
    for (const { headless } of this.#meshes) headless?.dispose();
  }
}

const viewIn = (text: string | undefined): View =>
  text === 'both' || text === 'thirdPersonOnly' || text === 'firstPersonOnly' ? text : 'auto';

/**
 * Returns a geometry with the same vertices but without the triangles that are skinned to the head,
 * or null if there are no such triangles. `isHead` contains 1 for each joint of the skin that
 * belongs to the head.
 */
function withoutHead(complete: BufferGeometry, { joints, weights, topology }: Mesh, isHead: Uint8Array): BufferGeometry | null {
  if (topology !== 'triangles' || !joints || !weights) return null;
  const moved = new Uint8Array(joints.length / 4);
  for (let k = 0; k < joints.length; k++) if (weights[k]! > 0 && isHead[joints[k]!]) moved[k >> 2] = 1;
  const { index } = complete;
  const total = index?.count ?? moved.length;
  const at = (i: number): number => (index ? index.getX(i) : i);
  const groups = complete.groups.length > 0 ? complete.groups : [{ start: 0, count: total, materialIndex: undefined }];
  const kept: number[] = [];
  const result = new BufferGeometry();
  for (const { start, count, materialIndex } of groups) {
    const from = kept.length;
    for (let i = start; i + 2 < Math.min(start + count, total); i += 3) {
      const corners = [at(i), at(i + 1), at(i + 2)];
      if (!corners.some(vertex => moved[vertex])) kept.push(...corners);
    }
    if (complete.groups.length > 0) result.addGroup(from, kept.length - from, materialIndex);
  }
  if (kept.length === total) return null;
  for (const [name, attribute] of Object.entries(complete.attributes)) result.setAttribute(name, attribute);
  result.morphAttributes = complete.morphAttributes;
  result.morphTargetsRelative = complete.morphTargetsRelative;
  result.boundingBox = complete.boundingBox;
  result.boundingSphere = complete.boundingSphere;
  result.userData = complete.userData;
  result.setIndex(new BufferAttribute(new Uint32Array(kept), 1));
  return result;
}
