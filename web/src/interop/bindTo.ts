// Binds animations to objects of any three.js loader, and animations of any loader to rigs. Loaded
// on the first call of `bind` of rigcast/three.
import { type AnimationClip, Group, type Object3D, PropertyBinding } from 'three';
import { type BindByNameOptions, type BindReport, type BoundTrack, someOf } from '../core/bind.ts';
import { invalidArgument } from '../core/error.ts';
import { uniqueNames } from '../core/names.ts';
import { member } from '../core/properties.ts';
import type { Clip, Feature, Finding, RigScene } from '../core/types.ts';
import { bindRetargeted } from '../rig/bindRetargeted.ts';
import { type BindResult, mergeBindReports, type RigSource } from '../three/bindResult.ts';
import { boundRigClip } from '../three/animation/rigClip.ts';
import type { Target } from '../three/animation/keyframes.ts';
import { restOf } from '../three/animation/targets.ts';
import { importedClip } from './clips.ts';
import { type ImportedScene, importedScene, morphNames } from './scene.ts';
import { factsOfGltf, type GltfParser, type VrmFacts } from './vrm.ts';

/**
 * Result of a three.js loader: an Object3D, an object that contains one, or the skeleton and clip
 * that BVHLoader returns.
 */
export type LoadedObject =
  Object3D | { scene: Object3D; animations?: AnimationClip[] } | { skeleton: { bones: Object3D[] }; clip?: AnimationClip };

/**
 * Source of animations: a file opened by rigcast, its scene, clips, or the result of another
 * loader, which must include the objects that its clips animate.
 */
export type AnimationSource = RigSource | { file: RigSource } | RigScene | Clip | readonly Clip[] | LoadedObject;

/** Options for binding animations to a model of any loader. */
export interface BindOptions extends BindByNameOptions {
  /**
   * The model that the animations were made for, if their own file has no skeleton: a file opened
   * by rigcast, its scene, a rig, or the result of another loader.
   */
  retargetFrom?: RigSource | { file: RigSource } | RigScene | LoadedObject;
}

/** Implements `bind` (see web/src/three/index.ts). */
export function bindTo(
  source: AnimationSource,
  model: LoadedObject | { file: RigSource; scene: Object3D },
  options: BindOptions = {},
): BindResult {
  const root = rootOf(model);
  if (!root) throw invalidArgument('bind: the model is not an Object3D and has no scene or skeleton');
  const { retargetFrom, ...own } = options;
  const { clips, scene, lost } = animationsOf(source);
  if (retargetFrom !== undefined && !ownScene(retargetFrom) && !rootOf(retargetFrom))
    throw invalidArgument('bind: "retargetFrom" must be the model that the animation was made for');
  const from = retargetFrom === undefined ? scene : importedSceneOf(retargetFrom);
  const to = withDeclaredFacts(importedScene(root), model);
  const bounds = clips.map(clip => bindRetargeted(clip, from, to.scene, own));
  const names = uniqueNames(bounds.map(({ name }) => name));
  const rigClips = bounds.map((bound, i) => boundRigClip(bound, names[i] ?? bound.name, track => targetsOf(track, to, root)));
  let report: BindReport | undefined;
  return {
    animations: rigClips.map(({ animationClip }) => animationClip),
    clips: rigClips,
    get report() {
      if (report) return report;
      const reports = bounds.map(bound => bound.report);
      return (report = mergeBindReports(reports, () => [
        ...reports.flatMap(({ findings }) => findings),
        ...(lost.length > 0 ? [lostTracks(lost)] : []),
      ]));
    },
  };
}

function lostTracks(lost: readonly string[]): Finding {
  return { code: 'CURVE_NOT_PLAYED', severity: 'info', offset: null, path: '', detail: someOf(lost), count: lost.length };
}

// ---------------------------------------------------------------- arguments

const isObject = (each: unknown): each is Object3D => (each as Partial<Object3D> | null)?.isObject3D === true;
const isClip = (each: unknown): each is Clip => typeof (each as Partial<Clip> | null)?.tracks?.get === 'function';

function rootOf(source: unknown): Object3D | null {
  if (isObject(source)) return source;
  const { scene, skeleton } = Object(source) as { scene?: unknown; skeleton?: { bones?: unknown[] } };
  const bone = skeleton?.bones?.[0];
  return isObject(scene) ? scene : isObject(bone) ? bone : null;
}

/**
 * Returns the scene if `source` is a file opened by rigcast, a rig or a scene of rigcast, otherwise
 * undefined.
 */
function ownScene(source: unknown): RigScene | null | undefined {
  const { file, scene, nodes } = Object(source) as { file?: RigSource; scene?: RigScene | null; nodes?: Partial<RigScene['nodes']> };
  if (ArrayBuffer.isView(nodes?.parents)) return source as RigScene;
  if (file) return file.scene;
  return scene === null || Array.isArray(scene?.clips) ? scene : undefined;
}

/** Implements `sceneOf` (see web/src/three/index.ts). */
export function importedSceneOf(loaded: RigSource | { file: RigSource } | RigScene | LoadedObject): RigScene {
  const own = ownScene(loaded);
  if (own) return own;
  if (!rootOf(loaded)) throw invalidArgument('sceneOf: the argument is not an Object3D and has no scene or skeleton');
  return animationsOf(loaded).scene;
}

