// Adds the instances of opened files to a scene. Static meshes are drawn with InstancedMesh.
import { Group, InstancedMesh, Matrix4, Mesh, type Object3D, Quaternion, Skeleton, SkinnedMesh, Vector3 } from 'three';
import * as SkeletonUtils from 'three/addons/utils/SkeletonUtils.js';
import type { InstanceSet } from '../../core/types.ts';
import { axisDetail, axisRotation } from '../../core/upAxis.ts';
import { type Disposable, resourcesOf } from '../dispose.ts';
import { type InstanceOptions, type Model, note, noteLimit, type PlacedRig } from './instanceModel.ts';

const MAX_PLACED = 1 << 18;
const MAX_OBJECTS = 1 << 16;
/** Maximum nesting depth of instances. */
const MAX_DEPTH = 64;

/** Drawable objects of a file, with matrices in the space of the file. */
interface Parts {
  /** Meshes without bones and animations, which are drawn with InstancedMesh. */
  meshes: { source: Mesh; matrix: Matrix4 }[];
  /** Objects that must be copied for each instance: lines, and objects with bones or animations. */
  copies: { source: Object3D; matrix: Matrix4; count: number }[];
  /** Matrix of each instance set, in the space of the file. */
  sets: Matrix4[];
}

/** Instances to be added to one node. */
interface Placements {
  /** For each mesh, its instances: first those without mirroring, then those with mirroring. */
  meshes: Map<Mesh, [Placement[], Placement[]]>;
  copies: { source: Object3D; matrix: Matrix4; name: string; key: string }[];
}

export class InstanceBuilder {
  readonly #root: PlacedRig;
  readonly #options: InstanceOptions;
  readonly #parts = new Map<Model, Parts>();
  /**
   * Files that contain the current instance, directly or through nested instances. An instance of
   * one of them would be a cycle.
   */
  readonly #open = new Set<Model>();
  readonly #cycles = new Set<InstanceSet>();
  /** Files whose up axis differs from that of a scene that contains them. */
  readonly #turned = new Set<Model>();
  readonly #made = new Set<Disposable>();
  #placed = 0;
  #objects = 0;

  constructor(root: PlacedRig, options: InstanceOptions) {
    this.#root = root;
    this.#options = options;
  }

  /**
   * Adds all instances to the scene. Returns the objects that must be disposed together with the
   * rig.
   */
  build(root: Model): ReadonlySet<Disposable> {
    root.rig.scene.updateMatrixWorld(true);
    this.#open.add(root);
    const byNode = new Map<number, Placements>();
    for (const [i, set] of root.rig.file.scene!.instances.entries()) {
      let into = byNode.get(set.node);
      if (!into) byNode.set(set.node, (into = { meshes: new Map(), copies: [] }));
      this.#place(root, i, set, new Matrix4(), null, into);
    }
    for (const [node, placements] of byNode) this.#add(this.#root.nodes[node] ?? this.#root.scene, placements);
    return this.#made;
  }

