/** What files can become. glb: one file. gltf: JSON, a .bin and images beside it. csv, json: where bones are over time. */
export const TARGETS = ['glb', 'gltf', 'csv', 'json'] as const;
export type Target = (typeof TARGETS)[number];
