// Printed by `npm run print` from wasm/scene/scene.def.
//
// Space: right-handed, Y up, metres, seconds, counter-clockwise fronts, quaternions x y z w, UV origin top-left (as glTF).
// Every typed array is a view into an ArrayBuffer that belongs to its mesh, clip, image or table alone.
import type { NodeTable, Properties, TrackRows } from './tables.ts';

/**
 * Animated property. visible: visibility of a node and its descendants; if there is no node, of the meshes with the target's name. shown:
 * visibility of the node's mesh only. material: a number of the mesh's shader. For weight, shown and material, `node` is the node that has
 * the mesh. expression: strength of an expression, independent of the morphs that a model uses for it. look: gaze direction, as a rotation
 * relative to straight ahead (+Z, with Y up).
 */
export type TrackPath = 'translation' | 'rotation' | 'scale' | 'weight' | 'visible' | 'property' | 'shown' | 'material' | 'expression' | 'look';

/**
 * Interpolation between a key and the next one. perKey: each key has its own interpolation (Track.kinds). slerp takes the shortest path.
 */
export type Interpolation = 'step' | 'linear' | 'slerp' | 'hermite' | 'bezier' | 'perKey';

/**
 * How a value is applied. absolute: replaces the current value. relative: is applied to the rest value. additive: is applied to the current
 * value. delta: the difference to the first frame of the clip is applied to the current value.
 */
export type TrackMode = 'absolute' | 'relative' | 'additive' | 'delta';

/** Values before the first and after the last key. */
export type Extrapolation = 'hold' | 'loop' | 'pingPong';

/**
 * How a bone inherits the scale of its ancestors. It makes a difference for rotated bones whose ancestors have a non-uniform scale. matrix:
 * matrices are multiplied, which can shear. axes: scales are multiplied per axis and rotations separately, without shear (Unreal's
 * FTransform).
 */
export type ScaleInheritance = 'matrix' | 'axes';

/** Metadata of the file. */
export interface Asset {
  /** File name without extension. */
  name: string;
  /** Program that wrote the file, if it is declared. */
  generator?: string;
  author?: string;
  copyright?: string;
  /** Up axis, if the format does not define it but a file, an option or a convention does. Applied as a rotation of node 0. */
  upAxis?: 'x' | 'y' | 'z';
  /** Scale that converted the file's unit to metres; 1 if the unit is unknown. */
  metresPerUnit: number;
  properties?: Properties;
}

/** A colour for each vertex of the mesh. */
export interface ColorLayer {
  name?: string;
  /** RGBA, four numbers per vertex. A Uint8Array contains normalised values. */
  values: Uint8Array | Float32Array;
}

/** Sparse deltas to the mesh. `positions` and `normals` have three numbers per vertex of `vertices`. */
export interface MorphTarget {
  name: string;
  /** Ascending and unique. */
  vertices: Uint32Array;
  positions: Float32Array;
  normals?: Float32Array;
  /** Maximum weight, which is the upper end of the slider. */
  maximum: number;
  properties?: Properties;
}

/** A range of the index buffer (strands: of the vertices) with one material. */
export interface Group {
  start: number;
  count: number;
  material?: number;
}

/** Attributes that the file does not contain are absent. */
export interface Mesh {
  name: string;
  topology: 'triangles' | 'strands';
  vertexCount: number;
  positions: Float32Array;
  normals?: Float32Array;
  /** The file has no normals; these were computed from the faces. */
  normalsComputed?: boolean;
  /** Same convention as glTF: cross(normal, tangent) * w points to the top of the image, in the direction of decreasing V. */
  tangents?: Float32Array;
  uvs: Float32Array[];
  colors: ColorLayer[];
  /** Layer 0 contains visible colours. In most formats it contains masks. */
  colorsAreMaterial: boolean;
  /** Indices into `Skin.joints`, four per vertex, strongest first; 8 bits for up to 256 joints. */
  joints?: Uint8Array | Uint16Array;
  /** Skin weights, four per vertex, with a sum of 1 (or 0). */
  weights?: Float32Array;
  /**
   * All influences, strongest first. Present only if a vertex has more than four. The influences of vertex v have the indices
   * influenceOffsets[v] to influenceOffsets[v + 1] - 1.
   */
  influenceOffsets?: Uint32Array;
  influenceJoints?: Uint16Array;
  /** Weights, with a sum of 1 per vertex. */
  influenceWeights?: Float32Array;
  maxInfluences: number;
  skinning: 'linear' | 'dualQuaternion';
  /** Vertices of the triangles; 16 bits for up to 65535 vertices. Absent for strands. */
  indices?: Uint16Array | Uint32Array;
  /** Index of the first vertex of each strand, followed by the number of vertices. */
  strandOffsets?: Uint32Array;
  /** For each vertex, the index of the vertex in the file (in PSK, of the point). Absent if the indices are the same. */
  sourceVertices?: Uint32Array;
  sourceVertexCount: number;
  groups: Group[];
  morphs: MorphTarget[];
  /** Bounding box at rest, in mesh space. */
  min: [number, number, number];
  max: [number, number, number];
  /** Centre of the bounding box and of the bounding sphere. */
  center: [number, number, number];
  /** Radius of the bounding sphere, for culling. The sphere includes every morph target at its maximum. */
  radius: number;
  properties?: Properties;
}

