import { CLIP_EDITS, SPLIT, type TargetFolder } from '../common/target.ts';
import { codes, refusals } from './messages.ts';

export const cast = {
  targets: {
    cast: {
      label: 'Cast',
      text: 'one file, and the images that the source embeds',
      choices: { ...SPLIT, ...CLIP_EDITS },
      holdsAnimations: true,
      write: async writing => (await import('./write.ts')).writeCast(writing),
    },
  },
  codes,
  refusals,
} as const satisfies TargetFolder;