  /**
   * Adds all instances of an instance set. `to` is the matrix of the set. `name` is the name of the
   * outermost instance; null if the set itself is outermost.
   */
  #place(model: Model, index: number, set: InstanceSet, to: Matrix4, name: string | null, into: Placements): void {
    const placed = model.placed[index];
    if (!placed) return;
    if (this.#open.has(placed)) {
      if (!this.#cycles.has(set))
        note(this.#root, this.#options, 'INSTANCE_CYCLE', placed.key, `placed by ${model.rig.file.name ?? model.key}`);
      this.#cycles.add(set);
      return;
    }
    if (this.#open.size > MAX_DEPTH) return noteLimit(this.#root, this.#options, MAX_DEPTH, 'nested instance files');
    const { meshes, copies, sets } = this.#partsOf(placed);
    const toAxes = this.#axesOf(model, placed);
    this.#open.add(placed);
    const count = Math.floor(set.transforms.length / 10);
    for (let i = 0; i < count && this.#spend(1, 0); i++) {
      const at = transformAt(set, i).premultiply(to);
      if (toAxes) at.multiply(toAxes);
      const outer = name ?? set.names[i] ?? '';
      for (const { source, matrix } of meshes) this.#addMesh(source, at.clone().multiply(matrix), outer, into);
      for (const { source, matrix, count: nodes } of copies) {
        if (this.#spend(1, nodes + 1)) into.copies.push({ source, matrix: at.clone().multiply(matrix), name: outer, key: placed.key });
      }
      for (const [s, inner] of placed.rig.file.scene!.instances.entries())
        this.#place(placed, s, inner, at.clone().multiply(sets[s]!), outer, into);
    }
    this.#open.delete(placed);
  }

  /** Returns the rotation from the axes of `placed` to those of `model`, and reports it once. */
  #axesOf({ rig }: Model, placed: Model): Matrix4 | null {
    const [scene, file] = [rig.file.scene!, placed.rig.file.scene!];
    const turn = axisRotation(scene, file);
    if (!turn) return null;
    if (!this.#turned.has(placed)) note(this.#root, this.#options, 'INSTANCE_AXIS', placed.key, axisDetail(scene, file), 'info');
    this.#turned.add(placed);
    return new Matrix4().makeRotationFromQuaternion(rotation.fromArray(turn));
  }

  #addMesh(source: Mesh, matrix: Matrix4, name: string, { meshes }: Placements): void {
    let lists = meshes.get(source);
    const side = matrix.determinant() < 0 ? 1 : 0;
    if (!this.#spend(1, lists?.[side].length ? 0 : 1)) return;
    if (!lists) meshes.set(source, (lists = [[], []]));
    lists[side].push({ matrix, name });
  }

  /**
   * Adds to the counts of instances and objects. Returns false, and adds nothing, if a limit would
   * be exceeded.
   */
  #spend(placed: number, objects: number): boolean {
    const { maxPlaced = MAX_PLACED, maxObjects = MAX_OBJECTS } = this.#options;
    if (this.#placed + placed > maxPlaced) noteLimit(this.#root, this.#options, maxPlaced, 'instances (maxPlaced)');
    else if (this.#objects + objects > maxObjects) noteLimit(this.#root, this.#options, maxObjects, 'objects (maxObjects)');
    else {
      this.#placed += placed;
      this.#objects += objects;
      return true;
    }
    return false;
  }

  #partsOf(model: Model): Parts {
    const known = this.#parts.get(model);
    if (known) return known;
    const { rig } = model;
    const { scene } = rig.file;
    const root = rig.nodes[0];
    rig.scene.updateMatrixWorld(true);
    const fromRoot = root ? root.matrixWorld.clone().invert() : new Matrix4();
    const parts: Parts = { meshes: [], copies: [], sets: [] };
    const isMoving = scene!.skins.length > 0 || scene!.clips.length > 0;
    if (isMoving && root) {
      parts.copies.push({ source: root, matrix: new Matrix4(), count: countOf(root) });
    } else {
      for (const object of rig.meshes) {
        if (!object || !isShown(object)) continue;
        const matrix = fromRoot.clone().multiply(object.matrixWorld);
        if (object instanceof Mesh && !(object instanceof SkinnedMesh)) parts.meshes.push({ source: object, matrix });
        else parts.copies.push({ source: object, matrix, count: countOf(object) });
      }
    }
    parts.sets = scene!.instances.map(({ node }) => fromRoot.clone().multiply(rig.nodes[node]?.matrixWorld ?? rig.scene.matrixWorld));
    this.#parts.set(model, parts);
    return parts;
  }

  #add(node: Object3D, { meshes, copies }: Placements): void {
    for (const [source, lists] of meshes) {
      for (const [isMirrored, list] of lists.entries()) {
        if (!list.length) continue;
        const made = instancedMesh(source, list, isMirrored === 1);
        this.#made.add(made);
        node.add(made);
      }
    }
    for (const { source, matrix, name, key } of copies) {
      const holder = new Group();
      holder.name = name;
      holder.userData = { name, instance: key };
      const copy = SkeletonUtils.clone(source);
      for (const each of resourcesOf(copy)) if (each instanceof Skeleton || 'isLight' in each) this.#made.add(each);
      copy.position.set(0, 0, 0);
      copy.quaternion.identity();
      copy.scale.set(1, 1, 1);
      copy.updateMatrix();
      setMatrix(holder, matrix);
      holder.add(copy);
      node.add(holder);
    }
  }
}

function countOf(root: Object3D): number {
  let count = 0;
  root.traverse(() => count++);
  return count;
}

function isShown(object: Object3D): boolean {
  for (let at: Object3D | null = object; at; at = at.parent) if (!at.visible) return false;
  return true;
}

const position = new Vector3();
const rotation = new Quaternion();
const scale = new Vector3();

function transformAt({ transforms }: InstanceSet, i: number): Matrix4 {
  position.fromArray(transforms, 10 * i);
  rotation.fromArray(transforms, 10 * i + 3);
  scale.fromArray(transforms, 10 * i + 7);
  return new Matrix4().compose(position, rotation, scale);
}

/**
 * Reflection along the X axis. Mirrored instances have a separate mesh, because three.js sets the
 * winding order of faces for a mesh as a whole.
 */
const mirror = new Matrix4().makeScale(-1, 1, 1);

interface Placement {
  matrix: Matrix4;
  name: string;
}

function instancedMesh(source: Mesh, list: readonly Placement[], isMirrored: boolean): InstancedMesh {
  const made = new InstancedMesh(source.geometry, source.material, list.length);
  for (const [i, { matrix }] of list.entries()) made.setMatrixAt(i, isMirrored ? matrix.premultiply(mirror) : matrix);
  if (isMirrored) setMatrix(made, mirror);
  made.name = source.name;
  made.renderOrder = source.renderOrder;
  made.userData = { name: source.userData['name'] as string, instances: list.map(({ name }) => name) };
  return made;
}

/** Sets the matrix of an object directly, because it may contain shear. */
function setMatrix(object: Object3D, matrix: Matrix4): void {
  object.matrix.copy(matrix);
  matrix.decompose(object.position, object.quaternion, object.scale);
  object.matrixAutoUpdate = false;
  object.matrixWorldNeedsUpdate = true;
}
