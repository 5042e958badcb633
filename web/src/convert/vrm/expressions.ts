// Writes expressions to VRM. Expressions that match a VRM preset are written as presets, all others
// as custom expressions.
import { uniqueNames } from '../../core/names.ts';
import type { GltfContext } from '../gltf/context.ts';

const PRESETS = new Set(
  'happy angry sad relaxed surprised neutral aa ih ou ee oh blink blinkLeft blinkRight lookUp lookDown lookLeft lookRight'.split(' '),
);

/**
 * Returns the `expressions` object of VRM, or null if there are no expressions. `shownAt`: returns
 * the index of the glTF node that has the mesh of a renderer, or -1 if the renderer has no faces.
 */
export function expressionsOf({ scene, report }: GltfContext, shownAt: (renderer: number) => number): object | null {
  if (scene.expressions.length === 0) return null;
  const preset: Record<string, object> = {};
  const custom: Record<string, object> = {};
  const isPreset = scene.expressions.map(
    ({ preset: term = '' }, i, all) => PRESETS.has(term) && all.findIndex(each => each.preset === term) === i,
  );
  const names = uniqueNames(scene.expressions.map(({ name, preset: term = '' }, i) => (isPreset[i] ? term : name || term || 'expression')));
  let clamped = 0;
  let lost = 0;
  for (const [i, { bindings, name }] of scene.expressions.entries()) {
    const morphTargetBinds = bindings.flatMap(({ renderer, morph, weight }) => {
      const node = shownAt(renderer);
      if (node < 0) {
        lost++;
        return [];
      }
      const within = Math.min(Math.max(weight, 0), 1);
      if (within !== weight) clamped++;
      return [{ node, index: morph, weight: within }];
    });
    const made = { morphTargetBinds, isBinary: false, overrideBlink: 'none', overrideLookAt: 'none', overrideMouth: 'none' };
    const key = names[i] ?? name;
    if (isPreset[i]) preset[key] = name && name !== key ? { ...made, extras: { name } } : made;
    else Object.defineProperty(custom, key, { value: made, enumerable: true });
  }
  if (clamped > 0) report.add('EXPRESSIONS_REDUCED', '', clamped, 'weights outside of 0 to 1');
  if (lost > 0) report.add('EXPRESSIONS_REDUCED', '', lost, 'morph targets of meshes that show nothing');
  return { ...(Object.keys(preset).length > 0 && { preset }), ...(Object.keys(custom).length > 0 && { custom }) };
}
