// Writes the nodes of a scene, with skins, renderers, lights and cameras.
import { IDENTITY, quaternionAt } from '../../core/math/quaternion.ts';
import { vectorAt } from '../../core/math/vector.ts';
import { isBone, nameOf, parentOf } from '../../core/tree.ts';
import { numberAt } from '../../core/math/column.ts';
import { inverted, multiplied } from '../../core/math/matrix.ts';
import { WorldMatrices } from '../../rig/world.ts';
import { Pose, type PoseShape } from '../../rig/pose.ts';
import { entry } from '../../core/entry.ts';
import type { Camera, Light, Properties, RigScene, Skin } from '../../core/types.ts';
import { type GltfNode, type GltfSkin, KHRLightsPunctual, KHRNodeVisibility } from '../vendor/gltfTransform.ts';
import type { FiniteNumbers } from '../common/finite.ts';
import type { GltfContext } from './context.ts';
import type { LocalTransform } from '../common/localTransform.ts';
import { correctedRows, inverseScale, scaledRows } from '../common/scaleInheritance.ts';
import { CorrectedLocals } from './correctedLocals.ts';
import type { MeshWriter } from './meshes.ts';
import { largestGap, nodeExtents } from '../common/nodeExtents.ts';

/** Estimated JSON length of a node, in characters. */
const PER_NODE = 214;

/**
 * Creates `context.nodes` in the rest pose, starting with the root. `holder`: node that replaces
 * the root, used for instanced scenes.
 */
export function writeNodes(context: GltfContext, shape: PoseShape, holder?: GltfNode): void {
  const { document, scene, nodes } = context;
  const top = holder ?? document.createScene(scene.asset.name);
  const { length: count, bones, properties } = scene.nodes;
  const features = featuresByNode(context);
  for (let row = 0; row < count; row++) {
    const name = nameOf(scene.nodes, row);
    const node = document.createNode(name);
    const place = context.split.has(row) ? document.createNode(`${name}_unscaled`).addChild(node) : node;
    const parent = nodes[parentOf(scene.nodes, row)];
    if (parent) parent.addChild(place);
    else top.addChild(place);
    context.places.push(place);
    const bone = numberAt(bones, row);
    const extras = { ...(bone >= 0 && { bone }), ...bag(properties.get(row)), ...(features.has(row) && { features: features.get(row) }) };
    if (Object.keys(extras).length > 0) node.setExtras(extras);
    context.report.budget.spend(PER_NODE);
    context.report.budget.spendJson(extras);
    nodes.push(node);
  }
  placeNodes(context, shape);
  if (holder) context.nodes[0]?.setTranslation([0, 0, 0]).setRotation([0, 0, 0, 1]).setScale([1, 1, 1]);
  let hidden = 0;
  for (let row = 0; row < count; row++) if (!scene.nodes.visible[row] && hide(context, nodes[row])) hidden++;
  if (hidden > 0) context.report.add('NODE_HIDDEN', 'nodes', hidden);
}

const bag = (properties: Properties | undefined): { properties?: Properties } => (properties ? { properties } : {});

function featuresByNode({ scene }: GltfContext): Map<number, object[]> {
  const features = new Map<number, object[]>();
  for (const { kind, name, node = 0, properties } of scene.features)
    entry(features, node, () => []).push({ kind, ...(name !== undefined && { name }), ...bag(properties) });
  return features;
}

function hide({ document }: GltfContext, node: GltfNode | undefined): boolean {
  node?.setExtension('KHR_node_visibility', document.createExtension(KHRNodeVisibility).createVisibility().setVisible(false));
  return node !== undefined;
}

/** Sets the local transforms of all nodes to the rest pose. */
function placeNodes({ scene, nodes, places, split, report, numbers }: GltfContext, shape: PoseShape): void {
  const { length: count, translations: t, rotations: q, scales: s } = scene.nodes;
  const scaled = new Set<number>();
  const uneven = new Set<number>();
  scaledRows(s, count, scaled, uneven);
  const corrected = correctedRows(scene, scaled, uneven, split);
  for (const [row, node] of nodes.entries()) {
    const [x, y, z, w] = quaternionAt(q, 4 * row);
    const length = Math.hypot(x, y, z, w);
    places[row]!.setTranslation(vectorAt(t, 3 * row));
    node.setRotation(length > 0 ? [x / length, y / length, z / length, w / length] : IDENTITY);
    node.setScale(vectorAt(s, 3 * row));
    if (split.has(row)) places[row]!.setScale(numbers.vector(inverseScale(vectorAt(s, 3 * parentOf(scene.nodes, row)))));
  }
  if (corrected.size === 0) return;
  const pose = new Pose(shape);
  const world = new WorldMatrices(shape);
  world.update(pose);
  const plain = new CorrectedLocals(scene, corrected, split);
  plain.update(pose, world.matrices);
  for (const [i, row] of [...corrected].entries()) setLocal(nodes[row]!, plain.locals.subarray(10 * i), numbers);
  const gap = largestGap(nodeExtents(shape), world.matrices, plain.matrices);
  if (gap > 1e-6) report.add('BONE_SCALE_APPROXIMATED', 'rest pose', gap);
}

