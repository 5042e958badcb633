// Printed by `npm run print` from wasm/scene/scene.def.
//
// Space: right-handed, Y up, metres, seconds, counter-clockwise fronts, quaternions x y z w, UV origin top-left (as glTF).
// Every typed array is a view into an ArrayBuffer that belongs to its mesh, clip, image or table alone.
import type { NodeTable, Properties, TrackRows } from './tables.ts';

/**
 * visible: the node and all below it; without a node, meshes by name. shown: the node's mesh alone. material: a number of the mesh's
 * shader. weight, shown and material are a mesh's: `node` is then the node that carries it. expression: how strongly one shows, whatever
 * shapes it has on a model; look: the way the eyes look, as a turn away from straight ahead (+Z, Y up).
 */
export type TrackPath = 'translation' | 'rotation' | 'scale' | 'weight' | 'visible' | 'property' | 'shown' | 'material' | 'expression' | 'look';

/** How a segment runs from its key to the next. perKey: see Track.kinds. slerp takes the short way. */
export type Interpolation = 'step' | 'linear' | 'slerp' | 'hermite' | 'bezier' | 'perKey';

/** What a value does to the rest (relative) or current (additive) value; delta: against the clip's first frame. */
export type TrackMode = 'absolute' | 'relative' | 'additive' | 'delta';

/** What holds before the first and after the last key. */
export type Extrapolation = 'hold' | 'loop' | 'pingPong';

/**
 * How a bone takes over the scale of the bones above it. A rotated bone below a scale that differs by axis tells them apart. matrix: as
 * matrices multiply, shear included. axes: scales multiply axis by axis, rotations among themselves; no shear (Unreal's FTransform).
 */
export type ScaleInheritance = 'matrix' | 'axes';

/** What the file says about itself. */
export interface Asset {
  /** Of the file, without extension. */
  name: string;
  /** What wrote it, as far as it says. */
  generator?: string;
  author?: string;
  copyright?: string;
  /** Where the format only hints it; it is then applied on node 0. */
  upAxis?: 'x' | 'y' | 'z';
  /** What was applied to reach metres; 1 where the unit is unknown. */
  metresPerUnit: number;
  properties?: Properties;
}

/** Colours per vertex of the mesh. */
export interface ColorLayer {
  name?: string;
  /** RGBA; Uint8Array is normalised. */
  values: Uint8Array | Float32Array;
}

/** Sparse deltas against the mesh: three numbers per vertex in `positions` and `normals`. */
export interface MorphTarget {
  name: string;
  /** Ascending and unique. */
  vertices: Uint32Array;
  positions: Float32Array;
  normals?: Float32Array;
  /** Weight at which a slider ends. */
  maximum: number;
  properties?: Properties;
}

/** A run of the index buffer (strands: of the vertices) with one material. */
export interface Group {
  start: number;
  count: number;
  material?: number;
}

/** Attributes that the file does not have are absent. */
export interface Mesh {
  name: string;
  topology: 'triangles' | 'strands';
  vertexCount: number;
  positions: Float32Array;
  normals?: Float32Array;
  /** The file has no normals: these are computed from the faces. */
  normalsComputed?: boolean;
  /** As glTF: cross(normal, tangent) * w points to the image's top, against V. */
  tangents?: Float32Array;
  uvs: Float32Array[];
  colors: ColorLayer[];
  /** Layer 0 is part of the picture (most formats keep masks there). */
  colorsAreMaterial: boolean;
  /** Four per vertex, strongest first, into `Skin.joints`; 8 bit for up to 256 of them. */
  joints?: Uint8Array | Uint16Array;
  /** Four per vertex, sum 1 (or 0). */
  weights?: Float32Array;
  /** All influences, strongest first, only where some vertex has more than four: those of vertex v are [offsets[v], offsets[v + 1]). */
  influenceOffsets?: Uint32Array;
  influenceJoints?: Uint16Array;
  /** Sum 1 per vertex. */
  influenceWeights?: Float32Array;
  maxInfluences: number;
  skinning: 'linear' | 'dualQuaternion';
  /** Of triangles; 16 bit up to 65535 vertices. Absent for strands. */
  indices?: Uint16Array | Uint32Array;
  /** Of strands: into the vertices, one more than there are strands. */
  strandOffsets?: Uint32Array;
  /** The file's own vertex (PSK: point) of every vertex; absent: the same. */
  sourceVertices?: Uint32Array;
  sourceVertexCount: number;
  groups: Group[];
  morphs: MorphTarget[];
  /** Box at rest, in the mesh's space. */
  min: [number, number, number];
  max: [number, number, number];
  /** Sphere around the box's centre, every morph at its maximum included: for culling. */
  center: [number, number, number];
  radius: number;
  properties?: Properties;
}

/** What a node shows. A mesh may be shown by several. */
export interface Renderer {
  name: string;
  node: number;
  mesh: number;
  skin?: number;
  /** One per group (-1: none), instead of the groups' own. */
  materials?: number[];
  visible: boolean;
  properties?: Properties;
}

export interface Skin {
  name: string;
  /** Nodes. */
  joints: Uint32Array;
  /** 16 per joint, column-major. */
  inverseBindMatrices: Float32Array;
  /**
   * Six per joint (min, max) in its bind space: of all vertices it moves, every morph at its maximum included; min > max where it moves
   * none. For bounds without skinning every vertex, root motion included.
   */
  jointBoxes: Float32Array;
  /** Node. */
  skeletonRoot?: number;
}

