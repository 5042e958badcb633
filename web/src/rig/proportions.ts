// A motion on a skeleton with the same bones and other proportions: what its translations mean there. Rotations stay as they are.
//
// The modes are those of Unreal's retargeting options for bones (EBoneTranslationRetargetingMode). With a key k, the bone's translation at rest in the motion's
// own skeleton a, and b in the moved one:
//   animation          k
//   skeleton           b
//   scaled             k |b| / |a|
//   relative           b + k - a
//   orient-and-scale   k, turned as a must be to point along b, times |b| / |a|
import { vectorAt, length } from '../core/math/vector.ts';
import { numberAt } from '../core/math/column.ts';
import { parentOf, nameOf, isBone } from '../core/tree.ts';
import { fromDirections, rotateVector } from '../core/math/quaternion.ts';
import type { BoundClip, BoundTrack } from '../core/bind.ts';
import { NodeNames } from '../core/names.ts';
import type { Clip, NodeTable, RigScene, Track } from '../core/types.ts';
import { restOf } from '../core/rest.ts';
import { humanoidOf, legLength } from './humanoid.ts';
import { clipOf, namedTrack, occurrenceOf } from './table.ts';

export const TRANSLATION_MODES = ['animation', 'skeleton', 'scaled', 'relative', 'orient-and-scale'] as const;
export type TranslationMode = (typeof TRANSLATION_MODES)[number];

export interface ProportionOptions {
  /**
   * One mode for all bones, or by name of the bone of the motion's own skeleton; bones that are not named, and 'auto' (the default), go by what they do:
   * those that hang on no bone are scaled by the size of the skeleton, those that keep their place at rest keep the moved skeleton's, the others are
   * oriented and scaled.
   */
  translations?: 'auto' | TranslationMode | Readonly<Record<string, TranslationMode>>;
}

export interface FittedMotion {
  /** For the moved skeleton, to be bound by name. */
  clip: Clip;
  /** What was done to the translations of each bone, by its name in the motion's own skeleton. */
  modes: ReadonlyMap<string, TranslationMode>;
  /** How large the moved skeleton is, measured by the motion's own: by the length of the legs of human bodies, else by that of all bones that both have. */
  scale: number;
}

/** Metres: a bone that rests nearer to its parent has no direction. */
const NO_LENGTH = 1e-4;
/** A bone that moves less, as a part of its length, keeps its place. */
const STILL = 1e-3;

/** Two skeletons with the same bones: made once, it fits any number of motions. */
export class Proportions {
  /** The share of the motion's bones that the moved skeleton has. */
  readonly share: number;
  readonly scale: number;
  readonly #from: NodeTable;
  readonly #to: NodeTable;
  /** By row of the motion's own skeleton: that of the moved one, or -1. */
  readonly #rows: Int32Array;

  constructor(from: RigScene, to: RigScene) {
    this.#from = from.nodes;
    this.#to = to.nodes;
    this.#rows = partners(from.nodes, to.nodes);
    let [bones, found, ours, theirs] = [0, 0, 0, 0];
    for (let row = 1; row < from.nodes.count; row++) {
      if (!isBone(from.nodes, row)) continue;
      bones++;
      const partner = this.#rows[row] ?? -1;
      if (partner < 0) continue;
      found++;
      if (this.#isRoot(row)) continue;
      theirs += this.#length(this.#from, row);
      ours += this.#length(this.#to, partner);
    }
    this.share = bones > 0 ? found / bones : 0;
    const [source, target] = [humanoidOf(from), humanoidOf(to)];
    const legs = source && target ? legLength(target, restOf(to.nodes)) / legLength(source, restOf(from.nodes)) : 0;
    this.scale = legs > 0 && legs < Infinity ? legs : ours > 0 && theirs > 0 ? ours / theirs : 1;
  }

  /** The motion, bound to its own model, for the other one. */
  fit(motion: BoundClip, { translations = 'auto' }: ProportionOptions = {}): FittedMotion {
    const modes = new Map<string, TranslationMode>();
    const tracks: Track[] = [];
    for (const track of motion.tracks) {
      const row = this.#rows[track.node] ?? -1;
      if (row < 0 || (track.path !== 'translation' && track.path !== 'rotation' && track.path !== 'scale')) continue;
      const name = nameOf(this.#from, track.node);
      if (track.path !== 'translation' || track.mode === 'additive') {
        tracks.push(namedTrack(track, this.#to, row));
        continue;
      }
      const told = typeof translations === 'string' ? translations : (translations[name] ?? 'auto');
      const mode = told === 'auto' ? this.#guess(track) : told;
      modes.set(name, mode);
      tracks.push(this.#moved(namedTrack(track, this.#to, row), track.node, row, mode));
    }
    return { clip: clipOf(motion, tracks), modes, scale: this.scale };
  }

  #isRoot(row: number): boolean {
    for (let at = parentOf(this.#from, row); at >= 0; at = parentOf(this.#from, at)) if (isBone(this.#from, at)) return false;
    return true;
  }

  #length({ translations: t }: NodeTable, row: number): number {
    return length(vectorAt(t, 3 * row));
  }

  #guess({ node, component, values }: BoundTrack): TranslationMode {
    if (this.#isRoot(node)) return 'scaled';
    const near = Math.max(STILL * this.#length(this.#from, node), NO_LENGTH);
    const rest = (i: number): number => numberAt(this.#from.translations, 3 * node + (component < 0 ? i % 3 : component));
    return values.every((value, i) => Math.abs(value - rest(i)) <= near) ? 'skeleton' : 'orient-and-scale';
  }

  #moved(track: Track, from: number, to: number, mode: TranslationMode): Track {
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
    const factor = this.#isRoot(from) || before < NO_LENGTH ? this.scale : after / before;
    const turn = new Float64Array([0, 0, 0, 1]);
    if (mode === 'orient-and-scale' && component < 0 && before >= NO_LENGTH && after >= NO_LENGTH) fromDirections(turn, a, b);
    const moved = (values: Float32Array): Float32Array => {
      const result = values.map(value => value * factor);
      if (component < 0) for (let at = 0; at < result.length; at += 3) rotateVector(result, at, turn);
      return result;
    };
    return { ...track, values: moved(track.values), ...(track.tangents && { tangents: moved(track.tangents) }) };
  }
}

const offset = (a: Float32Array, b: Float32Array, component: number): number => numberAt(b, component) - numberAt(a, component);

/** Which node of one table goes by the name of which of the other: as motions are bound, a prefix that most names share aside where few are found with it. */
function partners(from: NodeTable, to: NodeTable): Int32Array {
  const rows = Array.from({ length: Math.max(from.count - 1, 0) }, (_, i) => i + 1);
  const targets = rows.map(row => ({ name: nameOf(from, row), occurrence: occurrenceOf(from, row) }));
  const names = new NodeNames(to);
  const whole = names.match(targets);
  const found = whole.filter(row => row >= 0).length;
  const best = found >= targets.length / 2 ? whole : names.matchWithoutPrefix(targets).rows;
  return Int32Array.from([-1, ...best]);
}
