// What `open` gives: the scene of one file as plain objects and typed arrays. Nothing here knows three.js or the DOM.
//
// Space: right-handed, Y up, metres, seconds, counter-clockwise fronts, quaternions x y z w, UV origin top-left (as glTF).
// Every typed array is a view into an ArrayBuffer that belongs to its mesh, clip, image or table alone.

export type { FormatOptions } from './formatOptionTypes.ts';

export type Severity = 'info' | 'warning' | 'error';

/** One kind of finding, counted: `code` is stable (README, docs of the codes), `detail` is for people. */
export interface Finding {
  code: string;
  severity: Severity;
  /** Byte offset in the file, null where the finding has no single place. */
  offset: number | null;
  /** Outline path of the unit the finding is about, '' for the whole file. */
  path: string;
  detail: string;
  count: number;
}

export interface Report {
  errors: number;
  warnings: number;
  infos: number;
  /** More different findings than are listed. */
  truncated: boolean;
  items: Finding[];
}

/** A property bag as the file spells it. Names may be anything: never use them as keys of a plain object you trust. */
export type PropertyValue = null | boolean | number | string | PropertyValue[] | Properties;
export interface Properties {
  [name: string]: PropertyValue;
}

export interface Asset {
  name: string;
  generator?: string;
  author?: string;
  copyright?: string;
  upAxis?: 'x' | 'y' | 'z';
  metresPerUnit: number;
  properties?: Properties;
}

/** The node tree as columns: row 0 is the synthetic root, parents come before children. */
export interface NodeTable {
  readonly count: number;
  readonly names: readonly string[];
  /** -1 for the root. */
  readonly parents: Int32Array;
  readonly translations: Float32Array;
  readonly rotations: Float32Array;
  readonly scales: Float32Array;
  /** Index of the bone in the file, -1 where the node is none. */
  readonly bones: Int32Array;
  readonly visible: Uint8Array;
  /** The bone refuses the scale of its parent bone (Maya's segment scale compensate); nothing where the parent is no bone. */
  readonly segmentScaleCompensate: Uint8Array;
  readonly properties: ReadonlyMap<number, Properties>;
}

export interface ColorLayer {
  name?: string;
  /** RGBA; Uint8Array is normalised. */
  values: Uint8Array | Float32Array;
}

/** Sparse deltas: `vertices` ascending, three numbers per vertex in `positions` and `normals`. */
export interface MorphTarget {
  name: string;
  vertices: Uint32Array;
  positions: Float32Array;
  normals?: Float32Array;
  maximum: number;
  properties?: Properties;
}

export interface Group {
  start: number;
  count: number;
  material?: number;
}

export interface Mesh {
  name: string;
  topology: 'triangles' | 'strands';
  vertexCount: number;
  positions: Float32Array;
  normals?: Float32Array;
  tangents?: Float32Array;
  uvs: Float32Array[];
  colors: ColorLayer[];
  colorsAreMaterial: boolean;
  /** Four a vertex, strongest first, into `Skin.joints`. */
  joints?: Uint16Array;
  /** Four a vertex, sum 1 (or 0). */
  weights?: Float32Array;
  /** All influences, strongest first, only where some vertex has more than four: those of vertex v are [offsets[v], offsets[v + 1]). */
  influenceOffsets?: Uint32Array;
  influenceJoints?: Uint16Array;
  influenceWeights?: Float32Array;
  maxInfluences: number;
  skinning: 'linear' | 'dualQuaternion';
  /** Absent for strands. */
  indices?: Uint16Array | Uint32Array;
  strandOffsets?: Uint32Array;
  /** The file's own vertex (PSK: point) of every vertex; absent: the same. */
  sourceVertices?: Uint32Array;
  sourceVertexCount: number;
  groups: Group[];
  morphs: MorphTarget[];
  /** Box at rest. */
  min: [number, number, number];
  max: [number, number, number];
  /** Sphere around the box's centre, every morph at its maximum included: for culling. */
  center: [number, number, number];
  radius: number;
  properties?: Properties;
}

/** What a node shows. */
export interface Renderer {
  name: string;
  node: number;
  mesh: number;
  skin?: number;
  /** One a group (-1: none), instead of the groups' own. */
  materials?: number[];
  visible: boolean;
  properties?: Properties;
}

export interface Skin {
  name: string;
  joints: Uint32Array;
  /** 16 a joint, column-major. */
  inverseBindMatrices: Float32Array;
  /** 6 a joint (min, max) in its bind space, every morph at its maximum included; min > max where it moves nothing. */
  jointBoxes: Float32Array;
  skeletonRoot?: number;
}

export interface MaterialSlot {
  slot: string;
  source: string;
  texture?: number;
  color?: [number, number, number, number];
}

export interface Material {
  name: string;
  model: string;
  color: [number, number, number, number];
  emissive: [number, number, number];
  metalness: number;
  roughness: number;
  alphaMode: 'opaque' | 'mask' | 'blend' | 'add' | 'multiply';
  alphaCutoff: number;
  /** Writes depth although it is blended. */
  depthWrite?: boolean;
  side: 'front' | 'back' | 'both';
  visible: boolean;
  renderOrder: number;
  slots: MaterialSlot[];
  properties?: Properties;
}

export interface Texture {
  name: string;
  image?: number;
  wrapU: 'repeat' | 'clamp' | 'mirror';
  wrapV: 'repeat' | 'clamp' | 'mirror';
  filter: 'nearest' | 'linear' | 'trilinear';
  offset: [number, number];
  scale: [number, number];
  uvSet: number;
  srgb: boolean;
  properties?: Properties;
}

export interface Image {
  name: string;
  mimeType?: string;
  bytes?: Uint8Array;
  path?: string;
}

