// What may be chosen of a target beside its motions, in one table: `convert` checks by it, the command line makes flags and help of it, the viewer its switches.
import { type Target, TARGETS } from './targets.ts';

export type ChoiceId = 'split' | 'meshopt' | 'webp' | 'bson';

export interface Choice {
  id: ChoiceId;
  targets: readonly Target[];
  /** For `--help`. */
  text: string;
}

const GLTF: readonly Target[] = ['glb', 'gltf'];
/** Others have motions that are files of their own already, or are one motion. */
const WHOLE = TARGETS.filter(to => !['se', 'psk', 'psa', 'mrtk', 'iwer'].includes(to));

export const CHOICES: readonly Choice[] = [
  { id: 'split', targets: WHOLE, text: 'the model alone, and beside it a file with each motion' },
  { id: 'meshopt', targets: GLTF, text: 'EXT_meshopt_compression, for readers that know it; nothing is rounded' },
  { id: 'webp', targets: GLTF, text: 'images as WebP without loss; outside of pages by the package sharp, which has to be installed' },
  { id: 'bson', targets: ['vgo'], text: 'BSON instead of JSON' },
];

/** The first of the chosen ones that the target does not have. */
export const misplaced = (to: Target, chosen: Partial<Record<ChoiceId, boolean | undefined>>): Choice | undefined =>
  CHOICES.find(({ id, targets }) => chosen[id] && !targets.includes(to));
