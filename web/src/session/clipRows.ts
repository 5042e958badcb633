// The list of animations: its rows in their order, and which of them starts with a model.
import { ANY_SECONDS, firstClip, lengthOf as lengthOfClip, ownSet } from '../core/firstAnimation.ts';
import type { Clip, RigScene } from '../core/types.ts';
import { startingClips } from '../three/animation/starting.ts';
import { modelsIn } from './library.ts';
import type { Looping } from './look.ts';
import { type Suit, suitOf, TOGETHER } from './motion.ts';
import type { Session } from './session.ts';
import type { Row, Shown, Source } from './source.ts';

export const clipsOf = ({ source, indices }: Row): Clip[] => indices.map(index => source.file.scene!.clips[index]!);
export const titleOf = (row: Row): string => (row.indices.length === 1 ? clipsOf(row)[0]!.name : TOGETHER);
/** The same motion is selected in both. */
export function isSameMotion(a: Session, b: Session): boolean {
  const [one, other] = [rowsOf(a)[a.selected], rowsOf(b)[b.selected]];
  return one !== undefined && other !== undefined && one.source.given.path === other.source.given.path && titleOf(one) === titleOf(other);
}

/** Seconds that are played, from the first key. */
export const lengthOf = (row: Row): number => Math.max(0, ...clipsOf(row).map(lengthOfClip));

/** Whether what plays begins anew at its end. A recording's file cannot say so, and it does. */
export const isLooped = (looping: Looping, motion: { loop: boolean } | null, isRecording: boolean): boolean =>
  looping === 'on' || (looping === 'file' && (isRecording || motion?.loop === true));

const suits = new WeakMap<Source['file'], WeakMap<Source, Suit>>();

/** How a file of motions suits the model that is shown; null where there is none. */
export function suitIn({ shown }: Session, source: Source): Suit | null {
  if (!shown) return null;
  let known = suits.get(shown.file);
  if (!known) suits.set(shown.file, (known = new WeakMap()));
  let suit = known.get(source);
  if (!suit) known.set(source, (suit = suitOf(shown, source)));
  return suit;
}

const rows = new WeakMap<readonly Source[], { shown: Shown | null; rows: readonly Row[] }>();

/** All motions that there are. What was made for this model comes first; otherwise in the order of their names. */
export function rowsOf(session: Session): readonly Row[] {
  const { shown, sources } = session;
  const known = rows.get(sources);
  if (known?.shown === shown) return known.rows;
  const rankOf = (source: Source): number => suitIn(session, source)?.rank ?? 0;
  const made = sources
    .toSorted((a, b) => rankOf(b) - rankOf(a))
    .flatMap(source => {
      const all = (source.file.scene?.clips ?? []).map((_, index): Row => ({ source, indices: [index] }));
      const starting = source.given === shown?.given ? startingOf(shown.file.scene) : [];
      return starting.length > 1 ? [{ source, indices: starting }, ...all] : all;
    });
  rows.set(sources, { shown, rows: made });
  return made;
}

const startingOf = (scene: RigScene | null): number[] => (scene ? startingClips(scene) : []);

/** The animation that starts with a model: what its file starts, else the first of its own set; -1 if it has none. */
export function firstToPlay(session: Session): number {
  const { shown } = session;
  const starting = startingOf(shown?.file.scene ?? null);
  const chosen = rowsOf(session).findIndex(
    row =>
      row.source.given === shown?.given && starting.length > 0 && starting.every(index => row.indices.includes(index)) && lengthOf(row) > 0,
  );
  return chosen >= 0 ? chosen : firstOf(session, session.sources);
}

/** Files among `sources` that suit the shown model, the best first. */
function fittingOf(session: Session, sources: readonly Source[]): { path: string; source: Source }[] {
  const all = new Set(rowsOf(session).map(({ source }) => source));
  return [...all]
    .filter(source => sources.includes(source) && suitIn(session, source)!.fits)
    .map(source => ({ path: source.given.path, source }));
}

/** The shown model's own set among these files. */
function ownOf(session: Session, sources: readonly Source[]): Source[] {
  const path = session.shown?.given.path ?? '';
  const others = modelsIn(session.library).flatMap(({ given }) => (given.path === path ? [] : given.path));
  return ownSet(path, fittingOf(session, sources), others).map(({ source }) => source);
}

/** The animation to start with among these files: of the model's own set, else of the set that fits best; -1 if there is none. */
export function firstOf(session: Session, sources: readonly Source[]): number {
  const own = ownOf(session, sources);
  const set = own.length > 0 ? own : ownSet('', fittingOf(session, sources), []).map(({ source }) => source);
  const rows = rowsOf(session);
  const single = rows.filter(({ source, indices }) => set.includes(source) && indices.length === 1);
  const clips = single.map(row => clipsOf(row)[0]!);
  return rows.indexOf(single[firstClip(clips, session.shown?.isBare ? ANY_SECONDS : undefined)]!);
}

/** The row of that name in the model's own set, whatever its case; -1 if there is none. */
export function ownRowCalled(session: Session, name: string): number {
  const own = ownOf(session, session.sources);
  return rowsOf(session).findIndex(row => own.includes(row.source) && titleOf(row).toLowerCase() === name.toLowerCase());
}

/** The motion of `before` among those of `next`, as its name and file tell; −1 where it is not there. */
export function rowLike(next: Session, before: Session): number {
  const current = rowsOf(before)[before.selected];
  if (!current) return -1;
  return rowsOf(next).findIndex(row => titleOf(row) === titleOf(current) && row.source.given.path === current.source.given.path);
}

/** The same if it suits the model of `next`; if that is another model, only an animation of its own set. */
export function sameRow(before: Session, next: Session): number {
  const at = rowLike(next, before);
  const row = rowsOf(next)[at];
  const isSameModel = before.shown?.given.path === next.shown?.given.path;
  const isKept = row && (isSameModel ? suitIn(next, row.source)!.fits : ownOf(next, next.sources).includes(row.source));
  return isKept ? at : -1;
}