/** A mesh at a node. Several renderers can show the same mesh. */
export interface Renderer {
  name: string;
  node: number;
  mesh: number;
  skin?: number;
  /** Materials of the groups (-1: none). They replace the materials that the groups declare. */
  materials?: number[];
  visible: boolean;
  properties?: Properties;
}

export interface Skin {
  name: string;
  /** Nodes of the joints. */
  joints: Uint32Array;
  /** 16 numbers per joint, column-major. */
  inverseBindMatrices: Float32Array;
  /**
   * Bounding box of the vertices that each joint moves, in its bind space: 6 numbers per joint (min, max). Includes every morph target at
   * its maximum. min > max if the joint moves no vertex. With these boxes, the bounds of a pose can be computed without skinning the
   * vertices.
   */
  jointBoxes: Float32Array;
  /** Root node of the skeleton. */
  skeletonRoot?: number;
}

/** A texture or colour and its use in the material. */
export interface MaterialSlot {
  /**
   * Standard name: baseColor, normal, metallic, roughness, metallicRoughness, occlusion, emissive, specular, specularColor, gloss, opacity,
   * orm ... If there is no standard name, the name in the format.
   */
  slot: string;
  /** Name in the file. */
  source: string;
  texture?: number;
  /** Linear colour. Multiplies the texture, or replaces a missing one. */
  color?: [number, number, number, number];
}