/** Sets the local transform of a node and replaces numbers that are not finite. */
export function setLocal(node: GltfNode, local: LocalTransform, numbers: FiniteNumbers): GltfNode {
  node.setTranslation(numbers.vector(vectorAt(local, 0)));
  return node.setRotation(numbers.rotation(quaternionAt(local, 3))).setScale(numbers.vector(vectorAt(local, 7)));
}

/** Adds the mesh of each renderer to a glTF node, and lists these nodes in `context.shown`. */
export function writeRenderers(context: GltfContext, meshes: MeshWriter): void {
  const { document, scene, nodes, shown } = context;
  const top = document.getRoot().listScenes()[0];
  const skins = new SkinWriter(context);
  const visible = visibleRows(scene);
  let hidden = 0;
  for (const renderer of scene.renderers) {
    const mesh = meshes.write(renderer);
    const holder = nodes[renderer.node] ?? nodes[0];
    shown.push(null);
    if (!mesh || !holder) continue;
    const isSkinned = renderer.skin !== undefined && mesh.listPrimitives().some(each => each.getAttribute('JOINTS_0'));
    const name = renderer.name || scene.meshes[renderer.mesh]?.name || '';
    // glTF ignores the transforms above a skinned mesh, so its node becomes a child of the root.
    // Any other mesh is attached to its original node if that node has no mesh yet and the same
    // name as the renderer.
    const isFree = !isSkinned && !holder.getMesh() && (name === '' || name === holder.getName());
    const node = isFree ? holder : document.createNode(name);
    if (isSkinned) top?.addChild(node.setSkin(skins.get(renderer.skin ?? -1)));
    else if (node !== holder) holder.addChild(node);
    node.setMesh(mesh);
    if (renderer.properties) node.setExtras({ ...node.getExtras(), renderer: renderer.properties });
    context.report.budget.spendJson(renderer.properties);
    shown[shown.length - 1] = node;
    const isHidden = !renderer.visible || (isSkinned && visible[renderer.node] === 0);
    if (isHidden && hide(context, node)) hidden++;
  }
  if (hidden > 0) context.report.add('NODE_HIDDEN', 'meshes', hidden);
}

/**
 * Adds a skin to a file with a skeleton but no skin, because importers recognize bones by skins.
 * The bind pose of the skin is the rest pose.
 */
export function writeBareSkin(context: GltfContext): void {
  const { document, scene, nodes } = context;
  if (document.getRoot().listSkins().length > 0) return;
  const joints = [...nodes.keys()].filter(row => isBone(scene.nodes, row));
  if (joints.length === 0) return;
  const made = document.createSkin(scene.asset.name);
  const inverses = new Float32Array(16 * joints.length);
  const world = worldMatrices(context);
  for (const [i, row] of joints.entries()) {
    made.addJoint(nodes[row]!);
    inverses.set(inverted(world.subarray(16 * row, 16 * row + 16)), 16 * i);
  }
  made.setInverseBindMatrices(context.accessor(inverses, 'MAT4'));
}

/**
 * Returns the world matrices of all nodes. They are calculated in one pass from the root, because
 * glTF-Transform visits all ancestors of each node, which is slow.
 */
function worldMatrices({ scene, nodes, places }: GltfContext): Float64Array {
  const { length: count, parents } = scene.nodes;
  const world = new Float64Array(16 * count);
  for (const [row, node] of nodes.entries()) {
    const place = places[row] ?? node;
    const own = place === node ? Float64Array.from(node.getMatrix()) : multiplied(Float64Array.from(place.getMatrix()), node.getMatrix());
    const above = 16 * numberAt(parents, row);
    world.set(above < 0 ? own : multiplied(world.subarray(above, above + 16), own), 16 * row);
  }
  return world;
}

