/**
 * What files can become. glb: one file. gltf: JSON, a .bin and images beside it. cast: one file, and images beside it that lay in the source. se: a
 * .semodel for each model and a .seanim for each motion. csv, json: where bones are over time.
 */
export const TARGETS = ['glb', 'gltf', 'cast', 'se', 'csv', 'json'] as const;
export type Target = (typeof TARGETS)[number];

/** Whether a motion without a skeleton is something to write. */
export const holdsMotions = (to: Target): boolean => to === 'cast' || to === 'se';

/** Whether what a world places is in its file, which would else only name it. */
export const holdsWorlds = (to: Target): boolean => to === 'glb' || to === 'gltf';

/** Whether tangents are written that the source does not have, since readers of the target make their own, differing ones. */
export const wantsTangents = (to: Target): boolean => to === 'glb' || to === 'gltf';

/** How the files of a target end: those of models, then those of motions alone where they end otherwise. */
export const endingsOf = (to: Target): readonly [string, ...string[]] => (to === 'se' ? ['semodel', 'seanim'] : [to]);