function animationsOf(source: unknown): { clips: readonly Clip[]; scene: RigScene; lost: string[] } {
  const list = isClip(source) ? [source] : Array.isArray(source) && source.every(isClip) ? source : null;
  if (list) return { clips: list, scene: emptyScene(), lost: [] };
  const own = ownScene(source);
  if (own !== undefined) return { clips: own?.clips ?? [], scene: own ?? emptyScene(), lost: [] };
  const { animations, clip } = Object(source) as { animations?: AnimationClip[]; clip?: AnimationClip };
  const root = rootOf(source);
  const theirs = clip ? [clip] : (animations ?? root?.animations ?? []);
  if (!root)
    throw invalidArgument(
      "bind: animations of three.js's loaders need the objects that they animate. Pass the glTF, the group of the FBX, or the skeleton and clip of the BVH",
    );
  const imported = importedScene(root);
  const facts = declaredFacts(source, imported);
  const made = theirs.map(each => importedClip(each, imported, root, facts?.faces));
  const clips = made.map(each => each.clip);
  return { clips, scene: { ...withDeclaredFacts(imported, source).scene, clips }, lost: made.flatMap(each => each.lost) };
}

/**
 * Reads the humanoid bones, look-at settings and expressions from the extensions of a glTF, or from
 * a rig.
 */
function declaredFacts(source: unknown, imported: ImportedScene): (Pick<VrmFacts, 'features' | 'expressions'> & Partial<VrmFacts>) | null {
  const { parser, file, nodes, meshes } = Object(source) as {
    parser?: Partial<GltfParser>;
    file?: RigSource;
    nodes?: unknown;
    meshes?: unknown;
  };
  if (file?.scene && Array.isArray(nodes) && Array.isArray(meshes))
    return factsOfRig(file.scene, nodes as unknown[], meshes as unknown[], imported);
  return parser?.associations instanceof Map ? factsOfGltf(parser as GltfParser, imported) : null;
}

/**
 * Converts the humanoid bones, look-at settings and expressions of a rig to rows of the imported
 * scene. `nodes`, `meshes`: objects of the rig, by row of the scene from which the rig was created.
 */
function factsOfRig(scene: RigScene, nodes: readonly unknown[], meshes: readonly unknown[], { objects, drawn }: ImportedScene) {
  const rowOf = (row: unknown): number => objects.findIndex(object => object !== null && object === nodes[Number(row)]);
  const features = scene.features.flatMap((feature): Feature[] => {
    if (feature.kind === 'lookAt' || feature.kind === 'expressionOverride') return [feature];
    if (feature.kind !== 'humanoid') return [];
    const bones = Object.entries(member(feature.properties, 'bones') ?? {}).map(([bone, row]) => [bone, rowOf(row)] as const);
    return [{ ...feature, properties: { ...feature.properties, bones: Object.fromEntries(bones.filter(([, row]) => row >= 0)) } }];
  });
  const expressions = scene.expressions.map(expression => ({
    ...expression,
    bindings: expression.bindings.flatMap(binding => {
      const renderer = drawn.findIndex(mesh => mesh === meshes[binding.renderer]);
      return renderer < 0 ? [] : [{ ...binding, renderer }];
    }),
  }));
  return { features, expressions };
}

function withDeclaredFacts(imported: ImportedScene, source: unknown): ImportedScene {
  const facts = declaredFacts(source, imported);
  if (!facts) return imported;
  return { ...imported, scene: { ...imported.scene, features: facts.features, expressions: facts.expressions } };
}

/** Creates an empty scene for clips without a skeleton. */
function emptyScene(): RigScene {
  const { scene } = importedScene(new Group());
  const { nodes } = scene;
  return { ...scene, nodes: { ...nodes, length: 1 } };
}

// ---------------------------------------------------------------- tracks

const PROPERTIES: Partial<Record<BoundTrack['path'], string>> = {
  translation: 'position',
  rotation: 'quaternion',
  scale: 'scale',
  visible: 'visible',
};

function targetsOf(track: BoundTrack, { scene, objects, drawn }: ImportedScene, root: Object3D): Target[] {
  const { path, node, renderers, morph } = track;
  const meshes = renderers.flatMap(row => drawn[row] ?? []);
  if (path === 'weight')
    return meshes.flatMap(mesh => {
      const names = morphNames(mesh);
      const i = names.findIndex(each => each === morph);
      return i < 0 ? [] : [{ name: `${targetNameOf(mesh, root)}.morphTargetInfluences[${morphKey(mesh, names[i] ?? '', i)}]`, rest: [0] }];
    });
  if (path === 'shown' || (path === 'visible' && node < 0))
    return meshes.map(mesh => ({ name: `${targetNameOf(mesh, root)}.visible`, rest: [1] }));
  const object = objects[node];
  const property = PROPERTIES[path];
  return object && property ? [{ name: `${targetNameOf(object, root)}.${property}`, rest: restOf(scene.nodes, track) }] : [];
}

/**
 * Returns the name of a morph target if it can be used in a track name; otherwise the index of the
 * morph target.
 */
function morphKey({ morphTargetDictionary = {} }: { morphTargetDictionary?: Record<string, number> }, name: string, i: number): string {
  return Object.hasOwn(morphTargetDictionary, name) && !/[[\]\r\n\u2028\u2029]/.test(name) ? name : `${i}`;
}

/**
 * Returns the name of an object if three.js can find the object by its name; otherwise the UUID of
 * the object.
 */
function targetNameOf(object: Object3D, root: Object3D): string {
  const { name, uuid } = object;
  const isPlain = name !== '' && PropertyBinding.sanitizeNodeName(name) === name;
  return isPlain && PropertyBinding.findNode(root, name) === object ? name : uuid;
}
