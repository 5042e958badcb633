// Binds morph weight tracks to the meshes that have those morph targets.
import { boundCurve } from './bindValues.ts';
import { renderersOf } from './bindTargets.ts';
import type { BoundTrack } from './bound.ts';
import { factsOf } from './sceneFacts.ts';
import type { RigScene, Track } from './types.ts';

/**
 * Binds a track to the meshes that have its morph target. If the track names a mesh, only that mesh
 * is considered. Returns one track per spelling of the morph target's name.
 */
export function bindMorph(track: Track, scene: RigScene, isOwn: boolean): BoundTrack[] {
  const found = factsOf(scene).drawn.morphs(track.property, track.target === '' ? undefined : renderersOf(track, scene, isOwn));
  return [...found].map(([morph, renderers]) =>
    boundCurve(track, -1, renderers, morph, track.mode === 'additive' ? 'additive' : 'absolute'),
  );
}

/**
 * Binds an expression track to the morph targets of the expression that has the same name or, if
 * there is none, of the expression whose preset has this name. The weights are added to those of
 * other tracks.
 */
export function bindExpression(track: Track, { expressions, meshes, renderers }: RigScene): BoundTrack[] {
  const { property } = track;
  const named = expressions.filter(({ name }) => name === property);
  const found = named.length > 0 ? named : expressions.filter(({ preset }) => preset === property);
  return found.flatMap(({ bindings }) =>
    bindings.flatMap(({ renderer, morph, weight }): BoundTrack[] => {
      const shape = meshes[renderers[renderer]?.mesh ?? -1]?.morphs[morph];
      return shape ? [{ ...boundCurve(track, -1, [renderer], shape.name, 'additive'), path: 'weight', blendWeight: weight }] : [];
    }),
  );
}

/**
 * Clamps the weights of a track to the maximum of its morph target (docs/formats/cast.md, section
 * 3.4). Returns one track per distinct maximum, because meshes can have different ones.
 */
export function clampToMaximum(track: BoundTrack, scene: RigScene): BoundTrack[] {
  if (track.mode === 'additive' || (track.interpolation !== 'linear' && track.interpolation !== 'step')) return [track];
  const { maxima } = factsOf(scene);
  const byMaximum = new Map<number, number[]>();
  let largest = -Infinity;
  for (const value of track.values) if (value > largest) largest = value;
  if (largest <= maxima.smallest) return [track];
  for (const row of track.renderers) {
    const maximum = Math.min(maxima.of.get(`${scene.renderers[row]!.mesh} ${track.morph}`) ?? largest, largest);
    const rows = byMaximum.get(maximum);
    if (rows) rows.push(row);
    else byMaximum.set(maximum, [row]);
  }
  return Array.from(byMaximum, ([maximum, renderers]) => ({ ...track, renderers, ...(maximum < largest && clamped(track, maximum)) }));
}

/**
 * Clamps a curve to `max`, the maximum weight. Adds a key wherever a linear segment crosses the
 * maximum.
 */
function clamped({ times, values, interpolation }: BoundTrack, max: number): { times: Float32Array; values: Float32Array } {
  const keys: [number, number][] = [];
  for (const [k, time] of times.entries()) {
    const before = values[k - 1] ?? values[k]!;
    const value = values[k]!;
    if (interpolation === 'linear' && (before - max) * (value - max) < 0) {
      keys.push([times[k - 1]! + ((time - times[k - 1]!) * (max - before)) / (value - before), max]);
    }
    keys.push([time, Math.min(value, max)]);
  }
  return { times: Float32Array.from(keys, ([time]) => time), values: Float32Array.from(keys, ([, value]) => value) };
}
