// A clip on a model: what may be asked for, what comes of it, and when it is made.
import type { Additive, AdditiveOption } from './looks.ts';
import type { Clip, ClipEvent, Extrapolation, Finding, Track, TrackPath } from './types.ts';

export interface BindOptions {
  /**
   * file: as the clip says (default). rotation-only: bones but the root keep the translation of the model's rest pose.
   * strip-zero-tracks: tracks that are all zero, as tools write them for bones they left out, are not played.
   */
  motion?: 'file' | 'rotation-only' | 'strip-zero-tracks';
  /**
   * How absolute keys are played. as-stated: as the file states them. detect (default): the same, except that keys which look additive are added to the model's rest
   * pose if their format cannot declare that (PSA; the finding LOOKS_ADDITIVE says why). rest: they are always added to the rest pose. layer: they are added to
   * whatever else plays. `rest` and `layer` take rotations in the parent's space, as Unreal does. off: the older name of as-stated.
   */
  additive?: AdditiveOption;
  /** The root bone (or the first bone that travels) stays where its first key puts it. Default false. */
  lockRoot?: boolean;
  /** Mode overrides act on the bone they name too, not only on its descendants. Default false. */
  includeNamedBone?: boolean;
  /** Where neither the motion's first bone nor the model's root bone finds a partner, they become partners. Default false. */
  bindRoot?: boolean;
}

/** What tracks are about once they are bound: a face's are about shapes and eyes then. */
export type BoundPath = Exclude<TrackPath, 'expression' | 'look'>;

/** A track with its target found. `values` are absolute, or for mode `additive` deltas. Other members as in Track. */
export interface BoundTrack {
  /** Row of `scene.nodes`; -1 for what is a mesh's: morph weights, its visibility, its material. */
  node: number;
  /** Rows of `scene.renderers` whose mesh is meant; empty for nodes. */
  renderers: readonly number[];
  /** The morph's name as the meshes spell it, the property's or the shader's, or the mesh's as the motion spells it. */
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
  /** Names of the model's nodes that the motion moves, and of meshes that it shows and hides. */
  matched: string[];
  /** What of a face the motion shows on the model: expressions, as the motion calls them, and `look` where it says which way the eyes look. */
  face: string[];
  /** Names that the motion uses and the model does not have. */
  unmatched: string[];
  /** Names of the model's bones that the motion does not move. */
  untouched: string[];
  /** In which of the file's models it moves bones: the row of the node that they hang on, its name, and how many. */
  models: { node: number; name: string; bones: number }[];
  /** Made when they are first read: they look at the motion's keys, which names do not. */
  readonly findings: Finding[];
}

/** A clip on a model. Nothing is computed until `tracks` or `report` is read; both are then kept, and neither makes the other. */
export interface BoundClip {
  readonly clip: Clip;
  readonly name: string;
  readonly duration: number;
  readonly frameRate: number;
  readonly loop: boolean;
  readonly tracks: readonly BoundTrack[];
  readonly events: readonly ClipEvent[];
  readonly report: BindReport;
  /** The decision about absolute keys. Looks at keys when it is first read. */
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
    if (!values) throw new TypeError(`bind: unknown option "${key}" (expected one of: ${Object.keys(known).join(', ')})`);
    if (value !== undefined && !values.includes(value)) throw new TypeError(`bind: "${key}" must be one of ${values.join(', ')}`);
  }
}

/** A clip whose tracks, report and decision are made when they are first read. */
export function boundLater(clip: Clip, makeTracks: () => BoundTrack[], makeReport: () => BindReport, decide: () => Additive): BoundClip {
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
