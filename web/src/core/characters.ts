// Groups models into characters, such as a body with its boots, hat and head. The result is an
// estimate: uncertain parts are only suggested (`offers`). Independent of three.js.
import { distance, type Vector } from './math/vector.ts';
import { entry } from './entry.ts';
import { levelsIn } from './levels.ts';
import { pathSimilarity, type PathWords, parsePath } from './match.ts';
import type { ModelFacts } from './modelFacts.ts';
import { wordsOf } from './nameWords.ts';

export interface Candidate {
  /** Path of the file, with slashes or backslashes. Its name and folders are compared. */
  readonly path: string;
  readonly facts: ModelFacts;
}

/** Reason why a model with the same skeleton is only suggested as a part. */
export type PartDoubt =
  /**
   * The models have `common` bones in common, but only `same` of these have equal rest positions.
   */
  | { code: 'rest-differs'; same: number; common: number }
  /** The animation file `name` is named after the part. */
  | { code: 'own-animations'; name: string }
  /**
   * The material or image `name` is named after the part, and the names of part and lead have no
   * word in common. The part is therefore probably a separate character.
   */
  | { code: 'own-textures'; name: string }
  /** The vertices of the part follow the same bones as the vertices of the part `name`. */
  | { code: 'alternative'; name: string };

export interface Offer<Model> {
  model: Model;
  doubt: PartDoubt;
}

export interface Character<Model> {
  /** The main model, which contains most of the body. */
  lead: Model;
  /** Models that are shown together with the lead, sorted by path. */
  parts: Model[];
  /**
   * Models that may be parts of this character, sorted by path. Each of them is also the lead of a
   * separate character.
   */
  offers: Offer<Model>[];
}

/** Minimum number of bones that a part and its lead have in common. Fewer may match by chance. */
const FEWEST_BONES = 8;
/** Minimum fraction of the smaller skeleton's bones that the other skeleton must contain. */
const LEAST_IN_COMMON = 0.8;
/**
 * Maximum distance between rest positions that count as equal, relative to the largest side of the
 * lead's bounding box.
 */
const MAX_DISTANCE = 0.01;
/** Minimum fraction of the common bones whose rest positions must be equal for a part. */
const SAME_REST = 0.9;
/** Minimum fraction of the common bones whose rest positions must be equal for a suggested part. */
const ALIKE_REST = 0.6;
/** Approximate number of bones that are compared first, as a sample. */
const FEW_BONES = 12;
/**
 * Minimum number of bones in the sample whose rest positions must be equal. If there are fewer, the
 * remaining bones are not compared.
 */
const FEW_SAME = 2;
/** Minimum fraction of a model's vertices that must follow a bone for the bone to count as used. */
const LEAST_OF_BONE = 0.005;
/**
 * Minimum fraction of a model's vertices that must follow the bones of a body region. Otherwise the
 * model is considered not to contain that region.
 */
const LEAST_OF_REGION = 0.01;
/**
 * A model is a whole body if it uses bones that move at least this fraction of the lead's vertices,
 * and at least this fraction of the bones in its skeleton that either model uses. A model uses a
 * bone if its vertices follow the bone.
 */
const WHOLE = 0.5;
/**
 * Two parts are alternatives if each uses the bones of at least this fraction of the other's
 * vertices.
 */
const SAME_COVER = 0.8;
/**
 * A part adds geometry to its lead if the lead uses the bones of less than this fraction of the
 * part's vertices.
 */
const ADDS = 0.75;

/** Words in bone names that indicate each body region. */
const REGIONS = {
  head: /^(head|skull|face|jaw|cranium)$/,
  hand: /^(hand|wrist|palm|finger|fingers|thumb|index|middle|ring|pinky)$/,
  foot: /^(foot|feet|ankle|toe|toes|ball|heel|hoof|paw)$/,
  trunk: /^(spine|pelvis|hip|hips|chest|torso|abdomen|ribs|ribcage)$/,
};

/**
 * Groups models into characters. Each model is either a lead or a part of one character. A part has
 * the same rest pose as its lead and is not a whole body (see `areTwoBodies`). Only the finest level
 * of detail of a model can be a part. If several leads are possible, the part is assigned to the one
 * with the most similar name and folder, then to the nearest preceding one in the list, then to the
 * nearest following one.
 * `animations`: paths of animation files; if a file is named after a model, the model is more
 * likely a separate character.
 */
