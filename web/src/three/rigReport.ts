// Collects findings about a rig: when its objects are built, and when a renderer first draws them.
import { bind, curvesWithoutTarget } from '../core/bind.ts';
import { asStrict } from '../core/report.ts';
import type { Finding, RigScene } from '../core/types.ts';
import { curvesNotPlayed } from './animation/rigClip.ts';
import { type Built, type BuildOptions, skinningReduced } from './build/build.ts';
import { RigSkinnedMesh } from './build/skinned.ts';
import { isToon } from './materials/toonMaterial.ts';
import { neededBy } from './modules.ts';
import { nodeMaterials } from './nodeMaterials.ts';
import { onWebGPU } from './renderers.ts';

const place = { offset: null, path: '' };

/**
 * Returns findings about features of a scene that its three.js objects and animations don't
 * reproduce. `more` contains additional findings, such as those about particles.
 */
export function findingsOf(scene: RigScene, built: Built, options: BuildOptions, more: readonly Finding[]): Finding[] {
  const { modules = {}, strict = false } = options;
  const missing = neededBy(scene, options).filter(name => name !== 'skinning' && !modules[name]);
  const lacking: Finding[] =
    missing.length > 0
      ? [{ code: 'MODULES_MISSING', severity: 'warning', ...place, detail: missing.join(', '), count: missing.length }]
      : [];
  const clips = scene.clips.flatMap(clip => [...curvesWithoutTarget(clip, scene), ...curvesNotPlayed(bind(clip, scene), built)]);
  return [...[...built.findings, ...lacking, ...more].map(each => ({ ...each, severity: asStrict(each.severity, strict) })), ...clips];
}

/** Reasons for SKINNING_REDUCED, for its detail. */
const WHY = {
  renderer: ', the most that WebGPURenderer supports',
  material: ' by a material that replaces that of the rig. Pass the new material to `skinning.extend` of the mesh',
};

/**
 * At the first draw of the rig, reports the features that the renderer does not support. If it is a
 * WebGPURenderer, also calls `reduce`.
 */
export function reportRenderer(
  scene: RigScene,
  built: Built,
  { modules = {}, strict = false }: BuildOptions,
  add: (finding: Finding) => void,
  reduce: () => void,
): void {
  const report = (finding: Finding): void => add({ ...finding, severity: asStrict(finding.severity, strict) });
  for (const [r, mesh] of built.meshes.entries()) {
    const source = scene.meshes[scene.renderers[r]?.mesh ?? -1];
    if (mesh instanceof RigSkinnedMesh && source) mesh.onReduced = cause => report(skinningReduced(source, WHY[cause]));
  }
  onWebGPU(built.meshes, () => {
    if (!nodeMaterials()) reduce();
    const count = modules.toon && modules.toon !== nodeMaterials()?.toon ? scene.materials.filter(isToon).length : 0;
    const detail = 'toon: WebGPURenderer cannot use this shader; call detectSupport(renderer) of the loader before loading';
    if (count > 0) report({ code: 'MATERIAL_REDUCED', severity: 'warning', ...place, path: 'materials', detail, count });
  });
}
