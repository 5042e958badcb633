// Writes expressions as presets of mesh renderers, or as tags of blend shapes (docs/formats/vgo.md
// sections 5.3 and 5.4).
import { entry } from '../../core/entry.ts';
import type { Expression, ExpressionBinding, RigScene } from '../../core/types.ts';
import type { ReportBuilder } from '../common/report.ts';
import type { VgoModel } from './model.ts';
import { branch, type Branch, isBranch, listOf, numberOf } from './tree.ts';

/** Preset types, by the name of the preset in VRM 1.0. Type 0 is a custom expression. */
const TYPES: Readonly<Record<string, number>> = {
  neutral: 1,
  happy: 2,
  angry: 3,
  sad: 4,
  relaxed: 5,
  surprised: 9,
  blinkLeft: 10,
  blinkRight: 11,
};
/** Tags of blend shapes, by the name of the preset in VRM 1.0. A tag means the full weight. */
const TAGS: Readonly<Record<string, readonly [name: string, value: number]>> = {
  blink: ['blinkType', 3],
  aa: ['visemeType', 10],
  ee: ['visemeType', 11],
  ih: ['visemeType', 12],
  oh: ['visemeType', 13],
  ou: ['visemeType', 14],
};

/** Writes the expressions of a scene to its mesh renderers. Reports those that VGO cannot store. */
export function writeExpressions({ expressions }: RigScene, model: VgoModel, report: ReportBuilder): void {
  let lost = 0;
  const untyped: string[] = [];
  for (const expression of expressions) {
    const { name, preset = '' } = expression;
    const byRenderer = bindingsByRenderer(expression, model);
    if (byRenderer.size === 0) lost++;
    if (byRenderer.size === 0 || addTags(preset, byRenderer, model)) continue;
    const type = Object.hasOwn(TYPES, preset) ? TYPES[preset] : 0;
    if (type === 0 && preset !== '') untyped.push(name);
    for (const [renderer, bindings] of byRenderer) {
      const each = branch({ name, type, bindings: bindings.map(({ morph, weight }) => branch({ index: morph, weight: 100 * weight })) });
      renderer.set('blendShapePresets', [...listOf(renderer.get('blendShapePresets')), each]);
    }
  }
  if (lost > 0) report.add('NOT_SAID', 'expressions', lost, 'without morph targets');
  if (untyped.length > 0) report.add('NOT_SAID', 'presets of expressions', untyped.length, untyped.slice(0, 5).join(', '));
}

/** Groups the bindings of an expression by the mesh renderer of the file, with weights from 0 to 1. */
function bindingsByRenderer({ bindings }: Expression, model: VgoModel): Map<Branch, ExpressionBinding[]> {
  const found = new Map<Branch, ExpressionBinding[]>();
  for (const binding of bindings) {
    const renderer = model.nodes[model.nodeOfRenderer(binding.renderer)]?.get('meshRenderer');
    if (!isBranch(renderer)) continue;
    entry(found, renderer, () => []).push({ ...binding, weight: Math.min(Math.max(binding.weight, 0), 1) });
  }
  return found;
}

/**
 * Tags the blend shapes of an expression. Returns false if its preset has no tag, or if it is not
 * one untagged blend shape per renderer with full weight.
 */
function addTags(preset: string, byRenderer: ReadonlyMap<Branch, ExpressionBinding[]>, { meshes }: VgoModel): boolean {
  if (!Object.hasOwn(TAGS, preset)) return false;
  const [tag, value] = TAGS[preset]!;
  const shapes: Branch[] = [];
  for (const [renderer, [first, ...others]] of byRenderer) {
    const mesh = meshes[numberOf(renderer.get('mesh'), -1)];
    const shape = isBranch(mesh) && first ? listOf(mesh.get('blendShapes'))[first.morph] : undefined;
    if (others.length > 0 || first?.weight !== 1 || !isBranch(shape) || (shape.get(tag) ?? value) !== value) return false;
    shapes.push(shape);
  }
  for (const shape of shapes) shape.set(tag, value);
  return true;
}
