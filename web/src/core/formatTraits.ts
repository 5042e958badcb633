// Types of the rows of formatTable.ts.
import type { Family } from './moduleAddresses.ts';

/**
 * Purpose of a file. rig: a model, animations, or both. world: a scene that references other files.
 * companion: belongs to a file of another role (a key, a script).
 */
export type Role = 'model' | 'motion' | 'rig' | 'world' | 'companion' | 'unknown';

/** A row of the printed table. wasm/formats/format.hpp documents the fields. */
export interface FormatTraits {
  readonly id: string;
  readonly family: Family;
  /** Short name, such as "PSK". */
  readonly name: string;
  readonly label: string;
  readonly extensions: readonly string[];
  /** Extensions that other programs also use, so that they do not identify the format. */
  readonly sharedExtensions: readonly string[];
  /** Extensions of companion files other than images. */
  readonly companions: readonly string[];
  /** Role of a file of which only the name is known. */
  readonly role: Role;
  /**
   * True if exporters disagree on how the rotation of the root bone is stored (option
   * `conjugateRoot`).
   */
  readonly isRootAmbiguous: boolean;
  /**
   * True if a scene keeps the coordinates of its file and node 0 transforms them to scene space.
   */
  readonly keepsFileSpace: boolean;
}
