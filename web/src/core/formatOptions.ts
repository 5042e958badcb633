// The table of format options. The validation of `formatOptions`, command-line options, viewer
// controls, types (formatOptionTypes.ts) and documentation are derived from it.
//
// After a change: npm run print -- --write
import type { Finding, FormatOptions } from './types.ts';

export type OptionInfo = {
  text: string;
  /** Name on the command line, if it differs from the name in `formatOptions`. */
  flag?: string;
} & ({ type: 'number'; positive?: boolean } | { type: 'boolean' } | { type: 'key' } | { type: 'choice'; choices: readonly string[] });

export const formatOptionTable = {
  unreal: {
    unitScale: { type: 'number', positive: true, text: 'Metres per unit of the file (default 0.01, centimetres, correct since UE4)' },
    conjugateRoot: {
      type: 'boolean',
      text: 'Read the rotation of the root bone in the same way as the rotations of other bones, as some third-party exporters require. Use this if models lie on their back (default false)',
    },
    colorOrder: { type: 'choice', choices: ['auto', 'rgba', 'bgra'], text: 'Byte order of vertex colours (default auto: detected)' },
    upAxis: { type: 'choice', choices: ['y', 'z'], text: "Up axis of the file's data (default z)" },
    yaw: { type: 'number', text: 'Rotation of the model about its up axis, degrees (default 0)' },
    tracks: {
      type: 'choice',
      flag: 'motion',
      choices: ['file', 'rotation-only', 'everything'],
      text: 'Tracks that are played: those that the file and its .config declare (file, the default); rotations, and the translation of the root (rotation-only); or all, ignoring the .config (everything)',
    },
  },
  cast: {
    upAxis: { type: 'choice', choices: ['x', 'y', 'z'], text: "Up axis of the file's data (default: from its metadata, otherwise y)" },
    unit: { type: 'number', positive: true, text: 'Metres per unit of the file (default 1: the format stores no unit)' },
    overrideNamedBone: {
      type: 'boolean',
      text: 'Apply mode overrides to the named bone too, as the specification states (default false: only to its descendants)',
    },
    winding: {
      type: 'choice',
      choices: ['auto', 'file', 'reversed'],
      text: 'Winding of faces: flipped if nearly all face against their normals (auto, the default), as stored (file), or flipped (reversed)',
    },
    dualQuaternionScale: {
      type: 'choice',
      choices: ['ignore', 'carry'],
      text: 'Scale of bones on dual-quaternion skins: ignored, as in Maya (ignore, the default), or applied, as in Blender (carry)',
    },
  },
  se: {
    upAxis: { type: 'choice', choices: ['x', 'y', 'z'], text: "Up axis of the file's data (default z)" },
    unit: { type: 'number', positive: true, text: 'Metres per unit of the file (default 0.01: SEAnim specifies centimetres)' },
    overrideNamedBone: {
      type: 'boolean',
      text: 'Apply bone modifiers to the named bone too, as the specification states (default false: only to its descendants, as importers do)',
    },
  },
  mrtk: {
    alignSigns: {
      type: 'boolean',
      text: 'Align the signs of neighbouring rotations q and -q (default true). With `false`, they play as in Unity, which interpolates wrongly between keys of opposite signs',
    },
    rebuildW: { type: 'boolean', text: 'Rebuild the rotations that toolkit 2.6.0 to 2.7.2 damaged (default true)' },
    guessLayout: { type: 'boolean', text: 'Read a damaged or unknown layout with a guess that fits the file size exactly (default false)' },
    oldVersions: { type: 'boolean', text: 'Read versions below 1.0 as 1.0, as the toolkit does (default true)' },
  },
  vgo: {
    key: {
      type: 'key',
      text: 'Key of an encrypted file, as hexadecimal digits or base64 (default: the key file beside it). The key is not sent anywhere',
    },
  },
} as const satisfies Record<string, Record<string, OptionInfo>>;

/** Formats to which each group of options applies. */
export const formatOptionGroups: Readonly<Record<keyof typeof formatOptionTable, string>> = {
  unreal: 'PSK, PSKX and PSA',
  cast: 'Cast',
  se: 'SEModel and SEAnim',
  mrtk: 'MRTK input animation',
  vgo: 'VGO',
};

/** Returns the options of all formats as one list. */
export function listFormatOptions(): { group: string; key: string; info: OptionInfo }[] {
  return Object.entries(formatOptionTable).flatMap(([group, options]) =>
    Object.entries(options).map(([key, info]) => ({ group, key, info })),
  );
}

/**
 * Names of the option groups. Listed separately from the table, so that pages that only read files
 * do not load its descriptions.
 */
const groups = Object.keys({ unreal: 1, cast: 1, se: 1, mrtk: 1, vgo: 1 } satisfies Record<keyof FormatOptions, 1>);

/**
 * Reports groups that do not exist. The options in a group are validated by the format's reader
 * when a file is read.
 */
export function unknownGroups(options: FormatOptions): Finding[] {
  return Object.keys(options)
    .filter(group => !groups.includes(group))
    .map(group => ({
      code: 'BAD_OPTION',
      severity: 'warning',
      offset: null,
      path: `formatOptions.${group}`,
      detail: `unknown format; expected one of ${groups.join(', ')}`,
      count: 1,
    }));
}
