// Modules that only some files need, and the files that need them. loadModules.ts imports them.
import { member } from '../core/properties.ts';
import type { Material, RigScene } from '../core/types.ts';
import type * as faceModule from '../rig/expressionRules.ts';
import type * as riggingModule from '../rig/rigging.ts';
import type * as particlesModule from './particles/particles.ts';
import type * as skinningModule from './build/skinningShader.ts';
import type * as curvesModule from './materials/shaderCurves.ts';
import type * as springsModule from './avatar/springs.ts';
import type { ToonModule } from './nodeMaterials.ts';
import { needsMore } from './build/skinning.ts';
import { isToon } from './materials/toonMaterial.ts';

export interface Modules {
  toon?: ToonModule;
  /** Module that draws more than four influences per vertex, and dual quaternion skinning. */
  skinning?: typeof skinningModule;
  /** Module that animates material properties of Unity. */
  curves?: typeof curvesModule;
  /** Module that solves constraints and IK handles. */
  rigging?: typeof riggingModule;
  springs?: typeof springsModule;
  particles?: typeof particlesModule;
  /** Module that evaluates expressions that override each other. */
  face?: typeof faceModule;
}

export interface ModuleOptions {
  /**
   * How skinned meshes are drawn. `full` (default): with all influences and dual quaternions;
   * requires WebGLRenderer. `plain`: with four linear influences, which also work with
   * WebGPURenderer and with custom materials.
   */
  skinning?: 'full' | 'plain';
  /**
   * How toon materials are drawn. `shader` (default): with MToon's shader; requires WebGLRenderer.
   * `nodes`: with nodes for WebGPURenderer; requires the import of `rigcast/three/webgpu`.
   * `standard`: as MeshStandardMaterial, with a finding in the report.
   */
  toon?: 'shader' | 'nodes' | 'standard';
  /**
   * Rules by which spring bones move. `unity` (default): the rules of UniVGO. `vrm`: the rules of
   * VRM, which pull bones towards their rest pose.
   */
  springs?: 'unity' | 'vrm';
}

/**
 * Returns true for Unity materials, whose shader properties can be animated by name
 * (shaderCurves.ts).
 */
const isUnity = ({ properties }: Material): boolean => typeof member(properties, 'shaderName') === 'string';

/** Returns the names of the modules that a scene needs. */
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
