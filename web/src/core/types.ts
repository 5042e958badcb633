// Types of the result of `open`: the scene of a file as plain objects and typed arrays, and its
// report. Independent of three.js and the DOM.
import type { Interpolation, Reference, Track } from './sceneTypes.ts';
import type { Properties, TrackRows } from './tables.ts';

export type { FormatOptions } from './formatOptionTypes.ts';
export type * from './sceneTypes.ts';
export type { NodeTable, Properties, PropertyValue, TrackRows } from './tables.ts';

/**
 * Interpolation of one segment. In `Track.kinds`, 0 is step, 1 linear, 2 slerp, 3 hermite and
 * 4 bezier.
 */
export type SegmentKind = Exclude<Interpolation, 'perKey'>;

/** The tracks of a clip. */
export type TrackTable = TrackRows<Track>;

export type Severity = 'info' | 'warning' | 'error';

/**
 * A finding, and how often it occurred. `code` is stable and documented in docs/findings.md;
 * `detail` is English text for users.
 */
export interface Finding {
  code: string;
  severity: Severity;
  /** Byte offset in the file; null if the finding does not refer to a single position. */
  offset: number | null;
  /** Path of the affected element in the outline; '' for the whole file. */
  path: string;
  detail: string;
  count: number;
}

export interface Report {
  errors: number;
  warnings: number;
  infos: number;
  /** True if `items` does not list all distinct findings. */
  truncated: boolean;
  items: Finding[];
}

/**
 * A referenced file that was not found, such as a key, a resource, a `.config`, an instance or a
 * texture.
 */
export interface Need {
  kind: Reference['kind'];
  name: string;
  required: boolean;
  properties?: Properties;
}
