// Lists the animations of a model and its companion files, and finds them by name or number.
import { nameFinder } from '../core/clipFinder.ts';
import { ANY_SECONDS, firstClip, ownSet } from '../core/firstAnimation.ts';
import { isMadeFor, match, type Match, rank } from '../core/match.ts';
import { uniqueNames } from '../core/names.ts';
import type { Clip } from '../core/types.ts';
import { hasNoSurface } from '../session/hasNoSurface.ts';
import { ClipAction, type AnimationMode } from '../session/clipAction.ts';
import type { Rig } from '../three/rig.ts';
import type { AnimationInfo } from './types.ts';

interface Entry extends AnimationInfo {
  readonly clip: Clip;
  /** Index of the file that contains the clip; 0 is the file of the model. */
  readonly source: number;
}

export class AnimationList {
  readonly list: readonly Entry[];
  readonly #rig: Rig;
  readonly #rigs: readonly Rig[];
  readonly #sources: readonly { path: string; clips: readonly Clip[] }[];

  constructor(rig: Rig, others: readonly Rig[]) {
    this.#rig = rig;
    this.#rigs = [rig, ...others];
    this.#sources = [rig, ...others].map(({ file }) => ({ path: file.name ?? '', clips: file.scene!.clips }));
    const all = this.#sources.flatMap(({ clips }, source) => clips.map(clip => ({ clip, source })));
    const names = uniqueNames(all.map(({ clip }) => clip.name));
    this.list = all.map(({ clip, source }, index) => entryOf(rig, clip, source, index, names[index]!));
  }

  /**
   * Parses the attribute `animation`: a name or number, or several as a JSON list or separated by
   * commas. Returns indices into `list`; an empty list stands for the rest pose. Returns null if
   * one of the animations does not exist.
   */
  find(text: string): number[] | null {
    if (text.trim() === '') return [];
    const row = this.#findRow(text);
    if (row >= 0) return [row];
    const rows = splitNames(text).map(word => this.#findRow(word));
    return rows.length > 0 && rows.every(each => each >= 0) ? rows : null;
  }

  /**
   * Returns the indices of the default animations: those that the file starts automatically;
   * otherwise the one that `firstClip` chooses from the files that belong to the model (`ownSet`).
   * If there are none, chooses from the first file whose animations are retargeted by body part.
   */
  preferred(): number[] {
    const { initialClipIndices: starting, file } = this.#rig;
    if (starting.length > 0) return [...starting];
    const model = file.name ?? '';
    const ranked = this.#sources.flatMap(({ path, clips }, source) => {
      if (clips.length === 0) return [];
      if (source === 0) return { source, path, rank: 1 };
      const found = match(clips, file.scene!);
      return isMadeFor(found) ? { source, path, rank: rank(found, model, path) } : [];
    });
    ranked.sort((a, b) => b.rank - a.rank);
    const own = ownSet(model, ranked, []).map(({ source }) => source);
    if (own.length === 0)
      own.push(this.#sources.findIndex(({ clips }, source) => source > 0 && clips[0] && isRetargeted(this.#rig, clips[0])));
    const entries = this.list.filter(({ source }) => own.includes(source));
    const least = hasNoSurface({ rig: this.#rig }) ? ANY_SECONDS : undefined;
    const first =
      entries[
        firstClip(
          entries.map(({ clip }) => clip),
          least,
        )
      ];
    return first ? [first.index] : [];
  }

  #findRow(text: string): number {
    const find = nameFinder(this.list.map(({ name }) => name));
    const row = find(text);
    return row >= 0 ? row : find(text.trim());
  }

  /** True if the keys of one of the animations are not read yet. */
  isUnread(rows: readonly number[]): boolean {
    return rows.some(row => this.list[row]!.clip.keysUnread);
  }

  /** Reads the keys of animations. Returns the rigs of their files, whose reports have changed. */
  async load(rows: readonly number[], signal: AbortSignal): Promise<Rig[]> {
    const unread = rows.map(row => this.list[row]!).filter(({ clip }) => clip.keysUnread);
    const rigs = this.#rigs.filter((_, source) => unread.some(entry => entry.source === source));
    const clipsOf = (rig: Rig): Clip[] => unread.filter(({ source }) => this.#rigs[source] === rig).map(({ clip }) => clip);
    await Promise.all(rigs.map(rig => rig.loadClips(clipsOf(rig), { signal })));
    return rigs;
  }

  /**
   * Returns an action that plays the given animations as layers, or holds the rest pose if `rows`
   * is empty.
   */
  actionFor(rows: readonly number[], additive: string | null): ClipAction {
    const entries = rows.map(row => this.list[row]!);
    return new ClipAction(
      [this.#rig],
      entries.map(({ clip }) => clip),
      { names: entries.map(({ name }) => name), animationMode: ADDITIVE_MODES[additive ?? ''] ?? 'auto' },
    );
  }
}

/**
 * Animation mode for each value of the attribute `additive`. For all other values, the mode is
 * detected.
 */
const ADDITIVE_MODES: Readonly<Record<string, AnimationMode>> = { 'as-stated': 'file', rest: 'additive' };

function entryOf(rig: Rig, clip: Clip, source: number, index: number, name: string): Entry {
  let found: Match | undefined;
  const matched = (): Match => {
    found ??= { ...match(clip, rig.file.scene!), moved: movedBones(rig, clip) };
    return found;
  };
  return {
    clip,
    source,
    index,
    name,
    duration: clip.duration,
    frameRate: clip.frameRate,
    events: clip.events,
    get matched() {
      return matched().moved;
    },
    get bones() {
      return matched().bones;
    },
  };
}

/** Returns the number of bones that a clip moves. */
function movedBones(rig: Rig, clip: Clip): number {
  const bones = rig.file.scene!.nodes.bones.reduce((count, bone) => count + (bone >= 0 ? 1 : 0), 0);
  return bones - rig.bind(clip).report.untouched.length;
}

/** True if a clip is retargeted by body part, and therefore moves bones with other names. */
const isRetargeted = (rig: Rig, clip: Clip): boolean => movedBones(rig, clip) > match(clip, rig.file.scene!).moved;

function splitNames(text: string): string[] {
  if (text.trim().startsWith('[')) {
    try {
      const list: unknown = JSON.parse(text);
      if (Array.isArray(list)) return list.map(String);
    } catch {
      // The text is not JSON, but the name of an animation that starts with a bracket.
    }
  }
  return text.split(',');
}