/**
 * Returns an array that contains 1 for each node that is visible together with all of its
 * ancestors, otherwise 0.
 */
export function visibleRows({ nodes: { length: count, parents, visible } }: RigScene): Uint8Array {
  const shown = new Uint8Array(count);
  for (const [row, parent] of parents.entries()) {
    shown[row] = visible[row] && (parent < 0 || shown[parent]) ? 1 : 0;
  }
  return shown;
}

class SkinWriter {
  readonly #context: GltfContext;
  readonly #made = new Map<number, GltfSkin>();

  constructor(context: GltfContext) {
    this.#context = context;
  }

  get(row: number): GltfSkin | null {
    const source = this.#context.scene.skins[row];
    if (!source) return null;
    let made = this.#made.get(row);
    if (!made) this.#made.set(row, (made = this.#write(source)));
    return made;
  }

  #write(source: Skin): GltfSkin {
    const { name, joints, skeletonRoot } = source;
    const { document, nodes, report } = this.#context;
    report.budget.spend(72 * joints.length);
    const made = document.createSkin(name);
    for (const joint of joints) {
      const node = nodes[joint];
      if (node) made.addJoint(node);
    }
    made.setInverseBindMatrices(this.#context.accessor(this.#bindsOf(source), 'MAT4'));
    const root = skeletonRoot === undefined ? null : (nodes[skeletonRoot] ?? null);
    if (root) made.setSkeleton(root);
    return made;
  }

  /** Returns the inverse bind matrices of a skin. Copies of the skin share one array. */
  #bindsOf(source: Skin): Float32Array {
    const { binds } = this.#context;
    let affine = binds.get(source);
    if (affine) return affine;
    affine = source.inverseBindMatrices.slice(0, 16 * source.joints.length);
    for (let i = 0; i < affine.length; i += 16) {
      affine[i + 3] = affine[i + 7] = affine[i + 11] = 0;
      affine[i + 15] = 1;
    }
    binds.set(source, affine);
    return affine;
  }
}

/**
 * Writes lights and cameras as children of their nodes. Both point along −Z in glTF and in the
 * scene.
 */
export function writeLightsAndCameras(context: GltfContext): void {
  const { scene, report } = context;
  for (const light of scene.lights)
    if (light.type === 'rectangle' || light.type === 'disc') report.add('LIGHT_LOST', light.name, 1, light.type);
    else writeLight(context, light);
  for (const camera of scene.cameras) writeCamera(context, camera);
}

/**
 * Maximum outer angle of a spot light, in radians. glTF also requires that the inner angle is
 * smaller than the outer angle.
 */
const WIDEST = Math.PI / 2;

function writeLight(context: GltfContext, light: Light): void {
  const { document } = context;
  const type = light.type === 'spot' || light.type === 'directional' ? light.type : 'point';
  const made = document.createExtension(KHRLightsPunctual).createLight(light.name);
  made.setType(type).setIntensity(Math.max(light.intensity, 0));
  made.setColor([Math.max(light.color[0], 0), Math.max(light.color[1], 0), Math.max(light.color[2], 0)]);
  if (type !== 'directional' && light.range > 0) made.setRange(light.range);
  if (type === 'spot') {
    const outer = Math.min(light.outerAngle > 0 ? light.outerAngle : WIDEST / 2, WIDEST);
    made.setOuterConeAngle(outer).setInnerConeAngle(Math.min(Math.max(light.innerAngle, 0), 0.999 * outer));
  }
  const node = below(context, light);
  node.setExtension('KHR_lights_punctual', made);
  if (!light.enabled && hide(context, node)) context.report.add('NODE_HIDDEN', light.name, 1, 'disabled light');
}

function writeCamera(context: GltfContext, camera: Camera): void {
  const { verticalFov, aspect, near, far, name } = camera;
  const made = context.document.createCamera(name).setType('perspective');
  made.setYFov(verticalFov > 0 ? verticalFov : Math.PI / 4).setZNear(near > 0 ? near : 0.01);
  if (aspect > 0) made.setAspectRatio(aspect);
  if (far > made.getZNear()) made.setZFar(far);
  below(context, camera).setCamera(made);
}

function below({ document, nodes }: GltfContext, { name, node, properties }: Light | Camera): GltfNode {
  const made = document.createNode(name);
  if (properties) made.setExtras({ properties });
  (nodes[node] ?? nodes[0])?.addChild(made);
  return made;
}
