/**
 * What files can become. glb: one file. gltf: JSON, a .bin and images beside it. vrm: an avatar of VRM 1.0. cast: one file, and images beside it that lay in the source. se: a
 * .semodel for each model and a .seanim for each motion. psk: a .psk for each model, and its motions as one .psa. psa: those alone. vgo: one file of VGO 2.5. mrtk: a recording of hands. iwer: the same for WebXR's emulator. csv, json: where bones are over time.
 */
export const TARGETS = ['glb', 'gltf', 'vrm', 'cast', 'se', 'psk', 'psa', 'vgo', 'mrtk', 'iwer', 'csv', 'json'] as const;
export type Target = (typeof TARGETS)[number];

const isGltf = (to: Target): boolean => to === 'glb' || to === 'gltf' || to === 'vrm';

/** Whether a motion without a skeleton is something to write. A PSA holds one of a PSA alone: others do not say in which space their root is. */
export const holdsMotions = (to: Target, format: string | null): boolean =>
  to === 'cast' || to === 'se' || (to === 'psa' && format === 'psa');

/** True if files of the target declare which keys are additive. Readers of the others guess. */
export const declaresModes = (to: Target): boolean => to !== 'psk' && to !== 'psa';

/** True if files of the target have meshes. */
export const holdsMeshes = (to: Target): boolean => !(['psa', 'mrtk', 'iwer', 'csv', 'json'] as Target[]).includes(to);

/** Whether what a world places is in its file, which would else only name it. */
export const holdsWorlds = (to: Target): boolean => isGltf(to);

/** Whether tangents are written that the source does not have, since readers of the target make their own, differing ones. */
export const wantsTangents = (to: Target): boolean => isGltf(to);

const ENDINGS = { se: ['semodel', 'seanim'], psk: ['psk', 'pskx'], mrtk: ['bin'], iwer: ['iwer.json'] } as const satisfies Partial<
  Record<Target, readonly [string, ...string[]]>
>;

/** How the files of a target end: what models end with, then what else they may be called (of se: motions alone). */
export const endingsOf = (to: Target): readonly [string, ...string[]] => (to in ENDINGS ? ENDINGS[to as keyof typeof ENDINGS] : [to]);

/** The ending of a target's files that a name has; '' if it has none. */
export const endingIn = (name: string, to: Target): string => endingsOf(to).find(each => name.toLowerCase().endsWith(`.${each}`)) ?? '';

/** The target that a file name states by its ending; undefined for the name of a folder. */
export const targetIn = (name: string): Target | undefined => TARGETS.find(each => endingIn(name, each));
