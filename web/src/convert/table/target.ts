import { CLIP_EDITS, SPLIT, type TargetFolder, type Writer } from '../common/target.ts';
import { codes } from './messages.ts';

const shared = {
  text: 'a table of bone positions over time',
  choices: { ...SPLIT, ...CLIP_EDITS },
  hasNoMeshes: true,
  write: async (writing: Parameters<Writer>[0]) => (await import('./write.ts')).writeTable(writing),
};

export const table = {
  targets: { csv: { label: 'CSV, bone positions over time', ...shared }, json: { label: 'JSON, bone positions over time', ...shared } },
  codes,
} as const satisfies TargetFolder;
