// Retargets a clip to a skeleton with the same bone names. World axes, unit, bone axes and rest
// pose may differ. No three.js.
//
// A clip rotates each bone of its own skeleton away from the rest pose, and the same world-space
// rotation is applied to the model. With world rotations Q, Q0 at rest, and the rotation C between
// the two scene spaces: Q'(t) = C Q(t) Q0⁻¹ C⁻¹ Q0'. In the space of the parent bones this
// multiplies every key by two constants, q'(t) = A q(t) B, so keys stay keys. Translations keep
// their difference from rest, converted to the other unit.
import { nameOf } from '../core/tree.ts';
import { inverted, multiplied } from '../core/math/quaternion.ts';
import { bind, type BindOptions, type BoundClip, type BoundTrack, findNodes, someOf } from '../core/bind.ts';
import { withFindings } from '../core/bindReport.ts';
import { lazyBoundClip } from '../core/bound.ts';
import type { Clip, Finding, RigScene } from '../core/types.ts';
import { align, type Alignment, type BonePair, nearestUnit, type Rest, restOf } from './alignment.ts';
import { bakeBones, byNode } from './sampleRetargeted.ts';
import { retargetTrack, type BoneConversion, heldTurn, isExact } from './retargetTrack.ts';
import { FaceRetargeter, withoutFace } from './faceRetargeter.ts';
import { clipOf, makeClip, namedTrack } from './table.ts';

/**
 * Binds a clip to a scene with a different skeleton. `from` is the scene of the skeleton that the
 * clip was made on. If it has no skeleton, values count as local ones of the same bones, and only
 * the unit is inferred. Expressions and gaze become curves of the model's morph targets and eyes.
 * Never throws: the report lists unmatched bones and all corrections.
 */
export function bindRetargeted(clip: Clip, from: RigScene, to: RigScene, options: BindOptions = {}): BoundClip {
  const face = FaceRetargeter.of(clip, to);
  if (!face) return bindBody(clip, clip, from, to, options);
  const body = bindBody(clip, withoutFace(clip), from, to, options);
  const eyes = new Set(face.bones);
  const isEye = ({ node }: BoundTrack): boolean => node >= 0 && eyes.has(nameOf(to.nodes, node));
  return lazyBoundClip(
    clip,
    () => [...body.tracks.filter(track => !isEye(track)), ...bind(makeClip(clip, face.tracks()), to).tracks],
    () => {
      const { report } = body;
      const isNothing = ({ code }: Finding): boolean => code === 'BIND_NOTHING' && face.shown.length > 0;
      return withFindings(report, () => [...report.findings.filter(each => !isNothing(each)), ...lostFace(clip, face)], {
        face: [...face.shown],
        unmatched: [...report.unmatched, ...face.lost],
      });
    },
    () => body.additive,
  );
}

function lostFace({ name }: Clip, { lost }: FaceRetargeter): Finding[] {
  if (lost.length === 0) return [];
  return [{ code: 'BIND_UNMATCHED_TRACKS', severity: 'info', offset: null, path: name, detail: someOf(lost), count: lost.length }];
}

/** Binds the curves of the body. `bare` is the clip without expressions and gaze. */
function bindBody(clip: Clip, bare: Clip, from: RigScene, to: RigScene, options: BindOptions): BoundClip {
  const named = bind(bare, to, options);
  const others = (): BoundTrack[] => named.tracks.filter(track => !isTransform(track));
  if (from.nodes.count <= 1)
    return lazyBoundClip(
      clip,
      () => inUnit(named.tracks, to),
      () => withFindings(named.report, () => [...named.report.findings, ...unknownRest(clip, named.tracks, to)]),
      () => named.additive,
    );
  const { bindRoot = false, ...withoutRoot } = options;
  const crossing = BoneRetargeter.of(from, to, bindRoot);
  // Additive detection compares keys with the skeleton that they were made on.
  const own = bind(clip, from, withoutRoot);
  const looks = ({ code }: Finding): boolean => code.startsWith('LOOKS_');
  return lazyBoundClip(
    clip,
    () => [...others(), ...crossing.tracks(own)],
    () =>
      withFindings(named.report, () => [
        ...own.report.findings.filter(looks),
        ...named.report.findings.filter(finding => !looks(finding)),
        ...crossing.findings(clip.name),
      ]),
    () => own.additive,
  );
}

