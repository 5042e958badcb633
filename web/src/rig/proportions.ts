// Fits the translations of a clip to a skeleton with the same bones but different proportions.
// Rotations are kept.
//
// The modes are those of Unreal's retargeting options for bones (EBoneTranslationRetargetingMode).
// Each mode converts a key k; a is the rest translation in the clip's skeleton, b the one in the
// model:
//   animation          k
//   skeleton           b
//   scaled             k |b| / |a|
//   relative           b + k - a
//   orient-and-scale   k, rotated by the rotation from a to b, times |b| / |a|
import { vectorAt, length } from '../core/math/vector.ts';
import { numberAt } from '../core/math/column.ts';
import { parentOf, nameOf, isBone } from '../core/tree.ts';
import { fromDirections, rotateVector } from '../core/math/quaternion.ts';
import type { BoundClip, BoundTrack } from '../core/bind.ts';
import { factsOf } from '../core/sceneFacts.ts';
import type { Clip, NodeTable, RigScene, Track } from '../core/types.ts';
import { restPoseOf } from '../core/restPose.ts';
import { legLength } from './bodyPlan.ts';
import { bodyOf } from './humanoid.ts';
import type { RetargetedPair } from './retargetedPair.ts';
import { clipOf, namedTrack, occurrenceOf } from './table.ts';

export const TRANSLATION_MODES = ['animation', 'skeleton', 'scaled', 'relative', 'orient-and-scale'] as const;
export type TranslationMode = (typeof TRANSLATION_MODES)[number];

export interface ProportionOptions {
  /**
   * How translations are converted: one mode for all bones, or one mode per bone, by bone name in
   * the clip's skeleton. The default for each bone is 'auto': 'scaled' for root bones, 'skeleton'
   * for bones whose keys equal their rest translation, and 'orient-and-scale' for all other bones.
   */
  translations?: 'auto' | TranslationMode | Readonly<Record<string, TranslationMode>>;
}

export interface FittedClip {
  /** The converted clip. Bind it to the model by name. */
  clip: Clip;
  /** Mode that was applied to each bone, by bone name in the clip's skeleton. */
  modes: ReadonlyMap<string, TranslationMode>;
  /**
   * Size of the model relative to the clip's skeleton. For humanoids and quadrupeds, it is the ratio of leg
   * lengths; for other models, the ratio of the summed lengths of common bones.
   */
  scale: number;
}

/** Minimum length of a rest translation, in metres. The direction of a shorter one is not used. */
const MIN_LENGTH = 1e-4;
/**
 * Maximum difference between a key and the rest translation that count as equal, as a fraction of
 * the rest translation's length.
 */
const STILL = 1e-3;

/**
 * Fits clips to a skeleton with the same bones but different proportions. Create one instance per
 * pair of scenes.
 *
 * @experimental
 */
export class Proportions {
  /**
   * Fraction of the bones in the clip's skeleton that also exist in the model, 0 to 1. All nodes
   * count if none of them is a bone.
   */
  readonly share: number;
  readonly scale: number;
  readonly #from: NodeTable;
  readonly #to: NodeTable;
  /** Maps rows of the clip's skeleton to rows of the model; -1 for nodes that the model lacks. */
  readonly #rows: Int32Array;

