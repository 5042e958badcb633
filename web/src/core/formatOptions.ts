// The one table of the formats' options: the check of `formatOptions`, flags of the command line, controls of the viewer, the types (formatOptionTypes.ts) and the
// page of options in docs come from it. After a change: npx vitest run --project node tests/web/core/optionTable.test.ts -u, and npm run print -- --write
import type { Finding, FormatOptions } from './types.ts';

export type OptionInfo = { text: string } & (
  { type: 'number'; positive?: boolean } | { type: 'boolean' } | { type: 'key' } | { type: 'choice'; choices: readonly string[] }
);

export const formatOptionTable = {
  unreal: {
    unitScale: { type: 'number', positive: true, text: 'metres in a unit of the file (default 0.01: a centimetre, right since UE4)' },
    conjugateRoot: {
      type: 'boolean',
      text: "the root's quaternion is stored like the others', as some third-party writers do: models that lie on their back stand up (default false)",
    },
    colorOrder: { type: 'choice', choices: ['auto', 'rgba', 'bgra'], text: 'byte order of vertex colours (default auto: detected)' },
    upAxis: { type: 'choice', choices: ['y', 'z'], text: "up axis of the file's data (default z)" },
    yaw: { type: 'number', text: 'degrees to turn the model about its up axis (default 0)' },
    motion: {
      type: 'choice',
      choices: ['file', 'rotation-only', 'everything'],
      text: 'what a motion moves: as the file and its .config say (default), rotations alone but for the translation of the root, or everything whatever the .config says',
    },
  },
  cast: {
    upAxis: { type: 'choice', choices: ['x', 'y', 'z'], text: "up axis of the file's data (default: as its metadata says, else y)" },
    unit: { type: 'number', positive: true, text: 'metres in a unit of the file (default 1: the format stores no unit)' },
    overrideNamedBone: {
      type: 'boolean',
      text: 'mode overrides reach the bone that they name, too, as the specification words it (default false: its descendants alone)',
    },
    winding: {
      type: 'choice',
      choices: ['auto', 'file', 'reversed'],
      text: 'which way faces are wound: turned over where nearly all are against their normals (auto, the default), as the file has them, or the other way round',
    },
    dualQuaternionScale: {
      type: 'choice',
      choices: ['ignore', 'carry'],
      text: "whether bones' scale acts on dual quaternion skins: not at all, as in Maya (ignore, the default), or as in Blender (carry)",
    },
  },
  se: {
    upAxis: { type: 'choice', choices: ['x', 'y', 'z'], text: "up axis of the file's data (default z)" },
    unit: { type: 'number', positive: true, text: 'metres in a unit of the file (default 0.01: SEAnim says centimetres)' },
    overrideNamedBone: {
      type: 'boolean',
      text: 'bone modifiers reach the bone that they name, too, as the specification words it (default false: its descendants, as importers have it)',
    },
  },
  mrtk: {
    alignSigns: {
      type: 'boolean',
      text: 'neighbouring rotations q and -q are brought to one sign (default true); false: what Unity plays, nonsense between flips included',
    },
    rebuildW: { type: 'boolean', text: 'rebuild the rotations that toolkit 2.6.0 to 2.7.2 damaged (default true)' },
    guessLayout: { type: 'boolean', text: 'read a damaged or foreign layout by a guess that consumes the file exactly (default false)' },
    oldVersions: { type: 'boolean', text: 'read versions below 1.0 as 1.0, as the toolkit does (default true)' },
  },
  vgo: {
    key: {
      type: 'key',
      text: 'key of an encrypted file, as hexadecimal digits or base64 (default: the key file beside it); it stays in this page',
    },
  },
} as const satisfies Record<string, Record<string, OptionInfo>>;

/** What each group is for. */
export const formatOptionGroups: Readonly<Record<keyof typeof formatOptionTable, string>> = {
  unreal: 'PSK, PSKX and PSA',
  cast: 'Cast',
  se: 'SEModel and SEAnim',
  mrtk: 'MRTK input animation',
  vgo: 'VGO',
};

/** Every option as one list. */
export function listFormatOptions(): { group: string; key: string; info: OptionInfo }[] {
  return Object.entries(formatOptionTable).flatMap(([group, options]) =>
    Object.entries(options).map(([key, info]) => ({ group, key, info })),
  );
}

/** Apart from the table, whose texts a page that only reads files need not have. */
const groups = Object.keys({ unreal: 1, cast: 1, se: 1, mrtk: 1, vgo: 1 } satisfies Record<keyof FormatOptions, 1>);

/** Findings for groups that no format has. What is wrong inside a group is found by the format itself when it reads. */
export function unknownGroups(options: FormatOptions): Finding[] {
  return Object.keys(options)
    .filter(group => !groups.includes(group))
    .map(group => ({
      code: 'BAD_OPTION',
      severity: 'warning',
      offset: null,
      path: `formatOptions.${group}`,
      detail: `no format has such options (known: ${groups.join(', ')})`,
      count: 1,
    }));
}