type Met = WeakMap<RigScene, WeakMap<RigScene, BoneRetargeter>>;
const metByName: Met = new WeakMap();
const metAtRoot: Met = new WeakMap();

/**
 * Cosine of the largest angle between the directions of a bone in two skeletons of the same axes.
 */
const ALIKE = Math.cos(Math.PI / 6);
/** Bones whose lengths have a smaller product, square metres, have no direction. */
const SHORT = 1e-8;

const isTransform = ({ path }: BoundTrack): boolean => path === 'translation' || path === 'rotation' || path === 'scale';

/**
 * Retargets clips between two skeletons with the same bone names. Made once for a pair of scenes.
 */
export class BoneRetargeter {
  readonly #from: RigScene;
  readonly #to: RigScene;
  readonly #pairs: readonly BonePair[];
  readonly #rests: { from: Rest; to: Rest };
  readonly #alignment: Alignment;
  #made: readonly BoneConversion[] | undefined;

  static of(from: RigScene, to: RigScene, bindRoot = false): BoneRetargeter {
    const met = bindRoot ? metAtRoot : metByName;
    const models = met.get(from) ?? new WeakMap<RigScene, BoneRetargeter>();
    met.set(from, models);
    const crossing = models.get(to) ?? new BoneRetargeter(from, to, bindRoot);
    models.set(to, crossing);
    return crossing;
  }

  private constructor(from: RigScene, to: RigScene, bindRoot: boolean) {
    this.#from = from;
    this.#to = to;
    this.#pairs = pairsOf(from, to, bindRoot);
    this.#rests = { from: restOf(from), to: restOf(to) };
    this.#alignment = align(this.#rests.from, this.#rests.to, to.nodes.parents, this.#pairs);
  }

