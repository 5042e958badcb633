// Types for the table of formats (formatTable.ts).
import type { Family } from './moduleAddresses.ts';

/**
 * Role of a file. model: a model. animation: animations. rig: a model, animations, or both. scene:
 * references other files. companion: belongs to another file, such as a key or a script.
 */
export type Role = 'model' | 'animation' | 'rig' | 'scene' | 'companion' | 'unknown';

/** Describes a format. Fields without a comment are documented in wasm/formats/format.hpp. */
export interface FormatTraits {
  readonly id: string;
  readonly family: Family;
  /** Short name, such as "PSK". */
  readonly name: string;
  readonly label: string;
  readonly extensions: readonly string[];
  /** Extensions that other formats use as well. They do not identify the format. */
  readonly sharedExtensions: readonly string[];
  /** Extensions of companion files other than images. */
  readonly companions: readonly string[];
  /** Role that is assumed for a file before its content is read. */
  readonly role: Role;
  /**
   * True if exporters differ in whether they conjugate the rotation of the root bone (see the
   * option `conjugateRoot`).
   */
  readonly isRootAmbiguous: boolean;
  /**
   * True if a scene keeps the coordinates of its file, and the transform of node 0 converts them to
   * scene space.
   */
  readonly keepsFileSpace: boolean;
  /** True if the keys of single clips can be read from a large remote file (`FormatReader::canReadClip`). */
  readonly canReadClip: boolean;
}
