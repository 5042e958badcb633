// Imports modules that only some files need, before the objects are built.
import { member } from '../core/properties.ts';
import type { Material, RigScene } from '../core/types.ts';
import type * as faceModule from '../rig/expressionRules.ts';
import type * as riggingModule from '../rig/rigging.ts';
import type * as particlesModule from './particles/particles.ts';
import type * as skinningModule from './build/skinningShader.ts';
import type * as curvesModule from './materials/shaderCurves.ts';
import type * as springsModule from './avatar/springs.ts';
import type * as toonModule from './materials/toon.ts';
import { needsMore } from './build/skinning.ts';
import { isToon } from './materials/toonMaterial.ts';

export interface Modules {
  toon?: typeof toonModule;
  /** Module for more than four influences per vertex and for dual quaternions. */
  skinning?: typeof skinningModule;
  /** Module for animated properties of Unity's materials. */
  curves?: typeof curvesModule;
  /** Module for constraints and IK handles. */
  rigging?: typeof riggingModule;
  springs?: typeof springsModule;
  particles?: typeof particlesModule;
  /** Module for expressions that override each other. */
  face?: typeof faceModule;
}

export interface ModuleOptions {
  /**
   * `full` (default): draws all influences and dual quaternions; requires WebGLRenderer. `plain`:
   * draws four linear influences, which also work with WebGPURenderer and with custom materials.
   */
  skinning?: 'full' | 'plain';
  /**
   * `shader` (default): draws toon materials with MToon's shader; requires WebGLRenderer.
   * `standard`: draws them as MeshStandardMaterial, with a finding in the report.
   */
  toon?: 'shader' | 'standard';
  /**
   * Rules for spring bones. `unity` (default): the rules of UniVGO. `vrm`: the rules of VRM, which
   * pull bones towards their rest pose.
   */
  springs?: 'unity' | 'vrm';
}

const FETCH: { [name in keyof Modules]-?: () => Promise<NonNullable<Modules[name]>> } = {
  toon: () => import('./materials/toon.ts'),
  skinning: () => import('./build/skinningShader.ts'),
  curves: () => import('./materials/shaderCurves.ts'),
  rigging: () => import('../rig/rigging.ts'),
  springs: () => import('./avatar/springs.ts'),
  particles: () => import('./particles/particles.ts'),
  face: () => import('../rig/expressionRules.ts'),
};

/**
 * Returns true for Unity's materials, whose shader properties curves can animate by name
 * (shaderCurves.ts).
 */
const isUnity = ({ properties }: Material): boolean => typeof member(properties, 'shaderName') === 'string';

/** Returns the modules that a scene needs. */
export function neededBy(scene: RigScene, { toon, skinning }: ModuleOptions = {}): (keyof Modules)[] {
  const has = (kind: string): boolean => scene.features.some(feature => feature.kind === kind);
  const needed: Record<keyof Modules, boolean> = {
    toon: toon !== 'standard' && scene.materials.some(isToon),
    skinning: skinning !== 'plain' && scene.meshes.some(needsMore),
    curves: scene.materials.some(isUnity),
    rigging: has('constraint') || has('ik'),
    springs: has('springBone'),
    particles: has('particleSystem'),
    face: has('expressionOverride'),
  };
  return (Object.keys(needed) as (keyof Modules)[]).filter(name => needed[name]);
}

export async function modulesFor(scene: RigScene, options: ModuleOptions = {}): Promise<Modules> {
  const fetched = Promise.all(neededBy(scene, options).map(async name => [name, await FETCH[name]()] as const));
  if (scene.lights.some(({ type, enabled }) => enabled && (type === 'rectangle' || type === 'disc'))) await initAreaLights();
  return Object.fromEntries(await fetched) as Modules;
}

/**
 * Loads the lookup tables of three's area lights (100 KB gzipped). Most files have no area lights,
 * or only baked ones, which need no tables.
 */
async function initAreaLights(): Promise<void> {
  const { RectAreaLightUniformsLib } = await import('three/addons/lights/RectAreaLightUniformsLib.js');
  RectAreaLightUniformsLib.init();
}
