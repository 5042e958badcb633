// Builds three.js objects from a scene: groups and bones from nodes, meshes from renderers.
// Building is synchronous, requires no DOM, and loads no textures.
import {
  BufferGeometry,
  DirectionalLight,
  Group,
  type Light as ThreeLight,
  LineSegments,
  type Material as ThreeMaterial,
  Matrix4,
  Mesh as ThreeMesh,
  MeshDepthMaterial,
  MeshDistanceMaterial,
  Object3D,
  PerspectiveCamera,
  PointLight,
  RectAreaLight,
  Skeleton,
  SpotLight,
} from 'three';
import type { bind } from '../../core/bind.ts';
import { numberIn } from '../../core/properties.ts';
import { isActive } from '../../core/tree.ts';
import type { Camera, Finding, Light, Material, Mesh, Properties, Renderer, RigScene, ScaleInheritance } from '../../core/types.ts';
import { materialOf } from '../../textures/drawnMaterials.ts';
import { unusedSlots } from '../../textures/slots.ts';
import { RigBone } from './bone.ts';
import { type BuiltGeometry, buildGeometry } from './geometry.ts';
import { type MaterialOptions, MaterialLibrary } from '../materials/materials.ts';
import type { ModuleOptions } from '../modules.ts';
import { TrackNames } from '../names.ts';
import { RestSkeleton } from './restSkeleton.ts';
import { RigSkinnedMesh } from './skinned.ts';
import type { ShaderCurves } from '../materials/shaderCurves.ts';
import { needsMore } from './skinning.ts';
import { isToon } from '../materials/toonMaterial.ts';

export type RigMesh = RigSkinnedMesh | ThreeMesh | LineSegments;

/** Objects built from a scene. The arrays are indexed like the tables of the scene. */
export interface Built {
  /**
   * Group with an identity transform and the name of the file. Its only child is the synthetic
   * root, `nodes[0]`.
   */
  group: Group;
  /** Objects, indexed like `scene.nodes`. */
  nodes: Object3D[];
  /** Meshes, indexed like `scene.renderers`; null if the file has no mesh for a renderer. */
  meshes: (RigMesh | null)[];
  /** Skeletons, indexed like `scene.skins`. */
  skeletons: Skeleton[];
  geometries: BufferGeometry[];
  materials: MaterialLibrary;
  /** Returns the animated shader properties of the materials that a renderer uses. */
  shaders(renderer: number): ShaderCurves | null;
  /** Animated properties that aren't transforms. The value of each is in `userData` of its node. */
  properties: { node: number; property: string }[];
  /** Findings about features of the scene that the objects don't reproduce. */
  findings: Finding[];
}

export interface BuildOptions extends MaterialOptions, ModuleOptions {
  /** Build lights and cameras. Default: true. */
  lights?: boolean;
  cameras?: boolean;
  /**
   * How bones inherit the scale of their parents. By default, as the scene declares
   * (`scaleInheritance`).
   */
  scaleInheritance?: ScaleInheritance;
  /**
   * Index of the vertex color layer that is drawn by materials with `vertexColors`. A mesh with
   * fewer layers uses its last layer. `rig.showColorLayer` changes the layer later.
   */
  colorLayer?: number;
  /**
   * Compute normals for morph targets that have none in the file. The default is a hint in the
   * scene (true for Cast).
   */
  morphNormals?: boolean;
  /**
   * Store normals, tangents and weights with 16 bits per component on the GPU. This reduces the
   * size of a vertex of a skinned mesh from 52 to 40 bytes, and doesn't change the scene. Default:
   * false.
   */
  compact?: boolean;
  /** Report warnings as errors. */
  strict?: boolean;
  /** Function that binds clips to the scene. Default: bones are matched by name. */
  bind?: typeof bind;
}

