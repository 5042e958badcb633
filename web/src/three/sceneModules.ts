// Modules for avatars and large scenes. They are imported together, because most files that need one
// of them need several, and because each module that is imported on demand splits the modules that
// it shares with others into a separate file of a bundled page.
export * from '../rig/expressionRules.ts';
export * from './avatar/springs.ts';
export { exportCopy } from './build/exportCopy.ts';
export * from './materials/shaderCurves.ts';
export { loadSkybox } from './materials/skybox.ts';
export * from './materials/toon.ts';
export * from './particles/particles.ts';
