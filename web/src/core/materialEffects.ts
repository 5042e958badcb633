// Names of effects of materials that a loader of three.js has read (interop). `Material.model` lists
// them instead of `standard`, separated by commas.

/** Properties of MeshPhysicalMaterial that are above 0 if a material has the effect. */
export const EFFECT_NAMES = ['clearcoat', 'transmission', 'sheen', 'iridescence', 'anisotropy', 'dispersion'] as const;

/** Name for a material with a texture that is rotated. */
export const ROTATED_TEXTURES = 'rotated textures';
