// How something shall be saved: the format, which motions go along, and what that format lets one choose.
import type { ConvertOptions } from '../convert/index.ts';
import { type ChoiceId, CHOICES, type Target, WRITERS } from '../convert/writers.ts';
import type { RigFile } from '../core/open.ts';
import type { AnimationRow } from '../session/openedFile.ts';

/** meshopt: compressed numbers. webp: images as WebP. bson: in the place of JSON. encrypted: with a new key, which is saved beside it. */
export type SaveSwitch = Exclude<ChoiceId, 'split'> | 'encrypted';

/** What a format lets one choose. */
export const switchesOf = (to: Target): SaveSwitch[] => [
  ...CHOICES.flatMap(({ id, targets }) => (id !== 'split' && targets.includes(to) ? [id] : [])),
  ...(to === 'vgo' ? (['encrypted'] as const) : []),
];

export interface SaveWish {
  readonly to: Target;
  readonly motions: 'all' | 'selected' | 'none';
  readonly switches: ReadonlySet<SaveSwitch>;
}

/** With another format, whose switches are off. */
export const inFormat = (wish: SaveWish, to: Target): SaveWish => ({ ...wish, to, switches: new Set() });

const KEY_BYTES = 32;

/** Options of `convert` for these files in this order; `row` is the motion that is chosen now. */
export function optionsOf({ to, motions, switches }: SaveWish, files: readonly RigFile[], row: AnimationRow | undefined): ConvertOptions {
  const vgo = {
    ...(switches.has('bson') && { encoding: 'bson' as const }),
    ...(switches.has('encrypted') && { key: crypto.getRandomValues(new Uint8Array(KEY_BYTES)) }),
  };
  return {
    to,
    ...(motions !== 'all' && { clips: motions === 'none' || !row ? [] : clipsIn(files, row) }),
    ...(to === 'vgo' && { vgo }),
    ...(WRITERS[to].choices?.includes('meshopt') && { gltf: { meshopt: switches.has('meshopt'), webp: switches.has('webp') } }),
  };
}

/** Places among all clips of the files. */
function clipsIn(files: readonly RigFile[], { source, indices }: AnimationRow): number[] {
  const before = files.slice(0, files.indexOf(source.file)).reduce((sum, { scene }) => sum + (scene?.clips.length ?? 0), 0);
  return files.includes(source.file) ? indices.map(index => before + index) : [];
}
