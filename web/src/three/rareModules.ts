// Modules that few models need. They are imported together, because each module that is imported on
// demand splits the modules that it shares with others into a separate file of a bundled page.
export * from '../rig/rigging.ts';
export { readBmp, readBmpHeader } from '../textures/bmp.ts';
export { readPcx, readPcxHeader } from '../textures/pcx.ts';
export { Avatar } from './avatar/avatar.ts';
export * from './build/skinningShader.ts';
export { readDds } from './materials/dds.ts';
export { assignRelief } from './materials/relief.ts';
