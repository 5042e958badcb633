// Printed from formatOptions.ts by npm run print.

/** Options of the formats, the same for `open`, the loader, the command line and the element. */
export interface FormatOptions {
  /** PSK, PSKX and PSA. */
  unreal?: {
    /** Metres per unit of the file (default 0.01, centimetres, correct since UE4). */
    unitScale?: number;
    /** Read the rotation of the root bone in the same way as the rotations of other bones, as some third-party exporters require. Use this if models lie on their back (default false). */
    conjugateRoot?: boolean;
    /** Byte order of vertex colours (default auto: detected). */
    colorOrder?: 'auto' | 'rgba' | 'bgra';
    /** Up axis of the file's data (default z). */
    upAxis?: 'y' | 'z';
    /** Rotation of the model about its up axis, degrees (default 0). */
    yaw?: number;
    /** Tracks that are played: those that the file and its .config declare (file, the default); rotations, and the translation of the root (rotation-only); or all, ignoring the .config (everything). */
    tracks?: 'file' | 'rotation-only' | 'everything';
  };
  /** Cast. */
  cast?: {
    /** Up axis of the file's data (default: from its metadata, otherwise y). */
    upAxis?: 'x' | 'y' | 'z';
    /** Metres per unit of the file (default 1: the format stores no unit). */
    unit?: number;
    /** Apply mode overrides to the named bone too, as the specification states (default false: only to its descendants). */
    overrideNamedBone?: boolean;
    /** Winding of faces: flipped if nearly all face against their normals (auto, the default), as stored (file), or flipped (reversed). */
    winding?: 'auto' | 'file' | 'reversed';
    /** Scale of bones on dual-quaternion skins: ignored, as in Maya (ignore, the default), or applied, as in Blender (carry). */
    dualQuaternionScale?: 'ignore' | 'carry';
  };
  /** SEModel and SEAnim. */
  se?: {
    /** Up axis of the file's data (default z). */
    upAxis?: 'x' | 'y' | 'z';
    /** Metres per unit of the file (default 0.01: SEAnim specifies centimetres). */
    unit?: number;
    /** Apply bone modifiers to the named bone too, as the specification states (default false: only to its descendants, as importers do). */
    overrideNamedBone?: boolean;
  };
  /** MRTK input animation. */
  mrtk?: {
    /** Align the signs of neighbouring rotations q and -q (default true). With `false`, they play as in Unity, which interpolates wrongly between keys of opposite signs. */
    alignSigns?: boolean;
    /** Rebuild the rotations that toolkit 2.6.0 to 2.7.2 damaged (default true). */
    rebuildW?: boolean;
    /** Read a damaged or unknown layout with a guess that fits the file size exactly (default false). */
    guessLayout?: boolean;
    /** Read versions below 1.0 as 1.0, as the toolkit does (default true). */
    oldVersions?: boolean;
  };
  /** VGO. */
  vgo?: {
    /** Key of an encrypted file, as hexadecimal digits or base64 (default: the key file beside it). The key is not sent anywhere. */
    key?: string | Uint8Array;
  };
}