export function charactersOf<Model extends Candidate>(models: readonly Model[], animations: readonly string[]): Character<Model>[] {
  const finest = new Set(levelsIn(models, ({ path }) => path).map(([first]) => first));
  const order = new Map(models.map((model, at) => [model, at]));
  const sets = new Map<string, string[]>();
  for (const path of animations) entry(sets, wordsIn(path)[0] ?? '', () => []).push(path);
  const found: Group<Model>[] = [];
  for (const body of models.map(bodyOf).sort(byCover)) {
    const candidates = finest.has(body.model) ? found.filter(({ lead }) => finest.has(lead.model)) : [];
    const membership = characterFor(body, candidates, { sets, order });
    if (membership && !membership.doubt) membership.of.parts.push(body);
    else found.push({ lead: body, parts: [], offers: [] });
    if (membership?.doubt) membership.of.offers.push({ model: body.model, doubt: membership.doubt });
  }
  return found.flatMap(resolveAlternatives);
}

/**
 * Returns the character whose lead is `model`. If there is none, returns a character that consists
 * of `model` alone. Ignores the model's other levels of detail.
 */
export function characterOf<Model extends Candidate>(
  model: Model,
  models: readonly Model[],
  animations: readonly string[],
): Character<Model> {
  const levels = new Set(levelsIn(models, ({ path }) => path).find(group => group.includes(model)));
  const all = models.filter(other => other === model || !levels.has(other));
  // Only consider models that may be parts of this model, and the other models of which these may
  // be parts.
  const parts = all.map(bodyOf).filter(other => other.model !== model && inCommon(other, bodyOf(model)));
  const pool = all.filter(other => other === model || parts.some(part => part.model === other || inCommon(part, bodyOf(other))));
  const found = parts.length > 0 ? charactersOf(pool, animations).find(({ lead }) => lead === model) : undefined;
  return found ?? { lead: model, parts: [], offers: [] };
}

/** Describes the reason for a suggestion in a few English words. */
export function explainDoubt(doubt: PartDoubt): string {
  switch (doubt.code) {
    case 'rest-differs':
      return `only ${doubt.same} of ${doubt.common} common bones rest at the same position`;
    case 'own-animations':
      return `${doubt.name} has animations for it`;
    case 'own-textures':
      return `its texture ${doubt.name} is named after it`;
    case 'alternative':
      return `it covers the same bones as ${doubt.name}`;
  }
}

// ---------------------------------------------------------------- one model

/** A candidate model with values that are derived from it once. */
class Body<Model extends Candidate> {
  readonly model: Model;
  readonly path: PathWords;
  readonly words: readonly string[];
  /** Names of the bones that move at least the fraction `LEAST_OF_BONE` of the vertices. */
  readonly used: ReadonlySet<string>;
  readonly regions: ReadonlySet<string>;
  /** Largest side of the bounding box in metres; 0 if there are no meshes. */
  readonly size: number;
  /** Identifies the bones that the vertices follow: models with the same bones have equal keys. */
  readonly cover: string;
  /**
   * Identifies the rest pose: models with the same bones at the same rest positions have equal
   * keys.
   */
  readonly #rest: string;
  readonly #names: readonly string[];
  readonly #positions: readonly Vector[];

  constructor(model: Model) {
    const { bones, shares, min, max, vertexCount } = model.facts;
    this.model = model;
    this.path = parsePath(model.path);
    this.words = [...this.path.words];
    this.used = new Set([...shares].filter(([, share]) => share >= LEAST_OF_BONE).map(([name]) => name));
    this.regions = regionsOf(shares);
    this.size = vertexCount > 0 ? Math.max(...max.map((value, axis) => value - min[axis]!)) : 0;
    this.cover = JSON.stringify([...this.used].sort());
    this.#names = [...bones.keys()];
    this.#positions = [...bones.values()];
    this.#rest = JSON.stringify([this.#names, this.#positions]);
  }

