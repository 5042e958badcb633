// A motion meets a model: which node every track moves, and what its values mean on that model's rest pose. No three.js.
//
// Rules: psk-psa (binding by name, lost tracks, additive motions) and cast (modes and overrides). With rest value r, key k, a clip's first key f:
//   relative  translation r + k     scale r * k      rotation r k        (k in the bone's own space)
//   delta     translation r + k-f   scale r * k / f  rotation r f⁻¹ k
// Both become absolute here; additive tracks stay additive, to be played on top of what else moves the node.
import { trackWidth } from './description.ts';
import { DrawnNames } from './drawn.ts';
import { explainLooks, inspectMotion, type Looks, type Pair } from './looks.ts';
import { NodeNames, type Target } from './names.ts';
import type { Clip, ClipEvent, Extrapolation, Finding, ModeOverride, RigScene, Severity, Track, TrackMode, TrackPath } from './types.ts';

export interface BindOptions {
  /**
   * file: as the clip says (default). rotation-only: bones but the root keep the translation of the model's rest pose.
   * strip-zero-tracks: tracks that are all zero, as tools write them for bones they left out, are not played.
   */
  motion?: 'file' | 'rotation-only' | 'strip-zero-tracks';
  /**
   * For motions that are additive although their format cannot say so (LOOKS_ADDITIVE). rest: keys are added to the model's rest pose.
   * layer: they are added to whatever else plays. Both take rotations in the parent's space, as Unreal does. Default off.
   */
  additive?: 'off' | 'rest' | 'layer';
  /** The root bone (or the first bone that travels) stays where its first key puts it. Default false. */
  lockRoot?: boolean;
  /** Mode overrides act on the bone they name too, not only on its descendants. Default false. */
  includeNamedBone?: boolean;
  /** Where neither the motion's first bone nor the model's root bone finds a partner, they become partners. Default false. */
  bindRoot?: boolean;
}

/** A track with its target found. `values` are absolute, or for mode `additive` deltas. Other members as in Track. */
export interface BoundTrack {
  /** Row of `scene.nodes`; -1 for what is a mesh's: morph weights, its visibility, its material. */
  node: number;
  /** Rows of `scene.renderers` whose mesh is meant; empty for nodes. */
  renderers: readonly number[];
  /** The morph's name as the meshes spell it, the property's or the shader's, or the mesh's as the motion spells it. */
  morph: string;
  path: TrackPath;
  component: number;
  mode: 'absolute' | 'additive';
  blendWeight: number;
  times: Float32Array;
  values: Float32Array;
  interpolation: Track['interpolation'];
  kinds?: Uint8Array;
  tangents?: Float32Array;
  weights?: Float32Array;
  before: Extrapolation;
  after: Extrapolation;
}

export interface BindReport {
  /** Names of the model's nodes that the motion moves, and of meshes that it shows and hides. */
  matched: string[];
  /** Names that the motion uses and the model does not have. */
  unmatched: string[];
  /** Names of the model's bones that the motion does not move. */
  untouched: string[];
  /** In which of the file's models it moves bones: the row of the node that they hang on, its name, and how many. */
  models: { node: number; name: string; bones: number }[];
  findings: Finding[];
}

/** A clip on a model. Nothing is computed until `tracks` or `report` is read; both are then kept, and neither makes the other. */
export interface BoundClip {
  readonly clip: Clip;
  readonly name: string;
  readonly duration: number;
  readonly frameRate: number;
  readonly loop: boolean;
  readonly tracks: readonly BoundTrack[];
  readonly events: readonly ClipEvent[];
  readonly report: BindReport;
}

/** Binds a clip to a scene, its own or another file's. Never fails: what finds no partner is in the report. */
export function bind(clip: Clip, scene: RigScene, options: BindOptions = {}): BoundClip {
  checkOptions(options);
  let meeting: Meeting | undefined;
  let tracks: BoundTrack[] | undefined;
  let report: BindReport | undefined;
  const meet = (): Meeting => (meeting ??= meetModel(clip, scene, options));
  return {
    clip,
    name: clip.name,
    duration: clip.duration,
    frameRate: clip.frameRate,
    loop: clip.loop,
    events: clip.events,
    get tracks() {
      return (tracks ??= makeTracks(meet(), scene, options));
    },
    get report() {
      return (report ??= makeReport(meet(), clip, scene, options));
    },
  };
}

