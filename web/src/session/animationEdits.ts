// Edits of animations by the visitor. The session stores them; `editAnimation.ts` applies them.
import type { ClipEdits } from '../rig/clipEdits.ts';
import type { AnimationRow, OpenedFile } from './openedFile.ts';

/** The edits of an animation. */
export interface AnimationEdits {
  /** Path of the file with the animation. */
  readonly path: string;
  /** Index of the clip in this file. */
  readonly index: number;
  readonly edits: ClipEdits;
}

const NO_EDITS: ClipEdits = {};

/** Returns true if a row can be edited. Clips that play together can't be edited. */
export const isEditable = (row: AnimationRow | undefined): row is AnimationRow => row?.indices.length === 1;

/** Returns the edits of an animation. The same object is returned for all animations without edits. */
export function editsOf(all: readonly AnimationEdits[], row: AnimationRow | undefined): ClipEdits {
  const found = isEditable(row) && all.find(each => isOf(each, row));
  return found ? found.edits : NO_EDITS;
}

/** Returns true if an animation has edits. */
export const isEdited = (all: readonly AnimationEdits[], row: AnimationRow | undefined): boolean => editsOf(all, row) !== NO_EDITS;

/** Replaces the edits of an animation. Edits that change nothing are removed. */
export function withEdits(all: readonly AnimationEdits[], row: AnimationRow, edits: ClipEdits): readonly AnimationEdits[] {
  const others = all.filter(each => !isOf(each, row));
  const isEmpty = Object.values(edits).every(value => !value);
  return isEmpty ? others : [...others, { path: row.source.input.path, index: row.indices[0]!, edits }];
}

/** Returns the edits of the clips of a file by their index; undefined if there are none. */
export function editsIn(all: readonly AnimationEdits[], { input }: Pick<OpenedFile, 'input'>): ReadonlyMap<number, ClipEdits> | undefined {
  const own = all.filter(({ path }) => path === input.path);
  return own.length > 0 ? new Map(own.map(({ index, edits }) => [index, edits])) : undefined;
}

const isOf = ({ path, index }: AnimationEdits, { source, indices }: AnimationRow): boolean =>
  path === source.input.path && index === indices[0];