  /**
   * Counts the bones that this model and a lead have in common, and how many of these have the same
   * rest position. Returns null if either count is too low even for a suggestion.
   */
  restLike(lead: Body<Model>): Rest | null {
    const { bones } = lead.model.facts;
    const all = this.#names.length;
    const least = Math.max(FEWEST_BONES, LEAST_IN_COMMON * Math.min(all, bones.size));
    if (this.#rest === lead.#rest) return all >= least ? { common: all, same: all } : null;
    // Most pairs of models differ so much that comparing a sample of bones is enough.
    const few = this.#compare(lead, Math.max(1, Math.floor(all / FEW_BONES)));
    if (few.same < FEW_SAME) return null;
    const { common, same } = this.#compare(lead, 1);
    return common >= least && same >= ALIKE_REST * common ? { common, same } : null;
  }

  /** Compares every `step`-th bone with the lead's bone of the same name. */
  #compare(lead: Body<Model>, step: number): Rest {
    const { bones } = lead.model.facts;
    let common = 0;
    let same = 0;
    for (let at = 0; at < this.#names.length; at += step) {
      const other = bones.get(this.#names[at]!);
      if (!other) continue;
      common++;
      if (distance(this.#positions[at]!, other) <= MAX_DISTANCE * lead.size) same++;
    }
    return { common, same };
  }
}

const bodies = new WeakMap<Candidate, Body<Candidate>>();

function bodyOf<Model extends Candidate>(model: Model): Body<Model> {
  let body = bodies.get(model) as Body<Model> | undefined;
  if (!body) bodies.set(model, (body = new Body(model)));
  return body;
}

interface Rest {
  common: number;
  same: number;
}

const wordsIn = (path: string): readonly string[] => [...parsePath(path).words];
const begins = (words: readonly string[], start: readonly string[]): boolean => start.every((word, at) => words[at] === word);

/** Returns the body regions to which the mesh is skinned, judged by the names of the bones. */
function regionsOf(shares: ReadonlyMap<string, number>): Set<string> {
  const sums = new Map<string, number>();
  for (const [name, share] of shares) {
    const words = wordsOf(name);
    for (const [region, pattern] of Object.entries(REGIONS))
      if (words.some(word => pattern.test(word))) sums.set(region, (sums.get(region) ?? 0) + share);
  }
  return new Set([...sums].filter(([, sum]) => sum >= LEAST_OF_REGION).map(([region]) => region));
}

/**
 * Compares two models for sorting: models with more body regions come first, then larger models,
 * then models with more vertices.
 */
const byCover = <Model extends Candidate>(a: Body<Model>, b: Body<Model>): number =>
  b.regions.size - a.regions.size || b.size - a.size || b.model.facts.vertexCount - a.model.facts.vertexCount;

const byPath = (a: Candidate, b: Candidate): number => a.path.localeCompare(b.path, undefined, { numeric: true });

// ---------------------------------------------------------------- two models

/**
 * Compares the rest poses of a possible part and its lead. Returns null if the poses differ too
 * much, or if the part is a whole body.
 */
function inCommon<Model extends Candidate>(part: Body<Model>, lead: Body<Model>): Rest | null {
  if (part.size === 0 || lead.size === 0) return null;
  const rest = part.restLike(lead);
  return rest && !areTwoBodies(part, lead) ? rest : null;
}

/**
 * True if both models contain head, hands and feet, if the vertices of both follow the same bones,
 * or if the part is a whole body (see `WHOLE`).
 */
function areTwoBodies<Model extends Candidate>(part: Body<Model>, lead: Body<Model>): boolean {
  if (['head', 'hand', 'foot'].every(region => part.regions.has(region) && lead.regions.has(region))) return true;
  if (part.cover === lead.cover) return true;
  if (coverOf(lead, part) < WHOLE) return false;
  const moving = [...new Set([...part.used, ...lead.used])].filter(name => part.model.facts.bones.has(name)).length;
  return part.used.size >= WHOLE * moving;
}

/** Returns the fraction (0 to 1) of the vertices of `a` whose bones also move vertices of `b`. */
function coverOf<Model extends Candidate>(a: Body<Model>, b: Body<Model>): number {
  let all = 0;
  let covered = 0;
  for (const [name, share] of a.model.facts.shares) {
    all += share;
    if (b.used.has(name)) covered += share;
  }
  return all > 0 ? covered / all : 0;
}

/** Paths of animation files, grouped by the first word of their file name. */
type Sets = ReadonlyMap<string, readonly string[]>;

/** Returns the first reason why a part should only be suggested, or null if there is none. */
function doubtOf<Model extends Candidate>(part: Body<Model>, lead: Body<Model>, { common, same }: Rest, sets: Sets): PartDoubt | null {
  if (same < SAME_REST * common) return { code: 'rest-differs', same, common };
  if (part.words.length === 0 || begins(lead.words, part.words)) return null;
  const animations = sets.get(part.words[0]!)?.find(path => begins(wordsIn(path), part.words));
  if (animations !== undefined) return { code: 'own-animations', name: animations };
  // Models without a trunk, such as boots, gloves and hats, are never separate characters.
  const isPiece = part.regions.size > 0 && !part.regions.has('trunk');
  const isUnrelated = !isPiece && !part.words.some(word => lead.words.includes(word)) && coverOf(part, lead) >= ADDS;
  const texture = isUnrelated && part.model.facts.textures.find(name => begins(wordsIn(name), part.words));
  return texture ? { code: 'own-textures', name: texture } : null;
}

// ---------------------------------------------------------------- one character

interface Group<Model extends Candidate> {
  lead: Body<Model>;
  parts: Body<Model>[];
  offers: Offer<Model>[];
}

interface Membership<Model extends Candidate> {
  of: Group<Model>;
  doubt: PartDoubt | null;
}

interface Context<Model> {
  sets: Sets;
  /** Index of each model in the list of models. */
  order: ReadonlyMap<Model, number>;
}

/**
 * Returns the character to which a model belongs, or null if there is none. Prefers characters for
 * which `doubt` is null.
 */
function characterFor<Model extends Candidate>(
  body: Body<Model>,
  found: readonly Group<Model>[],
  { sets, order }: Context<Model>,
): Membership<Model> | null {
  const candidates = found.flatMap(of => {
    const rest = inCommon(body, of.lead);
    return rest ? [{ of, doubt: doubtOf(body, of.lead, rest, sets), score: pathSimilarity(body.path, of.lead.path) }] : [];
  });
  const sure = candidates.filter(({ doubt }) => !doubt);
  const listDistance = ({ of }: Membership<Model>): number => {
    const steps = order.get(body.model)! - order.get(of.lead.model)!;
    return steps > 0 ? steps : order.size - steps;
  };
  const [best] = (sure.length > 0 ? sure : candidates).sort((a, b) => b.score - a.score || listDistance(a) - listDistance(b));
  return best ?? null;
}

/**
 * Keeps one of several parts that follow the same bones, and suggests the others. Applies to parts
 * that add geometry to the lead (two heads for a body without one), to parts whose names differ
 * only in a number or letter (two helmets), and to three or more parts of any kind. Two garments
 * with different names are both kept, because they may be worn together.
 */
function resolveAlternatives<Model extends Candidate>({ lead, parts, offers }: Group<Model>): Character<Model>[] {
  const kept: Body<Model>[] = [];
  const alone: Character<Model>[] = [];
  for (const part of parts.sort((a, b) => byPath(a.model, b.model))) {
    const alike = parts.filter(other => other !== part && coverOf(part, other) >= SAME_COVER && coverOf(other, part) >= SAME_COVER);
    const isOneOf = alike.length > 1 || coverOf(part, lead) < ADDS;
    const first = kept.find(other => alike.includes(other) && (isOneOf || stemOf(other) === stemOf(part)));
    if (first) {
      offers.push({ model: part.model, doubt: { code: 'alternative', name: first.model.path } });
      alone.push({ lead: part.model, parts: [], offers: [] });
    } else kept.push(part);
  }
  const own = { lead: lead.model, parts: kept.map(({ model }) => model), offers: offers.sort((a, b) => byPath(a.model, b.model)) };
  return [own, ...alone];
}

/** Returns the words of a model's name, except those that consist of a single letter. */
const stemOf = <Model extends Candidate>({ words }: Body<Model>): string => words.filter(word => word.length > 1).join(' ');

// ---------------------------------------------------------------- weapons

/**
 * Maximum number of bone names that an attached object, such as a weapon, may share with a body.
 */
const MAX_SHARED_NAMES = 3;
/**
 * Names of bones to which objects are attached. If both skeletons contain a root bone with another
 * name, it belongs to a body (a pelvis) or matches by chance (Dummy01).
 */
const ATTACHMENT_NAMES = /^tag_|weapon|gun|grip|attach|prop|mount|socket/;

/**
 * Returns the lower-case name of the bone to which an object, such as a weapon, is attached, or ''
 * if there is none. `part`: the object. `whole`: the model that holds it. The root bone of the
 * object has the same name as the bone to which it is attached; the plug-ins for Cast use this rule
 * as well.
 */
export function attachmentBoneOf(part: ModelFacts, whole: ModelFacts): string {
  const { root } = part;
  if (!whole.bones.has(root) || root === whole.root || !ATTACHMENT_NAMES.test(root)) return '';
  return [...part.bones.keys()].filter(name => whole.bones.has(name)).length <= MAX_SHARED_NAMES ? root : '';
}
