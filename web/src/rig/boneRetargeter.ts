// Retargets clips between skeletons with the same bone names. World axes, unit, bone axes and rest
// pose may differ.
//
// Each bone of the model gets the world-space rotation by which the clip rotates the bone away from
// its rest pose. With world rotations Q, rest rotations Q0 and the rotation C between the two scene
// spaces: Q'(t) = C Q(t) Q0⁻¹ C⁻¹ Q0'. For local rotations, this multiplies each key by two
// constants, q'(t) = A q(t) B, so no new keys are needed. The difference between a translation and
// its rest value is converted to the axes and unit of the model.
import { inverted, multiplied } from '../core/math/quaternion.ts';
import { type BoundClip, type BoundTrack, findNodes, someOf } from '../core/bind.ts';
import type { Clip, Finding, RigScene } from '../core/types.ts';
import { align, type Alignment, type BonePair, type Rest, restOf } from './alignment.ts';
import type { StatedPair } from './boneMap.ts';
import { type RetargetedPair, withStatedPairs } from './retargetedPair.ts';
import { sampleBones, byNode } from './sampleRetargeted.ts';
import { retargetTrack, type BoneConversion, constantRotation, isExact } from './retargetTrack.ts';
import { clipOf, namedTrack } from './table.ts';

type RetargeterCache = WeakMap<RigScene, WeakMap<RigScene, BoneRetargeter>>;
const cacheByName: RetargeterCache = new WeakMap();
const cacheWithRoot: RetargeterCache = new WeakMap();

/**
 * Cosine of the largest angle between a bone's rest directions in two skeletons at which its axes
 * count as equal.
 */
const SIMILAR_DIRECTION = Math.cos(Math.PI / 6);
/** Cosine of half of the largest angle, 1°, at which two rotations count as equal. */
const EQUAL_ROTATION = Math.cos(Math.PI / 360);
/**
 * Minimum product of a bone's lengths in the two skeletons, in square metres. The directions of
 * shorter bones are not compared.
 */
const SHORT = 1e-8;

/** True if a track animates the transform of a node. */
export const isTransform = ({ path }: BoundTrack): boolean => path === 'translation' || path === 'rotation' || path === 'scale';

/**
 * Retargets clips between two skeletons with the same bone names. One retargeter is cached per pair
 * of scenes.
 */
export class BoneRetargeter {
  readonly #from: RigScene;
  readonly #to: RigScene;
  readonly #pairs: readonly BonePair[];
  readonly #stated: readonly StatedPair[];
  readonly #rests: { from: Rest; to: Rest };
  readonly #alignment: Alignment;
  #made: readonly BoneConversion[] | undefined;

  /** `stated`: pairs that the user states. They override pairs of bones with the same name. */
  static of(from: RigScene, to: RigScene, bindRoot = false, stated: readonly StatedPair[] = []): BoneRetargeter {
    if (stated.length > 0) return new BoneRetargeter(from, to, bindRoot, stated);
    const cache = bindRoot ? cacheWithRoot : cacheByName;
    const models = cache.get(from) ?? new WeakMap<RigScene, BoneRetargeter>();
    cache.set(from, models);
    const retargeter = models.get(to) ?? new BoneRetargeter(from, to, bindRoot);
    models.set(to, retargeter);
    return retargeter;
  }

  private constructor(from: RigScene, to: RigScene, bindRoot: boolean, stated: readonly StatedPair[] = []) {
    this.#from = from;
    this.#to = to;
    this.#pairs = withStated(pairsOf(from, to, bindRoot), stated);
    this.#stated = stated;
    this.#rests = { from: restOf(from), to: restOf(to) };
    this.#alignment = align(this.#rests.from, this.#rests.to, to.nodes.parents, this.#pairs);
  }

