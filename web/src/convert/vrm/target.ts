import { CLIP_EDITS, SPLIT, type TargetFolder } from '../common/target.ts';
import { gltfWriter } from '../gltf/target.ts';
import { codes, refusals } from './messages.ts';

export const vrm = {
  targets: {
    vrm: {
      label: 'VRM 1.0 (avatar)',
      text: 'a VRM 1.0 avatar',
      mime: 'model/gltf-binary',
      choices: { ...SPLIT, ...CLIP_EDITS },
      ...gltfWriter,
    },
  },
  codes,
  refusals,
} as const satisfies TargetFolder;
