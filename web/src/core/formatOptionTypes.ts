// Printed from formatOptions.ts by tests/web/core/optionTable.test.ts.

/** Options of the formats, the same for `open`, the loader, the command line and the element. */
export interface FormatOptions {
  /** PSK, PSKX and PSA. */
  unreal?: {
    /** Metres in a unit of the file (default 0.01: a centimetre, right since UE4). */
    unitScale?: number;
    /** The root's quaternion is stored like the others', as some third-party writers do: models that lie on their back stand up (default false). */
    conjugateRoot?: boolean;
    /** Byte order of vertex colours (default auto: detected). */
    colorOrder?: 'auto' | 'rgba' | 'bgra';
    /** Up axis of the file's data (default z). */
    upAxis?: 'y' | 'z';
    /** Degrees to turn the model about its up axis (default 0). */
    yaw?: number;
    /** What a motion moves: as the file and its .config say (default), rotations alone but for the translation of the root, or everything whatever the .config says. */
    motion?: 'file' | 'rotation-only' | 'everything';
  };
  /** Cast. */
  cast?: {
    /** Up axis of the file's data (default: as its metadata says, else y). */
    upAxis?: 'x' | 'y' | 'z';
    /** Metres in a unit of the file (default 1: the format stores no unit). */
    unit?: number;
    /** Mode overrides reach the bone that they name, too, as the specification words it (default false: its descendants alone). */
    overrideNamedBone?: boolean;
    /** Which way faces are wound: turned over where nearly all are against their normals (auto, the default), as the file has them, or the other way round. */
    winding?: 'auto' | 'file' | 'reversed';
    /** Whether bones' scale acts on dual quaternion skins: not at all, as in Maya (ignore, the default), or as in Blender (carry). */
    dualQuaternionScale?: 'ignore' | 'carry';
  };
  /** SEModel and SEAnim. */
  se?: {
    /** Up axis of the file's data (default z). */
    upAxis?: 'x' | 'y' | 'z';
    /** Metres in a unit of the file (default 0.01: SEAnim says centimetres). */
    unit?: number;
    /** Bone modifiers reach the bone that they name, too, as the specification words it (default false: its descendants, as importers have it). */
    overrideNamedBone?: boolean;
  };
  /** MRTK input animation. */
  mrtk?: {
    /** Neighbouring rotations q and -q are brought to one sign (default true); false: what Unity plays, nonsense between flips included. */
    alignSigns?: boolean;
    /** Rebuild the rotations that toolkit 2.6.0 to 2.7.2 damaged (default true). */
    rebuildW?: boolean;
    /** Read a damaged or foreign layout by a guess that consumes the file exactly (default false). */
    guessLayout?: boolean;
    /** Read versions below 1.0 as 1.0, as the toolkit does (default true). */
    oldVersions?: boolean;
  };
  /** VGO. */
  vgo?: {
    /** Key of an encrypted file, as hexadecimal digits or base64 (default: the key file beside it); it stays in this page. */
    key?: string | Uint8Array;
  };
}
