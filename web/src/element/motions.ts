// The motions of a rig and of files beside it: a list, and what of it a text means.
import { ANY_SECONDS, firstClip, ownSet } from '../core/firstAnimation.ts';
import { isMadeFor, match, type Match, rank } from '../core/match.ts';
import { uniqueNames } from '../core/names.ts';
import type { Clip } from '../core/types.ts';
import { hasNoSurface } from '../session/hasNoSurface.ts';
import { ClipAction, type AnimationMode } from '../session/clipAction.ts';
import type { Rig } from '../three/rig.ts';
import type { MotionInfo } from './types.ts';

interface Entry extends MotionInfo {
  readonly clip: Clip;
  /** Index of the file that it comes from; 0: the model's own. */
  readonly source: number;
}

export class MotionList {
  readonly list: readonly Entry[];
  readonly #rig: Rig;
  readonly #sources: readonly { path: string; clips: readonly Clip[] }[];

  constructor(rig: Rig, others: readonly Rig[]) {
    this.#rig = rig;
    this.#sources = [rig, ...others].map(({ file }) => ({ path: file.name ?? '', clips: file.scene!.clips }));
    const all = this.#sources.flatMap(({ clips }, source) => clips.map(clip => ({ clip, source })));
    const names = uniqueNames(all.map(({ clip }) => clip.name));
    this.list = all.map(({ clip, source }, index) => entryOf(rig, clip, source, index, names[index]!));
  }

  /**
   * Rows that a text means: a name as it is, a number, several of them (a list in JSON, or with commas between them), nothing: the rest pose. Null
   * where one of them does not exist.
   */
  find(text: string): number[] | null {
    if (text.trim() === '') return [];
    const whole = this.#row(text);
    if (whole >= 0) return [whole];
    const rows = wordsOf(text).map(word => this.#row(word));
    return rows.length > 0 && rows.every(row => row >= 0) ? rows : null;
  }

  /** Rows to play by default: the clips that the file starts by itself, else the first animation of the model's own set. */
  preferred(): number[] {
    const { starting, file } = this.#rig;
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

  #row(text: string): number {
    const name = text.trim();
    for (const spelled of [text, name]) {
      const exact = this.list.findIndex(entry => entry.name === spelled);
      if (exact >= 0) return exact;
    }
    const alike = this.list.findIndex(entry => entry.name.toLowerCase() === name.toLowerCase());
    if (alike >= 0) return alike;
    return /^\d+$/.test(name) && Number(name) < this.list.length ? Number(name) : -1;
  }

  /** Motions on top of each other, ready to be played; of none: the rest pose. */
  played(rows: readonly number[], additive: string | null): ClipAction {
    const entries = rows.map(row => this.list[row]!);
    return new ClipAction(
      [this.#rig],
      entries.map(({ clip }) => clip),
      { names: entries.map(({ name }) => name), reading: READINGS[additive ?? ''] ?? 'auto' },
    );
  }
}

/** The values of the attribute `additive`; detection is the default. */
const READINGS: Readonly<Record<string, AnimationMode>> = { 'as-stated': 'file', rest: 'additive' };

function entryOf(rig: Rig, clip: Clip, source: number, index: number, name: string): Entry {
  let found: Match | undefined;
  const matched = (): Match => (found ??= match(clip, rig.file.scene!));
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

function wordsOf(text: string): string[] {
  if (text.trim().startsWith('[')) {
    try {
      const list: unknown = JSON.parse(text);
      if (Array.isArray(list)) return list.map(String);
    } catch {
      // A name may begin with a bracket.
    }
  }
  return text.split(',');
}
