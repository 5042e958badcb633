/**
 * What files can become. glb: one file. gltf: JSON, a .bin and images beside it. cast: one file, and images beside it that lay in the source. csv, json: where
 * bones are over time.
 */
export const TARGETS = ['glb', 'gltf', 'cast', 'csv', 'json'] as const;
export type Target = (typeof TARGETS)[number];

/** Whether a motion without a skeleton is something to write. */
export const holdsMotions = (to: Target): boolean => to === 'cast';

/** Whether tangents are written that the source does not have, since readers of the target make their own, differing ones. */
export const wantsTangents = (to: Target): boolean => to === 'glb' || to === 'gltf';
