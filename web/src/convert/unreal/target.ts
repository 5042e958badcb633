import { CLIP_EDITS, type TargetFolder, type Writer } from '../common/target.ts';
import { codes, refusals } from './messages.ts';

const write: Writer = async writing => (await import('./write.ts')).writeActorX(writing);

export const unreal = {
  targets: {
    psk: {
      label: 'PSK and PSA (Unreal)',
      text: 'a .psk file per model, and one .psa file with its animations',
      extensions: ['psk', 'pskx'],
      hasNoModes: true,
      choices: { ...CLIP_EDITS, 'root-bone': 'Attach meshes without bones to a root bone, which Unreal Engine 3 requires' },
      write,
    },
    psa: {
      label: 'PSA (animations only)',
      text: 'the animations without the model',
      hasNoMeshes: true,
      hasNoModes: true,
      choices: CLIP_EDITS,
      // Without a model, only animations from a PSA can be converted, because their root space is
      // known.
      holdsAnimations: 'psa',
      write,
    },
  },
  codes,
  refusals,
} as const satisfies TargetFolder;
