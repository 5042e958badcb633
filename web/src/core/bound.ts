// Options and result of binding a clip to a model.
import type { Additive, AdditiveOption } from './additiveDetection.ts';
import type { Clip, ClipEvent, Extrapolation, Finding, Track, TrackPath } from './types.ts';
import { invalidArgument } from './error.ts';

export interface BindOptions {
  /**
   * file: as the clip states (default). rotation-only: bones except the root keep the translation
   * of the model's rest pose. strip-zero-tracks: tracks that contain only zeros, which tools write
   * for omitted bones, are not played.
   */
  motion?: 'file' | 'rotation-only' | 'strip-zero-tracks';
  /**
   * How absolute keys are played. as-stated: as the file states them. detect (default): as stated,
   * except that keys which look additive are added to the model's rest pose if their format cannot
   * declare that (PSA; reported as LOOKS_ADDITIVE). rest: always added to the rest pose. layer:
   * added to the pose below. `rest` and `layer` interpret rotations in the parent's space, like
   * Unreal. off: older name of as-stated.
   */
  additive?: AdditiveOption;
  /** Keeps the root bone (or the first bone that travels) at its first key. Default false. */
  lockRoot?: boolean;
  /**
   * Applies mode overrides to the named bone as well, not only to its descendants. Default false.
   */
  includeNamedBone?: boolean;
  /**
   * Binds the first bone of the clip to the root bone of the model if neither has a match. Default
   * false.
   */
  bindRoot?: boolean;
}

/** Paths of bound tracks. Expression and look-at tracks have become morph and bone tracks. */
export type BoundPath = Exclude<TrackPath, 'expression' | 'look'>;

/**
 * A track with a resolved target. `values` are absolute, or deltas if `mode` is `additive`. Other
 * members as in Track.
 */
export interface BoundTrack {
  /** Node index; -1 for tracks of meshes: morph weights, visibility, material properties. */
  node: number;
  /** Renderers whose mesh is animated; empty for nodes. */
  renderers: readonly number[];
  /**
   * Name of the morph target, property or shader parameter as in the model, or of the mesh as in
   * the clip.
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
   * Expressions that the clip animates, by their names in the clip, and `look` if it controls the
   * gaze.
   */
  face: string[];
  /** Names in the clip that the model does not have. */
  unmatched: string[];
  /** Names of the model's bones that the clip does not animate. */
  untouched: string[];
  /**
   * Models within the file whose bones are animated: node and name of the model, and number of
   * bones.
   */
  models: { node: number; name: string; bones: number }[];
  /** Computed when first read, because findings inspect keys and names do not. */
  readonly findings: Finding[];
}

/**
 * A clip bound to a model. `tracks` and `report` are computed independently, when first read, and
 * then cached.
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
  /** How absolute keys are played. Inspects keys when first read. */
  readonly additive: Additive;
}

export function checkOptions(options: BindOptions): void {
  const known: Record<keyof BindOptions, readonly unknown[]> = {
    motion: ['file', 'rotation-only', 'strip-zero-tracks'],
    additive: ['as-stated', 'detect', 'rest', 'layer', 'off'],
    lockRoot: [true, false],
    includeNamedBone: [true, false],
    bindRoot: [true, false],
  };
  for (const [key, value] of Object.entries(options)) {
    const values = Object.hasOwn(known, key) ? known[key as keyof BindOptions] : undefined;
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
