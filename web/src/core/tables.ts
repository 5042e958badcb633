// What is a table in JavaScript although it is a list in scene.def, and property bags.

/** A property bag as the file spells it. Names may be anything: never use them as keys of a plain object you trust. */
export type PropertyValue = null | boolean | number | string | PropertyValue[] | Properties;
export interface Properties {
  [name: string]: PropertyValue;
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

/** A clip's tracks as a table; `get` makes one row an object when it is needed. 300 sequences of 547 bones open at once. */
export interface TrackRows<Track extends { path: string }> extends Iterable<Track> {
  readonly count: number;
  get(index: number): Track;
  /** Whether some track has that path: cheaper than to look at all. */
  uses?(path: Track['path']): boolean;
  /** Makes the values that wait in the file (each track makes them when its own are read): for who goes on to look at all of them. */
  make?(): void;
}