/** Whether a motion is made of differences, and why that is thought: as its file says, else as its keys look on this model. */
export function additiveLooks(clip: Clip, scene: RigScene): Looks {
  return inspectMotion(meetModel(clip, scene, {}).pairs, scene, factsOf(scene).skeleton).verdict;
}

/** What a file's own motion asks of its meshes and none of them has: a shape, a mesh. Motions that move nodes alone are not looked at. */
export function curvesWithoutTarget(clip: Clip, scene: RigScene): Finding[] {
  const asksMeshes = (['weight', 'shown', 'material'] as const).some(path => clip.tracks.uses?.(path));
  if (!asksMeshes || scene.renderers.length === 0) return [];
  const { unmatched } = meetModel(clip, scene, {});
  return unmatched.size > 0 ? [finding('CURVE_NOT_PLAYED', 'info', clip.name, someOf([...unmatched]), unmatched.size)] : [];
}

/** A clip's tracks and the nodes they move. */
interface Meeting {
  /** Tracks of nodes that the model has, and their rows; a bone of each model of the file that has one of that name. */
  pairs: Pair[];
  /** Bones that are left to stand still. */
  dropped: number;
  morphs: BoundTrack[];
  /** Visibility and materials of meshes, which are no nodes. */
  shown: BoundTrack[];
  /** Names of what these move. */
  meshes: Set<string>;
  matching: Matching;
  /** Names without a partner. */
  unmatched: Set<string>;
  overrides: (node: number, path: TrackPath) => TrackMode | undefined;
}

function meetModel(clip: Clip, scene: RigScene, options: BindOptions): Meeting {
  const all = [...clip.tracks];
  const isOwn = scene.clips.includes(clip);
  const matching = matchTargets(all, scene, options, isOwn);
  const unmatched = new Set(matching.unmatched);
  const pairs: Pair[] = [];
  const twins = new Twins(matching, scene, isOwn, pairs);
  const morphs: BoundTrack[] = [];
  const shown: BoundTrack[] = [];
  const meshes = new Set<string>();
  const lost = new Set<string>();
  for (const [i, track] of all.entries()) {
    if (track.path === 'weight') {
      const made = bindMorph(track, scene, isOwn);
      if (made.length === 0) unmatched.add(track.property);
      morphs.push(...made.flatMap(bound => withinMaximum(bound, scene)));
      continue;
    }
    const isMeshs = isOfMesh(track);
    const node = isMeshs ? -1 : matching.rows[i]!;
    const renderers = isMeshs
      ? [...renderersOf(track, scene, isOwn)]
      : node < 0 && track.path === 'visible'
        ? factsOf(scene).drawn.renderers(track.target)
        : [];
    if (node >= 0) {
      pairs.push({ track, node });
      twins.add(track, node);
    } else if (renderers.length > 0) {
      shown.push(boundCurve(track, -1, renderers, track.path === 'material' ? track.property : track.target, 'absolute'));
      meshes.add(track.target);
    } else {
      lost.add(track.target);
      if (isMeshs) unmatched.add(track.target);
    }
  }
  for (const name of meshes) if (!lost.has(name)) unmatched.delete(name);
  const overrides = overridesOf(clip, scene, options, unmatched);
  return { pairs, dropped: twins.dropped, morphs, shown, meshes, matching, unmatched, overrides };
}

/** Numbers that what a motion moves beyond the first bone of a name may hold: a small file can name thousands of models. */
const MOST_COPIED = 1 << 24;

/** Pairs of tracks with the bones of other models that have the name of the one that was matched. */
class Twins {
  dropped = 0;
  #left = MOST_COPIED;
  readonly #names: NodeNames;
  readonly #rows: Int32Array;
  #taken: ReadonlySet<number> | undefined;
  readonly #isOwn: boolean;
  readonly #pairs: Pair[];

  constructor({ rows }: Matching, scene: RigScene, isOwn: boolean, pairs: Pair[]) {
    this.#names = factsOf(scene).names;
    this.#rows = rows;
    this.#isOwn = isOwn;
    this.#pairs = pairs;
  }

