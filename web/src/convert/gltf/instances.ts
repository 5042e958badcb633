// Writes the instances of a scene to glTF. A mesh with 16 or more copies is written with
// EXT_mesh_gpu_instancing. Meshes with fewer copies, and models with bones or animations, are
// written as nodes.
import { parentOf } from '../../core/tree.ts';
import { IDENTITY } from '../../core/math/quaternion.ts';
import { composed, multiplied } from '../../core/math/matrix.ts';
import type { InstanceSet, Renderer } from '../../core/types.ts';
import { axisDetail, axisRotation } from '../../core/upAxis.ts';
import { Pose, PoseShape } from '../../rig/pose.ts';
import { WorldMatrices } from '../../rig/world.ts';
import { textured } from '../common/texturedScene.ts';
import type { ImageSource } from '../common/imageSource.ts';
import { storeImages, type UnchangedImages } from '../common/images.ts';
import { packed } from '../common/pack.ts';
import type { InstancedFile } from '../common/instancedFiles.ts';
import { EXTMeshGPUInstancing, type GltfMesh, type GltfNode } from '../vendor/gltfTransform.ts';
import { splitBones } from './clips.ts';
import { GltfContext } from './context.ts';
import { exactTransform, isMirrored, type LocalTransform } from '../common/localTransform.ts';
import { MaterialWriter, wantedImages } from './materials.ts';
import { MeshWriter } from './meshes.ts';
import { setLocal, visibleRows, writeNodes, writeRenderers } from './nodes.ts';
import { type Placement, within } from './placement.ts';

/**
 * Minimum number of copies for which EXT_mesh_gpu_instancing is used. The extension already saves
 * space with four copies, but nodes are used for up to 15 copies, because every importer supports
 * nodes.
 */
const FEWEST = 16;
const PER_INSTANCE = 40;
const PER_NODE = 214;

/**
 * Maximum number of instances (`placed`), copied nodes (`nodes`) and nested files (`depth`).
 * Further instances are left out.
 */
const LIMITS = { placed: 1 << 18, nodes: 1 << 16, depth: 64 };

/** Content of an instanced file, with its transforms relative to the root of that file. */
interface Model {
  context: GltfContext;
  meshes: MeshWriter;
  shape: PoseShape;
  /**
   * True if the file has skins or animations. All of its nodes are then copied for each instance.
   */
  isMoving: boolean;
  parts: { renderer: Renderer; chain: LocalTransform[]; matrix: Float64Array }[];
  /**
   * Node transform for each row of `scene.instances`, relative to the root of the instanced file.
   */
  sets: { chain: LocalTransform[]; matrix: Float64Array }[];
}

export class InstanceWriter {
  readonly #outermost: GltfContext;
  readonly #images: ImageSource | undefined;
  readonly #unchanged: UnchangedImages;
  readonly #models = new Map<InstancedFile, Model>();
  /**
   * Files whose instances are being placed, outermost first. With this set, a file that contains
   * itself is detected.
   */
  readonly #open = new Set<InstancedFile>();
  /** Files whose up axis differs from that of a scene that contains them. */
  readonly #turned = new Set<InstancedFile>();
  readonly #lost = new Map<string, number>();
  #placed = 0;
  #copied = 0;

  /**
   * `outermost`: context of the outermost scene, whose nodes must already be written.
   * `unchangedImages`: images that have been stored unchanged.
   */
  constructor(outermost: GltfContext, images: ImageSource | undefined, unchangedImages: UnchangedImages) {
    this.#outermost = outermost;
    this.#images = images;
    this.#unchanged = unchangedImages;
  }

