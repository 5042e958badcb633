// What `open` gives: the scene of one file as plain objects and typed arrays, and what there is to say of it. Nothing here knows three.js or the DOM.
import type { Interpolation, Reference, Track } from './sceneTypes.ts';
import type { Properties, TrackRows } from './tables.ts';

export type { FormatOptions } from './formatOptionTypes.ts';
export type * from './sceneTypes.ts';
export type { NodeTable, Properties, PropertyValue } from './tables.ts';

/** How one segment of a track runs; `Track.kinds` numbers them as SEGMENT_KINDS does. */
export type SegmentKind = Exclude<Interpolation, 'perKey'>;

export type TrackTable = TrackRows<Track>;

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

/** What would complete the file: a key, a resource, a `.config`, an instance, a texture. */
export interface Need {
  kind: Reference['kind'];
  name: string;
  required: boolean;
  properties?: Properties;
}