/**
 * visible: the node and all below it; without a node, meshes by name. shown: the node's mesh alone. material: a number of the mesh's shader. weight,
 * shown and material are a mesh's: `node` is then the node that carries it.
 */
export type TrackPath = 'translation' | 'rotation' | 'scale' | 'weight' | 'visible' | 'property' | 'shown' | 'material';
export type SegmentKind = 'step' | 'linear' | 'slerp' | 'hermite' | 'bezier';
export type TrackMode = 'absolute' | 'relative' | 'additive' | 'delta';
export type Extrapolation = 'hold' | 'loop' | 'pingPong';

/** One animated value. Width: 3 for translation and scale, 4 for rotation, else 1; 1 where `component` names one. */
export interface Track {
  /** A node's name; of what is a mesh's that mesh's, '' for every mesh that has the morph. */
  target: string;
  /** Morph target (`weight`), property (`property`) or the shader's, with its component (`material`: `_Color.r`), else ''. */
  property: string;
  /** The k-th node of that name. */
  occurrence: number;
  /** The target in this file's own scene where names do not tell it, else -1. */
  node: number;
  path: TrackPath;
  /** 0..3, or -1 for the whole value. */
  component: number;
  /** Of every segment, or `perKey`: then `kinds` has one per key. */
  interpolation: SegmentKind | 'perKey';
  mode: TrackMode;
  before: Extrapolation;
  after: Extrapolation;
  blendWeight: number;
  times: Float32Array;
  values: Float32Array;
  /** Index into SEGMENT_KINDS. */
  kinds?: Uint8Array;
  /** In and out slopes of every key: 2 * width a key. Infinite: step. */
  tangents?: Float32Array;
  /** In and out weights of every key: 2 * width a key. */
  weights?: Float32Array;
}

/** A clip's tracks as a table; `get` makes one row an object when it is needed. 300 sequences of 547 bones open at once. */
export interface TrackTable extends Iterable<Track> {
  readonly count: number;
  get(index: number): Track;
  /** Whether some track has that path: cheaper than to look at all. */
  uses?(path: TrackPath): boolean;
}

export interface ClipEvent {
  time: number;
  name: string;
}

export interface ModeOverride {
  node: string;
  mode: TrackMode;
  translation: boolean;
  rotation: boolean;
  scale: boolean;
  /** It reaches the node that it names as well, not only its descendants. */
  includesNode: boolean;
}

export interface Clip {
  name: string;
  /** Seconds; negative where the file has a pre-roll. */
  start: number;
  /** Seconds from 0 to the last frame. */
  duration: number;
  /** 0 where the format has none. */
  frameRate: number;
  frameCount: number;
  loop: boolean;
  tracks: TrackTable;
  events: ClipEvent[];
  overrides: ModeOverride[];
  properties?: Properties;
}

export interface Light {
  name: string;
  node: number;
  type: 'directional' | 'point' | 'spot' | 'rectangle' | 'disc';
  color: [number, number, number];
  intensity: number;
  range: number;
  innerAngle: number;
  outerAngle: number;
  size: [number, number];
  castShadow: boolean;
  enabled: boolean;
  properties?: Properties;
}

export interface Camera {
  name: string;
  node: number;
  verticalFov: number;
  aspect: number;
  near: number;
  far: number;
  properties?: Properties;
}

export interface InstanceSet {
  reference?: number;
  node: number;
  /** 10 an instance: translation 3, rotation 4, scale 3. */
  transforms: Float32Array;
  names: string[];
}

export interface Feature {
  kind: string;
  name?: string;
  node?: number;
  /** The same object for all features that the file makes of one thing, as a collider that many nodes name. */
  properties?: Properties;
}

export interface Expression {
  name: string;
  preset?: string;
  bindings: { renderer: number; morph: number; weight: number }[];
}

export interface Reference {
  /** decrypt: bytes that are made of the file's own, by what `properties` says (algorithm, iv, key, offset, byteLength). */
  kind: 'config' | 'script' | 'key' | 'decrypt' | 'resource' | 'instance' | 'texture' | string;
  name: string;
  required: boolean;
  supplied: boolean;
  /** What it takes to find or make it. */
  properties?: Properties;
}

/**
 * How a bone takes over the scale of the bones above it. A rotated bone below a scale that differs by axis tells them apart:
 * matrix: as matrices multiply, shear included.
 * axes: scales multiply axis by axis, rotations among themselves; no shear (Unreal's FTransform).
 */
export type ScaleInheritance = 'matrix' | 'axes';

/** What the format takes for granted and those who draw the scene have to know. */
export interface Hints {
  /** Materials are names: what they look like lies in files beside the model. */
  namedMaterials?: boolean;
  /** Green of normal maps points down the image. */
  directXNormals?: boolean;
  /** Normals follow morphs that have none of their own. */
  morphNormals?: boolean;
  /** The scale of bones acts on meshes that are skinned by dual quaternions, too. */
  dualQuaternionScale?: boolean;
}

export interface RigScene {
  asset: Asset;
  hints?: Hints;
  scaleInheritance: ScaleInheritance;
  nodes: NodeTable;
  meshes: Mesh[];
  renderers: Renderer[];
  skins: Skin[];
  materials: Material[];
  textures: Texture[];
  images: Image[];
  clips: Clip[];
  lights: Light[];
  cameras: Camera[];
  instances: InstanceSet[];
  features: Feature[];
  expressions: Expression[];
  references: Reference[];
}

/** What would complete the file: a key, a resource, a `.config`, an instance, a texture. */
export interface Need {
  kind: Reference['kind'];
  name: string;
  required: boolean;
  properties?: Properties;
}