export function buildScene(scene: RigScene, options: BuildOptions = {}): Built {
  const names = new TrackNames();
  const group = new Group();
  group.name = names.take(scene.asset.name, 'rig');
  group.userData = { name: scene.asset.name, asset: scene.asset };

  const findings: Finding[] = [];
  const nodes = buildNodes(scene, names, options.scaleInheritance ?? scene.scaleInheritance, findings);
  if (nodes[0]) group.add(nodes[0]);
  const isScaled = scene.hints?.dualQuaternionScale ?? false;
  const skeletons = scene.skins.map(({ joints, inverseBindMatrices }) => {
    const bones = Array.from(joints, joint => nodes[joint] as RigBone);
    const Kind = isScaled ? RestSkeleton : Skeleton;
    return new Kind(
      bones,
      bones.map((_, j) => new Matrix4().fromArray(inverseBindMatrices, 16 * j)),
    );
  });

  const materials = new MaterialLibrary(scene, options);
  const shader = options.skinning === 'plain' ? undefined : options.modules?.skinning;
  const extend = shader?.canExtendSkinning() ? shader.extendSkinning : null;
  const shownBy = scene.meshes.map((): Renderer[] => []);
  for (const renderer of scene.renderers) shownBy[renderer.mesh]?.push(renderer);
  // Name and maximum weight of each morph target, for each mesh of the scene.
  const morphs = scene.meshes.map(mesh => mesh.morphs.map(({ name, maximum }) => ({ name, maximum })));
  const geometries: (BuiltGeometry | undefined)[] = [];
  const animated = materialAnimated(scene);
  const shaders = new Map<number, ShaderCurves>();
  const meshes = scene.renderers.map((renderer, r) => {
    const parent = nodes[renderer.node] ?? group;
    if (!scene.meshes[renderer.mesh]) return null;
    const built = (geometries[renderer.mesh] ??= buildGeometry(scene.meshes[renderer.mesh]!, shownBy[renderer.mesh]!, {
      extend,
      isScaled,
      isCompact: options.compact,
      colorLayer: options.colorLayer,
      computesMorphNormals: options.morphNormals ?? scene.hints?.morphNormals,
    }));
    const mesh = buildMesh(scene, renderer, built, skeletons, materials, animated.has(r) ? r : undefined);
    mesh.name = names.take(renderer.name || scene.meshes[renderer.mesh]!.name, `mesh_${r}`);
    mesh.userData = userData(renderer.name || scene.meshes[renderer.mesh]!.name, renderer.properties, {
      renderer: r,
      mesh: renderer.mesh,
      ...(morphs[renderer.mesh]!.length > 0 && { morphs: morphs[renderer.mesh] }),
    });
    parent.add(mesh);
    return mesh;
  });

  const hasShadows =
    options.lights !== false && scene.lights.some(({ castShadow, enabled, node }) => castShadow && enabled && isActive(scene, node));
  if (hasShadows) for (const mesh of meshes) if (mesh) mesh.castShadow = mesh.receiveShadow = true;
  if (options.lights !== false) for (const [i, light] of scene.lights.entries()) attach(buildLight(light), light, `light_${i}`);
  if (options.cameras !== false) for (const [i, camera] of scene.cameras.entries()) attach(buildCamera(camera), camera, `camera_${i}`);
  for (const { kind, name, node, properties } of scene.features) {
    const object = node === undefined ? undefined : nodes[node];
    if (object) (object.userData['features'] ??= []).push({ kind, name, properties });
  }
  group.updateMatrixWorld(true);
  return {
    group,
    nodes,
    meshes,
    skeletons,
    geometries: geometries.flatMap(built => built?.geometry ?? []),
    materials,
    shaders(r) {
      const mesh = meshes[r];
      const { curves, toon } = options.modules ?? {};
      if (mesh && curves && !shaders.has(r)) shaders.set(r, new curves.ShaderCurves(scene, materials.by(mesh.material), toon?.toonValues));
      return shaders.get(r) ?? null;
    },
    properties: [],
    findings: [
      ...findings,
      ...(options.toon === 'standard' && scene.materials.some(isToon) ? [toonFinding(scene.materials.filter(isToon))] : []),
      ...geometries.flatMap((built, m) => (built ? skinningFindings(scene.meshes[m]!, built, whyPlain(options)) : [])),
      ...scene.materials.flatMap((material, m) => (materials.of(m).length ? slotFindings(material) : [])),
    ],
  };

  function attach(object: Object3D, { name, node, properties }: Light | Camera, fallback: string): void {
    object.name = names.take(name, fallback);
    object.userData = userData(name, properties);
    (nodes[node] ?? group).add(object);
  }
}

