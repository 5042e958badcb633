// Ends of the playback range, and trimming the animation to it.
import { editsOf } from '../session/animationEdits.ts';
import type { Playback } from '../view/index.ts';
import type { Page } from './page.ts';

/**
 * Returns the end of a playback range that starts at the current time: the existing end if it is
 * later, otherwise the end of the clip.
 */
export const endAfter = ({ range, time, duration }: Playback): number => (range && range.to > time ? range.to : duration);
/**
 * Returns the start of a playback range that ends at the current time: the existing start if it is
 * earlier, otherwise the start of the clip.
 */
export const startBefore = ({ range, time, start }: Playback): number => (range && range.from < time ? range.from : start);

/** Trims the animation to the playback range. An animation that is already trimmed gets shorter. */
export function trimToRange(page: Page): void {
  const { range, rows, session } = page;
  const edits = editsOf(session.value.animationEdits, rows.value[session.value.selected]);
  const from = edits.trim?.start ?? 0;
  if (range.value) void page.editSelected({ ...edits, trim: { start: from + range.value.from, end: from + range.value.to } });
}
