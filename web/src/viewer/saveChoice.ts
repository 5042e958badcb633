// Choices in the save dialog: format, animations and format options.
import type { ConvertOptions, VrmMeta } from '../convert/index.ts';
import { CLIP_EDITS } from '../convert/common/target.ts';
import { type ChoiceId, CHOICES, type Target, WRITERS } from '../convert/targets.ts';
import type { RigFile } from '../core/open.ts';
import type { AnimationRow } from '../session/openedFile.ts';

/**
 * Option of the save dialog. `merge`: write all parts of a character to one file. The others are
 * options of an output format. Animations are edited in the drawer. `meshopt`: compress the geometry. `webp`: store images as WebP. `bson`: write BSON instead of JSON. `root-bone`: add a bone to models without
 * bones. `v10`: write version 10 of UEFormat. `gzip`: compress with GZIP. `encrypted`: encrypt the
 * file with a new key, which is saved separately.
 */
export type SaveSwitch = Exclude<ChoiceId, 'split' | keyof typeof CLIP_EDITS> | 'encrypted' | 'merge';

/** Options of conversions that the dialog does not show. */
const HIDDEN: ReadonlySet<ChoiceId> = new Set(['split', ...(Object.keys(CLIP_EDITS) as (keyof typeof CLIP_EDITS)[])]);
const isShown = (id: ChoiceId): id is SaveSwitch & ChoiceId => !HIDDEN.has(id);

/**
 * Returns the options that the save dialog shows as checkboxes for a format. `hasParts`: true if the
 * parts of the character can be merged.
 */
export const switchesOf = (to: Target, hasParts: boolean): SaveSwitch[] => [
  ...(hasParts && !WRITERS[to].hasNoMeshes ? (['merge'] as const) : []),
  ...CHOICES.flatMap(({ id, targets }) => (isShown(id) && targets.includes(to) ? [id] : [])),
  ...(to === 'vgo' ? (['encrypted'] as const) : []),
];

/** Metadata and thumbnail of a VRM, which the visitor has entered. */
export interface VrmChoice {
  readonly meta: VrmMeta;
  /** PNG; null for none. */
  readonly thumbnail: Blob | null;
}

export interface SaveChoice {
  readonly to: Target;
  readonly animations: 'all' | 'selected' | 'none';
  readonly switches: ReadonlySet<SaveSwitch>;
  /** Used if the format is VRM. Null or undefined if nothing was entered. */
  readonly vrm?: VrmChoice | null;
}

/** Changes the format. All options of the new format are off; `merge` is kept. */
export const inFormat = (choice: SaveChoice, to: Target): SaveChoice => ({
  ...choice,
  to,
  switches: new Set([...choice.switches].filter(id => id === 'merge' && !WRITERS[to].hasNoMeshes)),
});

const KEY_BYTES = 32;

/**
 * Returns the options for `convert`. `files`: files to convert, starting with the shown model.
 * `row`: the selected animation.
 */
export function optionsOf(
  { to, animations, switches }: SaveChoice,
  files: readonly RigFile[],
  row: AnimationRow | undefined,
): ConvertOptions {
  const vgo = {
    ...(switches.has('bson') && { encoding: 'bson' as const }),
    ...(switches.has('encrypted') && { key: crypto.getRandomValues(new Uint8Array(KEY_BYTES)) }),
  };
  return {
    to,
    ...(animations !== 'all' && { clips: animations === 'none' || !row ? [] : clipsIn(files, row) }),
    // The shown model names the merged file, although a part can have more bones.
    ...(switches.has('merge') && { merge: true, name: files[0]!.name.replace(/\.[^.]*$/, '') }),
    ...(to === 'vgo' && { vgo }),
    ...(switches.has('root-bone') && { unreal: { rootBone: true } }),
    ...(WRITERS[to].choices?.['meshopt'] && { gltf: { meshopt: switches.has('meshopt'), webp: switches.has('webp') } }),
    ...(WRITERS[to].choices?.['gzip'] && { ueformat: { v10: switches.has('v10'), gzip: switches.has('gzip') } }),
  };
}

/** Returns the indices of the clips of an animation, counted over all clips of `files`. */
function clipsIn(files: readonly RigFile[], { source, indices }: AnimationRow): number[] {
  const before = files.slice(0, files.indexOf(source.file)).reduce((sum, { scene }) => sum + (scene?.clips.length ?? 0), 0);
  return files.includes(source.file) ? indices.map(index => before + index) : [];
}