/** Returns the indices of the renderers whose materials are animated by clips of the scene. */
function materialAnimated(scene: RigScene): Set<number> {
  const nodes = new Set<number>();
  for (const { tracks } of scene.clips) {
    if (!tracks.uses?.('material')) continue;
    for (const { path, node } of tracks) if (path === 'material') nodes.add(node);
  }
  return new Set(scene.renderers.flatMap(({ node }, row) => (nodes.has(node) ? [row] : [])));
}

/**
 * Maximum depth of the node tree. three.js traverses the tree recursively, so a deeper tree would
 * overflow the stack.
 */
const DEEPEST = 1000;

/**
 * Creates an object for each node. The node table lists parents before their children. A joint of a
 * skin becomes a bone even if the file doesn't mark it as one.
 */
function buildNodes(scene: RigScene, names: TrackNames, scaleInheritance: ScaleInheritance, findings: Finding[]): Object3D[] {
  const { length: count, parents, translations, rotations, scales, bones, visible, segmentScaleCompensate, properties } = scene.nodes;
  const joints = new Set(scene.skins.flatMap(skin => [...skin.joints]));
  const nodes: Object3D[] = [];
  const depths = new Uint16Array(count);
  let cut = 0;
  for (let i = 0; i < count; i++) {
    const isBone = bones[i]! >= 0 || joints.has(i);
    const node = i === 0 ? new Group() : isBone ? new RigBone() : new Object3D();
    const name = scene.nodes.names[i]!;
    node.name = names.take(name, `node_${i}`);
    node.userData = userData(name, properties.get(i), { node: i });
    if (bones[i]! >= 0) node.userData['bone'] = bones[i]!;
    node.position.fromArray(translations, 3 * i);
    node.quaternion.fromArray(rotations, 4 * i);
    node.scale.fromArray(scales, 3 * i);
    node.visible = visible[i] !== 0;
    if (node instanceof RigBone) {
      node.segmentScaleCompensate = segmentScaleCompensate[i] !== 0;
      node.scaleInheritance = scaleInheritance;
    }
    const parent = nodes[parents[i]!];
    depths[i] = parent ? depths[parents[i]!]! + 1 : 0;
    if (depths[i]! <= DEEPEST) {
      parent?.add(node);
    } else {
      depths[i] = 1;
      node.visible = false;
      nodes[0]!.add(node);
      cut++;
    }
    nodes.push(node);
  }
  if (cut)
    findings.push({
      code: 'NESTING_TOO_DEEP',
      severity: 'error',
      offset: null,
      path: 'nodes',
      detail: `more than ${DEEPEST} levels; deeper nodes are not shown`,
      count: cut,
    });
  return nodes;
}