  /**
   * True if the scenes and most of their bones have the same axes, so that rotations need no
   * conversion.
   */
  get isAlike(): boolean {
    if (this.#alignment.turn[3] !== 1) return false;
    const [a, b] = [this.#from.nodes, this.#to.nodes];
    let [alike, all] = [0, 0];
    for (const { from, to } of this.#pairs) {
      if ((a.bones[a.parents[from] ?? -1] ?? -1) < 0) continue;
      const [mine, theirs] = [a.translations.subarray(3 * from, 3 * from + 3), b.translations.subarray(3 * to, 3 * to + 3)];
      const lengths = Math.hypot(...mine) * Math.hypot(...theirs);
      if (lengths < SHORT) continue;
      all++;
      const along = mine.reduce((sum, value, c) => sum + value * (theirs[c] ?? 0), 0);
      if (along > ALIKE * lengths) alike++;
    }
    return 2 * alike >= all;
  }

  /**
   * Returns a clip for the model that can be bound by name. `motion` is bound to its own skeleton.
   */
  retarget(motion: BoundClip): Clip {
    const tracks = this.tracks(motion).map(track => namedTrack(track, this.#to.nodes, track.node));
    return clipOf(motion, tracks);
  }

  /** Returns tracks bound to the model. The clip is bound to its own skeleton. */
  tracks({ clip, tracks }: BoundClip): BoundTrack[] {
    const own = tracks.filter(isTransform);
    const byRow = byNode(own);
    const made: BoundTrack[] = [];
    const baked: BoneConversion[] = [];
    for (const frame of this.#frames) {
      const movers = [...frame.up, ...frame.down].filter(row => byRow.get(row)?.some(({ mode }) => mode === 'absolute'));
      const mine = byRow.get(frame.from) ?? [];
      const isAlone = movers.every(row => row === frame.from) && mine.every(track => isExact(track, frame));
      made.push(...mine.filter(track => isAlone || track.mode === 'additive').flatMap(track => retargetTrack(track, frame)));
      if (!isAlone) baked.push(frame);
    }
    made.push(...bakeBones(clip, this.#from, own, baked));
    return [...made, ...this.#held(made)];
  }

  /**
   * Rotates bones without curves whose rest direction differs, if their descendants are animated:
   * the curves assume the directions of the clip's skeleton.
   */
  #held(made: readonly BoundTrack[]): BoundTrack[] {
    const { parents } = this.#to.nodes;
    const turned = new Set(made.filter(({ path }) => path === 'rotation').map(({ node }) => node));
    const holders = new Set<number>();
    for (const { node } of made)
      for (let row = parents[node] ?? -1; row >= 0 && !holders.has(row); row = parents[row] ?? -1) holders.add(row);
    const bent = new Set(this.#alignment.bent.filter(row => holders.has(row) && !turned.has(row)));
    return this.#frames.filter(({ to }) => bent.has(to)).map(frame => heldTurn(frame, at(this.#from.nodes.rotations, frame.from)));
  }

  /** Constants between the two bones of each pair. */
  get #frames(): readonly BoneConversion[] {
    return (this.#made ??= this.#makeFrames());
  }

  #makeFrames(): BoneConversion[] {
    const { from, to } = this.#rests;
    const { turn, scale, reference } = this.#alignment;
    const partners = new Map(this.#pairs.map(pair => [pair.to, pair.from]));
    const [above, below] = [this.#from.nodes.parents, this.#to.nodes.parents];
    return this.#pairs.map(pair => {
      const parent = below[pair.to] ?? -1;
      const source = above[pair.from] ?? -1;
      let holder = parent;
      while (holder >= 0 && !partners.has(holder)) holder = below[holder] ?? -1;
      const anchor = holder < 0 ? -1 : (partners.get(holder) ?? -1);
      const { up, down } = wayBetween(above, anchor, pair.from);
      const side = multiplied(inverted(at(reference, parent)), turn);
      return {
        ...pair,
        up,
        down,
        anchor,
        before: multiplied(side, at(from.turns, source)),
        outer: multiplied(side, at(from.turns, anchor)),
        after: multiplied(multiplied(inverted(at(from.turns, pair.from)), inverted(turn)), at(reference, pair.to)),
        factor: (scale * (source < 0 ? 1 : (from.sizes[source] ?? 1))) / (parent < 0 ? 1 : (to.sizes[parent] ?? 1)),
        outerFactor: (scale * (anchor < 0 ? 1 : (from.sizes[anchor] ?? 1))) / (parent < 0 ? 1 : (to.sizes[parent] ?? 1)),
        rest: restAt(this.#from, pair.from),
        target: restAt(this.#to, pair.to),
      };
    });
  }

  /** Returns the corrections as findings. `path` is the name of the clip. */
  findings(path: string): Finding[] {
    const { turn, scale, bent, widest } = this.#alignment;
    const found: Finding[] = [];
    const tell = (code: string, detail: string, count = 1): void =>
      void found.push({ code, severity: 'info', offset: null, path, detail, count });
    if (this.#pairs.length === 0) return found;
    if (turn[3] !== 1) tell('BIND_OTHER_AXES', axesText(turn));
    if (Math.abs(Math.log(scale)) > 1e-3) tell('BIND_OTHER_UNIT', `${Number(scale.toPrecision(6))} to one`);
    if (bent.length > 0)
      tell(
        'BIND_OTHER_POSE',
        `${someOf(bent.map(row => this.#to.nodes.names[row] ?? ''))}, by up to ${Math.round((widest * 180) / Math.PI)}°`,
        bent.length,
      );
    return found;
  }
}

/** Returns the pairs of bones with the same name. In a scene without bones all nodes are paired. */
function pairsOf(from: RigScene, to: RigScene, bindRoot: boolean): BonePair[] {
  const { count, names, bones } = from.nodes;
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

/**
 * Returns the rows from `anchor` up to the common ancestor, and from there down to `row`, without
 * the ancestor. With `anchor` -1, all rows from the root down.
 */
function wayBetween(parents: Int32Array, anchor: number, row: number): { up: number[]; down: number[] } {
  const above = new Set<number>();
  for (let at = anchor; at >= 0; at = parents[at] ?? -1) above.add(at);
  const down: number[] = [];
  let at = row;
  for (; at >= 0 && !above.has(at); at = parents[at] ?? -1) down.unshift(at);
  const up: number[] = [];
  for (let end = anchor; end >= 0 && end !== at; end = parents[end] ?? -1) up.unshift(end);
  return { up, down };
}

// ---------------------------------------------------------------- without a skeleton

/**
 * If keys are larger than rest translations by this factor, their unit differs. Smaller factors are
 * differences in body size.
 */
const OTHER_UNIT = 3;

function unitOf(tracks: readonly BoundTrack[], { nodes }: RigScene): number {
  const ratios: number[] = [];
  for (const { path, node, component, mode, values } of tracks) {
    if (path !== 'translation' || component >= 0 || mode !== 'absolute') continue;
    const [key, rest] = [Math.hypot(...values.subarray(0, 3)), Math.hypot(...nodes.translations.subarray(3 * node, 3 * node + 3))];
    if (key > 0 && rest > 0) ratios.push(rest / key);
  }
  const middle = ratios.sort((a, b) => a - b)[ratios.length >> 1] ?? 1;
  const isOther = ratios.length > 1 && (middle > OTHER_UNIT || middle < 1 / OTHER_UNIT);
  return isOther ? nearestUnit(middle, 0.3) : 1;
}

function inUnit(tracks: readonly BoundTrack[], to: RigScene): BoundTrack[] {
  const unit = unitOf(tracks, to);
  if (unit === 1) return [...tracks];
  return tracks.map(track => {
    if (track.path !== 'translation') return track;
    const { tangents } = track;
    return {
      ...track,
      values: track.values.map(value => value * unit),
      ...(tangents && { tangents: tangents.map(slope => slope * unit) }),
    };
  });
}

function unknownRest({ name }: Clip, tracks: readonly BoundTrack[], to: RigScene): Finding[] {
  if (!tracks.some(isTransform)) return [];
  const unit = unitOf(tracks, to);
  const base = { severity: 'info' as const, offset: null, path: name, count: 1 };
  const known: Finding = {
    ...base,
    code: 'BIND_REST_UNKNOWN',
    detail: 'if the result looks wrong, pass the model that it was made for (rest)',
  };
  return unit === 1 ? [known] : [known, { ...base, code: 'BIND_OTHER_UNIT', detail: `${Number(unit.toPrecision(6))} to one` }];
}

// ---------------------------------------------------------------- helpers

const at = (turns: Float64Array | Float32Array, row: number): number[] =>
  row < 0 ? [0, 0, 0, 1] : Array.from(turns.subarray(4 * row, 4 * row + 4));

function restAt({ nodes }: RigScene, row: number): BoneConversion['rest'] {
  const { translations, scales } = nodes;
  return { translation: Array.from(translations.subarray(3 * row, 3 * row + 3)), scale: Array.from(scales.subarray(3 * row, 3 * row + 3)) };
}

/** Returns in words where a rotation moves the axes. */
function axesText(turn: readonly number[]): string {
  const angle = Math.round((2 * Math.acos(Math.min(Math.abs(turn[3] ?? 1), 1)) * 180) / Math.PI);
  const main = ['x', 'y', 'z'].flatMap((axis, c) => (Math.abs(turn[c] ?? 0) > 1e-6 ? [`${(turn[c] ?? 0) < 0 ? '-' : ''}${axis}`] : []));
  return `turned by ${angle}° about ${main.join(' and ')}`;
}