  /** What a clip gives by row, it means; a bone that another target has found is that one's. */
  add(track: Track, node: number): void {
    if (this.#isOwn && track.node >= 0) return;
    for (const twin of this.#names.twins(node)) {
      if ((this.#taken ??= new Set(this.#rows)).has(twin)) continue;
      this.#left -= 256 + track.values.length;
      if (this.#left < 0) this.dropped++;
      else this.#pairs.push({ track, node: twin });
    }
  }
}

function makeTracks({ pairs, morphs, shown, overrides }: Meeting, scene: RigScene, options: BindOptions): BoundTrack[] {
  const { skeleton } = factsOf(scene);
  const stripped = options.motion === 'strip-zero-tracks' ? inspectMotion(pairs, scene, skeleton).stripped : undefined;
  const traveller = options.lockRoot ? travellerOf(pairs, skeleton) : -1;
  const travellers = new Set([traveller, ...factsOf(scene).names.twins(traveller)]);
  const tracks = [...morphs, ...shown];
  for (const { track, node } of pairs) {
    const { path } = track;
    if (options.motion === 'rotation-only' && path === 'translation' && !skeleton.roots.has(node) && skeleton.bones.has(node)) continue;
    if (stripped?.has(node)) continue;
    const made = boundTrack(track, node, scene, overrides(node, path) ?? track.mode, options.additive ?? 'off');
    tracks.push(travellers.has(node) && path === 'translation' ? held(made) : made);
  }
  return tracks;
}

function makeReport(
  { pairs, dropped, morphs, shown, meshes, matching, unmatched }: Meeting,
  clip: Clip,
  scene: RigScene,
  options: BindOptions,
): BindReport {
  const { skeleton, names, rigidBones } = factsOf(scene);
  const findings: Finding[] = [];
  if (matching.prefixes.length > 0) {
    findings.push(finding('BIND_BY_PREFIX', 'info', clip.name, `left out: ${matching.prefixes.map(prefix => `"${prefix}"`).join(', ')}`));
  }
  const looks = inspectMotion(pairs, scene, skeleton);
  if (looks.verdict.isAdditive && looks.verdict.code !== 'MODES' && (options.additive ?? 'off') === 'off') {
    findings.push(finding('LOOKS_ADDITIVE', 'warning', clip.name, `${explainLooks(looks.verdict)}: bind with additive "rest" or "layer"`));
  } else if (looks.stripped.size > 0 && !looks.verdict.isAdditive && options.motion !== 'strip-zero-tracks') {
    findings.push(
      finding(
        'LOOKS_STRIPPED',
        'warning',
        clip.name,
        `${someOf([...looks.stripped].map(row => nameAt(scene, row)))}: bind with motion "strip-zero-tracks"`,
        looks.stripped.size,
      ),
    );
  }

  const isScaled = ({ track, node }: Pair): boolean => {
    if (track.path !== 'scale' || !rigidBones.has(node)) return false;
    const first = track.values.subarray(0, trackWidth('scale', track.component));
    return track.values.some((value, i) => value !== first[i % first.length]);
  };
  const scaled = new Set(pairs.filter(isScaled).map(({ node }) => nameAt(scene, node)));
  if (scaled.size > 0) findings.push(finding('SKINNING_SCALE', 'info', clip.name, someOf([...scaled]), scaled.size));

  const moved = new Set(pairs.map(pair => pair.node));
  const untouched = [...skeleton.bones].filter(row => !moved.has(row)).map(row => nameAt(scene, row));
  if (pairs.length + morphs.length + shown.length === 0 && matching.targetCount > 0 && skeleton.bones.size > 0) {
    findings.push(finding('BIND_NOTHING', 'warning', clip.name, `it moves ${someOf([...unmatched])}`));
  } else {
    if (unmatched.size > 0) findings.push(finding('BIND_UNMATCHED_TRACKS', 'info', clip.name, someOf([...unmatched]), unmatched.size));
    if (untouched.length > 0 && moved.size > 0)
      findings.push(finding('BIND_UNTOUCHED_BONES', 'info', clip.name, someOf(untouched), untouched.length));
  }
  if (dropped > 0) findings.push(finding('BIND_TOO_MANY', 'warning', clip.name, '', dropped));
  const matched = new Set([...[...moved].map(row => nameAt(scene, row)), ...meshes]);
  const bones = new Map<number, number>();
  for (const row of moved) {
    const model = names.modelOf(row);
    if (model >= 0) bones.set(model, (bones.get(model) ?? 0) + 1);
  }
  const models = Array.from(bones, ([node, count]) => ({ node, name: nameAt(scene, node), bones: count }));
  return { matched: [...matched], unmatched: [...unmatched], untouched, models, findings };
}

// ---------------------------------------------------------------- who is who

/** What every clip asks of a model: found once. */
interface SceneFacts {
  names: NodeNames;
  drawn: DrawnNames;
  skeleton: SkeletonRows;
  /** The largest weight of each shape by row of the mesh and name, and the smallest of them. */
  maxima: { of: ReadonlyMap<string, number>; smallest: number };
  rigidBones: ReadonlySet<number>;
  /** Of the clip that was matched last: the clips of one file mostly name the same targets in the same order. */
  last?: { targets: readonly Target[]; bindRoot: boolean; matching: Matching };
}

const factsOfScenes = new WeakMap<RigScene, SceneFacts>();

function factsOf(scene: RigScene): SceneFacts {
  let facts = factsOfScenes.get(scene);
  if (!facts)
    factsOfScenes.set(
      scene,
      (facts = {
        names: new NodeNames(scene.nodes),
        drawn: new DrawnNames(scene),
        skeleton: skeletonOf(scene),
        maxima: maximaOf(scene),
        rigidBones: rigidBonesOf(scene),
      }),
    );
  return facts;
}

interface Matching {
  /** By track; -1 where there is no such node. */
  rows: Int32Array;
  unmatched: string[];
  targetCount: number;
  /** What was left out of names to make them match. */
  prefixes: string[];
}

function matchTargets(tracks: readonly Track[], scene: RigScene, options: BindOptions, isOwn: boolean): Matching {
  const facts = factsOf(scene);
  const bindRoot = options.bindRoot ?? false;
  const isNamed = (track: Track): boolean => !isOfMesh(track) && !(isOwn && track.node >= 0);
  const named = tracks.filter(isNamed);
  if (named.length < tracks.length) {
    // some go by row: nothing to share with other clips
    const matching = matchNames(named, facts.names, scene, bindRoot);
    let next = 0;
    return { ...matching, rows: Int32Array.from(tracks, track => (isNamed(track) ? matching.rows[next++]! : isOwn ? track.node : -1)) };
  }
  const { last } = facts;
  const isSame =
    last?.bindRoot === bindRoot &&
    last.targets.length === named.length &&
    named.every(({ target, occurrence }, i) => last.targets[i]!.name === target && last.targets[i]!.occurrence === occurrence);
  if (isSame) return last.matching;
  const matching = matchNames(named, facts.names, scene, bindRoot);
  facts.last = { targets: named.map(({ target, occurrence }) => ({ name: target, occurrence })), bindRoot, matching };
  return matching;
}

/** A node as a motion calls it. */
export type NodeName = Pick<Track, 'target' | 'occurrence'>;

/** By name the row of the node that is meant, -1 where there is none: the rules by which tracks find their nodes. */
export function findNodes(named: readonly NodeName[], scene: RigScene, bindRoot = false): Int32Array {
  return matchNames(named, factsOf(scene).names, scene, bindRoot).rows;
}

function matchNames(tracks: readonly NodeName[], names: NodeNames, scene: RigScene, bindRoot: boolean): Matching {
  const indices = new Map<string, number>();
  const list: Target[] = [];
  const indexOf = ({ target: name, occurrence }: NodeName): number => {
    const key = `${occurrence} ${name}`;
    let index = indices.get(key);
    if (index === undefined) {
      indices.set(key, (index = list.length));
      list.push({ name, occurrence });
    }
    return index;
  };
  const targets = tracks.map(indexOf);
  let found = names.match(list);
  let prefixes: string[] = [];
  if (list.length > 0 && found.every(row => row < 0)) {
    const attempt = names.matchWithoutPrefix(list);
    if (attempt.prefixes.length > 0 && attempt.rows.some(row => row >= 0)) ({ rows: found, prefixes } = attempt);
  }
  const root = scene.nodes.bones.indexOf(0);
  if (bindRoot && list.length > 0 && found[0]! < 0 && root >= 0 && !found.includes(root)) found[0] = root;
  return {
    rows: Int32Array.from(targets, target => found[target]!),
    unmatched: list.filter((_, i) => found[i]! < 0).map(target => target.name),
    targetCount: list.length,
    prefixes,
  };
}

/** What is said of a mesh, not of a node. */
function isOfMesh({ path }: Track): boolean {
  return path === 'weight' || path === 'shown' || path === 'material';
}

/** The rows of the mesh that a track is about: by its node in its own file, elsewhere by the renderer's, the mesh's or the node's name. */
function renderersOf(track: Track, scene: RigScene, isOwn: boolean): ReadonlySet<number> {
  const { drawn } = factsOf(scene);
  return isOwn && track.node >= 0 ? drawn.ofNode(track.node) : drawn.meantBy(track.target);
}

/** Every mesh with that morph, or only those that the track is about; one track a spelling. */
function bindMorph(track: Track, scene: RigScene, isOwn: boolean): BoundTrack[] {
  const found = factsOf(scene).drawn.morphs(track.property, track.target === '' ? undefined : renderersOf(track, scene, isOwn));
  return [...found].map(([morph, renderers]) =>
    boundCurve(track, -1, renderers, morph, track.mode === 'additive' ? 'additive' : 'absolute'),
  );
}

/** A shape's weight ends at the largest that the shape has (docs/formats/cast.md, section 3.4): one track a maximum. */
function withinMaximum(track: BoundTrack, scene: RigScene): BoundTrack[] {
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

/** Keys that play what the curve gives, cut off at a value: a straight line that crosses it gets a key there. */
function clamped({ times, values, interpolation }: BoundTrack, most: number): { times: Float32Array; values: Float32Array } {
  const keys: [number, number][] = [];
  for (const [k, time] of times.entries()) {
    const before = values[k - 1] ?? values[k]!;
    const value = values[k]!;
    if (interpolation === 'linear' && (before - most) * (value - most) < 0) {
      keys.push([times[k - 1]! + ((time - times[k - 1]!) * (most - before)) / (value - before), most]);
    }
    keys.push([time, Math.min(value, most)]);
  }
  return { times: Float32Array.from(keys, ([time]) => time), values: Float32Array.from(keys, ([, value]) => value) };
}

function maximaOf({ meshes }: RigScene): SceneFacts['maxima'] {
  let smallest = Infinity;
  const of = new Map<string, number>();
  for (const [m, { morphs }] of meshes.entries())
    for (const { name, maximum } of morphs) {
      smallest = Math.min(smallest, maximum);
      if (!of.has(`${m} ${name}`)) of.set(`${m} ${name}`, maximum);
    }
  return { of, smallest };
}

/** Bones whose scale would reach meshes that are skinned by dual quaternions, where those carry none. */
function rigidBonesOf({ nodes, meshes, renderers, skins, hints }: RigScene): Set<number> {
  const rows = new Set<number>();
  if (hints?.dualQuaternionScale) return rows;
  const seen = new Set<number>();
  for (const { mesh, skin } of renderers) {
    if (skin === undefined || seen.has(skin) || meshes[mesh]?.skinning !== 'dualQuaternion') continue;
    seen.add(skin);
    for (let row of skins[skin]?.joints ?? []) for (; row >= 0 && !rows.has(row); row = nodes.parents[row]!) rows.add(row);
  }
  return rows;
}

interface SkeletonRows {
  bones: Set<number>;
  /** Bones without a bone above them. */
  roots: Set<number>;
}

function skeletonOf({ nodes }: RigScene): SkeletonRows {
  const bones = new Set<number>();
  const roots = new Set<number>();
  const isUnderBone = new Uint8Array(nodes.count);
  for (let row = 0; row < nodes.count; row++) {
    const parent = nodes.parents[row]!;
    isUnderBone[row] = parent >= 0 && (isUnderBone[parent]! || nodes.bones[parent]! >= 0) ? 1 : 0;
    if (nodes.bones[row]! < 0) continue;
    bones.add(row);
    if (!isUnderBone[row]) roots.add(row);
  }
  return { bones, roots };
}

// ---------------------------------------------------------------- the bone that travels

/** The first bone, parents before children, whose translation changes; -1 where none travels. */
function travellerOf(pairs: readonly Pair[], skeleton: SkeletonRows): number {
  let first = -1;
  for (const { track, node } of pairs) {
    if (track.path !== 'translation' || !skeleton.bones.has(node) || (first >= 0 && node >= first)) continue;
    const width = trackWidth(track.path, track.component);
    if (track.values.some((value, i) => value !== track.values[i % width])) first = node;
  }
  return first;
}

/** The same track with its first key alone. */
function held(track: BoundTrack): BoundTrack {
  const { kinds: _, tangents: __, weights: ___, ...rest } = track;
  const width = trackWidth(track.path, track.component);
  return { ...rest, interpolation: 'step', times: track.times.slice(0, 1), values: track.values.slice(0, width) };
}

// ---------------------------------------------------------------- what values mean

/** The mode that overrides give a node's track: that of the nearest ancestor with the path's flag. */
function overridesOf(
  clip: Clip,
  scene: RigScene,
  options: BindOptions,
  unmatched: Set<string>,
): (node: number, path: TrackPath) => TrackMode | undefined {
  const { names } = factsOf(scene);
  const byFirst = new Map<number, ModeOverride[]>();
  for (const entry of clip.overrides) {
    const node = names.find(entry.node);
    const list = byFirst.get(node) ?? [];
    // The first one for a path counts, so a node has no more than a few.
    const isNews = (['translation', 'rotation', 'scale'] as const).some(
      path => entry[path] && !list.some(other => other[path] && (other.includesNode || !entry.includesNode)),
    );
    if (node < 0) unmatched.add(entry.node);
    else if (isNews) byFirst.set(node, [...list, entry]);
  }
  const byNode = new Map([...byFirst].flatMap(([first, list]) => [first, ...names.twins(first)].map(node => [node, list] as const)));
  return (node, path) => {
    if (byNode.size === 0 || (path !== 'translation' && path !== 'rotation' && path !== 'scale')) return undefined;
    const { parents } = scene.nodes;
    for (let at = node; at >= 0; at = parents[at]!) {
      const reaches = (candidate: ModeOverride): boolean => at !== node || candidate.includesNode || (options.includeNamedBone ?? false);
      const entry = byNode.get(at)?.find(candidate => candidate[path] && reaches(candidate));
      if (entry) return entry.mode;
    }
    return undefined;
  };
}

/** A track of which everything is taken over but its target. */
function boundCurve(track: Track, node: number, renderers: readonly number[], morph: string, mode: BoundTrack['mode']): BoundTrack {
  const { path, component, blendWeight, times, values, interpolation, before, after } = track;
  const bound: BoundTrack = { node, renderers, morph, path, component, mode, blendWeight, times, values, interpolation, before, after };
  if (track.kinds) bound.kinds = track.kinds;
  if (track.tangents) bound.tangents = track.tangents;
  if (track.weights) bound.weights = track.weights;
  return bound;
}

function boundTrack(track: Track, node: number, scene: RigScene, mode: TrackMode, additive: 'off' | 'rest' | 'layer'): BoundTrack {
  const bound = boundCurve(track, node, [], track.property, 'absolute');
  const { path } = track;
  if (path !== 'translation' && path !== 'rotation' && path !== 'scale') return bound;
  if (additive !== 'off' && mode === 'absolute') return onTop(bound, scene, additive);
  if (mode === 'additive') return { ...bound, mode };
  if (mode === 'absolute') return bound;
  const column = { translation: scene.nodes.translations, rotation: scene.nodes.rotations, scale: scene.nodes.scales }[path];
  const size = path === 'rotation' ? 4 : 3;
  const rest = Array.from(column.subarray(size * node, size * node + size));
  if (path === 'rotation') {
    if (track.component >= 0) return bound; // no format has relative components of a rotation
    const base = mode === 'delta' ? multiply(rest, conjugate(Array.from(track.values.subarray(0, 4)))) : rest;
    return mapQuaternions(bound, key => multiply(base, key));
  }
  const firstOf = (width: number): number[] => Array.from(track.values.subarray(0, width));
  const own = track.component >= 0 ? [rest[track.component]!] : rest;
  if (path === 'translation') {
    const offset = mode === 'delta' ? own.map((value, i) => value - (firstOf(own.length)[i] ?? 0)) : own;
    return mapValues(bound, (value, i) => value + offset[i % offset.length]!);
  }
  const factor = mode === 'delta' ? own.map((value, i) => value / (firstOf(own.length)[i] || 1)) : own;
  const scaled = mapValues(bound, (value, i) => value * factor[i % factor.length]!);
  if (bound.tangents) scaled.tangents = bound.tangents.map((slope, i) => slope * factor[i % factor.length]!);
  return scaled;
}

/** Unreal's additive: T = T_base + T_key, R = R_key R_base, scale left alone. */
function onTop(track: BoundTrack, scene: RigScene, additive: 'rest' | 'layer'): BoundTrack {
  const { translations, rotations } = scene.nodes;
  const { node, path, component } = track;
  if (path === 'scale' || (path === 'rotation' && component >= 0)) return track;
  if (path === 'translation') {
    if (additive === 'layer') return { ...track, mode: 'additive' };
    const rest = component >= 0 ? [translations[3 * node + component]!] : Array.from(translations.subarray(3 * node, 3 * node + 3));
    return mapValues(track, (value, i) => value + rest[i % rest.length]!);
  }
  const rest = Array.from(rotations.subarray(4 * node, 4 * node + 4));
  if (additive === 'rest') return mapQuaternions(track, key => multiply(key, rest));
  // A layer is multiplied from the right by who plays it: the same turn, seen from the bone at rest.
  return { ...mapQuaternions(track, key => multiply(conjugate(rest), multiply(key, rest))), mode: 'additive' };
}

function mapValues(track: BoundTrack, map: (value: number, index: number) => number): BoundTrack {
  return { ...track, values: track.values.map(map) };
}

/** A quaternion product is linear, so slopes are mapped as keys are. */
function mapQuaternions(track: BoundTrack, map: (key: number[]) => number[]): BoundTrack {
  const apply = (from: Float32Array): Float32Array => {
    const to = new Float32Array(from.length);
    for (let i = 0; i + 3 < from.length; i += 4) to.set(map([from[i]!, from[i + 1]!, from[i + 2]!, from[i + 3]!]), i);
    return to;
  };
  return { ...track, values: apply(track.values), ...(track.tangents && { tangents: apply(track.tangents) }) };
}

function multiply([ax = 0, ay = 0, az = 0, aw = 1]: number[], [bx = 0, by = 0, bz = 0, bw = 1]: number[]): number[] {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

function conjugate([x = 0, y = 0, z = 0, w = 1]: number[]): number[] {
  return [-x, -y, -z, w];
}

// ---------------------------------------------------------------- words

function nameAt(scene: RigScene, row: number): string {
  return scene.nodes.names[row] ?? '';
}

function finding(code: string, severity: Severity, path: string, detail: string, count = 1): Finding {
  return { code, severity, offset: null, path, detail, count };
}

/** The first of them, for a finding. */
export function someOf(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}

function checkOptions(options: BindOptions): void {
  const known: Record<keyof BindOptions, readonly unknown[]> = {
    motion: ['file', 'rotation-only', 'strip-zero-tracks'],
    additive: ['off', 'rest', 'layer'],
    lockRoot: [true, false],
    includeNamedBone: [true, false],
    bindRoot: [true, false],
  };
  for (const [key, value] of Object.entries(options)) {
    const values = Object.hasOwn(known, key) ? known[key as keyof BindOptions] : undefined;
    if (!values) throw new TypeError(`bind: there is no option "${key}" (known: ${Object.keys(known).join(', ')})`);
    if (value !== undefined && !values.includes(value)) throw new TypeError(`bind: "${key}" is none of ${values.join(', ')}`);
  }
}