  constructor(from: RigScene, to: RigScene) {
    this.#from = from.nodes;
    this.#to = to.nodes;
    this.#rows = matchNodes(from.nodes, to);
    let [bones, found, modelLength, clipLength] = [0, 0, 0, 0];
    const hasBones = from.nodes.bones.some(bone => bone >= 0);
    for (let row = 1; row < from.nodes.length; row++) {
      if (hasBones && !isBone(from.nodes, row)) continue;
      bones++;
      const target = this.#rows[row] ?? -1;
      if (target < 0) continue;
      found++;
      if (this.#isRoot(row)) continue;
      clipLength += this.#length(this.#from, row);
      modelLength += this.#length(this.#to, target);
    }
    this.share = bones > 0 ? found / bones : 0;
    const [source, target] = [bodyOf(from), bodyOf(to)];
    const legs =
      source && source.kind === target?.kind ? legLength(target, restPoseOf(to.nodes)) / legLength(source, restPoseOf(from.nodes)) : 0;
    this.scale = legs > 0 && legs < Infinity ? legs : modelLength > 0 && clipLength > 0 ? modelLength / clipLength : 1;
  }

  /** Returns the pairs of bones, ordered by the bones of the model. */
  pairs(): RetargetedPair[] {
    const hasBones = this.#from.bones.some(bone => bone >= 0);
    const isPaired = (from: number): boolean => numberAt(this.#rows, from) >= 0 && (!hasBones || isBone(this.#from, from));
    return [...this.#rows.keys()]
      .filter(isPaired)
      .map((from): RetargetedPair => ({ target: numberAt(this.#rows, from), sources: [from], foundBy: 'name', part: null }))
      .sort((a, b) => a.target - b.target);
  }

  /** Fits `clip`, which must be bound to its own skeleton, to the model. */
  fit(clip: BoundClip, { translations = 'auto' }: ProportionOptions = {}): FittedClip {
    const modes = new Map<string, TranslationMode>();
    const tracks: Track[] = [];
    for (const track of clip.tracks) {
      const row = this.#rows[track.node] ?? -1;
      if (row < 0 || (track.path !== 'translation' && track.path !== 'rotation' && track.path !== 'scale')) continue;
      const name = nameOf(this.#from, track.node);
      if (track.path !== 'translation' || track.mode === 'additive') {
        tracks.push(namedTrack(track, this.#to, row));
        continue;
      }
      const requested = typeof translations === 'string' ? translations : (translations[name] ?? 'auto');
      const mode = requested === 'auto' ? this.#automaticMode(track) : requested;
      modes.set(name, mode);
      tracks.push(this.#retargetTranslation(namedTrack(track, this.#to, row), track.node, row, mode));
    }
    return { clip: clipOf(clip, tracks), modes, scale: this.scale };
  }

  #isRoot(row: number): boolean {
    for (let at = parentOf(this.#from, row); at >= 0; at = parentOf(this.#from, at)) if (isBone(this.#from, at)) return false;
    return true;
  }

  #length({ translations: t }: NodeTable, row: number): number {
    return length(vectorAt(t, 3 * row));
  }

  #automaticMode({ node, component, values }: BoundTrack): TranslationMode {
    if (this.#isRoot(node)) return 'scaled';
    const near = Math.max(STILL * this.#length(this.#from, node), MIN_LENGTH);
    const rest = (i: number): number => numberAt(this.#from.translations, 3 * node + (component < 0 ? i % 3 : component));
    return values.every((value, i) => Math.abs(value - rest(i)) <= near) ? 'skeleton' : 'orient-and-scale';
  }

  #retargetTranslation(track: Track, from: number, to: number, mode: TranslationMode): Track {
    if (mode === 'animation') return track;
    const a = this.#from.translations.subarray(3 * from, 3 * from + 3);
    const b = this.#to.translations.subarray(3 * to, 3 * to + 3);
    const { component } = track;
    if (mode === 'skeleton') {
      const { kinds: _, tangents: __, weights: ___, ...rest } = track;
      return {
        ...rest,
        interpolation: 'step',
        times: track.times.slice(0, 1),
        values: component < 0 ? b.slice() : b.slice(component, component + 1),
      };
    }
    if (mode === 'relative')
      return { ...track, values: track.values.map((value, i) => value + offset(a, b, component < 0 ? i % 3 : component)) };
    const [before, after] = [this.#length(this.#from, from), this.#length(this.#to, to)];
    const factor = this.#isRoot(from) || before < MIN_LENGTH ? this.scale : after / before;
    const rotation = new Float64Array([0, 0, 0, 1]);
    if (mode === 'orient-and-scale' && component < 0 && before >= MIN_LENGTH && after >= MIN_LENGTH) fromDirections(rotation, a, b);
    const convert = (values: Float32Array): Float32Array => {
      const result = values.map(value => value * factor);
      if (component < 0) for (let at = 0; at < result.length; at += 3) rotateVector(result, at, rotation);
      return result;
    };
    return { ...track, values: convert(track.values), ...(track.tangents && { tangents: convert(track.tangents) }) };
  }
}

const offset = (a: Float32Array, b: Float32Array, component: number): number => numberAt(b, component) - numberAt(a, component);

/**
 * Maps each row in `from` to a row in `to`, or to -1 if there is no match. Matches names as `bind`
 * does. If fewer than half of the names match, ignores a prefix that all names share.
 */
function matchNodes(from: NodeTable, to: RigScene): Int32Array {
  const rows = Array.from({ length: Math.max(from.length - 1, 0) }, (_, i) => i + 1);
  const targets = rows.map(row => ({ name: nameOf(from, row), occurrence: occurrenceOf(from, row) }));
  const { names } = factsOf(to);
  const exact = names.match(targets);
  const found = exact.filter(row => row >= 0).length;
  const best = found >= targets.length / 2 ? exact : names.matchWithoutPrefix(targets).rows;
  return Int32Array.from([-1, ...best]);
}
