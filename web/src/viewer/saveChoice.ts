// Choices of the save dialog: format, animations and options of the format.
import type { ConvertOptions } from '../convert/index.ts';
import { type ChoiceId, CHOICES, type Target, WRITERS } from '../convert/targets.ts';
import type { RigFile } from '../core/open.ts';
import type { AnimationRow } from '../session/openedFile.ts';

/**
 * meshopt: compressed geometry. webp: WebP images. bson: BSON instead of JSON. encrypted: with a
 * new key, which is saved separately.
 */
export type SaveSwitch = Exclude<ChoiceId, 'split'> | 'encrypted';

/** Returns the checkboxes that the save dialog shows for a format. */
export const switchesOf = (to: Target): SaveSwitch[] => [
  ...CHOICES.flatMap(({ id, targets }) => (id !== 'split' && targets.includes(to) ? [id] : [])),
  ...(to === 'vgo' ? (['encrypted'] as const) : []),
];

export interface SaveChoice {
  readonly to: Target;
  readonly animations: 'all' | 'selected' | 'none';
  readonly switches: ReadonlySet<SaveSwitch>;
}

/** Changes the format and turns its options off. */
export const inFormat = (choice: SaveChoice, to: Target): SaveChoice => ({ ...choice, to, switches: new Set() });

const KEY_BYTES = 32;

/** Returns the options of `convert` for these files. `row`: the selected animation. */
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
    ...(to === 'vgo' && { vgo }),
    ...(WRITERS[to].choices?.['meshopt'] && { gltf: { meshopt: switches.has('meshopt'), webp: switches.has('webp') } }),
  };
}

/** Returns the indices of a row's clips among all clips of the files. */
function clipsIn(files: readonly RigFile[], { source, indices }: AnimationRow): number[] {
  const before = files.slice(0, files.indexOf(source.file)).reduce((sum, { scene }) => sum + (scene?.clips.length ?? 0), 0);
  return files.includes(source.file) ? indices.map(index => before + index) : [];
}
