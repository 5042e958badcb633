// Writes clips to Cast as curve nodes, mode overrides and animation events. Each curve node
// animates one number or one rotation.
import { numberAt } from '../../core/math/column.ts';
import { entry } from '../../core/entry.ts';
import type { FrameClip, FrameCurve } from '../common/frames.ts';
import type { ReportBuilder } from '../common/report.ts';
import type { CastNode, CastTree } from './tree.ts';

const AXES = ['x', 'y', 'z'] as const;

export function writeClip(tree: CastTree, clip: FrameClip, report: ReportBuilder): CastNode {
  const animation = tree.make('anim').text('n', clip.name).floats('fr', 'f', [clip.frameRate]).flag('lo', clip.loop);
  for (const curve of clip.curves) for (const one of singles(curve)) writeCurve(tree.make('curv', animation), one);
  let named = 0;
  for (const { node, mode, translation, rotation, scale, includesNode } of clip.overrides) {
    if (includesNode) named++;
    const made = tree.make('CMOV', animation).text('nn', node).text('m', modeOf(mode));
    made.flag('ot', translation).flag('or', rotation).flag('os', scale);
  }
  if (named > 0) report.add('OVERRIDE_REDUCED', clip.name, named);
  const notes = new Map<string, number[]>();
  for (const { name, frame } of clip.events) entry(notes, name, () => []).push(frame);
  for (const [name, frames] of notes) tree.make('ntif', animation).text('n', name).integers('kb', frames, 'i');
  // If the clip exceeds the work budget, an error is thrown before this line, so that the file
  // contains complete clips only.
  tree.root.children.push(animation);
  return animation;
}

const modeOf = (mode: FrameCurve['mode']): string => (mode === 'delta' ? 'relative' : mode);

interface Single extends FrameCurve {
  kind: string;
}

function singles(curve: FrameCurve): Single[] {
  const { path, component, frames, values } = curve;
  if (path === 'rotation') return [{ ...curve, kind: 'rq' }];
  if (path === 'weight') return [{ ...curve, kind: 'bs' }];
  if (path === 'visible') return [{ ...curve, kind: 'vb' }];
  const letter = path === 'scale' ? 's' : 't';
  if (component >= 0) return [{ ...curve, kind: `${letter}${AXES[component] ?? 'x'}` }];
  return AXES.map((axis, c) => ({
    ...curve,
    kind: letter + axis,
    values: Float32Array.from(frames, (_, i) => numberAt(values, 3 * i + c)),
  }));
}

function writeCurve(node: CastNode, { kind, target, mode, blendWeight, frames, values }: Single): void {
  node.text('nn', target).text('kp', kind);
  if (frames.every(Number.isInteger)) node.integers('kb', frames);
  else node.floats('kb', 'f', frames);
  if (kind === 'vb') node.integers('kv', values);
  else node.floats('kv', kind === 'rq' ? '4v' : 'f', values);
  node.text('m', kind === 'bs' || kind === 'vb' ? 'absolute' : modeOf(mode));
  if (mode === 'additive' && blendWeight !== 1) node.floats('ab', 'f', [blendWeight]);
}
