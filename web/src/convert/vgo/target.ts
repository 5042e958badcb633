import { CLIP_EDITS, SPLIT, type TargetFolder } from '../common/target.ts';
import { codes, refusals } from './messages.ts';

export const vgo = {
  targets: {
    vgo: {
      label: 'VGO 2.5 (UniVGO)',
      text: 'one file',
      choices: { ...SPLIT, ...CLIP_EDITS, bson: 'Write BSON instead of JSON' },
      write: async writing => (await import('./write.ts')).writeVgo(writing),
    },
  },
  codes,
  refusals,
} as const satisfies TargetFolder;
