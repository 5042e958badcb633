// What some files need beyond three itself. Fetched only for them, before objects are made.
import type { RigScene } from '../core/types.ts';
import type * as springsModule from './springs.ts';
import type * as toonModule from './toon.ts';
import { isToon } from './toonValues.ts';

export interface Modules {
  toon?: typeof toonModule;
  springs?: typeof springsModule;
}

export async function modulesFor(scene: RigScene): Promise<Modules> {
  const [toon, springs] = await Promise.all([
    scene.materials.some(isToon) ? import('./toon.ts') : undefined,
    scene.features.some(({ kind }) => kind === 'springBone') ? import('./springs.ts') : undefined,
    scene.lights.some(({ type, enabled }) => enabled && (type === 'rectangle' || type === 'disc')) ? initAreaLights() : undefined,
  ]);
  return { ...(toon && { toon }), ...(springs && { springs }) };
}

/** three's area lights shine only once their tables are there: 100 KB gzipped, and most files have baked ones that never shine. */
async function initAreaLights(): Promise<void> {
  const { RectAreaLightUniformsLib } = await import('three/addons/lights/RectAreaLightUniformsLib.js');
  RectAreaLightUniformsLib.init();
}
