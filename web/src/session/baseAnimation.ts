// Finds the base animation of an additive animation.
import { rankBaseClips } from '../core/additiveBase.ts';
import { clipsOf, isUnread, rowsOf, compatibilityIn } from './animationRows.ts';
import type { AnimationRow } from './openedFile.ts';
import type { Session } from './session.ts';

/** Maximum number of animations that are compared. */
const MAX_CANDIDATES = 400;

/**
 * Returns the most likely base of the selected additive animation, chosen from the animations that
 * match the model and whose keys are read; null if there is none.
 */
export function baseAnimationOf(session: Session): AnimationRow | null {
  const rows = rowsOf(session);
  const row = rows[session.selected];
  const scene = session.shown?.file.scene;
  const clip = row?.indices.length === 1 ? clipsOf(row)[0] : undefined;
  if (!row || !scene || !clip) return null;
  const others = rows
    .filter(
      other => other !== row && other.indices.length === 1 && !isUnread(other) && compatibilityIn(session, other.source)?.fits === true,
    )
    .slice(0, MAX_CANDIDATES);
  const byClip = new Map(others.map(other => [clipsOf(other)[0]!, other]));
  const [best] = rankBaseClips(clip, [...byClip.keys()], scene);
  return (best && byClip.get(best.clip)) ?? null;
}
