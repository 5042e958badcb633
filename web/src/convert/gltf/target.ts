import { CLIP_EDITS, SPLIT, type TargetFolder, type Writer } from '../common/target.ts';
import { codes, refusals } from './messages.ts';

const CHOICES = {
  ...SPLIT,
  ...CLIP_EDITS,
  meshopt: 'Compress losslessly with EXT_meshopt_compression; needs a reader that supports it',
  webp: 'Write images as lossless WebP; outside browsers this needs the package sharp',
} as const;

export const gltfWriter = {
  embedsInstances: true,
  wantsTangents: true,
  write: async (writing: Parameters<Writer>[0]) => (await import('./write.ts')).writeGltf(writing),
};

export const gltf = {
  targets: {
    glb: { label: 'glTF binary (.glb)', text: 'one file', mime: 'model/gltf-binary', choices: CHOICES, ...gltfWriter },
    gltf: { label: 'glTF + .bin + images', text: 'JSON, a .bin file and images', choices: CHOICES, ...gltfWriter },
  },
  codes,
  refusals,
} as const satisfies TargetFolder;
