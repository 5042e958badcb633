import { CLIP_EDITS, type TargetFolder } from '../common/target.ts';

export const ueformat = {
  targets: {
    uemodel: {
      label: 'UEFormat (.uemodel, .ueanim)',
      text: 'a .uemodel file per model, and a .ueanim file per animation',
      extensions: ['uemodel', 'ueanim'],
      choices: {
        ...CLIP_EDITS,
        v10: 'Write version 10 instead of 9; it stores bone scales, but few programs read it',
        gzip: 'Compress with GZIP',
      },
      // Without a model, only animations from UEFormat can be converted, because their root space is
      // known.
      holdsAnimations: 'ueanim',
      write: async writing => (await import('./write.ts')).writeUeformat(writing),
    },
  },
} as const satisfies TargetFolder;
