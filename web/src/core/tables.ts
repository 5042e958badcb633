// Types of property bags, and of the lists of scene.def that are tables in JavaScript.

/**
 * A value in a property bag, as stored in the file. Names are arbitrary and may be unsafe as keys
 * of a plain object, such as `__proto__`.
 */
export type PropertyValue = null | boolean | number | string | PropertyValue[] | Properties;
export interface Properties {
  [name: string]: PropertyValue;
}

/**
 * The nodes of a scene as columns, one row per node. Row 0 is the synthetic root; parents precede
 * children.
 */
export interface NodeTable {
  /** Number of nodes. */
  readonly length: number;
  readonly names: readonly string[];
  /** Index of each node's parent; -1 for the root. */
  readonly parents: Int32Array;
  readonly translations: Float32Array;
  readonly rotations: Float32Array;
  readonly scales: Float32Array;
  /** Index of the bone in the file; -1 if the node is not a bone. */
  readonly bones: Int32Array;
  readonly visible: Uint8Array;
  /**
   * Maya's segment scale compensate: if 1, the bone does not inherit the scale of its parent bone.
   * Ignored if the parent is not a bone.
   */
  readonly segmentScaleCompensate: Uint8Array;
  readonly properties: ReadonlyMap<number, Properties>;
}

/**
 * The tracks of a clip. `get` creates the object of a track on demand, because a page may open
 * hundreds of clips with hundreds of tracks each.
 */
export interface TrackRows<Track extends { path: string }> extends Iterable<Track> {
  /** Number of tracks. */
  readonly length: number;
  get(index: number): Track;
  /** True if at least one track has the given path. Faster than reading all tracks. */
  uses?(path: Track['path']): boolean;
  /**
   * Decodes all deferred values at once, for callers that read all tracks. Without this call, the
   * values of a track are decoded when they are first read.
   */
  decode?(): void;
  /**
   * Reads the keys of a clip whose `keysUnread` is set, in one or two requests. Then sets
   * `keysUnread` to false and adds what was found to the report of the file. Does nothing for other
   * clips. Rejects with `signal.reason` if aborted, with RigcastError FILE_CHANGED if the file on
   * the server is no longer the same, and in the same cases as `open`. It can be called again after
   * a network error.
   */
  load?(signal?: AbortSignal): Promise<void>;
}
