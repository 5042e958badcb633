// Options and result of binding a clip to a model.
import type { Additive, AdditiveOption } from './additiveDetection.ts';
import type { Clip, ClipEvent, Extrapolation, Finding, Track, TrackPath } from './types.ts';
import { invalidArgument } from './error.ts';

/** Options for binding a clip to the bones with the same names. */
export interface BindByNameOptions {
  /**
   * Tracks that are played. file (default): all tracks of the clip. rotation-only: bones other than
   * the root keep the translation of the model's rest pose. strip-zero-tracks: tracks that contain
   * only zeros, which some tools write for bones that they omit, are not played.
   */
  tracks?: 'file' | 'rotation-only' | 'strip-zero-tracks';
  /**
   * How absolute keys are played. as-stated: as the file declares them. detect (default): as
   * declared, but if the format does not reliably declare additive keys (PSA, UEFormat) and the keys
   * look additive, they are added to the model's rest pose and LOOKS_ADDITIVE is reported. rest: always added to the
   * rest pose. layer: added to the pose of the layers below. `rest` and `layer` interpret rotations
   * in the parent's space, as Unreal does.
   */
  additive?: AdditiveOption;
  /**
   * Keeps the first bone whose translation changes, usually the root, at its first key (default
   * false).
   */
  lockRoot?: boolean;
  /**
   * Applies mode overrides to the named bone as well, not only to its descendants (default false).
   */
  includeNamedBone?: boolean;
  /**
   * Binds the first bone of the clip to the root bone of the model if neither has a match (default
   * false).
   */
  bindRoot?: boolean;
}

/** Paths of bound tracks. Expression and gaze tracks are converted to morph and bone tracks. */
export type BoundPath = Exclude<TrackPath, 'expression' | 'look'>;

/**
 * A track with a resolved target. `values` are absolute, or deltas if `mode` is `additive`. Members
 * without a comment have the same meaning as in `Track`.
 */
export interface BoundTrack {
  /**
   * Node index; -1 for tracks that animate meshes (morph weights, visibility, material properties).
   */
  node: number;
  /** Indices of the renderers whose mesh is animated; empty for tracks of nodes. */
  renderers: readonly number[];
  /**
   * Name of the morph target (spelled as in the model), property or shader parameter. For
   * visibility of meshes: name of the mesh, spelled as in the clip.
   */
  morph: string;
  path: BoundPath;
  component: number;
  mode: 'absolute' | 'additive';
  blendWeight: number;
  times: Float32Array;
  values: Float32Array;
  interpolation: Track['interpolation'];
  kinds?: Uint8Array;
  tangents?: Float32Array;
  weights?: Float32Array;
  before: Extrapolation;
  after: Extrapolation;
}

export interface BindReport {
  /** Names of the model's nodes that the clip animates, and of meshes that it shows or hides. */
  matched: string[];
  /**
   * Names of the expressions that the clip animates, spelled as in the clip. Also contains `look`
   * if the clip animates the gaze.
   */
  face: string[];
  /** Names in the clip for which the model has no target. */
  unmatched: string[];
  /** Names of the model's bones that the clip does not animate. */
  untouched: string[];
  /**
   * Models in the scene whose bones are animated: node index and name of each model, and number of
   * its animated bones.
   */
  models: { node: number; name: string; bones: number }[];
  /** Findings about the keys. Computed when first read, because all keys must be inspected. */
  readonly findings: Finding[];
}

/**
 * A clip bound to a model. `tracks` and `report` are each computed when first read, and then
 * cached.
 */
export interface BoundClip {
  readonly clip: Clip;
  readonly name: string;
  readonly duration: number;
  readonly frameRate: number;
  readonly loop: boolean;
  readonly tracks: readonly BoundTrack[];
  readonly events: readonly ClipEvent[];
  readonly report: BindReport;
  /**
   * How absolute keys are played. Computed when first read, because it requires an inspection of
   * the keys.
   */
  readonly additive: Additive;
}

export function checkOptions(options: BindByNameOptions): void {
  const known: Record<keyof BindByNameOptions, readonly unknown[]> = {
    tracks: ['file', 'rotation-only', 'strip-zero-tracks'],
    additive: ['as-stated', 'detect', 'rest', 'layer'],
    lockRoot: [true, false],
    includeNamedBone: [true, false],
    bindRoot: [true, false],
  };
  for (const [key, value] of Object.entries(options)) {
    const values = Object.hasOwn(known, key) ? known[key as keyof BindByNameOptions] : undefined;
    if (!values) throw invalidArgument(`bind: unknown option "${key}" (expected one of: ${Object.keys(known).join(', ')})`);
    if (value !== undefined && !values.includes(value)) throw invalidArgument(`bind: "${key}" must be one of ${values.join(', ')}`);
  }
}

/** Creates a bound clip whose tracks, report and additive mode are computed when first read. */
export function lazyBoundClip(clip: Clip, makeTracks: () => BoundTrack[], makeReport: () => BindReport, decide: () => Additive): BoundClip {
  const { name, duration, frameRate, loop, events } = clip;
  let tracks: BoundTrack[] | undefined;
  let report: BindReport | undefined;
  let additive: Additive | undefined;
  return {
    clip,
    name,
    duration,
    frameRate,
    loop,
    events,
    get tracks() {
      return (tracks ??= makeTracks());
    },
    get report() {
      return (report ??= makeReport());
    },
    get additive() {
      return (additive ??= decide());
    },
  };
}