function buildMesh(
  scene: RigScene,
  renderer: Renderer,
  { geometry, slots, skinning }: BuiltGeometry,
  skeletons: Skeleton[],
  materials: MaterialLibrary,
  owner: number | undefined,
): RigMesh {
  const source = scene.meshes[renderer.mesh]!;
  const isSkinned = renderer.skin !== undefined && geometry.hasAttribute('skinIndex') && !!skeletons[renderer.skin];
  const isStrands = source.topology === 'strands';
  const traits = {
    isStrands,
    hasColors: source.colorsAreMaterial && geometry.hasAttribute('color'),
    hasNormals: geometry.hasAttribute('normal'),
    hasTangents: geometry.hasAttribute('tangent'),
    skinning: isSkinned ? skinning : null,
    ...(owner !== undefined && { owner }),
  };
  const rows = slots.map(group => materialOf(source, renderer, group));
  const drawn: ThreeMaterial[] = rows.map(row => materials.get(row, traits));
  const outlines = isStrands ? [] : drawn.map((surface, i) => materials.outlineOf(surface, rows[i]!));
  const hasOutlines = outlines.some(outline => outline !== null);
  const blended = drawn.filter(({ transparent }) => transparent);
  const hasOrder = blended.some(surface => orderOf(surface) !== orderOf(blended[0]!));
  const shape = hasOutlines || hasOrder ? regrouped(geometry, drawn, outlines) : geometry;
  const material = hasOutlines ? [...drawn, ...outlines.flatMap(outline => outline ?? [])] : geometry.groups.length ? drawn : drawn[0]!;

  let mesh: RigMesh;
  if (isStrands) mesh = new LineSegments(shape, material);
  else if (isSkinned) mesh = new RigSkinnedMesh(shape, material);
  else mesh = new ThreeMesh(shape, material);
  if (mesh instanceof RigSkinnedMesh) {
    // The product of a joint matrix and its inverse bind matrix transforms vertices to scene space.
    // With an identity bind matrix, the transform of the mesh cancels out.
    mesh.bind(skeletons[renderer.skin!]!, new Matrix4());
    const { jointBoxes } = scene.skins[renderer.skin!]!;
    mesh.jointBoxes = jointBoxes.length ? jointBoxes : null;
    if (skinning) {
      mesh.skinning = skinning;
      mesh.customDepthMaterial = skinning.extend(new MeshDepthMaterial());
      mesh.customDistanceMaterial = skinning.extend(new MeshDistanceMaterial());
    }
  }
  mesh.visible = renderer.visible;
  // Only transparent materials have a render order. The mesh gets the maximum of its materials.
  mesh.renderOrder = blended.map(orderOf).reduce((most, each) => Math.max(most, each), blended.length ? -Infinity : 0);
  return mesh;
}

function orderOf({ transparent, userData }: ThreeMaterial): number {
  return transparent ? ((userData['renderOrder'] as number | undefined) ?? 0) : 0;
}

/**
 * Returns a geometry whose groups are sorted by render order, followed by the groups for outlines.
 * three.js draws the groups of a mesh in this order.
 */
function regrouped(geometry: BufferGeometry, drawn: readonly ThreeMaterial[], outlines: readonly (ThreeMaterial | null)[]): BufferGeometry {
  const made = new BufferGeometry();
  made.name = geometry.name;
  made.setIndex(geometry.index);
  for (const [name, attribute] of Object.entries(geometry.attributes)) made.setAttribute(name, attribute);
  made.morphAttributes = geometry.morphAttributes;
  made.morphTargetsRelative = geometry.morphTargetsRelative;
  made.boundingBox = geometry.boundingBox;
  made.boundingSphere = geometry.boundingSphere;
  const count = geometry.index?.count ?? geometry.getAttribute('position').count;
  const groups = geometry.groups.length
    ? geometry.groups.toSorted((a, b) => orderOf(drawn[a.materialIndex ?? 0]!) - orderOf(drawn[b.materialIndex ?? 0]!))
    : [{ start: 0, count, materialIndex: 0 }];
  for (const group of groups) made.addGroup(group.start, group.count, group.materialIndex);
  let next = outlines.length;
  const places = outlines.map(outline => (outline ? next++ : -1));
  for (const { start, count: length, materialIndex = 0 } of groups)
    if (places[materialIndex]! >= 0) made.addGroup(start, length, places[materialIndex]);
  return made;
}

function toonFinding(materials: readonly Material[]): Finding {
  return { code: 'TOON_REDUCED', severity: 'info', offset: null, path: 'materials', detail: '', count: materials.length };
}

function slotFindings(material: Material): Finding[] {
  const unused = unusedSlots(material, isToon(material));
  return unused.length
    ? [{ code: 'TEXTURE_UNUSED', severity: 'info', offset: null, path: material.name, detail: unused.join(', '), count: 1 }]
    : [];
}

