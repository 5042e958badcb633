import type { TargetFolder, Writer } from '../common/target.ts';
import { codes, refusals } from './messages.ts';

const write: Writer = async writing => (await import('./write.ts')).writeRecording(writing);

export const mrtk = {
  targets: {
    mrtk: { label: 'MRTK (hand recording)', text: 'a hand recording', extensions: ['bin'], hasNoMeshes: true, write },
    iwer: {
      label: 'IWER (WebXR without a headset)',
      text: 'a hand recording as JSON for IWER, the WebXR emulator',
      extensions: ['iwer.json'],
      hasNoMeshes: true,
      write,
    },
  },
  codes,
  refusals,
} as const satisfies TargetFolder;
