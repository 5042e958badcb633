import { CLIP_EDITS, type TargetFolder } from '../common/target.ts';
import { codes } from './messages.ts';

export const se = {
  targets: {
    se: {
      label: 'SEModel and SEAnim',
      text: 'a .semodel file per model, a .seanim file per animation',
      extensions: ['semodel', 'seanim'],
      choices: CLIP_EDITS,
      holdsAnimations: true,
      write: async writing => (await import('./write.ts')).writeSe(writing),
    },
  },
  codes,
} as const satisfies TargetFolder;
