// Imports modules that only some files need, before the objects are built.
import type { RigScene } from '../core/types.ts';
import { type ModuleOptions, type Modules, neededBy } from './modules.ts';
import { nodeMaterials } from './nodeMaterials.ts';

const FETCH: { [name in keyof Modules]-?: () => Promise<NonNullable<Modules[name]>> } = {
  toon: () => import('./sceneModules.ts'),
  skinning: () => import('./rareModules.ts'),
  curves: () => import('./sceneModules.ts'),
  rigging: () => import('./rareModules.ts'),
  springs: () => import('./sceneModules.ts'),
  particles: () => import('./sceneModules.ts'),
  face: () => import('./sceneModules.ts'),
};

export async function modulesFor(scene: RigScene, options: ModuleOptions = {}): Promise<Modules> {
  const nodes = options.toon === 'nodes' ? nodeMaterials()?.toon : undefined;
  const fetched = Promise.all(
    neededBy(scene, options).map(async name => [name, name === 'toon' && nodes ? nodes : await FETCH[name]()] as const),
  );
  if (scene.lights.some(({ type, enabled }) => enabled && (type === 'rectangle' || type === 'disc'))) await initAreaLights();
  return Object.fromEntries(await fetched) as Modules;
}

/**
 * Loads the lookup tables for area lights of three.js (100 KB gzipped). Most files have no area
 * lights, or only baked ones, which need no tables.
 */
async function initAreaLights(): Promise<void> {
  const { RectAreaLightUniformsLib } = await import('three/addons/lights/RectAreaLightUniformsLib.js');
  RectAreaLightUniformsLib.init();
}