export interface Material {
  name: string;
  /** Shading model: standard, specular, unlit, mtoon, liltoon, skybox ... */
  model: string;
  /** Linear colour. */
  color: [number, number, number, number];
  /** Linear colour. */
  emissive: [number, number, number];
  metalness: number;
  roughness: number;
  alphaMode: 'opaque' | 'mask' | 'blend' | 'add' | 'multiply';
  alphaCutoff: number;
  /** Writes depth although the material is blended. */
  depthWrite?: boolean;
  side: 'front' | 'back' | 'both';
  visible: boolean;
  renderOrder: number;
  slots: MaterialSlot[];
  /** All properties of the format's material. */
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

/** Embedded bytes, or a path as spelled in the file. The path is a file name to search for; never fetch it automatically. */
export interface Image {
  name: string;
  mimeType?: string;
  bytes?: Uint8Array;
  path?: string;
}

/**
 * An animated value. Its width is 3 for translation and scale, 4 for rotation and look, otherwise 1; always 1 if `component` selects a
 * component. All columns are in the block of the clip. JavaScript gets a table.
 */
export interface Track {
  /** Name of a node. For properties of a mesh, the name of the mesh or its renderer; empty for all meshes that have the morph. */
  target: string;
  /**
   * weight: name of the morph target. expression: its name, or the preset name of VRM 1.0. property: its name. material: property of the
   * shader with component (`_Color.r`). Otherwise empty.
   */
  property: string;
  /** 0 for the first node with this name, 1 for the second, and so on (psk-psa.md section 7.1). */
  occurrence: number;
  /** Target node in the scene of this file if the name is ambiguous, otherwise -1. */
  node: number;
  /** Seconds, ascending, one per key (k keys). Two equal times mean that the value jumps; the second value applies from that time. */
  times: Float32Array;
  /** k * width. Complete rotations are unit quaternions (squared length within 1e-3 of 1); single components can have any value. */
  values: Float32Array;
  /** k, Interpolation of the segment after each key. Only for perKey. */
  kinds?: Uint8Array;
  /** k * width * 2: in and out slopes in value per second, for hermite and bezier. Infinite means step. */
  tangents?: Float32Array;
  /** k * width * 2: in and out weights as fractions of the segment, for bezier. */
  weights?: Float32Array;
  /** Weight of an additive value. */
  blendWeight: number;
  path: TrackPath;
  component: number;
  interpolation: Interpolation;
  mode: TrackMode;
  before: Extrapolation;
  after: Extrapolation;
}

/** Animation event. */
export interface ClipEvent {
  /** Seconds. */
  time: number;
  name: string;
}

/** Replaces the mode of tracks of the node's descendants; the nearest override wins (cast.md section 3.5). */
export interface ModeOverride {
  node: string;
  mode: TrackMode;
  translation: boolean;
  rotation: boolean;
  scale: boolean;
  /** Also applies to the node itself. */
  includesNode: boolean;
}

export interface Clip {
  name: string;
  /** Time of the first key in seconds. Negative if the file has a pre-roll. */
  start: number;
  /** Seconds from 0 to the last frame. */
  duration: number;
  /** Frames per second, 0 if the format has none. */
  frameRate: number;
  /** Number of frames, 0 if the format has none. */
  frameCount: number;
  loop: boolean;
  /** The file does not reliably declare whether its keys are additive, so applications must inspect them. */
  undeclaredModes?: boolean;
  /**
   * The file declares that absolute translations and rotations are differences to the rest pose (the option `additive: 'rest'` of `bind`).
   */
  addsToRest?: boolean;
  /**
   * Translations are multiplied by the rest scales of all ancestors of their bones, as in files of CUE4Parse (ueformat.md section 3.3).
   * `bind` divides them by the rest scales of the model.
   */
  scaledTranslations?: boolean;
  /** The keys are not read yet, and `tracks` lists only the tracks of bones, without times and values. `tracks.load` reads the keys. */
  keysUnread?: boolean;
  tracks: TrackRows<Track>;
  /** Sorted by time. */
  events: ClipEvent[];
  overrides: ModeOverride[];
  properties?: Properties;
}

/** Shines along the node's local -Z. */
export interface Light {
  name: string;
  node: number;
  type: 'directional' | 'point' | 'spot' | 'rectangle' | 'disc';
  /** Linear colour. */
  color: [number, number, number];
  /** In the units of three.js. */
  intensity: number;
  /** Metres; 0: infinite. */
  range: number;
  /** Half angle in radians. */
  innerAngle: number;
  /** Half angle in radians. */
  outerAngle: number;
  size: [number, number];
  castShadow: boolean;
  enabled: boolean;
  properties?: Properties;
}

/** Faces the node's local -Z. */
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
  /** Parent node. */
  node: number;
  /** 10 numbers per instance: translation 3, rotation 4, scale 3. */
  transforms: Float32Array;
  names: string[];
}

/** Data for solvers and extensions: ik, constraint, socket, collider, spring ... */
export interface Feature {
  kind: string;
  name?: string;
  node?: number;
  /** The same object for all features with the same origin in the file, such as a collider that several nodes use. */
  properties?: Properties;
}

export interface ExpressionBinding {
  renderer: number;
  /** Morph target of the renderer's mesh. */
  morph: number;
  weight: number;
}

export interface Expression {
  name: string;
  preset?: string;
  bindings: ExpressionBinding[];
}

/**
 * A companion file, or data that JavaScript derives from this file (`decrypt`, `decompress`: decrypted or decompressed bytes, with
 * parameters in `properties`). Unresolved references are reported as needs, even if the scene cannot be read without them.
 */
export interface Reference {
  kind: 'config' | 'script' | 'props' | 'key' | 'decrypt' | 'decompress' | 'resource' | 'instance' | 'texture' | string;
  /** Name as spelled in the file. */
  name: string;
  /** True if the scene is missing or incomplete without this file. */
  required: boolean;
  supplied: boolean;
  /** Parameters with which JavaScript finds or derives the data. */
  properties?: Properties;
}

/** Conventions of the format that a renderer must know. */
export interface Hints {
  /** Materials contain only names; companion files define their appearance. */
  namedMaterials?: boolean;
  /** The green channel of normal maps points down the image. */
  directXNormals?: boolean;
  /** Normals follow morph targets without normal deltas. */
  morphNormals?: boolean;
  /** Meshes with dual quaternion skinning are scaled by their bones. */
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