  /**
   * True if the scene axes are equal, at least half of the bones have equal axes, and each bone has
   * the same parent, or parents with equal rotations, in both skeletons. Rotations then need no
   * conversion.
   */
  get hasSameAxes(): boolean {
    if (this.#alignment.rotation[3] !== 1) return false;
    const [a, b] = [this.#from.nodes, this.#to.nodes];
    const partners = new Map(this.#pairs.map(pair => [pair.from, pair.to]));
    let [similar, all] = [0, 0];
    for (const { from, to } of this.#pairs) {
      const [sourceParent, targetParent] = [a.parents[from] ?? -1, b.parents[to] ?? -1];
      if (partners.get(sourceParent) !== targetParent) {
        const [p, q] = [at(this.#rests.from.rotations, sourceParent), at(this.#rests.to.rotations, targetParent)];
        if (Math.abs(p.reduce((sum, value, c) => sum + value * (q[c] ?? 0), 0)) < EQUAL_ROTATION) return false;
      }
      if ((a.bones[sourceParent] ?? -1) < 0) continue;
      const [source, target] = [a.translations.subarray(3 * from, 3 * from + 3), b.translations.subarray(3 * to, 3 * to + 3)];
      const lengths = Math.hypot(...source) * Math.hypot(...target);
      if (lengths < SHORT) continue;
      all++;
      const along = source.reduce((sum, value, c) => sum + value * (target[c] ?? 0), 0);
      if (along > SIMILAR_DIRECTION * lengths) similar++;
    }
    return 2 * similar >= all;
  }

  /**
   * Retargets `clip`, which must be bound to its own skeleton. Bind the returned clip to the model
   * by name.
   */
  retarget(clip: BoundClip): Clip {
    const tracks = this.tracks(clip).map(track => namedTrack(track, this.#to.nodes, track.node));
    return clipOf(clip, tracks);
  }

  /**
   * Retargets a clip that is bound to its own skeleton. The returned tracks are bound to the model.
   */
  tracks({ clip, tracks }: BoundClip): BoundTrack[] {
    const own = tracks.filter(isTransform);
    const byRow = byNode(own);
    const made: BoundTrack[] = [];
    const sampled: BoneConversion[] = [];
    for (const conversion of this.#conversions) {
      const movers = [...conversion.up, ...conversion.down].filter(row => byRow.get(row)?.some(({ mode }) => mode === 'absolute'));
      const boneTracks = byRow.get(conversion.from) ?? [];
      const isAlone = movers.every(row => row === conversion.from) && boneTracks.every(track => isExact(track, conversion));
      made.push(...boneTracks.filter(track => isAlone || track.mode === 'additive').flatMap(track => retargetTrack(track, conversion)));
      if (!isAlone) sampled.push(conversion);
    }
    made.push(...sampleBones(clip, this.#from, own, sampled));
    return [...made, ...this.#constantRotations(made)];
  }

  /**
   * Returns tracks with constant rotations for bones that have no curve of their own, a different
   * rest direction, and animated descendants. They set the rest direction of the clip's skeleton,
   * which the curves of the descendants assume.
   */
  #constantRotations(made: readonly BoundTrack[]): BoundTrack[] {
    const { parents } = this.#to.nodes;
    const rotated = new Set(made.filter(({ path }) => path === 'rotation').map(({ node }) => node));
    const ancestors = new Set<number>();
    for (const { node } of made)
      for (let row = parents[node] ?? -1; row >= 0 && !ancestors.has(row); row = parents[row] ?? -1) ancestors.add(row);
    const bent = new Set(this.#alignment.bent.filter(row => ancestors.has(row) && !rotated.has(row)));
    return this.#conversions
      .filter(({ to }) => bent.has(to))
      .map(conversion => constantRotation(conversion, at(this.#from.nodes.rotations, conversion.from)));
  }

  /** Returns the pairs, ordered by the bones of the model. */
  pairs(): RetargetedPair[] {
    return withStatedPairs(
      this.#pairs.map(({ from, to }) => ({ target: to, sources: [from], foundBy: 'name', part: null })),
      this.#stated,
    );
  }

  /** Conversions of all bone pairs, computed on first access. */
  get #conversions(): readonly BoneConversion[] {
    return (this.#made ??= this.#computeConversions());
  }

  #computeConversions(): BoneConversion[] {
    const { from, to } = this.#rests;
    const { rotation, scale, reference } = this.#alignment;
    const partners = new Map(this.#pairs.map(pair => [pair.to, pair.from]));
    const [above, below] = [this.#from.nodes.parents, this.#to.nodes.parents];
    return this.#pairs.map(pair => {
      const parent = below[pair.to] ?? -1;
      const source = above[pair.from] ?? -1;
      let ancestor = parent;
      while (ancestor >= 0 && !partners.has(ancestor)) ancestor = below[ancestor] ?? -1;
      const anchor = ancestor < 0 ? -1 : (partners.get(ancestor) ?? -1);
      const { up, down } = pathBetween(above, anchor, pair.from);
      const side = multiplied(inverted(at(reference, parent)), rotation);
      return {
        ...pair,
        up,
        down,
        anchor,
        left: multiplied(side, at(from.rotations, source)),
        anchorLeft: multiplied(side, at(from.rotations, anchor)),
        right: multiplied(multiplied(inverted(at(from.rotations, pair.from)), inverted(rotation)), at(reference, pair.to)),
        factor: (scale * (source < 0 ? 1 : (from.scales[source] ?? 1))) / (parent < 0 ? 1 : (to.scales[parent] ?? 1)),
        anchorFactor: (scale * (anchor < 0 ? 1 : (from.scales[anchor] ?? 1))) / (parent < 0 ? 1 : (to.scales[parent] ?? 1)),
        rest: restAt(this.#from, pair.from),
        target: restAt(this.#to, pair.to),
      };
    });
  }

  /** Returns the corrections of axes, unit and rest pose as findings. `path`: name of the clip. */
  findings(path: string): Finding[] {
    const { rotation, scale, bent, largestAngle } = this.#alignment;
    const found: Finding[] = [];
    const add = (code: string, detail: string, count = 1): void =>
      void found.push({ code, severity: 'info', offset: null, path, detail, count });
    if (this.#pairs.length === 0) return found;
    if (rotation[3] !== 1) add('BIND_OTHER_AXES', axesText(rotation));
    if (Math.abs(Math.log(scale)) > 1e-3) add('BIND_OTHER_UNIT', `${Number(scale.toPrecision(6))} to one`);
    if (bent.length > 0)
      add(
        'BIND_OTHER_POSE',
        `${someOf(bent.map(row => this.#to.nodes.names[row] ?? ''))}, by up to ${Math.round((largestAngle * 180) / Math.PI)}°`,
        bent.length,
      );
    return found;
  }
}

/** Pairs the bones of two scenes by name. If the scene `from` has no bones, pairs all nodes. */
function pairsOf(from: RigScene, to: RigScene, bindRoot: boolean): BonePair[] {
  const { length: count, names, bones } = from.nodes;
  const hasBones = bones.some(bone => bone >= 0);
  const rows = Array.from({ length: count - 1 }, (_, i) => i + 1).filter(row => !hasBones || (bones[row] ?? -1) >= 0);
  const seen = new Map<string, number>();
  const named = rows.map(row => {
    const target = names[row] ?? '';
    const occurrence = seen.get(target) ?? 0;
    seen.set(target, occurrence + 1);
    return { target, occurrence };
  });
  const found = findNodes(named, to, bindRoot);
  return rows.map((from, i) => ({ from, to: found[i] ?? -1 })).filter(pair => pair.to >= 0);
}

function withStated(pairs: readonly BonePair[], stated: readonly StatedPair[]): readonly BonePair[] {
  if (stated.length === 0) return pairs;
  const targets = new Set(stated.map(({ to }) => to));
  const all = [...pairs.filter(({ to }) => !targets.has(to)), ...stated.filter(({ from }) => from >= 0)];
  return all.sort((a, b) => a.from - b.from);
}

/**
 * Returns the path from the node `anchor` to the node `row`. `up`: rows from below their common
 * ancestor to `anchor`. `down`: rows from below their common ancestor to `row`. Both lists are
 * ordered from top to bottom and exclude the common ancestor. If `anchor` is -1, `down` starts at
 * the root.
 */
function pathBetween(parents: Int32Array, anchor: number, row: number): { up: number[]; down: number[] } {
  const above = new Set<number>();
  for (let at = anchor; at >= 0; at = parents[at] ?? -1) above.add(at);
  const down: number[] = [];
  let at = row;
  for (; at >= 0 && !above.has(at); at = parents[at] ?? -1) down.unshift(at);
  const up: number[] = [];
  for (let end = anchor; end >= 0 && end !== at; end = parents[end] ?? -1) up.unshift(end);
  return { up, down };
}

// ---------------------------------------------------------------- helpers

const at = (rotations: Float64Array | Float32Array, row: number): number[] =>
  row < 0 ? [0, 0, 0, 1] : Array.from(rotations.subarray(4 * row, 4 * row + 4));

function restAt({ nodes }: RigScene, row: number): BoneConversion['rest'] {
  const { translations, scales } = nodes;
  return { translation: Array.from(translations.subarray(3 * row, 3 * row + 3)), scale: Array.from(scales.subarray(3 * row, 3 * row + 3)) };
}

/** Describes a rotation in English, for example "rotated by 90° about x". */
function axesText(rotation: readonly number[]): string {
  const angle = Math.round((2 * Math.acos(Math.min(Math.abs(rotation[3] ?? 1), 1)) * 180) / Math.PI);
  const main = ['x', 'y', 'z'].flatMap((axis, c) =>
    Math.abs(rotation[c] ?? 0) > 1e-6 ? [`${(rotation[c] ?? 0) < 0 ? '-' : ''}${axis}`] : [],
  );
  return `rotated by ${angle}° about ${main.join(' and ')}`;
}