/** A texture and what it is for. */
export interface MaterialSlot {
  /**
   * A standard name: baseColor, normal, metallic, roughness, metallicRoughness, occlusion, emissive, specular, specularColor, gloss,
   * opacity, orm ...; or the format's own where there is no standard one.
   */
  slot: string;
  /** The file's spelling. */
  source: string;
  texture?: number;
  /** A factor instead of, or beside, the texture; linear. */
  color?: [number, number, number, number];
}

export interface Material {
  name: string;
  /** standard, specular, unlit, mtoon, liltoon, skybox ... */
  model: string;
  /** Linear. */
  color: [number, number, number, number];
  /** Linear. */
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
  /** The format's own, kept whole. */
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

/** Embedded bytes, or a path as the file spells it: a file name to look for, never to be fetched unasked. */
export interface Image {
  name: string;
  mimeType?: string;
  bytes?: Uint8Array;
  path?: string;
}

/**
 * One animated value. Width: 3 for translation and scale, 4 for rotation, else 1; 1 where `component` names one. All columns lie in the
 * clip's block. JavaScript gets a table.
 */
export interface Track {
  /** A node's name; of what is a mesh's that mesh's or its renderer's, empty: every mesh that has the morph. */
  target: string;
  /**
   * weight: morph target; expression: its name, or VRM 1.0's word for it; property: name; material: the shader's, with its component
   * (`_Color.r`); else empty.
   */
  property: string;
  /** The k-th node of that name (psk-psa.md section 7.1). */
  occurrence: number;
  /** The target in this file's own scene where names do not tell it, else -1. */
  node: number;
  /** k, seconds, ascending; equal times are a jump, the later wins from then on. */
  times: Float32Array;
  /** k * width. Whole rotations are of unit length, their square within 1e-3; components of one by themselves need not be. */
  values: Float32Array;
  /** k, Interpolation of the segment after each key; only with perKey. */
  kinds?: Uint8Array;
  /** k * width * 2: in and out slopes (value per second); hermite and bezier; infinite: step. */
  tangents?: Float32Array;
  /** k * width * 2: in and out weights, fractions of the segment; bezier. */
  weights?: Float32Array;
  /** Additive. */
  blendWeight: number;
  path: TrackPath;
  component: number;
  interpolation: Interpolation;
  mode: TrackMode;
  before: Extrapolation;
  after: Extrapolation;
}

/** Something that happens in a clip. */
export interface ClipEvent {
  /** Seconds. */
  time: number;
  name: string;
}

/** Tracks of the node's descendants (nearest override wins) run in `mode` instead of their own (cast.md section 3.5). */
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
  /** Of its first key, seconds: later than 0 where it begins late, negative where the file has a pre-roll. */
  start: number;
  /** Seconds from 0 to the last frame. */
  duration: number;
  /** Frames per second, 0 where the format has none. */
  frameRate: number;
  /** 0 where the format has none. */
  frameCount: number;
  loop: boolean;
  /** The format cannot declare that keys are additive, so whether they are is a guess. */
  undeclaredModes?: boolean;
  tracks: TrackRows<Track>;
  /** By time. */
  events: ClipEvent[];
  overrides: ModeOverride[];
  properties?: Properties;
}

/** Shines along the node's local -Z. */
export interface Light {
  name: string;
  node: number;
  type: 'directional' | 'point' | 'spot' | 'rectangle' | 'disc';
  /** Linear. */
  color: [number, number, number];
  /** In the sense of three.js. */
  intensity: number;
  /** Metres, 0: endless. */
  range: number;
  /** Half an angle, radians. */
  innerAngle: number;
  /** Half an angle, radians. */
  outerAngle: number;
  size: [number, number];
  castShadow: boolean;
  enabled: boolean;
  properties?: Properties;
}

/** Looks along the node's local -Z. */
export interface Camera {
  name: string;
  node: number;
  /** Radians. */
  verticalFov: number;
  aspect: number;
  near: number;
  far: number;
  properties?: Properties;
}

/** Copies of another file's scene. */
export interface InstanceSet {
  reference?: number;
  /** Parent. */
  node: number;
  /** Ten per instance: translation 3, rotation 4, scale 3. */
  transforms: Float32Array;
  names: string[];
}

/** What a scene carries for solvers and extensions: ik, constraint, socket, collider, spring ... */
export interface Feature {
  kind: string;
  name?: string;
  node?: number;
  /** The same object for all features that the file makes of one thing, as a collider that many nodes name. */
  properties?: Properties;
}

export interface ExpressionBinding {
  renderer: number;
  /** Of the renderer's mesh. */
  morph: number;
  weight: number;
}

export interface Expression {
  name: string;
  preset?: string;
  bindings: ExpressionBinding[];
}

/**
 * Something outside this file, or something that JavaScript makes of it (`decrypt`: bytes made of the file's own, by what `properties`
 * says). Unsatisfied ones come back as needs, also where there is no scene without them.
 */
export interface Reference {
  kind: 'config' | 'script' | 'props' | 'key' | 'decrypt' | 'resource' | 'instance' | 'texture' | string;
  /** As the file spells it. */
  name: string;
  /** Without it there is no scene, or it has a hole. */
  required: boolean;
  supplied: boolean;
  /** What it takes to find or make it. */
  properties?: Properties;
}

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