  async write(outermost: InstancedFile): Promise<void> {
    await this.#prepare(outermost);
    this.#open.add(outermost);
    for (const [i, set] of outermost.scene.instances.entries()) {
      const drawn = new Map<Model, Placement[]>();
      this.#place(outermost, i, set, { chain: [], matrix: composed(HERE), name: '' }, drawn);
      const node = this.#outermost.nodes[set.node] ?? this.#outermost.nodes[0];
      for (const [model, places] of drawn) if (node) this.#draw(model, places, node);
    }
    for (const [why, count] of this.#lost) this.#outermost.report.add('INSTANCES_LOST', '', count, why);
  }

  /**
   * Creates the model of each instanced file. Loads all images in advance, because loading is
   * asynchronous and placing instances is not.
   */
  async #prepare(outermost: InstancedFile): Promise<void> {
    for (const file of filesBelow(outermost)) {
      if (file === outermost) continue;
      const { report } = this.#outermost;
      const look = await packed(await textured(file.scene, this.#images, report), report);
      const context = new GltfContext(look.scene, report, splitBones(look.scene, []), this.#outermost);
      const stored = await storeImages(look, wantedImages(context), report, this.#unchanged);
      this.#models.set(file, modelOf(context, new MeshWriter(context, new MaterialWriter(context, stored, look.factors))));
      const { clips, lights, cameras, features, expressions } = file.scene;
      const behaviour = features.filter(({ kind }) => kind !== 'socket' && kind !== 'animation').length;
      const left = clips.length + lights.length + cameras.length + behaviour + expressions.length;
      if (left > 0) report.add('INSTANCE_PARTS_LOST', file.name, left);
    }
  }

  /** Adds the placements of an instance set to `drawn`. `at`: placement of the set. */
  #place(file: InstancedFile, index: number, set: InstanceSet, at: Placement, drawn: Map<Model, Placement[]>): void {
    const placed = file.placed[index];
    const model = placed && this.#models.get(placed);
    const count = Math.floor(set.transforms.length / 10);
    if (!placed) return;
    if (!model || this.#open.has(placed)) return this.#lose(`${placed.name} contains itself`, count);
    if (this.#open.size > LIMITS.depth) return this.#lose(`more than ${LIMITS.depth} nested scenes`, count);
    const turn = axisRotation(file.scene, placed.scene);
    const toAxes = turn && Float64Array.of(0, 0, 0, ...turn, 1, 1, 1);
    if (toAxes && !this.#turned.has(placed))
      this.#outermost.report.add('INSTANCES_TURNED', placed.name, count, axisDetail(file.scene, placed.scene));
    if (toAxes) this.#turned.add(placed);
    this.#open.add(placed);
    for (let i = 0; i < count; i++) {
      if (++this.#placed > LIMITS.placed) {
        this.#lose(`more than ${LIMITS.placed.toLocaleString('en-US')} instances`, count - i);
        break;
      }
      const local = unitLocal(set.transforms.subarray(10 * i, 10 * i + 10));
      const own = within({ ...at, name: at.name || (set.names[i] ?? '') }, [local], composed(local));
      const here = toAxes ? within(own, [toAxes], composed(toAxes)) : own;
      const list = drawn.get(model);
      if (list) list.push(here);
      else drawn.set(model, [here]);
      for (const [s, inner] of placed.scene.instances.entries()) {
        const { chain = [], matrix = composed(HERE) } = model.sets[s] ?? {};
        this.#place(placed, s, inner, within(here, chain, matrix), drawn);
      }
    }
    this.#open.delete(placed);
  }

  #lose(why: string, count: number): void {
    this.#lost.set(why, (this.#lost.get(why) ?? 0) + count);
  }

  #draw(model: Model, places: readonly Placement[], node: GltfNode): void {
    if (model.isMoving) return this.#copy(model, places, node);
    const { budget } = this.#outermost.report;
    for (const { renderer, chain, matrix } of model.parts) {
      const mesh = model.meshes.write(renderer);
      if (!mesh) continue;
      budget.spend(PER_INSTANCE * places.length);
      const isDrawnAsOne = places.length >= FEWEST && model.context.scene.meshes[renderer.mesh]?.topology === 'triangles';
      const sides: [Many, Many] = [noneYet(), noneYet()];
      for (const place of places.map(each => within(each, chain, matrix))) {
        const local = isDrawnAsOne ? exactTransform(place.matrix) : null;
        const mirrored = local && isMirrored(local) ? exactTransform(multiplied(MIRROR, place.matrix)) : null;
        const side = local && (isMirrored(local) ? mirrored && { many: sides[1], local: mirrored } : { many: sides[0], local });
        if (side) {
          side.many.locals.push(side.local);
          side.many.names.push(place.name);
        } else {
          budget.spend(PER_NODE);
          this.#add(place, node, place.name).setMesh(mesh);
        }
      }
      for (const [i, many] of sides.entries()) if (many.locals.length > 0) this.#instance(many, mesh, node, i === 1);
    }
  }

  #instance({ locals, names }: Many, mesh: GltfMesh, node: GltfNode, isMirror: boolean): void {
    const { document } = this.#outermost;
    const set = document.createExtension(EXTMeshGPUInstancing).setRequired(true).createInstancedMesh();
    const column = (name: string, type: 'VEC3' | 'VEC4', at: number, width: number, rest: readonly number[]): void => {
      const values = new Float32Array(width * locals.length);
      for (const [i, local] of locals.entries()) values.set(local.subarray(at, at + width), width * i);
      const isNeeded = name === 'TRANSLATION' || values.some((value, i) => value !== rest[i % width]);
      if (isNeeded) set.setAttribute(name, this.#outermost.accessor(values, type));
    };
    column('TRANSLATION', 'VEC3', 0, 3, [0, 0, 0]);
    column('ROTATION', 'VEC4', 3, 4, [0, 0, 0, 1]);
    column('SCALE', 'VEC3', 7, 3, [1, 1, 1]);
    const isOneName = names.every(name => name === names[0]);
    const made = document.createNode(isOneName ? (names[0] ?? '') : mesh.getName()).setMesh(mesh);
    if (!isOneName) made.setExtras({ instances: names });
    if (isMirror) made.setScale([-1, 1, 1]);
    made.setExtension('EXT_mesh_gpu_instancing', set);
    node.addChild(made);
  }

  /** Copies the nodes of a model for each instance. The copies share vertex columns. */
  #copy({ context, meshes, shape }: Model, places: readonly Placement[], node: GltfNode): void {
    const { scene, report, split } = context;
    for (const [i, place] of places.entries()) {
      this.#copied += scene.nodes.length;
      if (this.#copied > LIMITS.nodes)
        return this.#lose(`more than ${LIMITS.nodes.toLocaleString('en-US')} copied nodes`, places.length - i);
      const copy = new GltfContext(scene, i === 0 ? report : report.aside(), split, context);
      writeNodes(copy, shape, this.#add(place, node, place.name));
      writeRenderers(copy, meshes);
    }
  }

  /**
   * Creates a node that has the transform of a placement. If the product of the placement's
   * transforms has shear, creates nested nodes instead.
   */
  #add({ chain, matrix }: Placement, above: GltfNode, name: string): GltfNode {
    const one = exactTransform(matrix);
    let at = above;
    const { document, numbers } = this.#outermost;
    for (const local of one ? [one] : chain) {
      const made = setLocal(document.createNode(name), local, numbers);
      at.addChild(made);
      at = made;
    }
    return at;
  }
}

interface Many {
  locals: LocalTransform[];
  names: string[];
}
const noneYet = (): Many => ({ locals: [], names: [] });

const HERE: LocalTransform = Float64Array.of(0, 0, 0, 0, 0, 0, 1, 1, 1, 1);
const MIRROR = composed(Float64Array.of(0, 0, 0, 0, 0, 0, 1, -1, 1, 1));

function filesBelow(outermost: InstancedFile): Set<InstancedFile> {
  const files = new Set([outermost]);
  for (const { placed } of files) for (const file of placed) if (file) files.add(file);
  return files;
}

function unitLocal(transform: Float32Array): LocalTransform {
  const local = Float64Array.from(transform);
  const length = Math.hypot(...local.subarray(3, 7)) || 1;
  for (let i = 3; i < 7; i++) local[i]! /= length;
  return local;
}

function modelOf(context: GltfContext, meshes: MeshWriter): Model {
  const { scene } = context;
  const { translations: t, rotations: q, scales: s } = scene.nodes;
  const shape = new PoseShape(scene);
  const world = new WorldMatrices(shape);
  const pose = new Pose(shape);
  // The node of each instance replaces the root, so the root gets the identity transform.
  pose.translations.set([0, 0, 0]);
  pose.rotations.set(IDENTITY);
  pose.scales.set([1, 1, 1]);
  world.update(pose);
  /**
   * Returns the transform from the root to a node, as a single local transform if possible. If the
   * product has shear, returns the local transforms of the node and its ancestors.
   */
  const placeOf = (node: number): { chain: LocalTransform[]; matrix: Float64Array } => {
    const matrix = world.matrices.slice(16 * node, 16 * node + 16);
    const local = exactTransform(matrix);
    if (node <= 0) return { chain: [], matrix };
    if (local) return { chain: isHere(local) ? [] : [local], matrix };
    const chain: LocalTransform[] = [];
    for (let row = node; row > 0; row = parentOf(scene.nodes, row))
      chain.unshift(
        Float64Array.of(...t.subarray(3 * row, 3 * row + 3), ...q.subarray(4 * row, 4 * row + 4), ...s.subarray(3 * row, 3 * row + 3)),
      );
    return { chain, matrix };
  };
  const visible = visibleRows(scene);
  return {
    context,
    meshes,
    shape,
    isMoving: scene.skins.length > 0 || scene.clips.length > 0,
    parts: scene.renderers
      .filter(({ visible: isOn, node }) => isOn && visible[node] !== 0)
      .map(renderer => ({ renderer, ...placeOf(renderer.node) })),
    sets: scene.instances.map(({ node }) => placeOf(node)),
  };
}

const isHere = (local: LocalTransform): boolean => local.every((value, i) => value === HERE[i]);