/** Returns findings about a mesh that is drawn with fewer influences than the file contains. */
function skinningFindings(mesh: Mesh, { skinning }: BuiltGeometry, why: string): Finding[] {
  return skinning || !needsMore(mesh) ? [] : [skinningReduced(mesh, why)];
}

/** Returns the reason why only four linear influences are drawn, for the detail of a finding. */
function whyPlain({ skinning, modules }: BuildOptions): string {
  if (skinning === 'plain') return '';
  return modules?.skinning
    ? ', because the shaders of this three.js release are unknown'
    : '. Rig.make loads the code for more influences; new Rig() does not';
}

/** Returns a SKINNING_REDUCED finding about a mesh. `why` is appended to its detail. */
export function skinningReduced(mesh: Mesh, why: string): Finding {
  const what = [
    ...(mesh.influenceOffsets ? [`up to ${mesh.maxInfluences} influences`] : []),
    ...(mesh.skinning === 'dualQuaternion' ? ['dual quaternions'] : []),
  ];
  const detail = `${what.join(' and ')}, drawn with four linear influences${why}`;
  return { code: 'SKINNING_REDUCED', severity: 'warning', offset: null, path: mesh.name, detail, count: 1 };
}

function userData(name: string, properties: Properties | undefined, more: Record<string, unknown> = {}): Record<string, unknown> {
  return properties ? { name, ...more, properties } : { name, ...more };
}

/**
 * Builds a three.js light. Lights in a scene point along −Z; in three.js, directional and spot
 * lights need a target object.
 */
function buildLight(light: Light): ThreeLight {
  const [r, g, b] = light.color;
  let made: ThreeLight;
  switch (light.type) {
    case 'directional':
    case 'spot': {
      const { intensity, range, innerAngle, outerAngle } = light;
      const aimed =
        light.type === 'spot'
          ? new SpotLight(undefined, intensity, range, outerAngle, outerAngle > 0 ? 1 - innerAngle / outerAngle : 0)
          : new DirectionalLight(undefined, light.intensity);
      aimed.position.set(0, 0, 0);
      aimed.target.position.set(0, 0, -1);
      aimed.add(aimed.target);
      made = aimed;
      break;
    }
    case 'rectangle':
    case 'disc':
      made = new RectAreaLight(undefined, light.intensity, ...light.size);
      break;
    default:
      made = new PointLight(undefined, light.intensity, light.range);
  }
  made.color.setRGB(r, g, b);
  made.castShadow = light.castShadow && !(made instanceof RectAreaLight);
  if (made.castShadow) applyShadow(made as DirectionalLight | SpotLight | PointLight, light);
  made.visible = light.enabled;
  return made;
}

/** Sizes of shadow maps, in pixels, for Unity's resolutions 0 to 3. */
const SHADOW_SIZES = [512, 1024, 2048, 4096];

/**
 * Applies Unity's shadow settings to a light, if the file has any: bias in metres, normal bias in
 * texels, and strength.
 */
function applyShadow({ shadow }: DirectionalLight | SpotLight | PointLight, { range, properties }: Light): void {
  shadow.mapSize.setScalar(SHADOW_SIZES[numberIn(properties, 'shadowResolution', -1)] ?? 1024);
  const strength = numberIn(properties, 'shadowStrength', -1);
  const bias = numberIn(properties, 'shadowBias', -1);
  const along = numberIn(properties, 'shadowNormalBias', -1);
  if (strength >= 0) shadow.intensity = Math.min(strength, 1);
  shadow.bias = bias >= 0 ? -0.001 * bias : -0.0005;
  shadow.normalBias = along >= 0 ? 0.05 * along : 0.02;
  const near = numberIn(properties, 'shadowNearPlane', -1);
  shadow.camera.near = near > 0 ? near : 0.2; // Unity's default
  if (range > 0 && 'far' in shadow.camera) shadow.camera.far = range;
}

function buildCamera({ verticalFov, aspect, near, far }: Camera): PerspectiveCamera {
  return new PerspectiveCamera((verticalFov * 180) / Math.PI, aspect, near, far);
}
